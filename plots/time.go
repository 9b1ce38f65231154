package plots

import "bench/framework/record"

// interval is what an error bar of a time, or of a rate by it, is.
const interval = "95 % interval of the median"

// timeFigure shows the headline time: cold on a GPU, hot on a CPU.
var timeFigure = quantity{
	name: "time", title: "time of one run", unit: "s", cold: true,
	value: func(w *record.Row) record.Number { return w.Time.Median },
	low:   func(w *record.Row) record.Number { return w.Time.Low },
	high:  func(w *record.Row) record.Number { return w.Time.High },
	bar:   interval, doubtful: timeDoubtful,
}

// hotTimeFigure shows a GPU's times with warm caches.
var hotTimeFigure = quantity{
	name: "time_hot", title: "time of one run, back to back", unit: "s",
	value: func(w *record.Row) record.Number { return w.Hot.Get().Median },
	low:   func(w *record.Row) record.Number { return w.Hot.Get().Low },
	high:  func(w *record.Row) record.Number { return w.Hot.Get().High },
	bar:   interval, doubtful: (*record.Row).HollowHot,
}

// timeDoubtful reports whether the headline time is known less well than asked.
func timeDoubtful(w *record.Row) bool { return w.HollowTime() }
