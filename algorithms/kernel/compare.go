package kernel

import (
	"bytes"
	"math"

	"bench/framework"
)

// compare measures an answer's error: the largest deviation relative to the
// largest magnitude of the right answer; NaN where either holds one that the
// other lacks. Whole numbers with tolerance 0 are compared bit by bit.
func compare(name string, got, want vector, tolerance float64) framework.Check {
	if !got.isFloat() && tolerance == 0 {
		wrong := 0
		for i := int64(0); i < got.size; i++ {
			at := i * got.bytes
			if !bytes.Equal(got.data[at:at+got.bytes], want.data[at:at+got.bytes]) {
				wrong++
			}
		}
		return framework.Check{Metric: name + ": share of elements that differ", Error: float64(wrong) / float64(got.size)}
	}
	g, w := got.numbers(), want.numbers()
	deviation, scale := 0.0, 0.0
	for i := range g {
		if g[i] != w[i] { // two infinities are equal
			d := math.Abs(g[i] - w[i])
			if math.IsNaN(d) {
				deviation = d
				break
			}
			deviation = max(deviation, d)
		}
		if m := math.Abs(w[i]); m > scale && !math.IsInf(m, 0) {
			scale = m
		}
	}
	if scale > 0 {
		deviation /= scale
	}
	return framework.Check{Metric: name + ": largest error by largest value", Error: deviation, Bound: tolerance}
}

// numbers are the elements as doubles.
func (v vector) numbers() []float64 {
	switch v.name {
	case "f32", "f64":
		return v.floats()
	case "i8":
		return numbers[int8](v)
	case "u8":
		return numbers[uint8](v)
	case "i16":
		return numbers[int16](v)
	case "u16":
		return numbers[uint16](v)
	case "i32":
		return numbers[int32](v)
	case "u32":
		return numbers[uint32](v)
	case "i64":
		return numbers[int64](v)
	}
	return numbers[uint64](v)
}

func numbers[T numeric](v vector) []float64 {
	list := make([]float64, v.size)
	for i, x := range view[T](v) {
		list[i] = float64(x)
	}
	return list
}
