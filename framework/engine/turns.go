package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/opencl"
)

// Pair is two points of one problem to time in turns.
type Pair struct {
	A plan.Point `json:"a"`
	B plan.Point `json:"b"`
	// Round is the number of the repeat, from 0. What is prepared or timed first may affect times, so each
	// round has another order. An odd round has the order of the round before with B and the second A
	// exchanged: what an order does to the ratio of B to the second A cancels over these two rounds.
	Round int `json:"round"`
	// OnlyEnergy leaves out the times.
	OnlyEnergy bool `json:"only_energy,omitempty"`
}

// orders are the orders in which A (0), the second A (1) and B (2) are prepared, by round. Energies
// are measured for A and B in that order; neither comes first in all of three rounds.
var orders = [...][3]int{{1, 0, 2}, {2, 0, 1}, {0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {2, 1, 0}}

// Places returns the compare.Place of a ratio of two of A (0), the second A (1) and B (2). For the ratio of B
// to the second A it has a number for each pair of rounds that exchange them: 1 in the even round and -1 in
// the odd one. For other ratios it has two numbers, for the first and the second place: 1 if the ratio's
// numerator was prepared there, -1 if its denominator was, and 0 if neither was.
func Places(of, to int) func(round int) []float64 {
	if of == 2 && to == 1 {
		return func(round int) []float64 {
			exchanged := make([]float64, len(orders)/2)
			exchanged[round%len(orders)/2] = 1 - 2*float64(round%2)
			return exchanged
		}
	}
	return func(round int) []float64 {
		places := make([]float64, 2)
		for place := range places {
			switch orders[round%len(orders)][place] {
			case of:
				places[place] = 1
			case to:
				places[place] = -1
			}
		}
		return places
	}
}

// Turns is the result of one repeat of a pair.
type Turns struct {
	Status record.Status `json:"status"`
	Reason string        `json:"reason,omitempty"`
	Cause  record.Cause  `json:"cause,omitempty"`
	// Control is A against another instance of A. Treatment is A against B, or nil if the pair is A
	// and A. Both are nil if only energies are asked for.
	Control   *measure.Alternation `json:"control,omitempty"`
	Treatment *measure.Alternation `json:"treatment,omitempty"`
	// Floor is the least time in seconds in which a run of B can write its answer; 0 if unknown.
	Floor float64 `json:"floor_s,omitempty"`
	// EnergyA and EnergyB are the energies of the first A and of B, measured one after the other.
	// They are nil without a sensor, if not asked for, or if the pair is A and A.
	EnergyA *RunEnergy `json:"energy_a,omitempty"`
	EnergyB *RunEnergy `json:"energy_b,omitempty"`
	// VerificationA and VerificationB are how the answers were checked.
	VerificationA framework.Verification `json:"verification_a,omitempty"`
	VerificationB framework.Verification `json:"verification_b,omitempty"`
	Notes         []string               `json:"notes,omitempty"`
	// Shared lists the processes that used the GPU during the timing.
	Shared []string `json:"gpu_shared,omitempty"`
}

// RunEnergy is the energy of one run.
type RunEnergy struct {
	Joules float64 `json:"energy_J"` // 0 if unknown
	// Doubt is why the energy is unknown or cannot be trusted.
	Doubt string `json:"doubt,omitempty"`
	// Shared lists the processes that used the GPU meanwhile. The sensor cannot tell whose energy
	// it measures.
	Shared []string `json:"gpu_shared,omitempty"`
}

// Turns runs one repeat of a pair: new instances of A, of a second A and of B share the inputs, are
// verified, and are timed in turns in one process, in the power mode of A.
func (e *Engine) Turns(ctx context.Context, p Pair) (*Turns, error) {
	if _, absent := e.inMode(ctx, p.A.PowerMode); absent != nil {
		return &Turns{Status: record.Failed, Reason: oneLine(absent)}, nil
	}
	limit := 3 * e.opt.Config.Measure.PointTimeout
	rep, err := e.ask(ctx, request{Op: "ab", Pair: &p}, time.Duration(limit*float64(time.Second)), func(*reply) {})
	switch {
	case errors.Is(err, errTimeout):
		return &Turns{Status: record.Timeout, Reason: fmt.Sprintf("no result after %g s (three times measure.point_timeout_s)", limit), Notes: e.left()}, nil
	case errors.Is(err, ErrInterrupted):
		return nil, err
	case err != nil:
		return &Turns{Status: record.Failed, Reason: brief(err.Error()), Notes: e.left()}, nil
	case rep.Turns == nil:
		e.drop()
		return &Turns{Status: record.Failed, Reason: "the worker gave no result: " + brief(rep.Error)}, nil
	}
	rep.Turns.Notes = append(rep.Turns.Notes, rep.again...)
	return rep.Turns, nil
}

func (w *worker) turns(req request, rep *reply) error {
	out := &Turns{Status: record.OK}
	rep.Turns = out
	var d *measure.Differs
	var clock *measure.Clock
	err := w.takeTurns(*req.Pair, out)
	w.clockChanged = measure.RightClock() != nil
	if errors.As(err, &clock) {
		out.Status, out.Reason, out.Cause = record.Impossible, oneLine(err), cause(err)
	} else if errors.As(err, &d) {
		out.Status, out.Reason, out.Cause = record.Wrong, fmt.Sprintf("right at first, but %s: %s", oneLine(err), wrong(d.Checks)), record.TimedRun
	} else if err != nil {
		out.Status, out.Reason, out.Cause = failure(err), oneLine(err), cause(err)
	}
	if of := (*ofVersion)(nil); errors.As(err, &of) {
		out.Reason = of.version + ": " + out.Reason
	}
	return nil
}

// ofVersion is the error of a version in turns with another.
type ofVersion struct {
	version string
	error
}

func (v *ofVersion) Unwrap() error { return v.error }

// takeTurns prepares A, A and B, in the order of p.Round, and measures them.
func (w *worker) takeTurns(p Pair, out *Turns) (err error) {
	defer caught(&err)
	points := []plan.Point{p.A, p.A, p.B}
	same := p.A.Key() == p.B.Key()
	if same {
		points = points[:2]
	}
	algs := make([]framework.BaseAlgorithm, len(points))
	defer func() {
		for _, alg := range algs {
			if alg == nil {
				continue
			}
			if postErr := alg.PostRun(); err == nil && postErr != nil {
				err = fmt.Errorf("clean up: %w", postErr)
			}
		}
	}()
	how := make([]framework.Verification, len(points))
	order := orders[p.Round%len(orders)][:]
	if same {
		order = [][]int{{0, 1}, {1, 0}}[p.Round%2]
	}
	for _, i := range order {
		if how[i], err = w.ready(points[i], &algs[i], out); err != nil || out.Status != record.OK {
			return err
		}
	}
	out.VerificationA, out.VerificationB = how[0], how[len(how)-1]
	if !p.OnlyEnergy {
		if err := w.timeTurns(p, algs, out); err != nil || out.Status != record.OK {
			return err
		}
	}
	if same {
		return nil
	}
	energies := []**RunEnergy{&out.EnergyA, nil, &out.EnergyB}
	for _, i := range order {
		if energies[i] == nil {
			continue
		}
		if *energies[i], err = w.energy(algs[i], points[i].Processor); err != nil {
			return fmt.Errorf("power: %w", err)
		}
	}
	return nil
}

// timeTurns times A against A, and against B if that is another point; against B first in an odd
// round.
func (w *worker) timeTurns(p Pair, algs []framework.BaseAlgorithm, out *Turns) (err error) {
	w.phase(PhaseHot)
	others := w.others(p.A.Processor)
	others.Begin()
	control := func() error {
		if out.Control, err = w.alternate(algs[0], algs[1]); err == nil {
			out.Status, out.Reason = w.possible(p.A, algs[0], out.Control.A, out.Control.ClockHz)
		}
		return err
	}
	treatment := func() error {
		if out.Treatment, err = w.alternate(algs[0], algs[2]); err == nil {
			out.Floor, _ = w.floorOf(algs[2], out.Treatment.ClockHz)
			out.Status, out.Reason = w.possible(p.B, algs[2], out.Treatment.B, out.Treatment.ClockHz)
		}
		if one := (*measure.OneOf)(nil); errors.As(err, &one) {
			err = &ofVersion{[]string{p.A.Version, p.B.Version}[one.Which], one.Err}
		}
		return err
	}
	series := []func() error{control}
	if len(algs) > 2 {
		series = append(series, treatment)
	}
	if p.Round%2 == 1 {
		slices.Reverse(series)
	}
	for _, s := range series {
		if err := s(); err != nil {
			return err
		}
		out.Shared = working(out.Shared, others.End())
		if out.Status != record.OK {
			return nil
		}
	}
	return nil
}

// energy runs an instance back to back to measure its energy. It returns nil without a sensor.
func (w *worker) energy(alg framework.BaseAlgorithm, on framework.Processor) (*RunEnergy, error) {
	meter := w.sensors(on).meter
	if meter == nil {
		return nil, nil
	}
	w.phase(PhasePower)
	var keepRunning measure.Sustain
	switch a := alg.(type) {
	case framework.GPUAlgorithm:
		timer, err := w.gpuTimer()
		if err != nil {
			return nil, err
		}
		keepRunning = func(stop func(float64, int64) bool) (int64, float64, error) { return timer.Sustain(a, stop) }
	case framework.CPUAlgorithm:
		timer := measure.NewCPUTimer(w.setup.Config.Measure)
		keepRunning = func(stop func(float64, int64) bool) (int64, float64, error) { return timer.Sustain(a, stop) }
	}
	others := w.others(on)
	others.Begin()
	e, err := energyOf(meter, keepRunning, w.restoring(alg))
	if err != nil {
		return nil, err
	}
	run := RunEnergy{Shared: working(nil, others.End())}
	if n, _ := record.EnergyOf(e); n.Total.IsSet() {
		run.Joules = n.Total.Float()
	}
	run.Doubt, _ = record.PowerDoubt(e)
	return &run, nil
}

// ready prepares one instance and returns how it was verified. A wrong answer is reported in out.
func (w *worker) ready(p plan.Point, into *framework.BaseAlgorithm, out *Turns) (framework.Verification, error) {
	w.phase(PhasePrepare)
	res := &record.Result{Point: p}
	alg, err := w.algorithm(p, res)
	if err != nil {
		return "", err
	}
	*into = alg // PostRun is called even after a failed PreRun, as for a point
	if err := alg.PreRun(); err != nil {
		return "", err
	}
	w.phase(PhaseVerify)
	if err := w.verify(alg, res); err != nil {
		return "", err
	}
	out.Status, out.Reason, out.Cause = res.Status, res.Reason, res.Cause
	if out.Reason != "" {
		out.Reason = p.Version + ": " + out.Reason
	}
	for _, n := range res.Notes {
		if !strings.HasPrefix(n, p.Version) {
			n = p.Version + ": " + n
		}
		out.Notes = append(out.Notes, n)
	}
	return res.Verification, nil
}

// possible returns the status of a version by the seconds that its runs took in turns.
func (w *worker) possible(p plan.Point, alg framework.BaseAlgorithm, samples []float64, clock float64) (record.Status, string) {
	if why := w.below(alg, stats.Median(samples), clock); why != "" {
		return record.Impossible, p.Version + ": " + why
	}
	return record.OK, ""
}

func (w *worker) alternate(a, b framework.BaseAlgorithm) (*measure.Alternation, error) {
	for _, alg := range []framework.BaseAlgorithm{a, b} {
		if _, ok := alg.(framework.SelfTimed); ok {
			return nil, errors.New("a program that times itself cannot take turns")
		}
	}
	switch x := a.(type) {
	case framework.GPUAlgorithm:
		y, ok := b.(framework.GPUAlgorithm)
		if !ok {
			return nil, errors.New("a CPU and a GPU version cannot take turns: their times mean different things")
		}
		timer, err := w.gpuTimer()
		if err != nil {
			return nil, err
		}
		for _, alg := range []framework.GPUAlgorithm{x, y} {
			end, err := w.proveGPU(timer, alg)
			if err != nil {
				return nil, err
			}
			defer end()
		}
		return timer.Alternate(x, y)
	case framework.CPUAlgorithm:
		y, ok := b.(framework.CPUAlgorithm)
		if !ok {
			return nil, errors.New("a CPU and a GPU version cannot take turns: their times mean different things")
		}
		timer := measure.NewCPUTimer(w.setup.Config.Measure)
		timer.Warm = w.warm
		for _, alg := range []framework.CPUAlgorithm{x, y} {
			if err := w.proveCPU(timer, alg); err != nil {
				return nil, err
			}
		}
		defer func() { w.warm = timer.Warm }()
		return timer.Alternate(x, y)
	}
	return nil, errors.New("neither a CPUAlgorithm nor a GPUAlgorithm")
}

// timed reports whether versions are timed on the device.
func timed(d gpu.Device) bool {
	switch d.(type) {
	case *driver.GPU, *opencl.Device:
		return true
	}
	return false
}

// gpuTimer returns the worker's timer, which is made once.
func (w *worker) gpuTimer() (*measure.GPUTimer, error) {
	if !timed(w.device) {
		return nil, fmt.Errorf("%s cannot be timed", w.devID)
	}
	if w.timer == nil {
		var timer *measure.GPUTimer
		var err error
		switch d := w.device.(type) {
		case *driver.GPU:
			timer, err = measure.NewGPUTimer(d, w.setup.Config.Measure)
		case *opencl.Device:
			timer, err = measure.NewOpenCLTimer(d, w.setup.Config.Measure)
		}
		if err != nil {
			return nil, err
		}
		timer.Trials, timer.Series = w.setup.Trial, w.setup.Series
		w.timer = timer
	}
	return w.timer, nil
}
