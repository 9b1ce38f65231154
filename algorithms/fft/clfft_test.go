package fft

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl/opencltest"
	"example.org/bench/internal/dynlib/dynlibtest"
)

// The functions of a clFFT that plans nothing, and takes what a plan of three transforms of 64 needs.
const clfftStub = `#include <stddef.h>
static unsigned long long precision, place, batch, in, out, scaled, baked;
int clfftGetVersion(unsigned *a, unsigned *b, unsigned *c) { *a = 2; *b = 12; *c = 2; return 0; }
int clfftSetup(unsigned *data) { return data[0] == 2 && data[1] == 12 && data[2] == 2 ? 0 : 4101; }
int clfftCreateDefaultPlan(size_t *plan, void *context, int dimensions, size_t *lengths) { *plan = 7; return context && dimensions == 1 && lengths[0] == 64 ? 0 : -30; }
int clfftSetPlanPrecision(size_t plan, int p) { precision = p; return plan == 7 ? 0 : 4102; }
int clfftSetResultLocation(size_t plan, int p) { place = p; return plan == 7 ? 0 : 4102; }
int clfftSetPlanBatchSize(size_t plan, size_t n) { batch = n; return plan == 7 ? 0 : 4102; }
int clfftSetPlanDistance(size_t plan, size_t i, size_t o) { in = i; out = o; return plan == 7 ? 0 : 4102; }
int clfftSetPlanScale(size_t plan, int direction, float s) { scaled = direction == 1 && s == 1; return plan == 7 ? 0 : 4102; }
int clfftBakePlan(size_t plan, unsigned n, void **queue, void *f, void *x) {
  if (batch == 99) return -4;
  baked = precision == PRECISION && place == 2 && batch == 3 && in == 64 && out == 64 && scaled;
  return n == 1 && queue[0] && !f && !x ? 0 : -36;
}
int clfftGetTmpBufSize(size_t plan, size_t *bytes) { *bytes = 4096; return 0; }
int clfftEnqueueTransform(size_t plan, int direction, unsigned n, void **queue, unsigned waits, void *list, void **last, void **from, void **to, void *work) {
  return plan == 7 && baked && direction == DIRECTION && n == 1 && queue[0] && !waits && !list && !last && from[0] && to[0] && from[0] != to[0] && !work ? 0 : -30;
}
int clfftDestroyPlan(size_t *plan) { return *plan == 7 ? 0 : 4102; }
`

// clfftRunOf returns what runs the version once on the test driver, against a stub.
func clfftRunOf(t *testing.T, precision, direction string) (*clfftFunctions, func(batch int64) error) {
	defines := map[string]string{"f32": "#define PRECISION 1\n", "f64": "#define PRECISION 2\n", "forward": "#define DIRECTION -1\n", "inverse": "#define DIRECTION 1\n"}
	lib, err := clfftLibrary.Open(stub(t, defines[precision]+defines[direction]+clfftStub))
	if err != nil {
		t.Fatal(err)
	}
	d := opencltest.Build(t).Open(t)
	t.Cleanup(func() { d.Close() })
	return lib, func(batch int64) error {
		q, err := newProblem(framework.Env{Seed: 1}, params(64, 64*batch, precision, direction))
		if err != nil {
			t.Fatal(err)
		}
		c := &clfftRun{libraryRun: newLibraryRun(framework.Env{Device: d}, q.(*problem)), lib: lib}
		if err = c.PreRun(); err == nil {
			err = c.Run()
		}
		return errors.Join(err, c.PostRun())
	}
}

// The version calls clFFT as its documentation has it; each call that fails once is named, with what clFFT calls the result.
func TestClFFT(t *testing.T) {
	for precision, direction := range map[string]string{"f32": "forward", "f64": "inverse"} {
		lib, run := clfftRunOf(t, precision, direction)
		if err := run(3); err != nil {
			t.Errorf("%s %s: %v", precision, direction, err)
		}
		if err := run(99); !errors.Is(err, gpu.ErrOutOfMemory) {
			t.Errorf("CL_MEM_OBJECT_ALLOCATION_FAILURE is %v, want out of memory", err)
		}
		faults := dynlibtest.Wrap(lib, 4096)
		errs := map[string]error{}
		maps.Copy(errs, faults.Each(func() error { return run(3) }))
		for _, symbol := range faults.Symbols() {
			// Those of Start, and what a remark tells.
			if symbol == "clfftSetup" || symbol == "clfftGetVersion" || symbol == "clfftGetTmpBufSize" {
				continue
			}
			if err, want := errs[symbol], symbol+": CLFFT_BUGCHECK"; err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %q", symbol, err, want)
			}
		}
	}
	if _, err := clfftLibrary.Open(filepath.Join(t.TempDir(), "none.so")); err == nil || !strings.Contains(err.Error(), "apt-get install libclfft2") {
		t.Error(err)
	}
	v := Factory().VersionOn("clfft", framework.GPU)
	if err := v.Supports(params(17*64, 17*64, "f32", "forward"), gpu.Facts{}); err == nil || !strings.Contains(err.Error(), "prime factors") {
		t.Error(err)
	}
}
