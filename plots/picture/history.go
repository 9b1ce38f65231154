package picture

import (
	"math"
	"slices"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/history"
)

// History is a series run by run, with its levels.
type History struct {
	X, Y     axis.Axis
	Lines    []Line // runs with the last one's surroundings, and others; a point's note is its revision
	Levels   []Level
	Runs     int
	Doubtful bool // some are outliers
}

// Level is a mean from one run to another.
type Level struct{ From, To, Value float64 }

// HistoryOf returns the picture of a series; nil if no run has a date.
func HistoryOf(j *history.Judged) *History {
	alike, other := Line{Name: "runs", Apart: true}, Line{Name: "other surroundings", Style: 1, Apart: true}
	var at []float64 // the run's number of each of Alikes
	var numbers []float64
	span := axis.NewSpan()
	for i, e := range j.Entries {
		m, ok := e.Metrics[j.Metric]
		if !ok {
			continue
		}
		p := Point{X: float64(i + 1), Y: m.Value, Low: math.NaN(), High: math.NaN(), Note: e.Revision}
		if m.Low > 0 {
			p.Low, p.High = m.Low, m.High
		}
		span.Include(p.Y, p.Low, p.High)
		numbers = append(numbers, p.X)
		if len(at) < len(j.Alikes) && j.Alikes[len(at)] == e {
			p.Doubtful = slices.Contains(j.Result.Outliers, len(at))
			at = append(at, p.X)
			alike.Points = append(alike.Points, p)
		} else {
			other.Points = append(other.Points, p)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	h := &History{Runs: len(numbers)}
	for _, l := range []Line{alike, other} {
		if len(l.Points) > 0 {
			h.Lines = append(h.Lines, l)
			h.Doubtful = h.Doubtful || slices.ContainsFunc(l.Points, func(p Point) bool { return p.Doubtful })
		}
	}
	for _, l := range j.Result.Levels {
		mean := math.Exp(l.Mean)
		h.Levels = append(h.Levels, Level{at[l.From], at[l.To-1], mean})
		span.Include(mean)
	}
	h.X = axis.Swept("run", numbers, false)
	// The axis does not begin at zero, since changes of some percent are to be seen.
	h.Y = axis.Around(span, j.Series.Metric.Title, j.Series.Metric.Unit)
	return h
}
