package plots

import "bench/framework/record"

// The figures of what a joule is enough for.
var (
	operationsPerJoule = perJoule("flops_per_joule", "operations per joule", "FLOP/J", func(w *record.Row) record.Number { return w.Power.Get().PerWatt })
	bytesPerJoule      = perJoule("bytes_per_joule", "bytes per joule", "B/J", func(w *record.Row) record.Number { return w.Power.Get().BytesPerWatt })
)

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
