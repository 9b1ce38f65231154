package plots

import "bench/framework/record"

// powerFigure shows the mean power of the sustained runs.
var powerFigure = quantity{
	name: "power", title: "power", unit: "W",
	value: func(w *record.Row) record.Number { return w.Power.Get().Total },
	low:   func(w *record.Row) record.Number { return beside(w.Power.Get().Total, w.Power.Get().Uncertainty, -1) },
	high:  func(w *record.Row) record.Number { return beside(w.Power.Get().Total, w.Power.Get().Uncertainty, 1) },
	bar:   repeatability, doubtful: (*record.Row).HollowPower,
}

// repeatability is what an error bar of power or energy is.
const repeatability = "95 % interval if the same sensor measured again"

// beside is a value less or more its uncertainty.
func beside(value, uncertainty record.Number, side float64) record.Number {
	if !uncertainty.IsSet() {
		return uncertainty
	}
	return record.Measured(value.Float() + side*uncertainty.Float())
}
