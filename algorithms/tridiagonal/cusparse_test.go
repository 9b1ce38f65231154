package tridiagonal

import (
	"errors"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim/simtest"
	"example.org/bench/internal/dynlib/dynlibtest"
)

// Each call of cuSPARSE fails once: the error names it and has cuSPARSE's name of
// the result. The library's version only goes into a remark.
func TestEveryCallOfCUSPARSEFails(t *testing.T) {
	lib := &cusparseFunctions{
		create:    func(handle *uintptr) int32 { *handle = 9; return 0 },
		destroy:   func(uintptr) int32 { return 0 },
		setStream: func(uintptr, uintptr) int32 { return 0 },
		version:   func(_ uintptr, version *int32) int32 { *version = 12500; return 0 },
	}
	functions := struct {
		*cusparseFunctions
		bytes func(uintptr, arrays, int32, int32, int32, *uint64) int32     `symbol:"gtsvInterleavedBatch_bufferSizeExt"`
		solve func(uintptr, arrays, int32, int32, int32, gpu.Pointer) int32 `symbol:"gtsvInterleavedBatch"`
	}{
		bytes: func(_ uintptr, _ arrays, _, _, _ int32, bytes *uint64) int32 { *bytes = 64; return 0 },
		solve: func(uintptr, arrays, int32, int32, int32, gpu.Pointer) int32 { return 0 },
	}
	env := framework.Env{Device: simtest.Open(t), Note: func(string, ...any) {}}
	p := testProblem(t, setting(8, 4, "f32", interleaved, 2))
	for code, result := range map[int32]string{7: "CUSPARSE_STATUS_INTERNAL_ERROR", 2: "CUSPARSE_STATUS_ALLOC_FAILED", 77: "error 77"} {
		l, f := *lib, functions
		for _, faults := range []*dynlibtest.Faults{dynlibtest.Wrap(&l, code), dynlibtest.Wrap(&f, code)} {
			errs := faults.Each(func() error {
				c := &cusparse{gpuRun: newGPURun(env, p), peer: peers[1], lib: &l, bound: bound{f.bytes, f.solve}}
				err := c.PreRun()
				if err == nil {
					err = c.Run()
				}
				return errors.Join(err, c.PostRun())
			})
			for _, symbol := range faults.Symbols() {
				err, called := errs[symbol]
				if !called || symbol != "cusparseGetVersion" && (err == nil || !strings.HasPrefix(err.Error(), symbol+": "+result) || errors.Is(err, gpu.ErrOutOfMemory) != (code == 2)) {
					t.Errorf("%s: %v, want it with %s", symbol, err, result)
				}
			}
		}
	}
}
