package opencl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
)

// Each driver here runs a program from its own code in the disk cache, refuses wrong arguments of it as of one from a source, and gets it
// anew where the file is damaged.
func TestProgramOfTheCache(t *testing.T) {
	all, err := opencl.All()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range all {
		folder := filepath.Join(t.TempDir(), f.Name)
		t.Setenv("XDG_CACHE_HOME", folder)
		run := func(value string) uint32 {
			t.Helper()
			d, err := opencl.Open(opencl.ID(i))
			if err != nil {
				t.Fatal(err)
			}
			m, err := d.Compile(gpu.Source{Name: "put.cl", Text: "__kernel void put(__global uint *x, uint n) { x[0] = VALUE + n; }\n", Defines: map[string]string{"VALUE": value}})
			if err != nil {
				t.Fatal(err)
			}
			k, err := m.Kernel("put")
			if err != nil {
				t.Fatal(err)
			}
			at, err := d.Alloc(4)
			if err != nil {
				t.Fatal(err)
			}
			if err := k.Launch(0, gpu.Launch{}, uint32(1), uint32(1)); err == nil || !strings.Contains(err.Error(), "argument 0 is a value, and the kernel's parameter is __global") {
				t.Errorf("%s: a wrong argument: %v", f.Name, err)
			}
			if err := k.Launch(0, gpu.Launch{}, at, uint32(1)); err != nil {
				t.Fatal(err)
			}
			got := make([]uint32, 1)
			if err := errors.Join(gpu.Download(d, got, at), d.Free(at), m.Unload(), d.Close()); err != nil {
				t.Fatal(err)
			}
			return got[0]
		}
		files := func() []string {
			list, err := filepath.Glob(filepath.Join(folder, "bench", "opencl", "????????????????*"))
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		if got := run("40"); got != 41 {
			t.Fatalf("%s: %d", f.Name, got)
		}
		one := files()
		if got := run("50"); len(one) != 1 || got != 51 {
			t.Fatalf("%s: %d, kept %v", f.Name, got, one)
		}
		var text []byte
		for _, name := range files() {
			if name != one[0] {
				text, err = os.ReadFile(name)
			}
		}
		// With the file of the second program in the first one's place, the second one runs: the source is not built.
		if err := errors.Join(err, os.WriteFile(one[0], text, 0o600)); err != nil {
			t.Fatal(err)
		}
		if got := run("40"); got != 51 {
			t.Errorf("%s: the program in the cache would give 51, and the one that ran gave %d", f.Name, got)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(one[0], text, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run("40"); got != 41 {
			t.Errorf("%s: a damaged program gives %d", f.Name, got)
		}
	}
}
