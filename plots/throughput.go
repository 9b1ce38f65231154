package plots

import "bench/framework/record"

// throughputFigure shows the nominal bytes per second under the measured
// copy ceiling.
var throughputFigure = quantity{
	name: "throughput", title: "throughput", unit: "B/s", cold: true,
	value: func(w *record.Row) record.Number { return scaled(w.Memory.GBytePerS, 1e9) },
	low:   func(w *record.Row) record.Number { return slower(w, w.Memory.GBytePerS) },
	high:  func(w *record.Row) record.Number { return faster(w, w.Memory.GBytePerS) },
	bar:   interval, doubtful: timeDoubtful,
	limit:     func(c record.Ceilings) float64 { return c.Copy },
	limitName: "measured copy",
}
