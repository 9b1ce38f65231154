package plots

import "bench/framework/record"

// flopsFigure shows operations per second.
func flopsFigure(run *record.Run) quantity {
	q := quantity{
		name: "flops", title: "rate of operations", unit: "FLOP/s", cold: true,
		value: func(w *record.Row) record.Number { return scaled(run.FLOPRate(w), 1e9) },
		low:   func(w *record.Row) record.Number { return slower(w, run.FLOPRate(w)) },
		high:  func(w *record.Row) record.Number { return faster(w, run.FLOPRate(w)) },
		bar:   interval, doubtful: timeDoubtful,
	}
	if run.Rates == record.ExecutedRates {
		q.name, q.title = "executed_flops", "executed operations"
	}
	return q
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
