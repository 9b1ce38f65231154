package axis

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Binary reports whether all values are powers of two of at least 1.
func Binary(values []float64) bool {
	for _, v := range values {
		if f, _ := math.Frexp(v); f != 0.5 || v < 1 {
			return false
		}
	}
	return true
}

// Count writes a number as axes of parameters do: powers of two as 64, 1Ki, 8Mi, other
// numbers in full, or as 2.5×10⁶ from a million on. It has no k, which would be 1000 to
// some readers and 1024 to others.
func Count(v float64) string { return counts([]float64{v}, Binary([]float64{v}))(v, usual) }

// counts returns what writes the numbers of one axis in one way: if one of them needs a power of
// ten, all from 100 on and all below 1 have one.
func counts(values []float64, binary bool) func(v float64, digits int) string {
	powers := !binary && slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v) >= 1e6 || v != 0 && math.Abs(v) < 1e-4 })
	return func(v float64, digits int) string {
		if powers && digits == usual && v != 0 {
			return power(v, digits)
		}
		return count(v, binary, digits)
	}
}

// power writes a number as 10⁴ or 2.5×10⁶, and from 1 to less than 100 in full.
func power(v float64, digits int) string {
	if a := math.Abs(v); a >= 1 && a < 100 {
		return Text(v, digits)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	n, _ := strconv.Atoi(exponent)
	raised := "10" + superscripts.Replace(strconv.Itoa(n))
	switch mantissa {
	case "1":
		return raised
	case "-1":
		return "-" + raised
	}
	return mantissa + "×" + raised
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻")

func count(v float64, binary bool, digits int) string {
	if !binary {
		if a := math.Abs(v); a < 1e6 && (v == math.Trunc(v) || a >= 1000 && digits == usual) {
			return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
		}
		return strings.Replace(Text(v, digits), "e+0", "e", 1)
	}
	i := 0
	for ; v >= 1024 && i < 6; i++ {
		v /= 1024
	}
	return Text(v, digits) + []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}[i]
}

// Text writes a value with at most so many significant digits, without trailing zeros.
func Text(v float64, digits int) string { return strconv.FormatFloat(v, 'g', digits, 64) }
