package fft

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim/simtest"
	"example.org/bench/internal/dynlib/dynlibtest"
)

// The functions of a cuFFT that plans nothing: every call tells its arguments
// by what it returns.
const cufftStub = `#include <stdlib.h>
void *need(void) { return malloc(1); }
int cufftCreate(int *plan) { *plan = 7; return 0; }
int cufftMakePlanMany64(int plan, int rank, long long *n, long long *inembed, long long istride, long long idist,
    long long *onembed, long long ostride, long long odist, int type, long long batch, size_t *work) {
  *work = 4096;
  if (plan != 7 || rank != 1 || inembed || onembed || istride != 1 || ostride != 1 || idist != *n || odist != *n) return 4;
  if (batch == 99) return 2;
  return type == 0x29 || type == 0x69 ? 0 : 3;
}
int cufftSetStream(int plan, void *stream) { return stream == (void *)5 ? 0 : 4; }
int cufftExecC2C(int plan, void *in, void *out, int direction) { return direction == -1 && in != out ? 0 : 6; }
int cufftExecZ2Z(int plan, void *in, void *out, int direction) { return direction == 1 && in != out ? 0 : 6; }
int cufftDestroy(int plan) { return plan == 7 ? 0 : 1; }
`

func TestCUFFTLibraryErrors(t *testing.T) {
	version := "int cufftGetVersion(int *v) { *v = 12103; return 0; }"
	for _, c := range []struct{ name, path, want string }{
		{"absent", filepath.Join(t.TempDir(), "none.so"), "LD_LIBRARY_PATH"},
		{"a symbol is missing", stub(t, cufftStub), "has no symbol cufftGetVersion"},
	} {
		if _, err := cufftLibrary.Open(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := cufftLibrary.Open(stub(t, cufftStub+version)); err != nil {
		t.Errorf("a complete library is refused: %v", err)
	}
}

// TestCUFFTCalls runs the version against a stub that refuses other arguments
// than those of the cuFFT Library User's Guide.
func TestCUFFTCalls(t *testing.T) {
	lib, err := cufftLibrary.Open(stub(t, cufftStub+"int cufftGetVersion(int *v) { *v = 12103; return 0; }"))
	if err != nil {
		t.Fatal(err)
	}
	d := simtest.Open(t)
	run := func(batch int64, precision, direction string, stream gpu.Stream) (string, error) {
		q, err := newProblem(framework.Env{Seed: 1}, params(64, 64*batch, precision, direction))
		if err != nil {
			t.Fatal(err)
		}
		var note string
		env := framework.Env{Device: d, Stream: stream, Note: func(format string, args ...any) { note = format }}
		c := &cufftRun{libraryRun: newLibraryRun(env, q.(*problem)), lib: lib}
		defer func() {
			if err := c.PostRun(); err != nil {
				t.Error(err)
			}
		}()
		if err := c.PreRun(); err != nil {
			return note, err
		}
		return note, c.Run()
	}
	for _, precision := range []string{"f32", "f64"} {
		direction := map[string]string{"f32": "forward", "f64": "inverse"}[precision]
		note, err := run(3, precision, direction, 5)
		if err != nil {
			t.Errorf("%s %s: %v", precision, direction, err)
		}
		if !strings.Contains(note, "work area") {
			t.Errorf("%s: no note of what the library is, but %q", precision, note)
		}
	}
	if _, err := run(99, "f32", "forward", 5); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("CUFFT_ALLOC_FAILED is %v, want out of memory", err)
	}
	if _, err := run(3, "f32", "inverse", 5); err == nil || !strings.Contains(err.Error(), "cufftExecC2C: CUFFT_EXEC_FAILED") {
		t.Errorf("a failed execution is %v", err)
	}
	if _, err := run(3, "f32", "forward", 0); err == nil || !strings.Contains(err.Error(), "cufftSetStream: CUFFT_INVALID_VALUE") {
		t.Errorf("another stream than asked for is %v", err)
	}
}

// Each call of cuFFT fails once: the error names it with what cuFFT calls the
// result. What the version of the library is, is a remark alone.
func TestEveryCallOfCUFFTFails(t *testing.T) {
	lib, err := cufftLibrary.Open(stub(t, cufftStub+"int cufftGetVersion(int *v) { *v = 12103; return 0; }"))
	if err != nil {
		t.Fatal(err)
	}
	faults := dynlibtest.Wrap(lib, 5)
	env := framework.Env{Seed: 1, Device: simtest.Open(t), Stream: 5, Note: func(string, ...any) {}}
	errs := map[string]error{}
	for precision, direction := range map[string]string{"f32": "forward", "f64": "inverse"} {
		q, err := newProblem(env, params(64, 192, precision, direction))
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(errs, faults.Each(func() error {
			c := &cufftRun{libraryRun: newLibraryRun(env, q.(*problem)), lib: lib}
			err := c.PreRun()
			if err == nil {
				err = c.Run()
			}
			return errors.Join(err, c.PostRun())
		}))
	}
	for _, symbol := range faults.Symbols() {
		err, called := errs[symbol]
		if want := symbol + ": CUFFT_INTERNAL_ERROR"; !called || symbol != "cufftGetVersion" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want %q", symbol, err, want)
		}
	}
}
