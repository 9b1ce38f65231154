package half_test

import (
	"math"
	"testing"

	"example.org/bench/internal/half"
)

// Every number of 16 bits survives a round trip, and numbers between round to the
// nearest, ties to the even one.
func TestShortFormats(t *testing.T) {
	for _, f := range []half.Format{half.Binary16, half.BFloat16} {
		for bits := 0; bits < 1<<16; bits++ {
			x := f.Decode(uint16(bits))
			if got := f.Encode(x); int(got) != bits && !math.IsNaN(x) {
				t.Fatalf("%v: %#x is %v, which is %#x", f, bits, x, got)
			}
		}
	}
	for _, c := range []struct {
		f    half.Format
		x    float64
		want uint16
	}{
		{half.Binary16, 1, 0x3c00}, {half.Binary16, 65504, 0x7bff}, {half.Binary16, 65519, 0x7bff}, {half.Binary16, 65520, 0x7c00}, {half.Binary16, -1e9, 0xfc00},
		{half.Binary16, 0x1p-24, 1}, {half.Binary16, 0x1p-25, 0}, {half.Binary16, 0x3p-25, 2}, {half.Binary16, 1 + 0x1p-11, 0x3c00}, {half.Binary16, 1 + 0x3p-11, 0x3c02},
		{half.Binary16, math.Inf(-1), 0xfc00}, {half.Binary16, math.Copysign(0, -1), 0x8000}, {half.BFloat16, 1, 0x3f80}, {half.BFloat16, 1 + 0x1p-8, 0x3f80}, {half.BFloat16, math.Pi, 0x4049},
		{half.BFloat16, math.MaxFloat32, 0x7f80},
	} {
		if got := c.f.Encode(c.x); got != c.want {
			t.Errorf("%v: %v is %#x; want %#x", c.f, c.x, got, c.want)
		}
	}
	if !math.IsNaN(half.Binary16.Decode(half.Binary16.Encode(math.NaN()))) || !math.IsNaN(half.BFloat16.Decode(0xffff)) {
		t.Error("a NaN is lost")
	}
}
