package report

import (
	"math"
	"strconv"

	"bench/framework/record"
)

// number has four significant digits, without an exponent where it can.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	if a := math.Abs(x); a != 0 && (a < 1e-3 || a >= 1e6) {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	digits := 3
	if math.Abs(x) < 1 && x != 0 {
		digits = 4
	}
	for a := math.Abs(x); a >= 10 && digits > 0; a /= 10 {
		digits--
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// percent writes a share, 0.0123 as "1.23 %".
func percent(x float64) string { return strconv.FormatFloat(100*x, 'g', 3, 64) + " %" }

func share(n record.Number) string {
	if !n.IsSet() {
		return ""
	}
	return percent(n.Float())
}

func scaled(x float64, unit string) string {
	if math.IsNaN(x) {
		return ""
	}
	if unit == "" {
		return number(x)
	}
	return record.Scaled(record.Measured(x), unit)
}

func scaledBy(n record.Number, factor float64, unit string) string {
	if !n.IsSet() {
		return ""
	}
	return scaled(n.Float()*factor, unit)
}

// spanned is a value with its 95 % interval.
func spanned(x, low, high record.Number, unit string) string {
	if !x.IsSet() || !low.IsSet() || !high.IsSet() {
		return record.Scaled(x, unit)
	}
	return record.Scaled(x, unit) + " (95 % interval " + ends(low, high, unit) + ")"
}

func ends(low, high record.Number, unit string) string {
	if !low.IsSet() || !high.IsSet() {
		return ""
	}
	return record.Scaled(low, unit) + " to " + record.Scaled(high, unit)
}

// measured is a cell of a Number, in its base unit for sorting.
func measured(n record.Number, factor float64, unit string) cell {
	return cell{scaledBy(n, factor, unit), n.Float() * factor}
}
