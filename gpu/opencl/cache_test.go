package opencl_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
	"example.org/bench/gpu/opencl/opencltest"
)

// A program is built from source once for each text, options and includes. It is built again where its file is damaged,
// where the driver refuses its own code, and where the driver includes files.
func TestProgramsAreKept(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", folder)
	s := opencltest.Build(t)
	compile := func(src gpu.Source) (sources int64) {
		t.Helper()
		d := s.Open(t)
		before := s.Get("sources")
		m, err := d.Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Kernel("copy2"); err != nil {
			t.Error(err)
		}
		if err := errors.Join(m.Unload(), d.Close()); err != nil || s.Live() != 0 {
			t.Errorf("%v, %d objects are not released", err, s.Live())
		}
		return s.Get("sources") - before
	}
	one := gpu.Source{Name: "k.cl", Text: "…", Defines: map[string]string{"N": "1"}}
	for i, want := range []int64{1, 0, 0} {
		if got := compile(one); got != want {
			t.Errorf("start %d: %d programs made of the source, want %d", i+1, got, want)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "bench", "opencl", "*"))
	if err != nil || len(files) != 2 { // and the mark of the folder's last trim
		t.Fatalf("%v, %v", files, err)
	}
	file := files[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 1
		if at%7 == 0 {
			damaged = damaged[:at]
		}
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := compile(one); got != 1 {
			t.Fatalf("an entry with another byte %d is used", at)
		}
		if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, whole) {
			t.Fatalf("it was not written anew: %v", err)
		}
	}
	s.Set("no_code", 1)
	if got := compile(one); got != 1 {
		t.Errorf("code that the driver refuses: %d", got)
	}
	s.Set("no_code", 0)
	for name, src := range map[string]gpu.Source{
		"another define": {Name: "k.cl", Text: "…", Defines: map[string]string{"N": "2"}},
		"an option":      {Name: "k.cl", Text: "…", Defines: map[string]string{"N": "1"}, Options: []string{"-cl-mad-enable"}},
		"an include":     {Name: "k.cl", Text: "#include \"a.h\"\n", Headers: map[string]string{"a.h": "int x;\n"}},
		"another text":   {Name: "k.cl", Text: "#include \"a.h\"\n", Headers: map[string]string{"a.h": "int y;\n"}},
	} {
		if first, second := compile(src), compile(src); first != 1 || second != 0 {
			t.Errorf("%s: %d and %d programs made of the source, want 1 and 0", name, first, second)
		}
	}
	drivers := gpu.Source{Name: "k.cl", Text: "#include <there.h>\n", Options: []string{"-I/there"}}
	if first, second := compile(drivers), compile(drivers); first != 1 || second != 1 {
		t.Errorf("a file that the driver includes: %d and %d programs made of the source, want 1 and 1", first, second)
	}
}

// A failed call for the disk cache costs at most a compilation.
func TestKeepingFails(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := opencltest.Build(t)
	d := s.Open(t)
	failed := map[string]bool{}
	const building = 3 // calls that make, build and ask about a program of a source
	for from, first := range map[string]int{"the source": building + 1, "the cache": 1} {
		for n := first; ; n++ {
			src := gpu.Source{Name: "k.cl", Text: fmt.Sprint("// ", from, n)}
			if from == "the cache" {
				m, err := d.Compile(src)
				if err == nil {
					err = m.Unload()
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			before := s.Live()
			s.Fault(n, -6)
			m, err := d.Compile(src)
			call := s.Faulty()
			s.Fault(0, 0)
			if call == "" {
				if err := m.Unload(); err != nil {
					t.Error(err)
				}
				break
			}
			failed[call] = true
			if err == nil {
				err = m.Unload()
			}
			if err != nil || s.Live() != before {
				t.Errorf("of %s, call %d, %s: %v, %d objects are not released", from, n, call, err, s.Live()-before)
			}
		}
	}
	for _, call := range []string{"clGetProgramInfo", "clCreateProgramWithBinary", "clCreateKernel", "clGetKernelInfo", "clBuildProgram"} {
		if !failed[call] {
			t.Errorf("%s did not fail", call)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// Another version of the driver has code of its own.
func TestProgramsOfAnotherDriver(t *testing.T) {
	facts := gpu.Facts{Name: "GPU", DriverVersion: "1.0", OpenCL: &gpu.OpenCL{Platform: "p"}}
	later := facts
	later.DriverVersion = "1.1"
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if a, b := opencl.CachedFile(facts, "x"), opencl.CachedFile(later, "x"); a == b || a == "" {
		t.Errorf("%s and %s", a, b)
	}
}
