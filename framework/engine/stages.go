package engine

import (
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
)

// stageAlone is a version whose run is one stage.
type stageAlone struct {
	framework.Staged
	i int
}

func (s *stageAlone) Run() error { return s.RunStage(s.i) }

// stageBehind is a stage with all that a run does before it, which is done before each time.
type stageBehind struct {
	stageAlone
	before func() error
}

// Reset implements framework.Resetter.
func (s *stageBehind) Reset() error { return s.before() }

var _ framework.Resetter = (*stageBehind)(nil)

// stages measures each stage of a run that has several, if the config asks for it. It comes after the point
// was verified and measured, since no one looks at the memory any more.
//
// A stage that leaves the same however often it runs is repeated on what a run does before it. For any other
// stage that is done anew before each time: its data might grow beyond the range of its numbers, or beyond
// its memory.
func (w *worker) stages(alg framework.BaseAlgorithm, res *record.Result) error {
	if !w.setup.Config.Measure.Stages || w.setup.Trial || w.setup.Series || res.Point.Instance > 0 || res.Point.Processor != framework.GPU {
		return nil
	}
	note := func(format string, args ...any) {
		if n := "stages: " + fmt.Sprintf(format, args...); !slices.Contains(res.Notes, n) {
			res.Notes = append(res.Notes, n)
		}
	}
	none := func(format string, args ...any) {
		res.NoStages = fmt.Sprintf("no shares: "+format, args...)
		note("%s", res.NoStages)
	}
	staged, ok := alg.(framework.Staged)
	if _, paced := measure.RateOf(res.Point.Using()); paced || !ok {
		if !w.factory.External {
			none("they are of kernels timed back to back, in versions that say what their kernels are")
		}
		return nil
	}
	list := staged.Stages()
	if len(list) < 2 {
		return nil
	}
	w.phase(PhaseStages)
	defer w.stopwatch.begin("")
	timer, err := w.gpuTimer()
	if err != nil {
		return err
	}
	others := w.others(res.Point.Processor)
	others.Begin()
	all, err := w.measureStages(timer, staged, list, res, none, note)
	if err != nil {
		return err
	}
	if res.NoStages != "" {
		return nil
	}
	if shared := working(nil, others.End()); len(shared) > 0 {
		for i := range all {
			all[i].Doubts = append(all[i].Doubts, "others used the GPU meanwhile")
		}
	}
	for _, n := range timer.Notes() {
		if !slices.Contains(res.Notes, n) {
			note("%s", n)
		}
	}
	res.Stages = all
	return nil
}

// measureStages returns nothing if the point's time is not enough for the times of all stages, and no
// energies if it is not enough for the energies.
func (w *worker) measureStages(timer *measure.GPUTimer, staged framework.Staged, list []framework.Stage, res *record.Result, none, note func(string, ...any)) ([]record.StageResult, error) {
	limit := w.setup.Config.Measure.PointTimeout // which a point with stages may take twice
	// over reports whether one more like the one that took so long would not end in time.
	over := func(seconds float64) bool { return since(res.Started)+1.5*seconds > 2*limit }
	all, runs := make([]record.StageResult, len(list)), make([]framework.GPUAlgorithm, len(list))
	for i, s := range list {
		start := now()
		var err error
		if runs[i], all[i], err = w.timeStage(timer, staged, i, s, res); err != nil {
			return nil, fmt.Errorf("stage %s: %w", s.Name, err)
		}
		if i+1 < len(list) && over(since(start)) {
			none("measure.point_timeout_s (%g s) is too short to time all %d", limit, len(list))
			return nil, nil
		}
	}
	meter := w.sensors(res.Point.Processor).meter
	if meter == nil {
		return all, nil
	}
	last := w.setup.Config.Measure.PowerWindow
	for i := range all {
		if over(last) {
			note("no energies: measure.point_timeout_s (%g s) is too short for %d windows of power", limit, len(list))
			for n := range all {
				all[n].Energy = nil
			}
			return all, nil
		}
		start := now()
		run := func(stop func(float64, int64) bool) (int64, float64, error) { return timer.Sustain(runs[i], stop) }
		var err error
		if all[i].Energy, err = energyOf(meter, run, w.restoring(runs[i])); err != nil {
			return nil, fmt.Errorf("stage %s: power: %w", list[i].Name, err)
		}
		all[i].Energy.Samples = nil
		last = since(start)
	}
	return all, nil
}

// timeStage returns the stage as it is repeated, and its time.
func (w *worker) timeStage(timer *measure.GPUTimer, staged framework.Staged, i int, s framework.Stage, res *record.Result) (run framework.GPUAlgorithm, out record.StageResult, err error) {
	out = record.StageResult{Name: s.Name, Launches: s.Launches, Timing: record.StageAlone}
	if s.Apart {
		out.Doubts = append(out.Doubts, "its launches follow each other here, without those of other kernels that are between them in a run")
	}
	resetter, resets := staged.(framework.Resetter)
	repeatable := false
	if !resets {
		if repeatable, err = staged.Repeatable(i); err != nil {
			return nil, out, err
		}
	}
	alone := stageAlone{staged, i}
	if repeatable {
		if err := staged.RunBefore(i); err != nil {
			return nil, out, err
		}
		out.Time, err = timer.Hot(&alone)
		return &alone, out, err
	}
	before := func(flush bool) error {
		if resets {
			if err := resetter.Reset(); err != nil {
				return fmt.Errorf("reset: %w", err)
			}
		}
		if flush {
			if err := timer.Flush(staged.Stream()); err != nil {
				return err
			}
		}
		return staged.RunBefore(i)
	}
	out.Timing = record.StageBehind
	cold := res.Hot == nil // as the run was timed
	out.Time, err = timer.Behind(staged.Stream(), func() error { return before(cold) }, alone.Run)
	return &stageBehind{alone, func() error { return before(false) }}, out, err
}
