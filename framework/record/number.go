package record

import (
	"fmt"
	"math"
	"strconv"
)

// Number is a measured quantity, or none: an empty cell. The zero Number is
// none, so that an unmeasured value is never taken for 0.
type Number struct {
	bits uint64 // of the value and of none, exclusive or: a row has many Numbers
}

// noNumber are the bits of a NaN that no calculation makes; 0 in Number.bits stands for it.
const noNumber = 0x7ff4_6e6f_6e65_0000

// numberOf returns the Number x, whatever x is.
func numberOf(x float64) Number { return Number{math.Float64bits(x) ^ noNumber} }

// Measured returns the Number x; none if x is NaN or infinite.
func Measured(x float64) Number {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Number{}
	}
	return numberOf(x)
}

// positive returns the Number x; none if x is zero, which an absent measurement
// leaves behind.
func positive(x float64) Number {
	if x == 0 {
		return Number{}
	}
	return Measured(x)
}

// IsSet reports whether there is a number.
func (n Number) IsSet() bool { return n.bits != 0 }

// value returns the number; 0 for none.
func (n Number) value() float64 {
	if !n.IsSet() {
		return 0
	}
	return math.Float64frombits(n.bits ^ noNumber)
}

// plus returns the sum, or none if either is none.
func (n Number) plus(m Number) Number {
	if !n.IsSet() || !m.IsSet() {
		return Number{}
	}
	return Measured(n.value() + m.value())
}

// inSquares returns the root of the sum of the squares, or none if either is none.
func (n Number) inSquares(m Number) Number {
	if !n.IsSet() || !m.IsSet() {
		return Number{}
	}
	return Measured(math.Hypot(n.value(), m.value()))
}

// Float returns the number; NaN for none.
func (n Number) Float() float64 {
	if !n.IsSet() {
		return math.NaN()
	}
	return n.value()
}

func (n Number) times(f float64) Number {
	if !n.IsSet() {
		return n
	}
	return Measured(n.value() * f)
}

func (n Number) per(f float64) Number {
	if !n.IsSet() {
		return n
	}
	return Measured(n.value() / f)
}

func (n Number) over(d Number) Number {
	if !n.IsSet() || !d.IsSet() {
		return Number{}
	}
	return Measured(n.value() / d.value())
}

// rounding is the relative difference below which two numbers are the same but for rounding.
const rounding = 1e-12

func (n Number) minus(m Number) Number {
	if !n.IsSet() || !m.IsSet() {
		return Number{}
	}
	d := n.value() - m.value()
	if math.Abs(d) <= rounding*math.Abs(n.value()) {
		d = 0
	}
	return Measured(d)
}

// MarshalCSV writes the shortest digits that read back as the same value.
func (n Number) MarshalCSV() (string, error) { return string(n.append(nil)), nil }

// append appends what MarshalCSV writes.
func (n Number) append(text []byte) []byte {
	if !n.IsSet() {
		return text
	}
	return strconv.AppendFloat(text, n.value(), 'g', -1, 64)
}

// UnmarshalCSV reads what MarshalCSV writes.
func (n *Number) UnmarshalCSV(s string) error {
	*n = Number{}
	if s == "" {
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return fmt.Errorf("want a number or nothing, got %q", s)
	}
	*n = numberOf(x)
	return nil
}

// Count is a counted quantity, or none: an empty cell. Counts are exact beyond
// 2^53.
type Count struct {
	bits int64 // of the count and of noCount, exclusive or
}

// noCount is no count; 0 in Count.bits stands for it.
const noCount = math.MinInt64

// Counted returns the Count n.
func Counted(n int64) Count { return Count{n ^ noCount} }

// known returns the Count n; none if n is zero, as in a Work whose counts cannot
// be known.
func known(n int64) Count {
	if n == 0 {
		return Count{}
	}
	return Counted(n)
}

// IsSet reports whether there is a count.
func (c Count) IsSet() bool { return c.bits != 0 }

// Int returns the count; 0 for none.
func (c Count) Int() int64 {
	if !c.IsSet() {
		return 0
	}
	return c.bits ^ noCount
}

func (c Count) number() Number {
	if !c.IsSet() {
		return Number{}
	}
	return numberOf(float64(c.Int()))
}

// MarshalCSV writes all digits.
func (c Count) MarshalCSV() (string, error) { return string(c.append(nil)), nil }

// append appends what MarshalCSV writes.
func (c Count) append(text []byte) []byte {
	if !c.IsSet() {
		return text
	}
	return strconv.AppendInt(text, c.Int(), 10)
}

// UnmarshalCSV reads what MarshalCSV writes.
func (c *Count) UnmarshalCSV(s string) error {
	*c = Count{}
	if s == "" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n == noCount {
		return fmt.Errorf("want a whole number or nothing, got %q", s)
	}
	*c = Counted(n)
	return nil
}
