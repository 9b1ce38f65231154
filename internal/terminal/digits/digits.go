// Package digits writes measured values with the digits that are known of them. The uncertainty has one
// significant digit, or two where the first is 1 or 2, and the value ends at the same place. A value of
// unknown uncertainty has four digits. A value whose uncertainty is as large as itself is "unknown".
package digits

import (
	"math"
	"strconv"
	"strings"
)

// unstated is the number of digits of a value whose uncertainty is not known.
const unstated = 4

// longest is the power of ten, up or down, beyond which a number is written with an exponent, because a
// table has no room for its zeros.
const longest = 15

// Prefix is an SI prefix and its factor.
type Prefix struct {
	Symbol string
	Factor float64
}

var prefixes = []Prefix{
	{"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3}, {"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18},
}

// PrefixOf returns the largest prefix that leaves at least one unit of |x|; none for 0 and values that
// are not finite.
func PrefixOf(x float64) Prefix {
	x = math.Abs(x)
	if x == 0 || !finite(x) {
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

// Scaled writes a value of unknown uncertainty, with the prefix that suits it: "371.2 µs". It returns an
// empty string for a value that is not finite. Known and the functions below write a value whose
// uncertainty is known.
func Scaled(x float64, unit string) string { return Known(x, math.NaN(), unit) }

// Known writes a value to the place to which it is known. half is half of its interval; NaN and 0 stand
// for unknown.
func Known(x, half float64, unit string) string {
	if !finite(x) {
		return ""
	}
	n := notationOf(x, half, unit)
	return n.text(x) + n.unit
}

// Rounded returns a value with the digits that Known writes, for those who write it otherwise.
func Rounded(x, half float64) float64 {
	if !finite(x) || x == 0 {
		return x
	}
	n := unstated
	if half > 0 && finite(half) {
		n = max(1, magnitude(x, 17)-place(x, half)+1)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', min(n, 17)-1, 64), 64)
	return rounded
}

// Stated writes a value, such as a setting, of which only the size counts: at most four digits, without
// trailing zeros.
func Stated(x float64, unit string) string {
	text := Scaled(x, unit)
	number, rest, _ := strings.Cut(text, " ")
	if !strings.Contains(number, ".") || strings.Contains(number, "e") {
		return text
	}
	number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	if rest == "" {
		return number
	}
	return number + " " + rest
}

// PlusMinus writes a value with half of its interval: "225 ± 4 mJ".
func PlusMinus(x, half float64, unit string) string {
	switch {
	case !finite(x) || !(half > 0):
		return Scaled(x, unit)
	case half > math.Abs(x):
		return Known(x, half, unit) + " ± unknown"
	}
	n := notationOf(x, half, unit)
	return n.text(x) + " ± " + n.text(half) + n.unit
}

// Interval writes a value with its interval: "1.8 (1.5 to 2.8)".
func Interval(x, low, high float64, unit string) string {
	if !finite(x) || !(high > low) {
		return Scaled(x, unit)
	}
	return Known(x, Half(x, low, high), unit) + " (" + Ends(x, low, high, unit) + ")"
}

// Ends writes the interval of a value, to the value's place: "1.5 to 2.8".
func Ends(x, low, high float64, unit string) string { return ends(low, high, Half(x, low, high), unit) }

// Range writes an interval alone: "360 to 410 µs".
func Range(low, high float64, unit string) string { return ends(low, high, (high-low)/2, unit) }

func ends(low, high, half float64, unit string) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return ""
	}
	if low > 0 && high > 10*low { // one place for both would leave nothing of the lower end
		a, b := notationOf(low, tenth(low), unit), notationOf(high, tenth(high), unit)
		if a.unit != b.unit {
			return a.text(low) + a.unit + " to " + b.text(high) + b.unit
		}
		return a.text(low) + " to " + b.text(high) + b.unit
	}
	n := notationOf(math.Max(math.Abs(low), math.Abs(high)), half, unit)
	return n.text(low) + " to " + n.text(high) + n.unit
}

// tenth returns the half interval that leaves x two digits.
func tenth(x float64) float64 { return 5 * math.Pow10(magnitude(x, 2)-1) }

// Half returns the larger distance from a value to an end of its interval.
func Half(x, low, high float64) float64 { return math.Max(high-x, x-low) }

// Doubt writes half of an interval as a share of the value, as tables do after ±; it is empty for NaN.
func Doubt(half float64) string {
	if half > 1 {
		return "unknown"
	}
	return Percent(half)
}

// Percent writes a share with two significant digits, below 1 % with one: "9.2 %".
func Percent(share float64) string {
	x := 100 * share
	switch {
	case !finite(x):
		return ""
	case x == 0:
		return "0 %"
	case magnitude(x, 1) < 0:
		return significant(x, 1) + " %"
	}
	return strconv.FormatFloat(x, 'f', max(0, 1-max(0, magnitude(x, 2))), 64) + " %"
}

// most is the largest number of digits of a value, however well it is known.
const most = 9

// notation says how a value and the numbers beside it are written.
type notation struct {
	factor   float64
	unit     string // with a blank and the prefix
	decimals int    // negative: rounded to tens, hundreds, …
	exponent int    // digits where an exponent is needed; 0 where it is not
}

// notationOf returns the notation of a value with half of its interval.
func notationOf(x, half float64, unit string) notation {
	n := notation{factor: 1}
	if unit != "" {
		p := PrefixOf(x)
		if half > 0 {
			p = PrefixOf(round(x, place(x, half))) // rounding may reach the next
		}
		if unit == "s" && p.Factor > 1 { // nobody counts in kiloseconds
			p = Prefix{"", 1}
		}
		n.factor, n.unit = p.Factor, " "+p.Symbol+unit
	}
	x, half = x/n.factor, half/n.factor
	if half > 0 {
		n.decimals = -place(x, half)
	} else {
		n.decimals = max(0, unstated-1-magnitude(x, unstated))
		if unit != "" { // there is no smaller prefix
			n.decimals = min(n.decimals, unstated-1)
		}
	}
	if m := magnitude(x, unstated); m > longest || m < -longest {
		n.exponent = unstated
	}
	return n
}

func (n notation) text(x float64) string {
	x /= n.factor
	if n.exponent > 0 {
		return strconv.FormatFloat(x, 'g', n.exponent, 64)
	}
	return strconv.FormatFloat(round(x, -n.decimals), 'f', max(0, n.decimals), 64)
}

// place returns the power of ten of x's last digit, where half is half of its interval.
func place(x, half float64) int {
	m := magnitude(x, 1)
	if half >= math.Abs(x) && x != 0 {
		return m
	}
	p := magnitude(half, 1)
	if first := half / math.Pow10(p); math.Round(first) < 3 {
		p--
	}
	if x == 0 {
		return p
	}
	return max(p, m-most+1)
}

// round rounds to a power of ten.
func round(x float64, place int) float64 {
	digits := magnitude(x, 17) - place // after the first
	if digits < 0 {
		return 0
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits, 64), 64)
	return rounded
}

// significant writes x with n significant digits, without an exponent unless it is very large
// or small.
func significant(x float64, n int) string {
	m := magnitude(x, n)
	if m > longest || m < -longest {
		return strconv.FormatFloat(x, 'g', n, 64)
	}
	return strconv.FormatFloat(x, 'f', max(0, n-1-m), 64)
}

// magnitude returns the power of ten of x's first digit once x is rounded to n digits: 1 for 9.9996 and n
// = 4. It is 0 for 0 and values that are not finite.
func magnitude(x float64, n int) int {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', n-1, 64), "e")
	m, _ := strconv.Atoi(exponent)
	return m
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
