package framework

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is the type of a parameter's value.
type Kind int

// The kinds of values.
const (
	Int Kind = iota
	Float
	Text
)

// String returns the kind's name for help and messages.
func (k Kind) String() string { return [...]string{"whole number", "number", "word"}[k] }

// Value is one setting of a parameter or tunable. The zero Value is not set.
type Value struct {
	text string
	bits uint64 // of an Int or a Float
	kind uint8  // a Kind
	set  bool
}

// IntValue returns n as a Value.
func IntValue(n int64) Value { return Value{kind: uint8(Int), set: true, bits: uint64(n)} }

// FloatValue returns x as a Value.
func FloatValue(x float64) Value {
	return Value{kind: uint8(Float), set: true, bits: math.Float64bits(x)}
}

// TextValue returns s as a Value.
func TextValue(s string) Value { return Value{kind: uint8(Text), set: true, text: s} }

// IsSet reports whether the value is set.
func (v Value) IsSet() bool { return v.set }

// Kind returns the value's type.
func (v Value) Kind() Kind { return Kind(v.kind) }

// Int returns the value of an Int, or of a Float without its fraction.
func (v Value) Int() int64 {
	if v.Kind() == Float {
		return int64(v.Float())
	}
	return int64(v.bits)
}

// Float returns the value of a Float or an Int.
func (v Value) Float() float64 {
	if v.Kind() == Int {
		return float64(int64(v.bits))
	}
	return math.Float64frombits(v.bits)
}

// Whole returns v as a whole number, also a Float such as 64.0, and reports whether it is one.
func (v Value) Whole() (Value, bool) {
	switch {
	case v.Kind() == Int:
		return v, true
	case v.Kind() == Float && v.Float() == math.Trunc(v.Float()) && math.Abs(v.Float()) < 1<<53:
		return IntValue(v.Int()), true
	}
	return v, false
}

// String returns the value as written in a CSV cell; empty if it is not set.
func (v Value) String() string {
	switch {
	case !v.set:
		return ""
	case v.Kind() == Int:
		return strconv.FormatInt(v.Int(), 10)
	case v.Kind() == Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return v.text
}

// MarshalJSON writes a number, a string or null.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case !v.set:
		return []byte("null"), nil
	case v.Kind() == Int:
		return []byte(strconv.FormatInt(v.Int(), 10)), nil
	case v.Kind() == Float:
		s := v.String()
		if !strings.ContainsAny(s, ".e") {
			s += ".0" // keeps the kind when read back
		}
		return []byte(s), nil
	}
	return json.Marshal(v.text)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(b []byte) error {
	s := string(b)
	switch {
	case s == "null":
		*v = Value{}
	case len(s) > 0 && s[0] == '"':
		*v = TextValue("")
		return json.Unmarshal(b, &v.text)
	case s == "true" || s == "false" || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "["):
		return fmt.Errorf("want a number or a string, got %s", s)
	default:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			*v = IntValue(n)
			return nil
		}
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("want a number or a string, got %s", s)
		}
		*v = FloatValue(x)
	}
	return nil
}

// Values are settings by parameter name.
type Values map[string]Value

// Int returns the setting of name, or zero if there is none.
func (v Values) Int(name string) int64 { return v[name].Int() }

// Float returns the setting of name, or zero if there is none.
func (v Values) Float(name string) float64 { return v[name].Float() }

// Text returns the setting of name, or "" if there is none.
func (v Values) Text(name string) string { return v[name].text }

// Clone returns a copy.
func (v Values) Clone() Values {
	c := make(Values, len(v))
	for k, x := range v {
		c[k] = x
	}
	return c
}
