package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"unsafe"

	"bench/framework/workers"
)

// element is the type of a vector's elements or of a scalar.
type element struct {
	name  string
	bytes int64
	c     string // in C
	npy   string // NumPy's typestr
}

var elements = []element{
	{"f32", 4, "float", "<f4"}, {"f64", 8, "double", "<f8"},
	{"i8", 1, "int8_t", "|i1"}, {"i16", 2, "int16_t", "<i2"}, {"i32", 4, "int32_t", "<i4"}, {"i64", 8, "int64_t", "<i8"},
	{"u8", 1, "uint8_t", "|u1"}, {"u16", 2, "uint16_t", "<u2"}, {"u32", 4, "uint32_t", "<u4"}, {"u64", 8, "uint64_t", "<u8"},
}

func elementNames() []string {
	names := make([]string, len(elements))
	for i, e := range elements {
		names[i] = e.name
	}
	return names
}

func elementNamed(name string) (element, bool) {
	for _, e := range elements {
		if e.name == name {
			return e, true
		}
	}
	return element{}, false
}

func (e element) isFloat() bool { return e.name[0] == 'f' }

// isScalar is true for the types that a kernel launch passes by value.
func (e element) isScalar() bool { return e.bytes >= 4 }

// span are the least and greatest whole numbers of an integer type.
func (e element) span() (least, greatest float64) {
	bits := float64(e.bytes * 8)
	if e.name[0] == 'u' {
		return 0, math.Exp2(bits) - 1
	}
	return -math.Exp2(bits - 1), math.Exp2(bits-1) - 1
}

// check refuses a number that the type does not hold.
func (e element) check(x float64) error {
	if e.isFloat() {
		return nil
	}
	least, greatest := e.span()
	if x != math.Trunc(x) || x < least || x > greatest {
		return fmt.Errorf("%v is no %s; want a whole number from %.0f to %.0f", x, e.name, least, greatest)
	}
	return nil
}

// vector is an array on the host, aligned to 8 bytes.
type vector struct {
	element
	size int64
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

func (v vector) clone() vector {
	w := newVector(v.element, v.size)
	copy(w.data, v.data)
	return w
}

type numeric interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func view[T numeric](v vector) []T {
	return unsafe.Slice((*T)(v.pointer()), v.size)
}

// floats are a floating-point vector's elements as doubles.
func (v vector) floats() []float64 {
	if v.name == "f64" {
		return view[float64](v)
	}
	list := make([]float64, v.size)
	for i, x := range view[float32](v) {
		list[i] = float64(x)
	}
	return list
}

// widened is the vector as doubles where it is of floats.
func (v vector) widened() vector {
	if v.name != "f32" {
		return v
	}
	e, _ := elementNamed("f64")
	w := newVector(e, v.size)
	copy(view[float64](w), v.floats())
	return w
}

// randomBlock elements come from one generator, so that the numbers do not
// depend on how many workers draw them.
const randomBlock = 1 << 14

// random fills the vector with numbers uniform in [least, greatest]; stream
// distinguishes the vectors of one problem.
func (v vector) random(least, greatest float64, seed, stream uint64) {
	blocks := int((v.size + randomBlock - 1) / randomBlock)
	workers.Split(workers.All(), blocks, func(b int) {
		g := rand.New(rand.NewPCG(seed, stream<<40|uint64(b)))
		from := int64(b) * randomBlock
		v.set(from, min(from+randomBlock, v.size), func() float64 { return least + (greatest-least)*g.Float64() },
			func() int64 { return int64(least) + int64(g.Uint64N(uint64(int64(greatest)-int64(least))+1)) })
	})
}

// constant fills the vector with one number.
func (v vector) constant(x float64) {
	v.set(0, v.size, func() float64 { return x }, func() int64 { return int64(x) })
}

// set fills elements from … to with what real or whole gives.
func (v vector) set(from, to int64, real func() float64, whole func() int64) {
	switch v.name {
	case "f32":
		each(v, from, to, func() float32 { return float32(real()) })
	case "f64":
		each(v, from, to, real)
	case "i8":
		each(v, from, to, func() int8 { return int8(whole()) })
	case "u8":
		each(v, from, to, func() uint8 { return uint8(whole()) })
	case "i16":
		each(v, from, to, func() int16 { return int16(whole()) })
	case "u16":
		each(v, from, to, func() uint16 { return uint16(whole()) })
	case "i32":
		each(v, from, to, func() int32 { return int32(whole()) })
	case "u32":
		each(v, from, to, func() uint32 { return uint32(whole()) })
	case "i64":
		each(v, from, to, whole)
	case "u64":
		each(v, from, to, func() uint64 { return uint64(whole()) })
	}
}

func each[T numeric](v vector, from, to int64, draw func() T) {
	part := view[T](v)[from:to]
	for i := range part {
		part[i] = draw()
	}
}

// scalar is x as a kernel launch passes it.
func (e element) scalar(whole int64, real float64) any {
	switch e.name {
	case "f32":
		return float32(real)
	case "f64":
		return real
	case "i32":
		return int32(whole)
	case "u32":
		return uint32(whole)
	case "u64":
		return uint64(whole)
	}
	return whole
}
