package engine

import (
	"errors"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/perf"
	"example.org/bench/framework/record"
)

// countedSeconds is how long a CPU version runs to be counted, and mostCounted the most runs.
// Switching the counters on and off is counted too.
const (
	countedSeconds = 0.02
	mostCounted    = 10000
)

// countCPU counts some runs of a CPU version, with the caches as the run before left them.
func (w *worker) countCPU(alg framework.CPUAlgorithm, c *record.Counters) error {
	reset := func() error { return nil }
	r, resets := alg.(framework.Resetter)
	if resets {
		reset = r.Reset
	}
	if err := errors.Join(reset(), alg.Run()); err != nil { // starts the threads
		return err
	}
	if err := reset(); err != nil {
		return err
	}
	began := now()
	if err := alg.Run(); err != nil {
		return err
	}
	c.Passes = mostCounted
	if one := since(began); one > 0 {
		c.Passes = int(min(max(countedSeconds/one, 1), mostCounted))
	}
	w.phase("perf_event_open")
	counter, err := perf.Open(w.setup.Config.CountersOf(framework.CPU))
	if err != nil {
		return refusal{err}
	}
	w.phase("runs")
	err = countRuns(counter, alg.Run, reset, resets, c.Passes)
	values, readErr := counter.Values()
	if err := errors.Join(err, readErr, counter.Close()); err != nil {
		return err
	}
	for i := range values {
		values[i] /= float64(c.Passes)
	}
	c.Source, c.Values, c.Note = "perf_event_open", record.Named(counter.Names(), values), strings.Join(counter.Missing, "; ")
	return nil
}

// countRuns counts several runs, each alone if something is restored in between.
func countRuns(counter *perf.Counter, run, reset func() error, resets bool, runs int) error {
	if !resets {
		return counter.Count(func() error {
			for range runs {
				if err := run(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for range runs {
		if err := errors.Join(reset(), counter.Count(run)); err != nil {
			return err
		}
	}
	return nil
}
