package kernel

import (
	"math"
	"testing"
)

// TestNumbersThatAFloatHolds: the greatest of each type is one, the next that rounds beyond
// it is not.
func TestNumbersThatAFloatHolds(t *testing.T) {
	for name, limits := range map[string][2]float64{
		"f16": {65504, 65520}, "bf16": {255 * 0x1p120, 511 * 0x1p119}, "f32": {math.MaxFloat32, 3.5e38}, "f64": {math.MaxFloat64, math.Inf(1)}, "f16x2": {65519, 70000}, "c64": {1e38, 1e39},
	} {
		e, ok := elementNamed(name)
		if !ok {
			t.Fatal(name)
		}
		for _, sign := range []float64{1, -1} {
			if err := e.check(sign * limits[0]); err != nil {
				t.Error(err)
			}
			if e.check(sign*limits[1]) == nil {
				t.Errorf("%v is of type %s", sign*limits[1], name)
			}
		}
		if e.check(math.NaN()) == nil || e.check(5e-324) != nil {
			t.Errorf("%s: NaN is held, or a small number is not", name)
		}
	}
}
