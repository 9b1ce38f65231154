package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
)

// spot is one synthetic point.
type spot struct {
	version string
	n       int64
	mode    string
	samples []float64
	status  record.Status // empty: ok
	// energy and its 95 % half width, joules; 0: not measured
	energy, uncertainty float64
	tunable             int64 // 0: none
}

// synthetic is a run of these points, as record and compare see it.
func synthetic(name string, spots []spot) Run {
	r := &record.Run{Prefix: "synthetic"}
	r.Columns.Params = []record.Column{{Name: "N", Column: "N", Kind: framework.Int.String()}}
	run := Run{Name: name, Run: r}
	var samples []record.Sample
	for i, s := range spots {
		w := record.Row{Key: record.Key{Algorithm: "fft", Version: s.version, Processor: framework.CPU, Device: "cpu", PowerMode: s.mode},
			Params: framework.SettingsOf(framework.Values{"N": framework.IntValue(s.n)}, nil)}
		w.Point, w.Status = i, s.status
		if s.tunable != 0 {
			w.Tunables = framework.SettingsOf(framework.Values{"RADIX": framework.IntValue(s.tunable)}, nil)
		}
		if s.status == "" {
			w.Status = record.OK
		}
		if w.Status == record.OK && len(s.samples) > 0 {
			m := stats.Summarize(s.samples)
			w.Time = record.Statistics{Median: record.Measured(m.Median), Low: record.Measured(m.Low), High: record.Measured(m.High)}
			for j, x := range s.samples {
				samples = append(samples, record.Sample{Point: i, Version: s.version, Mode: "hot", Index: j, Time: x})
			}
		}
		if s.energy > 0 {
			e := record.Energy{Total: record.Measured(s.energy)}
			if s.uncertainty > 0 {
				e.Uncertainty = record.Measured(s.uncertainty)
			}
			w.Energy, w.Power = record.RareOf(e), record.RareOf(record.Power{Total: record.Measured(s.energy / 1e-3), PerWatt: record.Measured(1 / s.energy)})
		}
		r.Rows = append(r.Rows, w)
	}
	run.Samples = record.SamplesOf(samples)
	return run
}

// noise makes n samples around a median of median seconds.
type noise struct {
	name string
	make func(rng *rand.Rand, n int, median float64) []float64
}

// noises are as CPU and GPU samples look: symmetric, skewed with spikes,
// drifting from sample to sample, and in steps of a clock.
var noises = []noise{
	{"normal", func(rng *rand.Rand, n int, median float64) []float64 {
		return fill(n, func(int) float64 { return median * (1 + 0.02*rng.NormFloat64()) })
	}},
	{"spikes", func(rng *rand.Rand, n int, median float64) []float64 {
		return fill(n, func(int) float64 {
			x := median * (1 + 0.01*rng.ExpFloat64())
			if rng.Float64() < 0.05 {
				x *= 1 + 3*rng.Float64()
			}
			return x
		})
	}},
	{"slow drift", func(rng *rand.Rand, n int, median float64) []float64 {
		level := 0.0
		return fill(n, func(int) float64 {
			level = 0.7*level + 0.01*rng.NormFloat64()
			return median * (1 + level)
		})
	}},
	{"clock steps", func(rng *rand.Rand, n int, median float64) []float64 {
		step := median / 100
		return fill(n, func(int) float64 { return step * math.Round(median*(1+0.01*rng.NormFloat64())/step) })
	}},
}

func fill(n int, f func(int) float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f(i)
	}
	return x
}

// pairOf are two runs of points whose true ratio is factor.
func pairOf(rng *rand.Rand, make func(*rand.Rand, int, float64) []float64, points, samples int, factor float64) []Run {
	var a, b []spot
	for i := range points {
		a = append(a, spot{version: "v", n: int64(i), samples: make(rng, samples, 1e-3)})
		b = append(b, spot{version: "v", n: int64(i), samples: make(rng, samples, factor*1e-3)})
	}
	return []Run{synthetic("before", a), synthetic("after", b)}
}

// cellOf finds a cell by metric, factors and level.
func cellOf(c *Comparison, metric, point, level string) (Cell, error) {
	for _, t := range c.Tables {
		for _, cell := range t.Cells {
			if t.Metric.Name == metric && cell.Level == level && c.Points[cell.Point].Name() == point {
				return cell, nil
			}
		}
	}
	return Cell{}, fmt.Errorf("no %s of %s at %q", metric, level, point)
}

func has(lines []string, parts ...string) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		for _, p := range parts {
			if !contains(l, p) {
				return false
			}
		}
		return true
	})
}
