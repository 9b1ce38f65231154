package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"example.org/bench/framework/changepoint"
)

// within is how many runs after the one with a step it is to be found.
const within = 9

// tally counts what is found in the series of a shape.
type tally struct {
	shape  shape
	series int
	// wrong are series with a change found where there is none: all of them without a
	// change, else those before it.
	wrong int
	// found are the series whose first change is found within nine runs, or a drift at
	// all; drifts those where it is called one.
	found, drifts int
}

// study looks at seeds series of a shape.
func (s shape) study(number, seeds int) tally {
	t := tally{shape: s, series: seeds}
	for seed := range seeds {
		r := changepoint.Detect(s.make(generator(number, seed)))
		if slices.ContainsFunc(r.Changes, func(c changepoint.Change) bool { return c.Drift }) {
			t.drifts++
		}
		switch at := firstFound(r); {
		case at < 0:
		case len(s.at) == 0 || at < s.at[0]:
			t.wrong++
		case at <= s.at[0]+within || s.drift:
			t.found++
		}
	}
	return t
}

func firstFound(r changepoint.Result) int {
	if len(r.Changes) == 0 {
		return -1
	}
	at := r.Changes[0].Found
	for _, c := range r.Changes {
		at = min(at, c.Found)
	}
	return at
}

// beyond is the threshold that a share of series is beyond.
func beyond(largest []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(largest))
	return sorted[len(sorted)-1-int(share*float64(len(sorted)))]
}

// curve is how soon a method finds a step of a size.
type curve struct {
	method, calibration string
	size                float64
	early, found        float64 // shares of series: before the step; within nine runs
	median              float64 // runs after the one with the step; +Inf: in less than half
	// mean is the same; a step that is not found counts as if it were by the run after
	// the last. half is half of its 95 % interval.
	mean, half float64
}

// steppedAt is where the curves' series have their step.
const steppedAt = 60

// delays are how soon a method finds the step in each of the series; find is the first
// value that it finds a change at, or -1.
func delays(name, calibration string, size float64, series [][]changepoint.Value, find func([]changepoint.Value) int) curve {
	c := curve{method: name, calibration: calibration, size: size}
	var list, ends []float64
	n := float64(len(series))
	for _, values := range series {
		at := find(values)
		switch {
		case at >= 0 && at < steppedAt:
			c.early += 1 / n
			continue
		case at < 0:
			list = append(list, math.Inf(1))
			ends = append(ends, float64(len(values)-steppedAt))
			continue
		}
		list = append(list, float64(at-steppedAt))
		ends = append(ends, float64(at-steppedAt))
		if at <= steppedAt+within {
			c.found++
		}
	}
	c.found /= float64(len(list))
	slices.Sort(list)
	c.median = list[len(list)/2]
	mean, deviation := stat.MeanStdDev(ends, nil)
	c.mean, c.half = mean, 1.96*deviation/math.Sqrt(float64(len(ends)))
	return c
}

// stepped are series of normal noise with a step.
func stepped(size float64, at, seeds int) (list [][]changepoint.Value) {
	for seed := range seeds {
		list = append(list, with(of(steady), step(size, at))(generator(1000, seed)))
	}
	return list
}

// detected is the first value that bench history finds a change at, or -1.
func detected(values []changepoint.Value) int { return firstFound(changepoint.Detect(values)) }
