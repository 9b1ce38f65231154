package record

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal/digits"
)

// SummaryFile has what one looks for first of each point, in a few columns.
const SummaryFile = "summary.csv"

// summaryParams is how many parameters have columns of their own in the summary; the others are settings.
const summaryParams = 3

// summaryColumn is one of the summary's; its doc is for docs/csv.md.
type summaryColumn struct {
	name, doc string
	cell      func(*Row) string
}

// summaryColumns are at most 14. Numbers have the digits that are known.
func (r *Run) summaryColumns(rates bool) []summaryColumn {
	all := []summaryColumn{
		{"version", "implementation", func(w *Row) string { return w.Version }},
		{"device", "cpu, cuda:0, …", func(w *Row) string { return w.Device }},
		{"power_mode", "name of the board's power mode", func(w *Row) string { return w.PowerMode }},
	}
	params := slices.Clone(r.Columns.Params)
	slices.SortStableFunc(params, func(a, b Column) int { return r.Axis(a) - r.Axis(b) })
	own := params[:min(summaryParams, len(params))]
	for _, c := range own {
		all = append(all, summaryColumn{c.Column, "", func(w *Row) string { return w.Params.Get(c.Name).String() }})
	}
	all = append(all, summaryColumn{"settings", "the other parameters, and the tunables", func(w *Row) string {
		var parts []string
		add := func(name string, v framework.Value) {
			if v.IsSet() {
				parts = append(parts, name+"="+v.String())
			}
		}
		for _, c := range params[len(own):] {
			add(c.Name, w.Params.Get(c.Name))
		}
		for _, c := range r.Columns.Tunables {
			add(c.Name, w.Tunables.Get(c.Name))
		}
		return strings.Join(parts, " ")
	}})
	if rates {
		half := func(w *Row) float64 { t := w.Rate.Get(); return (t.P99High.Float() - t.P99Low.Float()) / 2 }
		all = append(all,
			summaryColumn{"release_hz", "releases per second", func(w *Row) string { return knownDigits(w.Rate.Get().Hz.Float(), math.NaN()) }},
			summaryColumn{"miss_share", "share of the releases whose run had not ended at its deadline", func(w *Row) string { return knownDigits(w.Rate.Get().MissShare.Float(), math.NaN()) }},
			summaryColumn{"latency_p99_s", "99th percentile of the latency", func(w *Row) string { return knownDigits(w.Rate.Get().P99.Float(), half(w)) }},
			summaryColumn{"latency_p99_low_s", "lower end of its 95 % interval", func(w *Row) string { return knownDigits(w.Rate.Get().P99Low.Float(), half(w)) }},
			summaryColumn{"latency_p99_high_s", "upper end of it", func(w *Row) string { return knownDigits(w.Rate.Get().P99High.Float(), half(w)) }})
	} else {
		half := func(w *Row) float64 { return (w.Time.High.Float() - w.Time.Low.Float()) / 2 }
		share := func(w *Row) float64 { return half(w) / w.Time.Median.Float() }
		all = append(all,
			summaryColumn{"time_s", "median time of one run", func(w *Row) string { return knownDigits(w.Time.Median.Float(), half(w)) }},
			summaryColumn{"time_ci_low_s", "lower end of its 95 % interval", func(w *Row) string { return knownDigits(w.Time.Low.Float(), half(w)) }},
			summaryColumn{"time_ci_high_s", "upper end of it", func(w *Row) string { return knownDigits(w.Time.High.Float(), half(w)) }},
			summaryColumn{"gflop_per_s", "nominal operations, 10^9 a second", func(w *Row) string {
				return knownDigits(w.Work.GFLOPPerS.Float(), w.Work.GFLOPPerS.Float()*share(w))
			}},
			summaryColumn{"gbyte_per_s", "nominal bytes, 10^9 a second", func(w *Row) string {
				return knownDigits(w.Memory.GBytePerS.Float(), w.Memory.GBytePerS.Float()*share(w))
			}})
	}
	return append(all,
		summaryColumn{"energy_J", "energy of one run", func(w *Row) string {
			return knownDigits(w.Energy.Get().Total.Float(), w.Energy.Get().Uncertainty.Float())
		}},
		summaryColumn{"status", "ok, wrong, impossible, failed, timeout or skipped", func(w *Row) string { return string(w.Status) }})
}

// knownDigits writes a number in base units with the digits that half of its interval leaves (digits.Known). It returns an
// empty text for NaN.
func knownDigits(x, half float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(digits.Rounded(x, half), 'g', -1, 64)
}

// summaryLines appends the summary of a batch.
func summaryLines(columns []summaryColumn) func(*bytes.Buffer, *batch, *batchTables, bool) error {
	return func(to *bytes.Buffer, b *batch, t *batchTables, header bool) error {
		out := csv.NewWriter(to)
		if header {
			t.line = t.line[:0]
			for _, c := range columns {
				t.line = append(t.line, c.name)
			}
			if err := out.Write(t.line); err != nil {
				return err
			}
		}
		for i := range b.rows {
			t.line = t.line[:0]
			for _, c := range columns {
				t.line = append(t.line, c.cell(&b.rows[i]))
			}
			if err := out.Write(t.line); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}
}
