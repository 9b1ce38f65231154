package engine

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/graph"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/gpu/cuda/sim"
)

func now() time.Time                { return time.Now() }
func since(start time.Time) float64 { return time.Since(start).Seconds() }

// point takes a point through its life cycle, from its inputs to its measurements, and always gives a result. A panic in
// a plugin is a failed point.
func (w *worker) point(req request, rep *reply) (err error) {
	res := &record.Result{Point: *req.Point, Started: record.Now()}
	rep.Result = res
	if res.Point.Tuned != "" {
		res.Notes = append(res.Notes, "tunables: "+res.Point.Tuned)
	}
	w.stopwatch = stopwatch{}
	defer w.conclude(res, now(), &err)
	defer caught(&err)
	w.phase(PhasePrepare)
	w.suspicions() // drops those of earlier points
	w.warnings()
	alg, err := w.algorithm(res.Point, res)
	if err != nil {
		return err
	}
	if err := alg.PreRun(); err != nil {
		return errors.Join(err, alg.PostRun())
	}
	defer func() {
		if postErr := alg.PostRun(); err == nil && postErr != nil {
			err = fmt.Errorf("clean up: %w", postErr)
		}
	}()
	w.phase(PhaseVerify)
	if err := w.verify(alg, res); err != nil {
		return err
	}
	w.stopwatch.begin("")
	res.Work = alg.Work()
	if err := res.Work.Check(); err != nil {
		return err
	}
	if res.Status == record.Wrong || w.setup.VerifyOnly || res.Point.Device == "sim" {
		return nil
	}
	if err := w.measure(alg, req.Start, res); err != nil {
		return w.differs(alg, err, res)
	}
	if err := w.recheck(alg, res); err != nil || res.Status != record.OK {
		return err
	}
	if w.impossible(alg, res); res.Status != record.OK {
		return nil
	}
	return w.stages(alg, res)
}

// conclude completes the result of a point that began then and ended with an error or nil, which it takes in.
func (w *worker) conclude(res *record.Result, began time.Time, err *error) {
	if *err != nil {
		res.Status, res.Reason, res.Cause = failure(*err), oneLine(*err), cause(*err)
		*err = nil
	}
	if err := measure.RightClock(); err != nil {
		w.clockChanged = true
		if res.Status == record.OK {
			notPossible(res, err)
		}
	}
	res.Elapsed = since(began)
	w.stopwatch.begin("")
	res.Phases = w.stopwatch.spent
	w.giveBack()
	if !w.setup.VerifyOnly && !w.setup.Trial {
		res.Libraries = w.newLibraries()
	}
}

// caught makes a panic of a plugin an error. It is deferred.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v (%s)", r, firstFrame(debug.Stack()))
	}
}

// failure returns the status for an error of a plugin.
func failure(err error) record.Status {
	if errors.Is(err, framework.ErrTimeout) || errors.Is(err, sim.ErrLimit) || errors.Is(err, hostcompiler.ErrTimeout) {
		return record.Timeout
	}
	return record.Failed
}

// firstFrame returns the origin of a panic: the first frame below the runtime's own.
func firstFrame(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	seen := false
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "panic(") {
			seen = true
			continue
		}
		if seen && strings.Contains(l, ".go:") && !strings.Contains("/"+l, "/runtime/") {
			at, _, _ := strings.Cut(l, " +")
			return at[strings.LastIndex(at, "/")+1:]
		}
	}
	return "no Go frame"
}

func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// onOneLine is an error without line ends; nil stays nil.
func onOneLine(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(oneLine(err))
}

// algorithm makes the version.
func (w *worker) algorithm(p plan.Point, res *record.Result) (framework.BaseAlgorithm, error) {
	if err := w.plugin(); err != nil {
		return nil, err
	}
	env := w.env(res)
	if p.Processor == framework.GPU && !w.factory.External {
		d, err := w.open(p.Device)
		if err != nil {
			return nil, err
		}
		env.Device, env.Stream = placed(d, p), w.stream
	}
	alg, err := w.version(p, env)
	if err == nil { // also if nothing is timed, so that verify reports it as early
		err = w.factory.VersionOn(p.Version, p.Processor).Timed(alg)
	}
	if err != nil || env.Device == nil {
		return alg, err
	}
	if gpu := graph.Device(env.Device); gpu != nil && p.Using().Text(framework.LaunchParam) == framework.GraphLaunch {
		if alg, err = graph.New(alg, gpu, env.Note); err != nil {
			return nil, err
		}
	}
	if p.Using().Text(framework.TimedParam) != framework.AnswerTimed {
		return alg, nil
	}
	return answering(alg, env.Device, p)
}

// plugin finds the config's algorithm, once.
func (w *worker) plugin() (err error) {
	if w.factory == nil {
		w.factory, err = w.plugins.Factory(w.setup.Config)
	}
	return err
}

// env returns the environment of versions on any device. Their remarks go to res.
func (w *worker) env(res *record.Result) framework.Env {
	var keeper framework.Keeper
	if w.keeper != nil {
		keeper = w.keeper
	}
	return framework.Env{
		Keeper:    keeper,
		Seed:      w.setup.Seed,
		Workers:   w.setup.Workers,
		Sanitized: w.setup.Sanitizer != nil,
		Note: func(format string, args ...any) {
			res.Notes = append(res.Notes, fmt.Sprintf(format, args...))
		},
	}
}

// version makes the point's version in env.
func (w *worker) version(p plan.Point, env framework.Env) (framework.BaseAlgorithm, error) {
	problem, err := w.problem(p, env)
	if err != nil {
		return nil, err
	}
	version := w.factory.VersionOn(p.Version, p.Processor)
	if version == nil {
		return nil, fmt.Errorf("%s has no version %s for the %s", p.Algorithm, p.Version, p.Processor)
	}
	return version.New(env, problem, p.Tunables)
}

func (w *worker) synchronize(alg framework.BaseAlgorithm) error {
	if g, ok := alg.(framework.GPUAlgorithm); ok && w.device != nil {
		return w.device.Synchronize(g.Stream())
	}
	return nil
}

// sound reports whether the device, if one is used, still works after a failure. A kernel's error
// persists in its CUDA context, and a device that could not be opened may work in a new process.
func (w *worker) sound() bool {
	if w.device == nil {
		return !w.refused
	}
	return w.device.Synchronize(w.stream) == nil
}

func (w *worker) measure(alg framework.BaseAlgorithm, start map[string]float64, res *record.Result) (failed error) {
	p := res.Point
	tree := machine.Tree(w.setup.Root)
	attended := !w.setup.Trial && !w.setup.Series
	if attended {
		res.TemperatureBefore, res.StateBefore = tree.Temperatures(), stateOf(tree)
	}
	var keepRunning measure.Sustain
	var err error
	var watch *measure.Observation
	others := w.others(p.Processor)
	others.Begin()
	if attended {
		watch = measure.Observe(w.setup.Root, os.Getpid())
	}
	endLoad, err := w.beside(p.Using().Text(framework.BesideParam), func(format string, args ...any) { res.Notes = append(res.Notes, fmt.Sprintf(format, args...)) })
	if err != nil {
		return err
	}
	defer func() {
		if e := endLoad(); failed == nil {
			failed = e
		}
	}()
	workers, byEvents := 0, false
	rate, paced := measure.RateOf(p.Using())
	if a, ok := alg.(framework.CPUAlgorithm); ok {
		workers = a.Workers()
	}
	switch a := alg.(type) {
	case framework.SelfTimed:
		if !paced {
			keepRunning, err = w.timeProgram(a, res)
		}
	case framework.GPUAlgorithm:
		if byEvents = !paced; byEvents {
			keepRunning, err = w.timeGPU(a, res)
		}
	case framework.CPUAlgorithm:
		if !paced {
			keepRunning, err = w.timeCPU(a, res)
		}
	}
	if paced && err == nil {
		var end func() error
		keepRunning, end, err = w.release(alg, p, rate, workers, res)
		defer func() {
			if e := end(); failed == nil {
				failed = e
			}
		}()
	}
	if err != nil {
		return err
	}
	w.stopwatch.begin("")
	var clocks []machine.Clock
	if watch != nil {
		clocks = tree.Clocks()
		res.Conditions = watch.End(workers)
	}
	endWatch(res, others)
	if watch != nil {
		// The point's own load may affect its times as others do.
		if load, _ := framework.ParseBeside(p.Using().Text(framework.BesideParam)); byEvents && load == (framework.Beside{}) {
			if err := w.interrupted(alg, res); err != nil {
				return err
			}
		}
	}
	var restoring measure.Sustain
	if !paced {
		restoring = w.restoring(alg)
	}
	if err := w.power(keepRunning, restoring, start, res); err != nil {
		return fmt.Errorf("power: %w", err)
	}
	if attended {
		res.TemperatureAfter, res.StateAfter = tree.Temperatures(), stateOf(tree)
		if res.StateAfter != nil {
			res.StateAfter.Clocks = clocks
		}
	}
	return nil
}

// stateOf returns the machine's state, or nil if its files tell nothing.
func stateOf(t machine.Tree) *machine.State {
	s := t.State()
	if reflect.DeepEqual(s, machine.State{}) {
		return nil
	}
	return &s
}

func (w *worker) timeCPU(a framework.CPUAlgorithm, res *record.Result) (measure.Sustain, error) {
	settings := w.setup.Config.Measure
	timer := measure.NewCPUTimer(settings)
	err := w.proveCPU(timer, a)
	if err != nil {
		return nil, err
	}
	cold := settings.CPUCaches == config.Cold
	if cold {
		w.phase(PhaseCold)
		if res.Cold, err = timer.Cold(a); err != nil {
			return nil, err
		}
		res.Notes = append(res.Notes, timer.Notes()...)
	}
	if !cold || !w.setup.Trial {
		w.phase(PhaseHot)
		if res.Hot, err = timer.Hot(a); err != nil {
			return nil, err
		}
	}
	if _, foreign := a.(framework.Renewer); foreign && !w.setup.Trial {
		if note := measure.Lingering(); note != "" {
			res.Notes = append(res.Notes, note)
		}
	}
	return func(stop func(float64, int64) bool) (int64, float64, error) { return timer.Sustain(a, stop) }, nil
}

func (w *worker) timeGPU(a framework.GPUAlgorithm, res *record.Result) (measure.Sustain, error) {
	timer, err := w.gpuTimer()
	if err != nil {
		return nil, err
	}
	end, err := w.proveGPU(timer, a)
	if err != nil {
		return nil, err
	}
	defer end()
	w.phase(PhaseCold)
	timer.Bar = res.Point.Bar
	if res.Cold, err = timer.Cold(a); err != nil {
		return nil, err
	}
	if !w.setup.Trial {
		w.phase(PhaseHot)
		res.Hot, err = timer.Hot(a)
	}
	if errors.Is(err, measure.ErrNoHot) {
		res.Notes = append(res.Notes, oneLine(err))
		err = nil
	}
	res.Notes = append(res.Notes, timer.Notes()...)
	if err != nil {
		return nil, err
	}
	return func(stop func(float64, int64) bool) (int64, float64, error) { return timer.Sustain(a, stop) }, nil
}

func (w *worker) phase(name string) {
	w.stopwatch.begin(name)
	w.out.Encode(&reply{Number: w.number, Phase: name})
}
