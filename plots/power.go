package plots

import "bench/framework/record"

// powerFigure shows the mean power of the sustained runs.
var powerFigure = quantity{
	name: "power", title: "power", unit: "W",
	value: func(w *record.Row) record.Number { return w.Power.Total },
}
