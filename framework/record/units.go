package record

import (
	"math"
	"strconv"
	"strings"
)

// Prefix is an SI prefix and its factor.
type Prefix struct {
	Symbol string
	Factor float64
}

var prefixes = []Prefix{
	{"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3}, {"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18},
}

// PrefixOf is the largest prefix that leaves at least one unit of |x|; none
// for 0 and what is not finite.
func PrefixOf(x float64) Prefix {
	x = math.Abs(x)
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return Prefix{"", 1}
	}
	best := prefixes[0]
	for _, p := range prefixes {
		// Rounding to four digits may reach the next prefix.
		if x >= p.Factor*(1-0.5e-4) {
			best = p
		}
	}
	return best
}

// Scaled writes x with the prefix that suits it and four significant digits,
// e.g. "371.2 µs"; empty for none.
func Scaled(x Number, unit string) string {
	if !x.IsSet() {
		return ""
	}
	p := PrefixOf(x.Float())
	s := digits(x.Float()/p.Factor, 4)
	if p.Symbol+unit == "" {
		return s
	}
	return s + " " + p.Symbol + unit
}

// longest is the power of ten, up or down, beyond which a number is written with an
// exponent: a table has no room for its zeros.
const longest = 15

// digits writes x with n significant digits, without an exponent unless it is very large
// or small; below 1 with n-1 digits after the point.
func digits(x float64, n int) string {
	if m := magnitude(x, n); m > longest || m < -longest {
		return strconv.FormatFloat(x, 'g', n, 64)
	}
	return strconv.FormatFloat(x, 'f', max(0, n-1-max(0, magnitude(x, n))), 64)
}

// significant writes x with n significant digits, without an exponent unless it is very
// large or small.
func significant(x float64, n int) string {
	if m := magnitude(x, n); m > longest || m < -longest {
		return strconv.FormatFloat(x, 'g', n, 64)
	}
	return strconv.FormatFloat(x, 'f', max(0, n-1-magnitude(x, n)), 64)
}

// magnitude is the power of ten of x's first digit once x is rounded to n
// digits: 1 of 9.9996 for 4. It is 0 for 0 and what is not finite.
func magnitude(x float64, n int) int {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', n-1, 64), "e")
	m, _ := strconv.Atoi(exponent)
	return m
}
