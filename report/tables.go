package report

import (
	"math"
	"slices"
	"strconv"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
)

// factorHeads returns the heads of the columns of a comparison's factors.
func factorHeads(c *compare.Comparison) []Head {
	var heads []Head
	for i, name := range c.Factors {
		numeric := len(c.Points) > 0
		for _, p := range c.Points {
			if _, err := strconv.ParseFloat(p.Factors[i], 64); err != nil && p.Factors[i] != "" {
				numeric = false
			}
		}
		heads = append(heads, Head{name, numeric})
	}
	return heads
}

// factorCell returns the cell of a factor's value, which may be a number.
func factorCell(text string) cell {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		x = math.NaN()
	}
	return cell{text, x}
}

// column is a column of the table of a run's points.
type column struct {
	name    string
	numeric bool
	cell    func(*record.Row) cell
}

func words(name string, of func(*record.Row) string) column {
	return column{name, false, func(w *record.Row) cell { return word(of(w)) }}
}

// numbers returns a column of numbers that are known as well as half of an interval says, in the unit of the
// column of the CSV.
func numbers(name string, factor float64, unit string, of func(*record.Row) record.Number, half func(*record.Row) float64) column {
	return column{name, true, func(w *record.Row) cell { return measured(of(w).Float()*factor, half(w)*factor, unit) }}
}

// table has a row for each of the run's points.
func (r *runReader) table() Table {
	t := Table{Title: "all points"}
	columns := []column{
		{"point", true, func(w *record.Row) cell { return cell{strconv.Itoa(w.Point), float64(w.Point)} }},
		words("version", func(w *record.Row) string { return w.Version }),
		words("power mode", func(w *record.Row) string { return w.PowerMode }),
	}
	if slices.ContainsFunc(r.run.Rows, func(w record.Row) bool { return w.Device != r.run.Rows[0].Device }) {
		columns = append(columns, words("device", func(w *record.Row) string { return w.Device }))
	}
	params, tunables, _ := r.run.Varying()
	for _, c := range params {
		columns = append(columns, column{c.Name, true, func(w *record.Row) cell { return factorCell(w.Params.Get(c.Name).String()) }})
	}
	for _, c := range tunables {
		columns = append(columns, column{c.Name, true, func(w *record.Row) cell { return factorCell(w.Tunables.Get(c.Name).String()) }})
	}
	unit := "s"
	if r.run.Info.RelativeTo != "" {
		unit = ""
	}
	ratio := func(name string, of func(*record.Row) record.Number) column {
		return column{name, true, func(w *record.Row) cell { return cell{share(of(w)), of(w).Float()} }}
	}
	timeHalf := func(w *record.Row) float64 { return halfOf(w.Time.Median, w.Time.Low, w.Time.High) }
	energyHalf := func(w *record.Row) float64 { return w.Energy.Get().Uncertainty.Float() }
	columns = append(columns,
		numbers("time", 1, unit, func(w *record.Row) record.Number { return w.Time.Median }, timeHalf),
		// One digit at least, however wide the interval is.
		numbers("from", 1, unit, func(w *record.Row) record.Number { return w.Time.Low }, func(w *record.Row) float64 { return math.Min(timeHalf(w), w.Time.Low.Float()/2) }),
		numbers("to", 1, unit, func(w *record.Row) record.Number { return w.Time.High }, timeHalf),
		words("converged", func(w *record.Row) string { return w.Time.Converged }),
		numbers("hot time", 1, unit, func(w *record.Row) record.Number { return w.Hot.Get().Median }, func(w *record.Row) float64 { s := w.Hot.Get(); return halfOf(s.Median, s.Low, s.High) }),
		ratio("deadlines missed", func(w *record.Row) record.Number { return w.Rate.Get().MissShare }),
		numbers("99th percentile", 1, "s", func(w *record.Row) record.Number { return w.Rate.Get().P99 }, func(w *record.Row) float64 {
			return halfOf(w.Rate.Get().P99, w.Rate.Get().P99Low, w.Rate.Get().P99High)
		}),
		numbers("median latency", 1, "s", func(w *record.Row) record.Number { return w.Rate.Get().P50 }, func(w *record.Row) float64 {
			return halfOf(w.Rate.Get().P50, w.Rate.Get().P50Low, w.Rate.Get().P50High)
		}),
		numbers("99.9th percentile", 1, "s", func(w *record.Row) record.Number { return w.Rate.Get().P999 }, func(w *record.Row) float64 {
			return halfOf(w.Rate.Get().P999, w.Rate.Get().P999Low, w.Rate.Get().P999High)
		}),
		numbers("release rate", 1, "Hz", func(w *record.Row) record.Number { return w.Rate.Get().Hz }, func(w *record.Row) float64 { return halfOf(w.Rate.Get().Hz, w.Rate.Get().Low, w.Rate.Get().High) }),
		numbers("operations", 1e9, "FLOP/s", func(w *record.Row) record.Number { return w.Work.GFLOPPerS }, func(w *record.Row) float64 { return w.Work.GFLOPPerS.Float() * w.Time.Half() }),
		numbers("bytes", 1e9, "B/s", func(w *record.Row) record.Number { return w.Memory.GBytePerS }, func(w *record.Row) float64 { return w.Memory.GBytePerS.Float() * w.Time.Half() }),
		ratio("of copy", func(w *record.Row) record.Number { return w.Memory.CopyShare }),
		ratio("of FMA", func(w *record.Row) record.Number { return w.Work.FMAShare }),
		numbers("power", 1, "W", func(w *record.Row) record.Number { return w.Power.Get().Total }, func(w *record.Row) float64 { return w.Power.Get().Uncertainty.Float() }),
		numbers("energy", 1, "J", func(w *record.Row) record.Number { return w.Energy.Get().Total }, energyHalf),
		numbers("± energy", 1, "J", func(w *record.Row) record.Number { return w.Energy.Get().Uncertainty }, energyHalf),
		words("status", func(w *record.Row) string { return string(w.Status) }),
		words("reason", func(w *record.Row) string { return w.Reason }),
	)
	for _, c := range columns {
		t.Head = append(t.Head, Head{c.name, c.numeric})
	}
	for i := range r.run.Rows {
		var cells []cell
		for _, c := range columns {
			cells = append(cells, c.cell(&r.run.Rows[i]))
		}
		t.add(i, cells...)
	}
	t.trim()
	return t
}
