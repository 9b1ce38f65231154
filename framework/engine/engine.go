package engine

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/linux"
)

// ErrInterrupted is the error of a request whose context ended.
var ErrInterrupted = errors.New("interrupted")

// Choices are the options that all engines of a run share.
type Choices struct {
	Seed uint64
	// Root is the folder that contains /sys and /proc for sensors.
	Root string
	// Dump is a folder for the arrays of wrong answers and pictures of where they are wrong; empty
	// for none.
	Dump string
	// Checks makes the simulator check every memory access of kernels.
	Checks bool
	// Sanitizer is a checking tool's command, put before the worker's, after that of
	// BENCH_WORKER_PREFIX. Kernels are then compiled with line numbers, and memory is left as it
	// was allocated.
	Sanitizer []string
	// Apart is the folder of a candidate, whose code runs in a confined worker. If it is empty,
	// code is trusted.
	Apart string
	// Spare, if not nil, has workers that were started ahead for points on one device.
	Spare *Spare `json:"-"`
	// Series is set if engines with this Spare follow each other on one GPU. Close then returns the worker to
	// Spare with the GPU open, and the GPU counts as warm. A point that is not in a pair is timed only to see
	// whether it computes, and nothing is recorded around it.
	Series bool
	// Local, if not nil, makes the worker run in this process with these plugins, for tests.
	Local *Plugins `json:"-"`
}

// Options say what one engine runs, and how. Fields with a place in JSON go to its worker.
type Options struct {
	Choices
	Config  *config.Config
	Factory *framework.Factory `json:"-"`
	Workers int
	// VerifyOnly checks answers and times nothing. It is for profiling, too.
	VerifyOnly bool
	// FullVerification compares every answer with the whole reference, even where
	// there is a fast check.
	FullVerification bool
	// Trial measures only what a search needs: the one series behind time_s and, if there are
	// sensors, power.
	Trial bool
	// Measured, if not nil, is the GPU whose power counts because programs use it and not the
	// worker.
	Measured *gpu.Facts `json:"-"`
	// Device is the GPU whose points the engine runs, if others run beside it. If it is empty, the
	// engine runs all points.
	Device string `json:"-"`
	// CPUs are the CPUs that the worker may run on; nil for all of this process.
	CPUs machine.CPUs `json:"-"`
	// SpareFor is the device that Spare is for.
	SpareFor string `json:"-"`
	// InTurn makes the engines of a crew measure one after the other.
	InTurn bool `json:"-"`
	// Sharers is how many engines share the machine's memory. 0 means that this is the only one.
	Sharers int `json:"-"`
}

// Observer follows a run. The engines of a crew call its methods, and those of a Keeper, one at a time.
type Observer interface {
	Started(p plan.Point)
	Phase(p plan.Point, phase string)
	Done(r *record.Result)
}

// Keeper keeps the record of a run. What a method is given is on disk when it returns. Its error
// ends the run.
type Keeper interface {
	// Start is called before a point runs. A point with a refusal does not run: it fails for that
	// reason.
	Start(p plan.Point) (refusal string, err error)
	// Withdraw is called for a started point that was interrupted.
	Withdraw(p plan.Point) error
	Append(r record.Result) error
}

// Keep is a Keeper that only keeps results.
type Keep func(record.Result) error

// Start refuses nothing.
func (Keep) Start(plan.Point) (string, error) { return "", nil }

// Withdraw does nothing.
func (Keep) Withdraw(plan.Point) error { return nil }

// Append calls the function.
func (k Keep) Append(r record.Result) error { return k(r) }

// Engine owns the worker process. It is used by one goroutine.
type Engine struct {
	opt    Options
	worker *process
	start  func() (*process, error)
	memory func() memory
	// remains describes what a worker that failed at the last request left behind.
	remains string

	enter   func(mode string) error // nil: power modes are not switched
	entered func(ctx context.Context, mode string) error
	mode    *string // the mode entered last
	absent  error   // why the mode is not on

	instance int                           // of the worker's points
	coolAt   map[string]map[string]float64 // see coolest
	calls    *sync.Mutex                   // held while an observer or keeper is called, of all engines of a crew
}

// New returns an engine; the worker starts with the first request.
func New(opt Options) *Engine {
	e := &Engine{opt: opt, memory: machineMemory, coolAt: map[string]map[string]float64{}, calls: new(sync.Mutex)}
	e.start = func() (*process, error) {
		if p := opt.Spare.take(opt.SpareFor); p != nil {
			return p, nil
		}
		if opt.Apart != "" && !Prefixed() {
			return startApart(opt.CPUs)
		}
		return start(opt.CPUs, append(prefix(), opt.Sanitizer...))
	}
	if opt.Local != nil {
		e.start = func() (*process, error) { return local(*opt.Local, func() {}), nil }
	}
	return e
}

// Close ends the worker, or returns it to Spare (Choices.Series).
func (e *Engine) Close() {
	if e.worker != nil && e.opt.Series && e.opt.Spare.give(e.opt.SpareFor, e.worker) {
		e.worker = nil
	}
	e.end()
}

// end ends the worker.
func (e *Engine) end() {
	if e.worker != nil {
		e.worker.close()
		e.worker = nil
	}
}

// ready sets up a worker for r if there is none.
func (e *Engine) ready(ctx context.Context, r *request) (err error) {
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	e.remains = ""
	if e.worker != nil && e.worker.gone() { // it was idle and another process killed it
		e.end()
	}
	if r.Setup = nil; e.worker != nil {
		return nil
	}
	if e.worker, err = e.start(); err != nil {
		return err
	}
	if r.Setup, err = e.beginKeeping(ctx, e.worker); err != nil {
		e.drop()
	}
	return err
}

// ask sends r to the worker, and ends a worker that fails to answer. It asks again if the worker stood still
// while it measured, because samples, limits and powers then include the standstill.
func (e *Engine) ask(ctx context.Context, r request, timeout time.Duration, progress func(*reply)) (*reply, error) {
	var again []string
	for {
		if err := e.ready(ctx, &r); err != nil {
			return nil, err
		}
		rep, err := e.worker.ask(r, timeout, ctx.Done(), progress)
		if err == nil {
			err = e.confirm(ctx, rep)
		}
		switch {
		case err != nil:
			worker := e.worker
			e.drop()
			e.remains = worker.remains()
			return rep, err
		case rep.Unsound: // a faulty kernel leaves the whole CUDA context unusable
			e.end()
		}
		if rep.again = again; rep.Stood == 0 || !r.measures() || len(again) == mostRepeats {
			return rep, nil
		}
		again = append(again, measuredAgain(rep.Stood))
	}
}

// left returns notes on what a worker that failed at the last request left behind.
func (e *Engine) left() []string {
	if e.remains == "" {
		return nil
	}
	return []string{e.remains}
}

func (e *Engine) setup() *setup {
	s := &setup{Options: e.opt, Parent: os.Getpid()}
	if g := e.opt.Measured; g != nil {
		s.GPU, s.PCI = g.UUID, g.PCIBusID
	}
	return s
}

// probeTimeout is the limit for requests about devices and ceilings. The first CUDA call on a
// machine with many GPUs takes seconds.
const probeTimeout = 60 * time.Second

// Device returns the device's facts. The error says why it cannot be used.
func (e *Engine) Device(ctx context.Context, id string) (*gpu.Facts, error) {
	rep, err := e.ask(ctx, request{Op: "device", Device: id}, probeTimeout, func(*reply) {})
	if err != nil {
		return nil, err
	}
	if rep.Error != "" {
		return nil, errors.New(rep.Error)
	}
	return rep.Facts, nil
}

// Ceilings measures the ceilings of a device, unless the config asks for none. It describes the
// device and the state of its sensors.
func (e *Engine) Ceilings(ctx context.Context, device string) (record.Device, []record.Sensor, error) {
	rep, err := e.ask(ctx, request{Op: "ceilings", Device: device}, probeTimeout, func(*reply) {})
	if err != nil {
		return record.Device{ID: device}, nil, err
	}
	if rep.Error != "" {
		return record.Device{ID: device}, nil, errors.New(rep.Error)
	}
	return *rep.Described, rep.Sensors, nil
}

// Sensors returns the state of the sensors that count for a device.
func (e *Engine) Sensors(ctx context.Context, device string) ([]record.Sensor, error) {
	rep, err := e.ask(ctx, request{Op: "sensors", Device: device}, probeTimeout, func(*reply) {})
	if err != nil {
		return nil, err
	}
	return rep.Sensors, nil
}

// EnterMode makes Run and Turns call enter before the first point of each power mode. No worker
// runs then, because a mode may switch off CPUs and parts of the GPU. Afterwards workers have the
// CPUs that are on, and entered is called if it is not nil. If either fails, the points of the mode
// fail with its error.
func (e *Engine) EnterMode(enter func(mode string) error, entered func(ctx context.Context, mode string) error) {
	e.enter, e.entered = enter, entered
}

// inMode enters a mode, unless it was entered last. seconds is how long that took, and absent why
// the mode is not on.
func (e *Engine) inMode(ctx context.Context, mode string) (seconds float64, absent error) {
	if e.enter == nil || e.mode != nil && *e.mode == mode {
		return 0, e.absent
	}
	began := now()
	e.Close()
	e.mode, e.absent = &mode, e.enter(mode)
	if e.absent == nil {
		var usable linux.CPUSet
		if err := linux.SchedGetaffinity(0, &usable); err == nil {
			e.SetWorkers(usable.Count())
		}
		if e.entered != nil {
			e.absent = e.entered(ctx, mode)
		}
	}
	return since(began), e.absent
}

// SetWorkers sets the number of CPUs after a change. It ends the worker process.
func (e *Engine) SetWorkers(threads int) {
	e.Close()
	e.opt.Workers = threads
}

// Run is Crew.Run of this engine alone, without the results.
func (e *Engine) Run(ctx context.Context, points []plan.Point, facts *gpu.Facts, done map[string]bool, observer Observer, keeper Keeper) error {
	_, err := Crew{e}.Run(ctx, points, facts, done, observer, keeper)
	return err
}

// drop ends a worker that cannot be trusted.
func (e *Engine) drop() {
	if e.worker != nil {
		e.worker.kill()
		e.worker = nil
	}
}
