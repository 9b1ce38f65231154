package mismatch

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/half"
)

// numbers reads the numbers of an array.
type numbers struct {
	framework.Array
	complex bool
	whole   bool
	width   int // bytes of a number, of a complex one those of a part
	per     int // numbers of an element, parts counted
	read    func(b []byte) float64
}

// read makes an array's numbers readable. The error names a type that is none of
// NumPy's numbers.
func read(a framework.Array) (numbers, error) {
	n := numbers{Array: a, per: max(1, a.Lanes)}
	if len(a.Type) < 3 {
		return n, fmt.Errorf("elements of the type %q, which is no number's", a.Type)
	}
	width, err := strconv.Atoi(a.Type[2:])
	n.width = width
	little := a.Type[0] == '<' || width == 1
	switch kind := a.Type[1]; {
	case err != nil || !little:
	case kind == 'c' && (width == 8 || width == 16):
		n.complex, n.width, n.per = true, width/2, 2*n.per
		n.read = floats[width/2]
	case kind == 'f':
		n.read = floats[width]
	case kind == 'V' && width == 2:
		n.read = func(b []byte) float64 { return half.BFloat16.Decode(binary.LittleEndian.Uint16(b)) }
	case (kind == 'i' || kind == 'u' || kind == 'b') && (width == 1 || width == 2 || width == 4 || width == 8):
		n.whole = true
		signed := kind == 'i'
		n.read = func(b []byte) float64 {
			if signed {
				return float64(signedOf(b))
			}
			return float64(unsignedOf(b))
		}
	}
	if n.read == nil {
		return n, fmt.Errorf("elements of the type %q; want numbers in little-endian order", a.Type)
	}
	return n, nil
}

var floats = map[int]func(b []byte) float64{
	2: func(b []byte) float64 { return half.Binary16.Decode(binary.LittleEndian.Uint16(b)) },
	4: func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) },
	8: func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) },
}

// unsignedOf is a whole number of 1 to 8 bytes.
func unsignedOf(b []byte) (x uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	return x
}

func signedOf(b []byte) int64 {
	unused := 64 - 8*len(b)
	return int64(unsignedOf(b)<<unused) >> unused
}

// elements is how many there are.
func (n numbers) elements() int { return len(n.Bytes) / (n.width * n.per) }

// element are the bytes of element i.
func (n numbers) element(i int) []byte {
	size := n.width * n.per
	return n.Bytes[i*size : (i+1)*size]
}

// part is number j of an element.
func (n numbers) part(element []byte, j int) []byte { return element[j*n.width : (j+1)*n.width] }

// text is element i.
func (n numbers) text(i int) string {
	element := n.element(i)
	parts := make([]string, n.per)
	for j := range parts {
		b := n.part(element, j)
		switch {
		case !n.whole:
			parts[j] = fmt.Sprintf("%.6g", n.read(b))
		case n.Type[1] == 'i':
			parts[j] = strconv.FormatInt(signedOf(b), 10)
		default:
			parts[j] = strconv.FormatUint(unsignedOf(b), 10)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// distance is how far element i of two arrays is apart: of a complex number the
// distance, of others the largest of its parts; NaN where only one is a number.
func distance(got, want numbers, i int) (d float64) {
	g, w := got.element(i), want.element(i)
	for j := range got.per {
		a, b := got.read(got.part(g, j)), want.read(want.part(w, j))
		e := math.Abs(a - b)
		if a == b || math.IsNaN(a) && math.IsNaN(b) {
			e = 0 // of infinities too
		}
		switch {
		case got.complex && j%2 == 1:
			d = math.Hypot(d, e)
		case math.IsNaN(d) || math.IsNaN(e):
			d = math.NaN()
		default:
			d = max(d, e)
		}
	}
	return d
}

// Largest is the largest magnitude of an array's elements, of those that are numbers.
func Largest(a framework.Array) (float64, error) {
	n, err := read(a)
	if err != nil {
		return 0, err
	}
	largest := 0.0
	for i := range n.elements() {
		element, m := n.element(i), 0.0
		for j := range n.per {
			if x := math.Abs(n.read(n.part(element, j))); n.complex {
				m = math.Hypot(m, x)
			} else if x > m {
				m = x
			}
		}
		if m > largest && !math.IsInf(m, 0) {
			largest = m
		}
	}
	return largest, nil
}
