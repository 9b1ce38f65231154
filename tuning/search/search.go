package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning"
	"example.org/bench/tuning/knn"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/wisdom"
)

// Options are choices in addition to the config.
type Options struct {
	engine.Choices
	Objective Objective
	Device    string     // cuda:0, cuda:1, …, several of these, or cpu
	Facts     *gpu.Facts // of a GPU that need not be there; nil: Device is asked
	Strategy  tuning.Info
	Settings  map[string]float64 // the strategy's own
	Budget    int                // evaluations per sweep point; 0: as many as there are points
	Limit     time.Duration      // that the versions' searches may take together; 0: any
	Patience  *tuning.Patience   // nil: a search goes on whatever it found
	Confirm   int                // how many of the best trials are measured again; 0: none
	Compilers int                // processes that compile; 0: one per CPU but those that measure, 16 at most
	Training  knn.Training
	// From are spaces that teach the strategy. Spaces of other parameters teach a version nothing.
	From []*recorded.Space
	// Taught teach the strategy by what they know of its versions.
	Taught []*Taught
	// Model, if not nil, says what points take before any is measured. NoPrior leaves the model out.
	Model   PointModel
	NoPrior bool
	Verify  framework.Verification // empty: fast
	// WholeTrials makes trials go on that are known not to be among the best.
	WholeTrials bool
	Wisdom      string // the file to add to; empty: none
	// Modes, if not nil, returns the power modes that are an axis of the search, on a GPU with these facts or
	// without a GPU.
	Modes func(*gpu.Facts) (Modes, error)
	// Note gets what a user should know, one line per call.
	Note func(format string, args ...any)
}

// Selection returns what must be the same for a search to be resumed, beside config and seed: what its trials
// are of, and their order. The budget is not part of it. versions are those chosen from the config.
func (o Options) Selection(versions []string) string {
	s := fmt.Sprintf("--device %s --objective %s --strategy %s", cmp.Or(o.Device, "cuda:0"), o.Objective, o.Strategy.Name)
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		s += fmt.Sprintf(" --option %s=%v", name, o.Settings[name])
	}
	if o.NoPrior {
		s += " --prior=false"
	}
	var where, from []string
	for _, r := range o.From {
		from = append(from, r.Name)
	}
	for _, t := range o.Taught {
		from = append(from, t.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Training.Where)) {
		where = append(where, name+"="+o.Training.Where[name])
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"--versions", versions}, {"--train", o.Training.Runs}, {"--train-versions", o.Training.Versions}, {"--where", where}, {"--from", from}} {
		if len(list.values) > 0 {
			s += " " + list.flag + " " + strings.Join(list.values, ",")
		}
	}
	return s
}

// Observer observes a search. Its methods are called one at a time.
type Observer interface {
	engine.Observer
	Began(*Version)
	Tried(v *Version, t Trial, evaluations int)
	Ended(*Version)
	Confirmed(*Version, *Task)
}

// Search is one search of a config on a device, or on several equal ones.
type Search struct {
	Options
	Versions []*Version
	// Place is the processor that is searched on.
	Place  wisdom.Device
	Trials []Trial // in the order made

	experiment *experiment.Experiment
	modes      *modes
	compilers  *engine.Compilers   // nil: no GPU, or one of OpenCL
	turns      turns               // of the compilers
	compiled   map[string]compiled // by key of the point
	cut        map[string]bool     // whose compiling was cut short, by key of the point
	journal    *record.Journal
	earlier    map[string][]Trial // of the journal that is resumed, by key
	started    time.Time
	show       Observer
	mutex      sync.Mutex // of journal, show and earlier
	calibrated int        // measurements of calibration points
	kept       int        // trials in the journal, and what was taken back
	settled    int        // of these, those of the versions searched before
	read       bool       // a trial had a reading of its energy
	unread     int        // trials without one
}

// Trial is one evaluation of a search.
type Trial struct {
	Version *Version
	Task    *Task
	tuning.Trial
	Result record.Result
	Best   bool // of its task so far, or on the front
	// Earlier is set if the result is from the journal that was resumed.
	Earlier bool
	order   int // its place among the trials of the journal
}

// Open plans the subject and enumerates the spaces of its versions. The caller
// closes the search.
func Open(ctx context.Context, subject experiment.Subject, o Options) (*Search, error) {
	quick := *subject.Config
	quick.Tunables, quick.Measure = nil, quickly(subject.Config)
	if o.Objective == Time {
		quick.Sensors = []string{}
	}
	at := experiment.Options{Choices: o.Choices, Processor: string(framework.GPU), Device: o.Device, Facts: o.Facts, Must: true, Verify: o.Verify, For: experiment.Search}
	if o.Device == "cpu" {
		at.Processor = string(framework.CPU)
	}
	x, err := experiment.Open(ctx, experiment.Subject{Config: &quick, Factory: subject.Factory}, at)
	if err != nil {
		return nil, err
	}
	o.Device = x.Device()
	if o.Strategy.Computes && x.Facts != nil && x.Facts.OpenCL != nil {
		x.Close()
		return nil, fmt.Errorf("--strategy %s computes from what kernels take of a multiprocessor, which OpenCL does not tell", o.Strategy.Name)
	}
	s := &Search{Options: o, Place: wisdom.DeviceOf(x.Facts), experiment: x, started: record.Now(), compiled: map[string]compiled{}, cut: map[string]bool{}}
	if s.modes, err = openModes(o, x.Facts); err != nil {
		s.Close()
		return nil, err
	}
	if s.modes != nil {
		x.Engine.EnterMode(s.modes.enter, nil)
	}
	if x.Facts != nil && x.Facts.OpenCL == nil { // a driver of OpenCL compiles for its own device
		compiling := x.EngineOptions(&quick)
		compiling.Workers, compiling.Trial = 1, false
		count := o.Compilers
		if count == 0 {
			count = max(1, x.Compilers(x.Plan.Points))
		}
		s.compilers = engine.NewCompilers(count, compiling, *x.Facts)
	}
	for _, line := range x.Plan.Remarks() {
		o.Note("%s", line)
	}
	if s.Versions, err = versions(ctx, subject, x, s.modes, o.Note); err != nil {
		s.Close()
		return nil, err
	}
	for _, v := range s.Versions {
		if v.Budget = v.Points(); s.Budget > 0 {
			v.Budget = min(v.Budget, s.Budget*len(v.Tasks))
		}
	}
	// Reports and finals are of the config as it was read.
	x.Config = subject.Config
	return s, nil
}

// Close ends the processes of the search.
func (s *Search) Close() {
	s.experiment.Close()
	if s.compilers != nil {
		s.compilers.Close()
	}
}

// Run searches every version, and measures the best again. It takes results from the journal of an earlier
// process instead of measuring them. Trials has the trials made, also if Run fails.
func (s *Search) Run(ctx context.Context, journal *record.Journal, earlier []record.Result, show Observer) error {
	s.journal, s.show = journal, show
	s.earlier = map[string][]Trial{}
	for _, r := range earlier {
		t := Trial{Result: r, Earlier: true, order: s.kept}
		if IsTrial(r) {
			s.kept++
		}
		s.earlier[r.Point.Key()] = append(s.earlier[r.Point.Key()], t)
	}
	began := time.Now()
	for i, v := range s.Versions {
		limit := s.Limit
		if limit > 0 { // those to go share what is left
			limit = max(1, (limit-time.Since(began))/time.Duration(len(s.Versions)-i))
		}
		if err := s.search(ctx, v, limit); err != nil {
			return err
		}
	}
	if s.Confirm > 0 {
		if err := s.finals(ctx); err != nil {
			return err
		}
	}
	return s.count(ctx)
}

// Found reports whether every sweep point has a valid trial.
func (s *Search) Found() bool {
	for _, v := range s.Versions {
		for _, t := range v.Tasks {
			if !t.best.OK {
				return false
			}
		}
	}
	return true
}

// search searches one version for at most so long.
func (s *Search) search(ctx context.Context, v *Version, limit time.Duration) error {
	strategy, sizes, err := s.trained(v)
	if err != nil {
		return err
	}
	s.show.Began(v)
	budget := v.Points() + 1 // one more than there are does not end it
	if s.Budget > 0 {
		budget = s.Budget * len(v.Tasks)
	}
	under := &searching{Search: s, version: v, team: s.team(ctx, v), first: s.settled}
	loop := tuning.Loop{
		Strategy: strategy,
		Limit:    limit,
		Patience: s.Patience,
		Search:   tuning.Search{Front: s.Objective == Front, Budget: budget, Rand: rand.New(rand.NewPCG(s.Seed, s.Seed)), Options: s.Settings, Switching: s.modes.switching()},
		Barred:   v.barred(s.modes),
		Workers:  len(s.experiment.Crew),
		Evaluate: under.evaluate,
		Done:     under.done,
	}
	for i, t := range v.Tasks {
		task := tuning.Task{Space: t.Space, Size: sizes[i]}
		if t.Defaults >= 0 {
			task.Known = []int{t.Defaults}
		}
		loop.Search.Tasks = append(loop.Search.Tasks, task)
	}
	if p := s.newPrior(ctx, v, loop.Search.Tasks); p != nil {
		v.prior, loop.Prior = p, p
		defer p.Close()
	}
	for _, from := range s.From {
		if from.Modelled() {
			continue
		}
		loop.Search.Lessons = append(loop.Search.Lessons, from.Lesson(loop.Search.Tasks))
	}
	for _, t := range s.Taught {
		loop.Search.Lessons = append(loop.Search.Lessons, t.lesson(s.experiment.Factory.Name, v.Version, v.Tasks))
	}
	if s.compilers != nil && v.Processor == framework.GPU {
		loop.Compilers = s.compilers.Count()
		loop.Compile = func(ctx context.Context, _ int, p tuning.Proposal) bool {
			return s.compileFirst(ctx, v.Tasks[p.Task].Point(p.Point))
		}
		loop.Search.Facts = s.KernelFacts(ctx, v)
	}
	v.Outcome, err = loop.Run(ctx)
	s.settled += len(v.Outcome.Trials) + v.Outcome.Cut
	if n := v.Outcome.Cut; n > 0 {
		s.Note("%s: compiling was cut short for %s that could no longer be the best", v.Name, terminal.Count(n, "point"))
	}
	s.show.Ended(v)
	return err
}

// trained returns the strategy of a version's search, with what runs teach it, and the sizes of its tasks.
func (s *Search) trained(v *Version) (tuning.Info, [][]float64, error) {
	params := make([]framework.Values, len(v.Tasks))
	for i, t := range v.Tasks {
		params[i] = t.Base.Params
	}
	order := v.Tasks[0].Base.ParamOrder
	if len(s.Training.Runs) == 0 {
		return s.Strategy, knn.Sizes(order, params), nil
	}
	return s.Training.Strategy(s.experiment.Factory.Name, v.Name, order, params)
}

// info returns the info of tune.json.
func (s *Search) info() record.Info {
	facts, _ := machine.Live.Facts()
	info := record.Info{
		Tool: record.ThisTool(), Command: os.Args, Seed: s.Seed, Machine: facts, Warnings: machine.Warnings(),
		Config: record.ConfigOf(s.experiment.Config), Started: s.started, Ended: record.Now(),
	}
	if s.experiment.Facts != nil {
		info.Devices = s.experiment.Devices()
	}
	return info
}
