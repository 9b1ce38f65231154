package plots

import "bench/framework/record"

// throughputFigure shows bytes per second: nominal ones under the measured copy ceiling, or what
// versions load and store, which caches serve in part.
func throughputFigure(run *record.Run) quantity {
	q := quantity{
		name: "throughput", title: "throughput", unit: "B/s", cold: true,
		value: func(w *record.Row) record.Number { return scaled(run.ByteRate(w), 1e9) },
		low:   func(w *record.Row) record.Number { return slower(w, run.ByteRate(w)) },
		high:  func(w *record.Row) record.Number { return faster(w, run.ByteRate(w)) },
		bar:   interval, doubtful: timeDoubtful,
		limit:     func(c record.Ceilings) float64 { return c.Copy },
		limitName: "measured copy",
	}
	if run.Rates == record.ExecutedRates {
		q.name, q.title, q.limit = "accessed_throughput", "loads and stores", nil
	}
	return q
}
