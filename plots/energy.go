package plots

import "bench/framework/record"

// energyFigure shows the energy of one run.
var energyFigure = quantity{
	name: "energy", title: "energy of one run", unit: "J",
	value: func(w *record.Row) record.Number { return w.Energy.Get().Total },
	low:   func(w *record.Row) record.Number { return beside(w.Energy.Get().Total, w.Energy.Get().Uncertainty, -1) },
	high:  func(w *record.Row) record.Number { return beside(w.Energy.Get().Total, w.Energy.Get().Uncertainty, 1) },
	bar:   repeatability, doubtful: (*record.Row).HollowPower,
}
