package tridiagonal

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"example.org/bench/framework"
)

// Each call of LAPACK fails once: the error names it and says what is wrong.
func TestEveryCallOfLAPACKFails(t *testing.T) {
	var calls, at int
	var info int32
	routine := purego.NewCallback(func(_, _, _, _, _, _, _ uintptr, result unsafe.Pointer) uintptr {
		*(*int32)(result) = 0
		if calls++; calls == at {
			*(*int32)(result) = info
		}
		return 0
	})
	lib := &lapackFunctions{single: routine, double: routine}
	for _, precision := range []string{"f32", "f64"} {
		p := testProblem(t, setting(8, 3, precision, contiguous, 2))
		var solve func() error
		if p.Double {
			solve = func() error {
				return newLAPACK[float64](lib, p, framework.Env{Workers: 1}).solve(slices.Clone(p.in64.d), p.in64)
			}
		} else {
			solve = func() error {
				return newLAPACK[float32](lib, p, framework.Env{Workers: 1}).solve(slices.Clone(p.in32.d), p.in32)
			}
		}
		name := map[bool]string{false: "sgtsv", true: "dgtsv"}[p.Double]
		for _, c := range []struct {
			at   int
			info int32
			want string
		}{
			{0, 0, ""},
			{1, -4, name + ": info = -4: argument 4 is wrong"},
			{2, 5, name + ": info = 5: system 1 has no pivot in row 5 and is singular"},
			{3, 1, name + ": info = 1: system 2 has no pivot in row 1 and is singular"},
			{4, 1, ""},
		} {
			calls, at, info = 0, c.at, c.info
			if err := solve(); calls != 3 || c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
				t.Errorf("%s, call %d of %d: %v, want %q", precision, c.at, calls, err, c.want)
			}
		}
	}
}
