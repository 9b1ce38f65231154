package plots

import "bench/framework/record"

// timeFigure shows the headline time: cold on a GPU, hot on a CPU.
var timeFigure = quantity{
	name: "time", title: "time of one run", unit: "s", cold: true,
	value: func(w *record.Row) record.Number { return w.Time.Median },
	low:   func(w *record.Row) record.Number { return w.Time.Q1 },
	high:  func(w *record.Row) record.Number { return w.Time.Q3 },
}

// hotTimeFigure shows a GPU's times with warm caches.
var hotTimeFigure = quantity{
	name: "time_hot", title: "time of one run, back to back", unit: "s",
	value: func(w *record.Row) record.Number { return w.Hot.Median },
	low:   func(w *record.Row) record.Number { return w.Hot.Q1 },
	high:  func(w *record.Row) record.Number { return w.Hot.Q3 },
}
