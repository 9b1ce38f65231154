package fft

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"example.org/bench/framework"
)

func TestFFTWNotesItsThreads(t *testing.T) {
	if err := fftwVersion().Available(); err != nil {
		t.Skipf("needs FFTW: %v", err)
	}
	p := testProblem(t, 1024, 1024, "f32", "forward")
	var notes []string
	env := framework.Env{Workers: 1, Note: func(format string, args ...any) { notes = append(notes, format) }}
	f, err := prepareFFTW[complex64](p, env, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(notes) != 1 {
		t.Errorf("notes %q, want one", notes)
	}
	if used := fftwThreads(f.(*fftwTransformer[complex64]).lib, f.(*fftwTransformer[complex64]).plan, 1); !strings.HasPrefix(used, "plan uses 1 of 1 thread: (") {
		t.Errorf("note %q", used)
	}
}

func TestThreadsNode(t *testing.T) {
	for text, want := range map[string]string{
		"(dft-thr-vrank>=1-x2/1\n  (dft-ct-dit/16": "2",
		"(dft-thr-ct-dit-x16/1024":                 "16",
		"(dft-vrank>=1-x16384/1":                   "",
	} {
		got := ""
		if m := threadsNode().FindStringSubmatch(text); m != nil {
			got = m[1]
		}
		if got != want {
			t.Errorf("%q: %q threads, want %q", text, got, want)
		}
	}
}

func TestFFTWMisalignedArrays(t *testing.T) {
	if err := fftwVersion().Available(); err != nil {
		t.Skipf("needs FFTW: %v", err)
	}
	p := testProblem(t, 64, 1, "f32", "forward")
	f, err := prepareFFTW[complex64](p, framework.Env{Workers: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x := make([]complex64, 128)
	if err := f.run(x[1:65], p.in32); err == nil {
		t.Error("an output of other alignment than the plan's is accepted")
	}
}

// stub builds a shared library of C source.
func stub(t *testing.T, source string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc to build a stub library")
	}
	dir := t.TempDir()
	c, so := filepath.Join(dir, "stub.c"), filepath.Join(dir, "libstub.so")
	if err := os.WriteFile(c, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-shared", "-fPIC", "-o", so, c).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return so
}

func TestFFTWLibraryErrors(t *testing.T) {
	// free comes with the C library, which a stub must need to bring it along.
	functions := "#include <stdlib.h>\nvoid *need(void){return malloc(1);} void *fftwf_plan_many_dft(){return 0;} void fftwf_plan_with_nthreads(int n){}" +
		"void fftwf_execute_dft(){} void fftwf_destroy_plan(){} char *fftwf_sprint_plan(){return 0;}"
	for _, c := range []struct{ name, source, want string }{
		{"absent", "", "apt-get install libfftw3-single3"},
		{"a symbol is missing", "int fftwf_init_threads(void){return 1;}", "has no symbol fftwf_plan_with_nthreads"},
		{"threads fail", functions + "int fftwf_init_threads(void){return 0;}", "fftwf_init_threads failed"},
	} {
		path := filepath.Join(t.TempDir(), "none.so")
		if c.source != "" {
			path = stub(t, c.source)
		}
		_, err := fftwSingle.Open(path)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := fftwSingle.Open(stub(t, functions+"int fftwf_init_threads(void){return 1;}")); err != nil {
		t.Errorf("a complete library is refused: %v", err)
	}
}

// Each call of FFTW that can fail does: without a plan the error names the call, and
// a plan that is not printed is a remark.
func TestEveryCallOfFFTWFails(t *testing.T) {
	text := append([]byte("(dft-thr-ct-dit-x2/8"), 0)
	var failing string
	var freed, destroyed int
	lib := &fftw{
		prefix:          "fftwf_",
		planWithThreads: func(int32) {},
		planMany: func(int32, *int32, int32, unsafe.Pointer, *int32, int32, int32, unsafe.Pointer, *int32, int32, int32, int32, uint32) uintptr {
			if failing == "plan_many_dft" {
				return 0
			}
			return 7
		},
		execute: func(uintptr, unsafe.Pointer, unsafe.Pointer) {},
		destroy: func(plan uintptr) { destroyed += int(plan) },
		printPlan: func(uintptr) *byte {
			if failing == "sprint_plan" {
				return nil
			}
			return &text[0]
		},
		freeString: func(*byte) { freed++ },
	}
	p := testProblem(t, 64, 1, "f32", "forward")
	for _, c := range []struct {
		failing, err, note string
		freed, destroyed   int
	}{
		{"", "", "fftw: plan uses 2 of 2 threads: (dft-thr-ct-dit-x2/8", 1, 7},
		{"plan_many_dft", "fftwf_plan_many_dft: no plan for N = 64, batch = 1", "", 0, 0},
		{"sprint_plan", "", "fftw: fftwf_sprint_plan prints nothing: how many threads the plan uses is not known", 0, 7},
	} {
		failing, freed, destroyed = c.failing, 0, 0
		var note string
		f, err := planFFTW[complex64](lib, p, framework.Env{Workers: 2, Note: func(format string, args ...any) { note = fmt.Sprintf(format, args...) }})
		if err == nil {
			err = errors.Join(f.run(make([]complex64, 64), p.in32), f.Close())
		}
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err || note != c.note || freed != c.freed || destroyed != c.destroyed {
			t.Errorf("%s fails: %v, note %q, %d strings freed, plan %d destroyed", c.failing, err, note, freed, destroyed)
		}
	}
}
