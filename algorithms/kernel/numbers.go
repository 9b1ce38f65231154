package kernel

import (
	"cmp"
	"slices"

	"example.org/bench/internal/half"
)

type (
	float   interface{ float32 | float64 }
	integer interface {
		int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
	}
	numeric interface{ float | integer }
)

// numbers are those of a vector.
type numbers interface {
	// into fills list with the numbers, as doubles, starting at from.
	into(list []float64, from int)
	// set sets numbers [from, to) to the results of real or whole.
	set(from, to int64, real func() float64, whole func() int64)
	// sort sorts the numbers in ascending order.
	sort()
}

// typed returns the vector's numbers by their type, without a copy.
func (v vector) typed() numbers {
	switch v.part {
	case "f16":
		return halves{view[uint16](v), half.Binary16}
	case "bf16":
		return halves{view[uint16](v), half.BFloat16}
	case "f32":
		return floats[float32](view[float32](v))
	case "i8":
		return integers[int8](view[int8](v))
	case "u8":
		return integers[uint8](view[uint8](v))
	case "i16":
		return integers[int16](view[int16](v))
	case "u16":
		return integers[uint16](view[uint16](v))
	case "i32":
		return integers[int32](view[int32](v))
	case "u32":
		return integers[uint32](view[uint32](v))
	case "i64":
		return integers[int64](view[int64](v))
	case "u64":
		return integers[uint64](view[uint64](v))
	}
	return floats[float64](view[float64](v))
}

type floats[T float] []T

func (l floats[T]) into(list []float64, from int) { convert(list, l[from:]) }
func (l floats[T]) sort()                         { slices.Sort(l) }

func (l floats[T]) set(from, to int64, real func() float64, _ func() int64) {
	for i := from; i < to; i++ {
		l[i] = T(real())
	}
}

type integers[T integer] []T

func (l integers[T]) into(list []float64, from int) { convert(list, l[from:]) }
func (l integers[T]) sort()                         { slices.Sort(l) }

func (l integers[T]) set(from, to int64, _ func() float64, whole func() int64) {
	for i := from; i < to; i++ {
		l[i] = T(whole())
	}
}

func convert[T numeric](list []float64, from []T) {
	for i := range list {
		list[i] = float64(from[i])
	}
}

// halves are floats of 16 bits.
type halves struct {
	list   []uint16
	format half.Format
}

func (l halves) into(list []float64, from int) {
	for i := range list {
		list[i] = l.format.Decode(l.list[from+i])
	}
}

func (l halves) sort() {
	slices.SortFunc(l.list, func(a, b uint16) int { return cmp.Compare(l.format.Decode(a), l.format.Decode(b)) })
}

func (l halves) set(from, to int64, real func() float64, _ func() int64) {
	for i := from; i < to; i++ {
		l.list[i] = l.format.Encode(real())
	}
}
