package engine

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
)

// restoring returns what sustains the restoring of a version's inputs, as before each run; nil for a version
// that restores none.
func (w *worker) restoring(alg framework.BaseAlgorithm) measure.Sustain {
	if _, resets := alg.(framework.Resetter); !resets {
		return nil
	}
	switch a := alg.(type) {
	case framework.SelfTimed:
	case framework.GPUAlgorithm:
		return func(stop func(float64, int64) bool) (int64, float64, error) {
			timer, err := w.gpuTimer()
			if err != nil {
				return 0, 0, err
			}
			return timer.SustainRestoring(a, stop)
		}
	case framework.CPUAlgorithm:
		timer := measure.NewCPUTimer(w.setup.Config.Measure)
		return func(stop func(float64, int64) bool) (int64, float64, error) { return timer.SustainRestoring(a, stop) }
	}
	return nil
}

// power measures the energy of a point, after it has cooled down to start.
func (w *worker) power(run, restoring measure.Sustain, start map[string]float64, res *record.Result) (err error) {
	p := res.Point
	state := w.sensors(p.Processor)
	switch {
	case p.Instance > 0: // the first instance's power counts
		return nil
	case state.meter == nil:
		res.Energy = &measure.Energy{Absent: NoPower(state.states)}
		return nil
	}
	if note := w.coolDown(p.Device, start); note != "" {
		res.Notes = append(res.Notes, note)
	}
	w.phase(PhasePower)
	others := w.others(p.Processor)
	others.Begin()
	if res.Energy, err = energyOf(state.meter, run, restoring); err != nil {
		return err
	}
	endWatch(res, others)
	w.stopwatch.begin("")
	return nil
}

// energyOf measures a sustained run. If restoring is not nil, it first measures the restoring alone: the runs
// come last, so that their answer can be verified.
func energyOf(meter *measure.Meter, run, restoring measure.Sustain) (*measure.Energy, error) {
	if restoring == nil {
		return meter.Measure(run)
	}
	alone, err := meter.Measure(restoring)
	if err != nil {
		return nil, fmt.Errorf("restoring the inputs: %w", err)
	}
	e, err := meter.Measure(run)
	if err != nil {
		return e, err
	}
	e.Restoring = &measure.Restoring{Window: alone.Window, Runs: alone.Runs, Channels: alone.Channels, Notes: alone.Notes}
	return e, nil
}
