package record

import (
	"fmt"
	"math"
	"strconv"
)

// Number is a measured quantity, or none: an empty cell. The zero Number is
// none, so that an unmeasured value is never taken for 0.
type Number struct {
	value float64
	set   bool
}

// Measured is the Number x; none if x is NaN or infinite.
func Measured(x float64) Number {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Number{}
	}
	return Number{x, true}
}

// positive is the Number x; none if x is zero, which an absent measurement
// leaves behind.
func positive(x float64) Number {
	if x == 0 {
		return Number{}
	}
	return Measured(x)
}

// IsSet is false for none.
func (n Number) IsSet() bool { return n.set }

// plus is the sum; where either is not known, nothing is.
func (n Number) plus(m Number) Number {
	if !n.set || !m.set {
		return Number{}
	}
	return Measured(n.value + m.value)
}

// Float is the value; NaN for none.
func (n Number) Float() float64 {
	if !n.set {
		return math.NaN()
	}
	return n.value
}

func (n Number) times(f float64) Number {
	if !n.set {
		return n
	}
	return Measured(n.value * f)
}

func (n Number) per(f float64) Number {
	if !n.set {
		return n
	}
	return Measured(n.value / f)
}

func (n Number) over(d Number) Number {
	if !n.set || !d.set {
		return Number{}
	}
	return Measured(n.value / d.value)
}

// rounding is the relative difference below which two numbers are the same but for rounding.
const rounding = 1e-12

func (n Number) minus(m Number) Number {
	if !n.set || !m.set {
		return Number{}
	}
	d := n.value - m.value
	if math.Abs(d) <= rounding*math.Abs(n.value) {
		d = 0
	}
	return Measured(d)
}

// MarshalCSV writes the shortest digits that read back as the same value.
func (n Number) MarshalCSV() (string, error) { return string(n.append(nil)), nil }

// append appends what MarshalCSV writes.
func (n Number) append(text []byte) []byte {
	if !n.set {
		return text
	}
	return strconv.AppendFloat(text, n.value, 'g', -1, 64)
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
	*n = Number{x, true}
	return nil
}

// Count is a counted quantity, or none: an empty cell. Counts are exact beyond
// 2^53.
type Count struct {
	value int64
	set   bool
}

// Counted is the Count n.
func Counted(n int64) Count { return Count{n, true} }

// known is the Count n; none if n is zero, as in a Work whose counts cannot
// be known.
func known(n int64) Count { return Count{n, n != 0} }

// IsSet is false for none.
func (c Count) IsSet() bool { return c.set }

// Int is the count; 0 for none.
func (c Count) Int() int64 { return c.value }

func (c Count) number() Number { return Number{float64(c.value), c.set} }

// MarshalCSV writes all digits.
func (c Count) MarshalCSV() (string, error) { return string(c.append(nil)), nil }

// append appends what MarshalCSV writes.
func (c Count) append(text []byte) []byte {
	if !c.set {
		return text
	}
	return strconv.AppendInt(text, c.value, 10)
}

// UnmarshalCSV reads what MarshalCSV writes.
func (c *Count) UnmarshalCSV(s string) error {
	*c = Count{}
	if s == "" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return fmt.Errorf("want a whole number or nothing, got %q", s)
	}
	*c = Counted(n)
	return nil
}
