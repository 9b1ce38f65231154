// Package executable runs any program as an algorithm: a program that reports its own times
// (docs/executable.md describes its arguments and output), or a command that is timed from its start to its
// end.
package executable

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// New returns the factory of the config's executable. The one version is named by the config's kernel_name,
// or else after the program. Its parameters are the static and swept arguments, named as written, except
// those that say how often the program runs (framework.UsageParams).
func New(cfg *config.Config) (*framework.Factory, error) {
	if cfg.Executable == "" {
		return nil, errors.New(cfg.Path + ": no executable; want the path of a program")
	}
	name := bareName(cfg.Executable)
	inPlace := placed(cfg)
	isPlaced := func(name string) bool { return inPlace[strings.TrimLeft(name, "-")] }
	processor := cfg.Processor
	if processor == "" {
		processor = framework.CPU
	}
	version := framework.Version{
		Name:      cfg.Kernel,
		Doc:       "program " + cfg.Executable,
		Source:    "an external program, which reports its own time and counts",
		Processor: processor,
		Available: func() error {
			if config.Placeholder().MatchString(cfg.Executable) {
				return anyOf(cfg)
			}
			_, err := find(cfg, cfg.Executable)
			return err
		},
		New: framework.Typed(func(env framework.Env, p arguments, tunables framework.Values) (*algorithm, error) {
			a := &algorithm{cfg: cfg, settings: settings{}, leftovers: leftovers{env: env}}
			for _, x := range p {
				a.settings.set(x.Name, x.Value)
			}
			for name, v := range tunables {
				a.settings.set(name, v)
			}
			for _, x := range p {
				if !isPlaced(x.Name) {
					a.args = append(a.args, x.Name, a.settings.expand(x.Value.String()))
				}
			}
			for _, name := range slices.Sorted(maps.Keys(tunables)) {
				if !isPlaced(name) {
					a.args = append(a.args, name, tunables[name].String())
				}
			}
			return a, nil
		}),
	}
	tune(&version, cfg)
	if version.Name == "" {
		version.Name = name
	}
	f := &framework.Factory{
		Name:     name,
		Doc:      "program " + cfg.Executable,
		Source:   version.Source,
		External: true,
		Formulas: []framework.Formula{{Name: "flops, load_bytes, store_bytes", Text: "as the program reports"}},
		Versions: []framework.Version{version},
		// The program allocates its own inputs.
		HostBytes: func(framework.Values) int64 { return 0 },
	}
	add := func(name string, values ...framework.Value) {
		if framework.UsageParam(name) == nil {
			f.Params = append(f.Params, param(name, values...))
		}
	}
	for _, s := range cfg.Static {
		add(s.Name, s.Value)
	}
	for _, a := range cfg.Sweep {
		add(a.Name, a.Values...)
	}
	f.NewProblem = func(_ framework.Env, values framework.Values) (framework.Problem, error) {
		var args arguments
		for _, p := range f.Params {
			args = append(args, config.Argument{Name: p.Name, Value: values[p.Name]})
		}
		return args, nil
	}
	return f, nil
}

// tune makes the config's tunables those of the version. The plan refuses a value that is not a whole number.
// The first value of each is the default.
func tune(v *framework.Version, cfg *config.Config) {
	if len(cfg.Tunables) == 0 {
		return
	}
	defaults := framework.Values{}
	for _, a := range cfg.Tunables {
		t := framework.Tunable{Name: a.Name, Doc: "argument of the program"}
		for _, x := range a.Values {
			t.Values = append(t.Values, int64(x.Float()))
		}
		defaults[a.Name] = framework.IntValue(t.Values[0])
		slices.Sort(t.Values)
		v.Tunables = append(v.Tunables, t)
	}
	v.Defaults = func(framework.Values, gpu.Facts) framework.Values { return defaults.Clone() }
	v.Valid = func(_, tunables framework.Values, _ gpu.Facts) error {
		for _, t := range v.Tunables {
			if x := tunables.Int(t.Name); !slices.Contains(t.Values, x) {
				return fmt.Errorf("%s = %d is none of the config's %v", t.Name, x, t.Values)
			}
		}
		return nil
	}
}

// param returns a parameter of the kind that holds all values. The first value is the default.
func param(name string, values ...framework.Value) framework.Param {
	p := framework.Param{Name: name, Doc: "argument of the program", Kind: framework.Int, Default: values[0]}
	for _, v := range values {
		p.Kind = max(p.Kind, v.Kind())
	}
	return p
}

// arguments is the problem: the program's arguments at one point of the sweep.
type arguments []config.Argument

// Close does nothing.
func (arguments) Close() {}

// algorithm is the program at one point of the sweep.
type algorithm struct {
	cfg      *config.Config
	args     []string
	settings settings

	path      string
	report    report // of the execution whose counts are used
	leftovers leftovers
	runs      int64 // of the last timed execution
}

var (
	_ framework.SelfTimed  = (*algorithm)(nil)
	_ framework.RunCounter = (*algorithm)(nil)
)

// PreRun finds the program.
func (a *algorithm) PreRun() (err error) {
	a.path, err = find(a.cfg, a.settings.expand(a.cfg.Executable))
	return err
}

// Run executes the program once with the arguments run_arg.one, for its counts and its check.
func (a *algorithm) Run() error {
	r, err := a.execute(a.cfg.One)
	if err != nil {
		return err
	}
	if err := r.counted(); err != nil {
		return a.blame(err)
	}
	a.report = r
	return nil
}

// Verify returns the error that the program reports, if the program checks its answer.
func (a *algorithm) Verify() ([]framework.Check, error) {
	if a.report.bound == nil {
		return nil, nil
	}
	return []framework.Check{{
		Metric: "error that the program reports",
		Error:  *a.report.error,
		Bound:  *a.report.bound,
	}}, nil
}

// Times executes the program once with the arguments run_arg.many and returns the times that it reports.
func (a *algorithm) Times() ([]float64, error) {
	r, err := a.execute(a.cfg.Many)
	if err != nil {
		return nil, err
	}
	if err := r.timed(); err != nil {
		return nil, a.blame(err)
	}
	a.runs = r.countRuns(a.cfg.Many)
	return r.times, nil
}

// Runs returns how many runs the last call of Times made.
func (a *algorithm) Runs() int64 { return a.runs }

// Work returns the program's counts. It is zero before Run.
func (a *algorithm) Work() framework.Work {
	r := a.report
	w := framework.Work{FLOPs: r.flops, LoadBytes: r.load, StoreBytes: r.store,
		NominalFLOPs: r.flops, NominalBytes: r.load + r.store}
	if r.nominalFLOPs != nil {
		w.NominalFLOPs = *r.nominalFLOPs
	}
	if r.nominalBytes != nil {
		w.NominalBytes = *r.nominalBytes
	}
	return w
}

// PostRun reports the processes that the executions left behind.
func (a *algorithm) PostRun() error {
	a.leftovers.tell()
	return nil
}
