package report

import (
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
)

func number(x float64) string { return digits.Scaled(x, "") }

func share(n record.Number) string { return digits.Percent(n.Float()) }

// spanned returns a value with its 95 % interval.
func spanned(x, low, high record.Number, unit string) string {
	if !x.IsSet() || !low.IsSet() || !high.IsSet() {
		return digits.Scaled(x.Float(), unit)
	}
	return digits.Known(x.Float(), halfOf(x, low, high), unit) + " (95 % interval " + digits.Ends(x.Float(), low.Float(), high.Float(), unit) + ")"
}

func ends(low, high record.Number, unit string) string {
	return digits.Range(low.Float(), high.Float(), unit)
}

// halfOf returns half of an interval; NaN if unknown.
func halfOf(x, low, high record.Number) float64 {
	return digits.Half(x.Float(), low.Float(), high.Float())
}

// measured returns a cell of a value with half of its interval, in its base unit for sorting.
func measured(x, half float64, unit string) cell {
	return cell{digits.Known(x, half, unit), x}
}
