package engine

import (
	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
)

// timeProgram times an algorithm that reports its own seconds.
func (w *worker) timeProgram(a framework.SelfTimed, res *record.Result) (measure.Sustain, error) {
	w.phase(PhaseHot)
	times, err := a.Times()
	if err != nil {
		return nil, err
	}
	res.Hot = &measure.Series{Samples: times, Batch: 1, Converged: true, Stop: "the program's own count of runs"}
	return func(stop func(float64, int64) bool) (int64, float64, error) {
		start := now()
		var runs int64
		for {
			t, err := a.Times()
			if err != nil {
				return 0, 0, err
			}
			if c, ok := a.(framework.RunCounter); ok {
				runs += c.Runs()
			} else {
				runs += int64(len(t))
			}
			if elapsed := since(start); stop(elapsed, runs) {
				return runs, elapsed, nil
			}
		}
	}, nil
}
