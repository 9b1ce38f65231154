package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"example.org/bench/framework/inputs"
)

// vector is an array on the host, aligned to 8 bytes.
type vector struct {
	element
	size int64 // in elements
	data []byte
}

func newVector(e element, size int64) vector {
	if size == 0 {
		return vector{element: e}
	}
	words := make([]uint64, (size*e.bytes+7)/8)
	return vector{e, size, unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size*e.bytes)}
}

func (v vector) pointer() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(v.data)) }

// parts returns how many numbers the vector has.
func (v vector) parts() int64 { return v.size * v.lanes }

func (v vector) clone() vector {
	w := newVector(v.element, v.size)
	copy(w.data, v.data)
	return w
}

// view returns the vector's numbers, without a copy.
func view[T numeric](v vector) []T {
	return unsafe.Slice((*T)(v.pointer()), v.parts())
}

// numbers returns the vector's numbers as doubles.
func (v vector) numbers() []float64 {
	list := make([]float64, v.parts())
	v.typed().into(list, 0)
	return list
}

// firstNaN returns the index of the vector's first NaN, or a negative number if there is none.
func (v vector) firstNaN() int {
	var some [1 << 10]float64
	for from := 0; from < int(v.parts()); from += len(some) {
		list := some[:min(len(some), int(v.parts())-from)]
		v.typed().into(list, from)
		if i := slices.IndexFunc(list, math.IsNaN); i >= 0 {
			return from + i
		}
	}
	return -1
}

// widened returns the vector in double precision if it has floats.
func (v vector) widened() vector {
	if !v.widens() {
		return v
	}
	w := newVector(v.double(), v.size)
	v.typed().into(view[float64](w), 0)
	return w
}

// random fills the vector with numbers uniform in [least, greatest]. stream distinguishes the vectors of one
// problem.
func (v vector) random(least, greatest float64, seed, stream uint64) {
	v.drawn(least, greatest, func(x float64) float64 { return x }, seed, stream)
}

// drawn does what random does, with of applied to each float.
func (v vector) drawn(least, greatest float64, of func(float64) float64, seed, stream uint64) {
	numbers := v.typed()
	inputs.Draw(int(v.parts()), seed, stream, func(source *rand.PCG, from, to int) {
		g := rand.New(source)
		numbers.set(int64(from), int64(to), func() float64 { return of(least + (greatest-least)*g.Float64()) },
			func() int64 { return int64(least) + int64(g.Uint64N(uint64(int64(greatest)-int64(least))+1)) })
	})
}

// constant fills the vector with one number, which is the real part of complex elements.
func (v vector) constant(x float64) {
	imaginary := false
	v.typed().set(0, v.parts(), func() float64 {
		if v.complex {
			imaginary = !imaginary
			if !imaginary {
				return 0
			}
		}
		return x
	}, func() int64 { return int64(x) })
}
