package plots

import "bench/framework/record"

// flopsFigure shows the nominal operations per second.
var flopsFigure = quantity{
	name: "flops", title: "rate of operations", unit: "FLOP/s", cold: true,
	value: func(w *record.Row) record.Number { return scaled(w.Work.GFLOPPerS, 1e9) },
	low:   func(w *record.Row) record.Number { return slower(w, w.Work.GFLOPPerS) },
	high:  func(w *record.Row) record.Number { return faster(w, w.Work.GFLOPPerS) },
	bar:   interval, doubtful: timeDoubtful,
}

func scaled(x record.Number, factor float64) record.Number {
	return record.Measured(x.Float() * factor)
}

// slower and faster are a rate at the ends of the time's interval, from the rate
// in 10^9 at the median.
func slower(w *record.Row, rate record.Number) record.Number {
	return scaled(rate, 1e9*w.Time.Median.Float()/w.Time.High.Float())
}

func faster(w *record.Row, rate record.Number) record.Number {
	return scaled(rate, 1e9*w.Time.Median.Float()/w.Time.Low.Float())
}
