package experiment

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/probes"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
)

// ErrNoProblems is wrapped by Open's error if there is nothing to verify.
var ErrNoProblems = errors.New("no verification problems")

// NoDevice is Open's error if the device is not present.
type NoDevice struct {
	ID  string
	Err error // why
}

func (e *NoDevice) Error() string {
	why := e.Err.Error()
	if strings.HasPrefix(why, e.ID+": ") { // as the simulator's own errors begin
		return why
	}
	return e.ID + ": " + why
}

func (e *NoDevice) Unwrap() error { return e.Err }

// Subject is what an experiment measures.
type Subject struct {
	Config  *config.Config
	Factory *framework.Factory
	// Named is set for an algorithm given by name. The config then only holds defaults.
	Named bool
}

// WithoutPower returns the subject without its sensors.
func (s Subject) WithoutPower() Subject {
	quick := *s.Config
	quick.Sensors = []string{}
	s.Config = &quick
	return s
}

// Named returns the subject for an algorithm's name.
func Named(f *framework.Factory) Subject {
	c := &config.Config{Path: f.Name, Algorithm: f.Name, Prefix: f.Name, Measure: config.DefaultMeasure()}
	return Subject{Config: c, Factory: f, Named: true}
}

// Choose restricts the subject to these versions; no names leave it as it is.
func (s Subject) Choose(versions ...string) Subject {
	if len(versions) > 0 {
		c := *s.Config
		c.Versions = versions
		s.Config = &c
	}
	return s
}

// Options are choices in addition to the config. An empty Choices.Root means /.
type Options struct {
	engine.Choices
	// Processor is auto, CPU or GPU; empty is auto.
	Processor string
	// Device is cuda:0, cuda:1, …, opencl:0, …, sim, or cpu for the CPU versions alone; empty is what
	// Subject.GPU returns.
	// Several GPUs (engine.ParseDevices) share the points, which have GPU versions then.
	Device string
	// Each makes each of several GPUs run all points.
	Each bool
	// Facts describe a GPU that need not be present. If nil, Device is asked.
	Facts *gpu.Facts
	// Must makes a missing GPU an error, not a reason to leave versions
	// out.
	Must bool
	// PowerMode is the board's present mode; empty if it has none.
	PowerMode string
	// Wisdom opens the source of better tunables than the defaults of a
	// factory's versions, on a GPU with these facts (nil without a GPU). It may
	// be nil, and may return nil.
	Wisdom func(f *framework.Factory, facts *gpu.Facts) (plan.Tuned, error)
	// MixCaches lets OpenPairs take subjects that ask for different states of caches.
	MixCaches bool
	// Verify is how answers are checked; empty is full for Verification and Profile,
	// and fast for others.
	Verify framework.Verification
	// At are problems in addition to the config's.
	At []Further
	// For is the purpose of the points.
	For Purpose
}

// Purpose is the use of the points.
type Purpose int

// The purposes.
const (
	// Measurement measures the config's points.
	Measurement Purpose = iota
	// Search measures no more of the config's points than a search needs.
	Search
	// Verification checks answers only, of an algorithm by name and of a config
	// with verify.at on the algorithm's verification problems.
	Verification
	// Profile runs GPU versions under a profiler; an algorithm given by name at
	// one problem per version.
	Profile
)

// Experiment is a subject with all that is known of it before a point runs.
type Experiment struct {
	Subject
	// Crew has an engine for each of several GPUs; Engine is the first.
	Crew   engine.Crew
	Engine *engine.Engine
	Plan   *plan.Plan
	Facts  *gpu.Facts // of the GPU, the first of several; nil: none, or none was asked for
	// Optional are the problems of Plan that no other but a Further with Optional asks for.
	Optional map[string]bool

	options Options
	machine plan.Machine
	gpus    []member // several; else nil
}

// Open plans the subject on this machine. The caller closes the experiment. When
// ctx ends, the error is engine.ErrInterrupted.
func Open(ctx context.Context, s Subject, opt Options) (*Experiment, error) {
	if opt.Device == "cpu" {
		if opt.Processor == string(framework.GPU) {
			return nil, errors.New("device cpu is asked for, and processor GPU: the CPU has CPU versions only")
		}
		opt.Processor = string(framework.CPU)
	}
	if opt.Device == "" {
		opt.Device = s.GPU()
	}
	if opt.Root == "" {
		opt.Root = "/"
	}
	if err := opt.resolve(ctx, s.Config); err != nil {
		return nil, err
	}
	x := &Experiment{Subject: s, options: opt, Facts: opt.Facts}
	if engine.SeveralGPUs(opt.Device) {
		if err := x.assemble(ctx); err != nil {
			return nil, err
		}
		opt = x.options
	}
	if x.Crew == nil {
		x.Crew = engine.Crew{engine.New(x.EngineOptions(s.Config))}
	}
	x.Engine = x.Crew[0]
	x.machine = plan.Machine{Processor: opt.Processor, Device: opt.Device, Described: opt.Facts != nil, PowerMode: opt.PowerMode, Search: opt.For == Search}
	err := x.ready(ctx)
	if err == nil {
		switch opt.For {
		case Verification:
			x.Plan, err = x.Verification(ctx)
		case Profile:
			x.Plan, err = x.profiled(ctx)
		default:
			var machines []plan.Machine
			if machines, err = x.machines(); err == nil {
				x.Plan, err = plan.Make(ctx, s.Config, s.Factory, machines...)
			}
			if err == nil && x.gpus == nil {
				err = x.planFurther(ctx, x.Plan)
			}
		}
		if ctx.Err() != nil {
			err = engine.ErrInterrupted
		}
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// ready finds what the plan depends on: the GPU's facts, and tunables that are known to be better than the
// defaults.
func (x *Experiment) ready(ctx context.Context) (err error) {
	if err := x.ask(ctx); err != nil {
		return err
	}
	if x.Factory.External && x.Config.Processor == framework.GPU && x.options.Local == nil {
		// An engine of its own: a context that stays open takes power.
		if facts, err := Device(ctx, x.options.Device); err == nil {
			opt := x.EngineOptions(x.Config)
			opt.Measured = facts
			x.Engine = engine.New(opt)
			x.Crew = engine.Crew{x.Engine}
		}
	}
	x.machine.GPU = x.Facts
	if x.options.Wisdom != nil {
		x.machine.Tuned, err = x.options.Wisdom(x.Factory, x.Facts)
	}
	return err
}

// ask finds the facts of the GPU if a version may run on one.
func (x *Experiment) ask(ctx context.Context) error {
	if x.Facts != nil || !x.usesGPU() {
		return nil
	}
	facts, err := x.Engine.Device(ctx, x.options.Device)
	switch {
	case errors.Is(err, engine.ErrInterrupted):
		return err
	case err != nil && x.options.Must:
		return &NoDevice{x.options.Device, err}
	case err != nil:
		x.machine.NoGPU = err.Error()
	}
	x.Facts = facts
	return nil
}

func (x *Experiment) usesGPU() bool {
	switch framework.Processor(x.options.Processor) {
	case framework.CPU:
		return false
	case framework.GPU:
	default:
		if x.Config.Processor == framework.CPU {
			return false
		}
	}
	return !x.Factory.External && x.hasGPUVersion()
}

// RunsOnGPU reports whether a chosen version runs on a GPU, if there is one.
func (s Subject) RunsOnGPU() bool { return s.Config.Processor != framework.CPU && s.hasGPUVersion() }

func (s Subject) hasGPUVersion() bool {
	return slices.ContainsFunc(s.Factory.Versions, func(v framework.Version) bool {
		return v.Processor == framework.GPU && (len(s.Config.Versions) == 0 || slices.Contains(s.Config.Versions, v.Name))
	})
}

// TooLarge says why a point does not fit into the memory that is free now; empty if it fits. For a described
// GPU it knows only the machine of copied files.
func (x *Experiment) TooLarge(p plan.Point) string {
	files := machine.Tree(x.options.Root)
	if x.options.Facts == nil {
		files = machine.Live
	} else if files.IsLive() {
		return ""
	}
	return x.Engine.TooLarge(p, x.Facts, files)
}

// EngineOptions returns the options of an engine for a config of the experiment.
func (x *Experiment) EngineOptions(c *config.Config) engine.Options {
	verifyOnly := x.options.For == Verification || x.options.For == Profile
	full := x.options.Verify == framework.FullVerification || x.options.Verify == "" && verifyOnly
	return engine.Options{Choices: x.options.Choices, Config: c, Factory: x.Factory, Workers: runtime.GOMAXPROCS(0),
		VerifyOnly: verifyOnly, FullVerification: full, Trial: x.options.For == Search, SpareFor: x.options.Device}
}

// Close ends the engine.
func (x *Experiment) Close() { x.Crew.Close() }

// Device returns the facts of a GPU of this machine. It needs no config. The error says why there is none.
func Device(ctx context.Context, id string) (*gpu.Facts, error) {
	e := engine.New(engine.Options{Config: &config.Config{Measure: config.DefaultMeasure()}, Choices: engine.Choices{Root: "/"}})
	defer e.Close()
	return e.Device(ctx, id)
}

// OpenCLDevice is a device that a driver of OpenCL shows.
type OpenCLDevice struct {
	Facts  gpu.Facts
	Timing string // what times it (record.Device)
	Err    error  // why nothing can be timed
}

// OpenCLDevices returns the machine's devices of OpenCL. It opens each in a worker of its own. The error says
// why there is none.
func OpenCLDevices(ctx context.Context) ([]OpenCLDevice, error) {
	at := func(ask func(*engine.Engine)) {
		settings := config.DefaultMeasure()
		settings.Ceilings = false
		e := engine.New(engine.Options{Config: &config.Config{Measure: settings}, Choices: engine.Choices{Root: "/"}})
		defer e.Close()
		ask(e)
	}
	var facts []gpu.Facts
	var err error
	at(func(e *engine.Engine) { facts, err = e.OpenCLDevices(ctx) })
	list := make([]OpenCLDevice, len(facts))
	for i, f := range facts {
		list[i].Facts = f
		at(func(e *engine.Engine) {
			var d record.Device
			d, _, list[i].Err = e.Ceilings(ctx, opencl.ID(i))
			list[i].Timing = d.Timing
		})
	}
	return list, err
}

// DefaultDevice returns the device that is measured if none is named: the first GPU or, without one, the CPU.
// Below a root of another machine's files it is the CPU.
func DefaultDevice(ctx context.Context, root string) string {
	const first = "cuda:0"
	if filepath.Clean(root) != "/" {
		return "cpu"
	}
	if _, err := Device(ctx, first); err != nil {
		return "cpu"
	}
	return first
}

// Probe finds which part of each period the power sensors of a device see, and saves it. Without the GPU it
// loads the CPU.
func Probe(ctx context.Context, id string) ([]probes.Probe, error) {
	opt := engine.Options{Config: &config.Config{Measure: config.DefaultMeasure()}, Choices: engine.Choices{Root: "/"}, Workers: runtime.GOMAXPROCS(0)}
	e := engine.New(opt)
	defer e.Close()
	if _, err := e.Device(ctx, id); errors.Is(err, engine.ErrInterrupted) {
		return nil, err
	} else if err != nil {
		id = "cpu"
	}
	found, err := e.Probe(ctx, id)
	for _, p := range found {
		err = errors.Join(err, probes.Save(p))
	}
	return found, err
}
