package framework

import "unsafe"

// Answerer is implemented by a version whose answer can be shown beside the right one
// where it is wrong.
type Answerer interface {
	BaseAlgorithm
	// Answers are the outputs of the last Run, each beside the right one.
	Answers() ([]Answer, error)
}

// Poison is each byte of what outputs hold before a run whose answer is verified or timed:
// of floats, not a number. What no run writes stays so.
const Poison = 0xff

// Overwriter is implemented by a version whose outputs can be filled before a Run,
// which shows what the Run writes.
type Overwriter interface {
	// Overwrite sets every byte of the outputs to value, but leaves those that the Run
	// reads.
	Overwrite(value byte) error
}

// SpotOverwriter is an Overwriter of which a few elements can be overwritten, in less time than a
// Run could notice.
type SpotOverwriter interface {
	Overwriter
	// OverwriteSpots sets the bytes of a few elements of the outputs, at random, to value. What
	// Overwrite would not set it leaves.
	OverwriteSpots(value byte)
}

// Answer is an output of a Run and the right one.
type Answer struct {
	Name string
	// Shape are the extents of both; the last varies fastest.
	Shape     []int64
	Got, Want Array
	// Most is how far element i may be from the right one; nil asks for equal bytes.
	Most func(i int) float64
	// Metric is that of the check that the answer explains; empty for the last one that
	// fails.
	Metric string
	// Output is what the Run left where Got is made of it; empty where Got is the output.
	Output Array
}

// Array is a vector of numbers as it is in memory.
type Array struct {
	// Type is NumPy's typestr of a number: "<f4", "<c8", "|u1"; "<V2" is bfloat16.
	Type string
	// Lanes are the numbers of an element: 1, and 2 to 4 of CUDA's vector types.
	Lanes int
	Bytes []byte
}

// ArrayOf is the array of a slice, whose memory it shares.
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

// Evenly is an Answer.Most that is the same for every element.
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
