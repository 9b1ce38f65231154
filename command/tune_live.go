package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/engine"
	"bench/framework/machine"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/tuning"
	"bench/tuning/analytical"
	"bench/tuning/wisdom"
)

// liveFlags are those of a search on a device.
type liveFlags struct {
	objective        string
	device           string
	resume           bool
	wisdom           string
	confirm          int
	compileProcesses int

	// compiled takes what the kernels need from their cubins, for a GPU that is
	// not there.
	compiled bool

	// What is asked for instead of a search.
	imports  bool
	export   string
	t1       string
	transfer bool
	phi      string

	trainFlags
}

func (l *liveFlags) add(cmd *cobra.Command) {
	l.trainFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&l.objective, "objective", "time", "time, energy or edp (energy-delay product): what is minimised")
	flags.StringVar(&l.device, "device", "cuda:0", "cuda:0, cuda:1, …; cpu; or for --strategy analytical a described GPU such as jetson-tx1")
	flags.BoolVar(&l.resume, "resume", false, "go on with an interrupted search of the same config and seed")
	flags.StringVar(&l.wisdom, "wisdom", "", "wisdom file to add to (default: bench/wisdom.json in the user's configuration folder; none: no file)")
	flags.IntVar(&l.confirm, "confirm", 3, "how many of the best trials are measured again at length; 0: none, and no comparison with the defaults")
	flags.BoolVar(&l.compiled, "compiled", false, "analytical, for a described GPU: registers and shared memory from kernels compiled for it, not the literature's constants")
	flags.BoolVar(&l.imports, "import", false, "read Kernel Tuner cache, T1, T4 or KTT files into recorded spaces, which --replay takes")
	flags.StringVar(&l.t1, "t1", "", "import: the T1 file that declares a T4 file's parameters")
	flags.StringVar(&l.export, "export", "", "write a search's folder, a recorded space or an imported file as kernel-tuner, t1 or t4")
	flags.BoolVar(&l.transfer, "transfer", false, "how the best of each recorded space does in the others: one kernel on several GPUs")
	flags.StringVar(&l.phi, "phi", "", "folder of an exhaustive search: by its times, average performance and Φ of the searches whose folders are given")
	flags.IntVar(&l.compileProcesses, "compilers", 0, "processes that compile ahead (default: one a CPU, 16 at most)")
}

func (l *liveFlags) check() error {
	if !slices.Contains([]string{"time", "energy", "edp"}, l.objective) {
		return usageError(fmt.Errorf("--objective %q is none of time, energy, edp", l.objective))
	}
	switch {
	case l.device == "cpu":
	case l.device == "sim":
		return usageError(errors.New("--device sim checks answers, it times nothing"))
	default:
		if _, err := engine.ParseDevice(l.device); err != nil {
			return usageError(fmt.Errorf("--device %q is none of cuda:0, cuda:1, …, cpu, and for --strategy analytical %s",
				l.device, strings.Join(analytical.DescribedDevices(), ", ")))
		}
	}
	return nil
}

// live is one search of a config on a device.
type live struct {
	app   *app
	flags tuneFlags
	liveFlags
	config   *config.Config
	factory  *framework.Factory
	facts    *cuda.Facts
	place    wisdom.Device
	strategy tuning.Info
	options  map[string]float64

	engine    *engine.Engine // of the trials
	compilers *compilers
	journal   *record.Journal
	earlier   map[string]record.Result // of the journal that is resumed
	results   []trialResult
	show      *tuneProgress
	dir       string
}

// search is that of one version: its sweep points are the tasks.
type search struct {
	version *framework.Version
	tasks   []*task
	report  *tuning.Outcome
	budget  int
}

// task is one version at one sweep point.
type task struct {
	base  plan.Point // with the defaults
	space *tuning.Space
	// defaults is the point of the version's defaults; -1 where it is not in
	// the space.
	defaults int
	name     string // of what is swept
	final    *final
	// recorded names the recorded space that was written of it.
	recorded string
}

// trialResult is one evaluation.
type trialResult struct {
	search *search
	task   *task
	point  int
	result record.Result
	trial  tuning.Trial
	best   bool // of its task so far
}

func (a *app) tuneLive(ctx context.Context, args []string, f tuneFlags, lf liveFlags) error {
	if lf.imports || lf.export != "" || lf.transfer || lf.phi != "" {
		return a.tuneFiles(args, f, lf)
	}
	if len(lf.train) > 0 && len(args) == 0 {
		return a.learn(f, lf.trainFlags)
	}
	if len(args) == 0 {
		return usageError(errors.New("which config? bench tune CONFIG, or --replay FILE.csv.gz"))
	}
	strategies, err := f.chosen()
	if err != nil {
		return usageError(err)
	}
	if len(strategies) != 1 {
		return usageError(errors.New("--strategy: a live search has one strategy"))
	}
	if err := lf.checkTrain(strategies[0]); err != nil {
		return err
	}
	options, err := f.optionsOf(strategies)
	if err != nil {
		return usageError(err)
	}
	if f.budget < 1 {
		return usageError(fmt.Errorf("--budget %d: want at least 1", f.budget))
	}
	if analytical.IsDescribed(lf.device) {
		return a.analytical(ctx, args, f, lf)
	}
	if err := lf.check(); err != nil {
		return err
	}
	if strategies[0].Computes && lf.device == "cpu" {
		return usageError(fmt.Errorf("--strategy %s computes from kernels compiled for a GPU; want a --device other than cpu", strategies[0].Name))
	}
	for _, path := range args {
		l := &live{app: a, flags: f, liveFlags: lf, strategy: strategies[0], options: options}
		if err := l.run(ctx, path, len(args) > 1); err != nil {
			return err
		}
	}
	return nil
}

// quick are the settings of a trial: a search compares hundreds of points, and
// the best are measured again.
func quick(m config.Measure) config.Measure {
	m.MinSamples, m.MinTime, m.Noise, m.Timeout = 7, 0.002, 0.01, 0.1
	m.CoolDown = 0
	return m
}

// thorough are those of the measurements at the end.
func thorough(m config.Measure) config.Measure {
	m.MinSamples, m.MinTime, m.Noise = 20, min(m.MinTime, 0.05), min(m.Noise, 0.005)
	m.Timeout = min(m.Timeout, 0.5)
	m.CoolDown = 0
	return m
}

func (l *live) run(ctx context.Context, path string, several bool) error {
	searches, err := l.prepare(ctx, path)
	if err != nil {
		return err
	}
	defer l.engine.Close()
	defer l.compilers.close()
	l.dir = l.flags.out
	switch {
	case l.dir == "":
		l.dir = filepath.Join("results", "tune-"+l.config.Prefix)
	case several:
		l.dir = filepath.Join(l.dir, l.config.Prefix)
	}
	if err := l.checkEnds(); err != nil {
		return err
	}
	journal, finished, err := l.app.journal(l.dir, journalHeader(l.config, l.flags.seed, l.selection()), l.resume)
	if err != nil {
		return err
	}
	defer journal.Close()
	l.journal = journal
	l.earlier = map[string]record.Result{}
	for _, r := range finished {
		l.earlier[r.Point.Key()] = r
	}
	info := l.info()
	var searchErr error
	for _, s := range searches {
		if searchErr = l.search(ctx, s); searchErr != nil {
			break
		}
	}
	if searchErr == nil && l.confirm > 0 {
		searchErr = l.finals(ctx, searches)
	}
	l.show.Close()
	if err := l.write(info, searches); err != nil {
		return &statusError{exitBad, errors.Join(searchErr, err)}
	}
	switch {
	case errors.Is(searchErr, context.Canceled) || errors.Is(searchErr, engine.ErrInterrupted):
		return &statusError{exitInterrupted, fmt.Errorf("interrupted after %d evaluations; bench tune %s --resume with the same flags goes on", len(l.results), path)}
	case searchErr != nil:
		return &statusError{exitBad, searchErr}
	}
	for _, s := range searches {
		for _, b := range s.report.Best {
			if !b.OK {
				return &statusError{exitBad, nil}
			}
		}
	}
	return nil
}

// checkEnds finds what would only fail at the end: no energy to minimise, no
// wisdom file to write to.
func (l *live) checkEnds() error {
	if l.objective != "time" && l.config.Sensors != nil && len(l.config.Sensors) == 0 {
		return usageError(fmt.Errorf("--objective %s: %s asks for no sensor (\"sensors\": [])", l.objective, l.config.Path))
	}
	if l.wisdom == "none" {
		return nil
	}
	path, err := l.wisdomPath()
	if err == nil {
		_, err = wisdom.Open(path)
	}
	if err != nil {
		return usageError(err)
	}
	return nil
}

// selection is what must be the same for a search to be resumed: what its
// trials are of, and in which order they come. The budget is no part of it.
func (l *live) selection() string {
	s := fmt.Sprintf("--device %s --objective %s --strategy %s", l.device, l.objective, l.strategy.Name)
	for _, name := range slices.Sorted(maps.Keys(l.options)) {
		s += fmt.Sprintf(" --option %s=%v", name, l.options[name])
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"--train", l.train}, {"--versions", l.versions}, {"--where", l.where}} {
		if len(list.values) > 0 {
			s += " " + list.flag + " " + strings.Join(list.values, ",")
		}
	}
	return s
}

// search runs one version's.
func (l *live) search(ctx context.Context, s *search) error {
	strategy, sizes, err := l.trained(s)
	if err != nil {
		return err
	}
	seed := rand.NewPCG(l.flags.seed, l.flags.seed)
	run := tuning.Loop{
		Strategy: strategy,
		Search:   tuning.Search{Budget: l.flags.budget * len(s.tasks), Rand: rand.New(seed), Options: l.options},
		Evaluate: func(ctx context.Context, task, point int) (tuning.Trial, error) {
			return l.evaluate(ctx, s, task, point)
		},
		Done: func(p tuning.Progress) {
			l.results[len(l.results)-1].best = p.Improved
			l.show.done(s, l.results[len(l.results)-1], p)
		},
	}
	s.budget = 0
	for i, t := range s.tasks {
		run.Search.Tasks = append(run.Search.Tasks, tuning.Task{Space: t.space, Size: sizes[i]})
		s.budget += t.space.Len()
	}
	s.budget = min(s.budget, run.Search.Budget)
	if s.version.Processor == framework.GPU {
		run.Batch = l.compilers.count
		run.Compile = func(ctx context.Context, points []tuning.Proposal) { l.compileAhead(ctx, s, points) }
		run.Search.Facts = l.kernelFacts(ctx, s)
	}
	l.show.begin(s)
	s.report, err = run.Run(ctx)
	l.show.end(s)
	return err
}

// sizeOf are the logarithms of the parameters that differ between the tasks.
func sizeOf(tasks []*task, i int) []float64 {
	var size []float64
	p := tasks[i].base
	for _, name := range p.ParamOrder {
		if p.Params[name].Kind() == framework.Text {
			continue
		}
		differs := slices.ContainsFunc(tasks, func(t *task) bool { return t.base.Params[name] != p.Params[name] })
		if differs {
			size = append(size, log2(p.Params[name].Float()))
		}
	}
	return size
}

// info is what tune.json says of the run.
func (l *live) info() record.Info {
	facts, _ := machine.Live.Facts()
	info := record.Info{
		Tool: record.ThisTool(), Command: os.Args, Seed: l.flags.seed, Machine: facts, Warnings: machine.Warnings(),
		Config: record.ConfigOf(l.config),
	}
	info.Started = now()
	if l.facts != nil {
		info.Devices = []record.Device{{ID: l.device, Facts: l.facts}}
	}
	return info
}

// compilerCount is how many processes compile ahead.
func (l *liveFlags) compilerCount() int {
	return cmp.Or(l.compileProcesses, min(runtime.GOMAXPROCS(0), 16))
}
