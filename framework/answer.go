package framework

import "unsafe"

// Answerer is implemented by a version that can show a wrong answer beside the right one.
type Answerer interface {
	BaseAlgorithm
	// Answers returns the outputs of the last Run, each with the right one.
	Answers() ([]Answer, error)
}

// Poison is the value of every byte of the outputs before a run whose answer is verified or timed.
// In floats it is NaN. What a run does not write keeps it.
const Poison = 0xff

// Overwriter is implemented by a version whose outputs can be filled before a Run, to show what the
// Run writes.
type Overwriter interface {
	// Overwrite sets every byte of the outputs to value, except those that the Run reads.
	Overwrite(value byte) error
}

// MemoryOverwriter is an Overwriter on a GPU that tells which device memory Overwrite writes.
type MemoryOverwriter interface {
	Overwriter
	Overwritten() []Transfer
}

// SpotOverwriter is an Overwriter that can overwrite a few elements, in less time than a Run could
// notice.
type SpotOverwriter interface {
	Overwriter
	// OverwriteSpots sets the bytes of a few random elements of the outputs to value. It leaves
	// those that Overwrite leaves.
	OverwriteSpots(value byte)
}

// Answer is an output of a Run with the right one.
type Answer struct {
	Name string
	// Shape is the extents of Got and Want; the last varies fastest.
	Shape     []int64
	Got, Want Array
	// Most returns how far element i may be from the right one. If it is nil, the bytes must be
	// equal.
	Most func(i int) float64
	// Metric is the metric of the Check that the answer explains; empty for the last Check that
	// fails.
	Metric string
	// Output is what the Run left, if Got is computed from it; empty if Got is the output.
	Output Array
}

// Array is a vector of numbers as it lies in memory.
type Array struct {
	// Type is the number's typestr in NumPy: "<f4", "<c8", "|u1"; "<V2" is bfloat16.
	Type string
	// Lanes is how many numbers an element has: 1, or 2 to 4 for CUDA's vector types.
	Lanes int
	Bytes []byte
}

// ArrayOf returns list as an array that shares its memory.
func ArrayOf[T float32 | float64 | complex64 | complex128 | int32](list []T) Array {
	a := Array{Lanes: 1}
	switch any(list).(type) {
	case []float32:
		a.Type = "<f4"
	case []float64:
		a.Type = "<f8"
	case []complex64:
		a.Type = "<c8"
	case []complex128:
		a.Type = "<c16"
	case []int32:
		a.Type = "<i4"
	}
	if len(list) > 0 {
		a.Bytes = unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), len(list)*int(unsafe.Sizeof(list[0])))
	}
	return a
}

// Evenly returns an Answer.Most that is the same for every element.
func Evenly(most float64) func(int) float64 { return func(int) float64 { return most } }

// Overwrite sets every byte of a slice to value.
func Overwrite[T float32 | float64 | complex64 | complex128 | int32](list []T, value byte) {
	OverwriteBytes(ArrayOf(list).Bytes, value)
}

// OverwriteBytes sets every byte of b to value.
func OverwriteBytes(b []byte, value byte) {
	if len(b) == 0 {
		return
	}
	b[0] = value
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}
