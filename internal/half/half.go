// Package half converts the floating-point formats of 16 bits.
package half

import "math"

// Format is a floating-point format of 16 bits.
type Format struct {
	precision int // bits of the significand, the hidden one included
	least     int // exponent of the least normal number
}

// The two formats.
var (
	Binary16 = Format{11, -14} // IEEE 754
	BFloat16 = Format{8, -126} // the upper half of a float
)

// Encode rounds x to the nearest number, ties to even.
func (f Format) Encode(x float64) uint16 {
	sign := uint16(math.Float64bits(x) >> 48 & 0x8000)
	fraction := uint16(1)<<(f.precision-1) - 1
	infinite := ^fraction & 0x7fff
	switch {
	case math.IsNaN(x):
		return sign | 0x7fff
	case x == 0 || math.IsInf(x, 0):
		if x != 0 {
			sign |= infinite
		}
		return sign
	}
	exponent := max(math.Ilogb(x), f.least)
	if exponent > 1-f.least {
		return sign | infinite
	}
	units := math.RoundToEven(math.Ldexp(math.Abs(x), f.precision-1-exponent))
	// A normal number's hidden bit counts as one exponent more, and so does a carry.
	bits := uint32(units) + uint32(exponent-f.least)<<(f.precision-1)
	return sign | uint16(min(bits, uint32(infinite)))
}

// Decode returns the exact value of a number.
func (f Format) Decode(bits uint16) float64 {
	fraction := int(bits & (1<<(f.precision-1) - 1))
	exponent := int(bits&0x7fff) >> (f.precision - 1)
	x := 0.0
	switch {
	case exponent == 1<<(16-f.precision)-1 && fraction != 0:
		return math.NaN()
	case exponent == 1<<(16-f.precision)-1:
		x = math.Inf(1)
	case exponent == 0:
		x = math.Ldexp(float64(fraction), f.least-f.precision+1)
	default:
		x = math.Ldexp(float64(fraction|1<<(f.precision-1)), f.least+exponent-f.precision)
	}
	if bits&0x8000 != 0 {
		return -x
	}
	return x
}
