package plots

import "bench/framework/record"

// operationsPerJoule shows the operations that a joule is enough for.
func operationsPerJoule(run *record.Run) quantity {
	q := perJoule("flops_per_joule", "operations per joule", "FLOP/J", run.FLOPsPerJoule)
	if run.Rates == record.ExecutedRates {
		q.name, q.title = "executed_flops_per_joule", "executed per joule"
	}
	return q
}

// bytesPerJoule shows the bytes that a joule is enough for.
func bytesPerJoule(run *record.Run) quantity {
	q := perJoule("bytes_per_joule", "bytes per joule", "B/J", run.BytesPerJoule)
	if run.Rates == record.ExecutedRates {
		q.name, q.title = "accessed_bytes_per_joule", "loads and stores per joule"
	}
	return q
}

// perJoule is a figure of what of gives in 10^9 per joule.
func perJoule(name, title, unit string, of func(*record.Row) record.Number) quantity {
	// at has the energy at one end of its interval.
	at := func(side float64) func(*record.Row) record.Number {
		return func(w *record.Row) record.Number {
			e := beside(w.Energy.Get().Total, w.Energy.Get().Uncertainty, side)
			if !e.IsSet() || !(e.Float() > 0) {
				return record.Number{}
			}
			return scaled(of(w), 1e9*w.Energy.Get().Total.Float()/e.Float())
		}
	}
	return quantity{name: name, title: title, unit: unit, value: func(w *record.Row) record.Number { return scaled(of(w), 1e9) },
		low: at(1), high: at(-1), bar: repeatability, doubtful: (*record.Row).HollowPower}
}
