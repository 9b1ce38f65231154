package plots

import "bench/framework/record"

// flopsFigure shows the nominal operations per second.
var flopsFigure = quantity{
	name: "flops", title: "rate of operations", unit: "FLOP/s", cold: true,
	value: func(w *record.Row) record.Number { return scaled(w.Work.GFLOPPerS, 1e9) },
	low:   func(w *record.Row) record.Number { return slower(w, w.Work.GFLOPPerS) },
	high:  func(w *record.Row) record.Number { return faster(w, w.Work.GFLOPPerS) },
}

func scaled(x record.Number, factor float64) record.Number {
	return record.Measured(x.Float() * factor)
}

// slower and faster are a rate at the quartiles of the time, from the rate
// in 10^9 at the median.
func slower(w *record.Row, rate record.Number) record.Number {
	return scaled(rate, 1e9*w.Time.Median.Float()/w.Time.Q3.Float())
}

func faster(w *record.Row, rate record.Number) record.Number {
	return scaled(rate, 1e9*w.Time.Median.Float()/w.Time.Q1.Float())
}
