package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"example.org/bench/gpu"
	"example.org/bench/internal/half"
)

// element is the type of a vector's elements or of a scalar. The zero value means no type.
type element struct{ *elementType }

// elementType describes an element. A complex number consists of two parts, a vector type such as f32x4 of
// several.
type elementType struct {
	name    string
	bytes   int64
	c       string // in C, as a pointer's target
	npy     string // NumPy's typestr
	part    string // name of the part's type; a plain number's own name
	lanes   int64  // number of parts
	complex bool
	fields  []string // of a structure: the names of its parts, one after the other
}

// addressType is a pointer that is passed as 0.
const addressType = "pointer"

var (
	plainElements = []elementType{
		{name: "f32", bytes: 4, c: "float", npy: "<f4"}, {name: "f64", bytes: 8, c: "double", npy: "<f8"},
		{name: "i8", bytes: 1, c: "int8_t", npy: "|i1"}, {name: "i16", bytes: 2, c: "int16_t", npy: "<i2"},
		{name: "i32", bytes: 4, c: "int32_t", npy: "<i4"}, {name: "i64", bytes: 8, c: "int64_t", npy: "<i8"},
		{name: "u8", bytes: 1, c: "uint8_t", npy: "|u1"}, {name: "u16", bytes: 2, c: "uint16_t", npy: "<u2"},
		{name: "u32", bytes: 4, c: "uint32_t", npy: "<u4"}, {name: "u64", bytes: 8, c: "uint64_t", npy: "<u8"},
		// C has no name for bfloat16 that all compilers know. NumPy has no type for it either: the package
		// ml_dtypes stores it as two bytes.
		{name: "f16", bytes: 2, c: "_Float16", npy: "<f2"}, {name: "bf16", bytes: 2, c: "uint16_t", npy: "<V2"},
	}
	elements = makeElements()
)

// makeElements adds complex numbers and CUDA's vector types to the plain types.
func makeElements() []element {
	list := make([]element, 0, 48)
	for _, e := range plainElements {
		e.part, e.lanes = e.name, 1
		list = append(list, element{&e})
	}
	list = append(list,
		element{&elementType{name: "c64", bytes: 8, c: "float _Complex", npy: "<c8", part: "f32", lanes: 2, complex: true}},
		element{&elementType{name: "c128", bytes: 16, c: "double _Complex", npy: "<c16", part: "f64", lanes: 2, complex: true}})
	for _, e := range plainElements {
		for lanes := int64(2); lanes <= 4 && (lanes == 2 || !strings.HasSuffix(e.name, "f16")); lanes++ {
			list = append(list, element{&elementType{name: fmt.Sprintf("%sx%d", e.name, lanes), bytes: lanes * e.bytes, c: e.c, npy: e.npy, part: e.name, lanes: lanes}})
		}
	}
	return list
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

func (e element) isFloat() bool { return e.part[0] == 'f' || e.part[0] == 'b' }

// widens reports whether double precision changes the type.
func (e element) widens() bool { return e.isFloat() && e.part != "f64" }

// double returns the type in double precision if it is a float type, or the type itself.
func (e element) double() element {
	name := e.name
	switch {
	case !e.isFloat():
	case e.complex:
		name = "c128"
	default:
		name = strings.Replace(e.name, e.part, "f64", 1)
	}
	d, _ := elementNamed(name)
	return d
}

// span returns the least and greatest numbers of an integer type.
func (e element) span() (least, greatest float64) {
	bits := float64(e.bytes / e.lanes * 8)
	if e.part[0] == 'u' {
		return 0, math.Exp2(bits) - 1
	}
	return -math.Exp2(bits - 1), math.Exp2(bits-1) - 1
}

// check reports an error if the type cannot hold x.
func (e element) check(x float64) error {
	if e.isFloat() {
		if most := e.most(); math.IsNaN(x) || math.IsInf(e.rounded(x), 0) {
			return fmt.Errorf("%v is not of type %s; want a number from -%.8g to %.8g", x, e.name, most, most)
		}
		return nil
	}
	least, greatest := e.span()
	if x != math.Trunc(x) || x < least || x > greatest {
		return fmt.Errorf("%v is not of type %s; want a whole number from %.0f to %.0f", x, e.name, least, greatest)
	}
	return nil
}

// most returns the greatest number of a float type.
func (e element) most() float64 {
	switch e.part {
	case "f32":
		return math.MaxFloat32
	case "f16":
		return half.Binary16.Decode(0x7bff)
	case "bf16":
		return half.BFloat16.Decode(0x7f7f)
	}
	return math.MaxFloat64
}

// rounded returns x rounded to the float type.
func (e element) rounded(x float64) float64 {
	switch e.part {
	case "f32":
		return float64(float32(x))
	case "f16":
		return half.Binary16.Decode(half.Binary16.Encode(x))
	case "bf16":
		return half.BFloat16.Decode(half.BFloat16.Encode(x))
	}
	return x
}

// scalar returns x as a kernel launch passes it: as the real part of a complex number, as every part of a
// vector type.
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
	case "i64":
		return whole
	case "u64":
		return uint64(whole)
	}
	part := e.encode(whole, real)
	list := gpu.Raw(part)
	for i := int64(1); i < e.lanes; i++ {
		if e.complex {
			part = make([]byte, len(part))
		}
		list = append(list, part...)
	}
	return list
}

// encode returns the bytes of one part.
func (e element) encode(whole int64, real float64) []byte {
	var b []byte
	switch e.part {
	case "f32":
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(real)))
	case "f64":
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(real))
	case "f16":
		return binary.LittleEndian.AppendUint16(b, half.Binary16.Encode(real))
	case "bf16":
		return binary.LittleEndian.AppendUint16(b, half.BFloat16.Encode(real))
	}
	return binary.LittleEndian.AppendUint64(b, uint64(whole))[:e.bytes/e.lanes]
}
