package compile

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// compileAnew is the variable that makes the test a process that compiles.
const compileAnew = "BENCH_TEST_COMPILE_ANEW"

// TestCompilingAnewChangesNothing: two processes with empty caches make the same
// bytes of each kernel, so that an instance of a point may take what another one
// compiled.
func TestCompilingAnewChangesNothing(t *testing.T) {
	if os.Getenv(compileAnew) != "" {
		compileOnce(t)
		return
	}
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	var caches [2]map[string][]byte
	for i := range caches {
		folder := t.TempDir()
		run := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		run.Env = append(os.Environ(), compileAnew+"=1", "XDG_CACHE_HOME="+folder)
		if out, err := run.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
			t.Fatalf("%v\n%s", err, out)
		}
		caches[i] = map[string][]byte{}
		files, err := filepath.Glob(filepath.Join(folder, "bench", "kernels", "[0-9a-f]*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			caches[i][filepath.Base(f)] = b
		}
	}
	if len(caches[0]) < 4 || len(caches[0]) != len(caches[1]) {
		t.Fatalf("%d and %d files compiled, want at least 4", len(caches[0]), len(caches[1]))
	}
	for key, first := range caches[0] {
		if !bytes.Contains(first, []byte("\x7fELF")) || !bytes.Equal(first, caches[1][key]) {
			t.Errorf("%s: %d bytes, and %d bytes of others", key, len(first), len(caches[1][key]))
		}
	}
}

// compileOnce compiles the kernels of an FFT and a scan for the oldest and the newest
// of the boards.
func compileOnce(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, factory := range algorithms.All() {
		if factory.Name != "fft" && factory.Name != "scan" {
			continue
		}
		params := complete(factory, points(factory.Name)[0])
		problem := newProblem(t, factory, params)
		for _, facts := range []gpu.Facts{boards[0], boards[len(boards)-1]} {
			for _, v := range kernels(factory) {
				if err := prepareDefaults(&board{facts: facts, compiler: compiler}, problem, v, params); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
