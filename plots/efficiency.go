package plots

import "bench/framework/record"

// The figures of what a joule is enough for.
var (
	operationsPerJoule = quantity{
		name: "flops_per_joule", title: "operations per joule", unit: "FLOP/J",
		value: func(w *record.Row) record.Number { return scaled(w.Power.PerWatt, 1e9) },
		low:   func(w *record.Row) record.Number { return perJoule(w, w.Power.PerWatt, 1) },
		high:  func(w *record.Row) record.Number { return perJoule(w, w.Power.PerWatt, -1) },
		bar:   repeatability, doubtful: powerDoubtful,
	}
	bytesPerJoule = quantity{
		name: "bytes_per_joule", title: "bytes per joule", unit: "B/J",
		value: func(w *record.Row) record.Number { return scaled(w.Power.BytesPerWatt, 1e9) },
		low:   func(w *record.Row) record.Number { return perJoule(w, w.Power.BytesPerWatt, 1) },
		high:  func(w *record.Row) record.Number { return perJoule(w, w.Power.BytesPerWatt, -1) },
		bar:   repeatability, doubtful: powerDoubtful,
	}
)

// perJoule is a number of 10^9 per joule where the energy is at one end of its interval.
func perJoule(w *record.Row, number record.Number, side float64) record.Number {
	e := beside(w.Energy.Total, w.Energy.Uncertainty, side)
	if !e.IsSet() || !(e.Float() > 0) {
		return record.Number{}
	}
	return scaled(number, 1e9*w.Energy.Total.Float()/e.Float())
}
