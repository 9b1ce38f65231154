package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.org/bench/command/interrupt"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/perf"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/powermode"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning/analytical"
	"example.org/bench/tuning/search"
	"example.org/bench/tuning/wisdom"
)

// subject reads a config, finds its algorithm, and applies the flags. Every verb refuses what a search
// would refuse.
func (a *app) subject(ctx context.Context, path string, f choices) (s experiment.Subject, err error) {
	if s.Config, err = interrupt.Await(ctx, func() (*config.Config, error) { return config.Draft(config.Find(path)) }); err != nil {
		return s, openError(err)
	}
	if s.Factory, err = a.factory(s.Config); err == nil {
		_, err = search.Constraints(s.Config, s.Factory)
	}
	if err != nil {
		return s, openError(err)
	}
	if err := s.Config.CheckSensors(a.sensorNames()); err != nil {
		return s, usageError(err)
	}
	if s, err = f.apply(s); err != nil {
		return s, err
	}
	if err := s.Config.CheckCounters(perf.Events()); err != nil {
		return s, usageError(err)
	}
	return s, nil
}

// named returns the algorithm of that name or, for the name of a .json file and for "-", the config.
func (a *app) named(ctx context.Context, name string, f choices) (experiment.Subject, error) {
	if name == "-" || strings.HasSuffix(name, ".json") {
		return a.subject(ctx, name, f)
	}
	if factory := a.registry.Algorithm(name); factory != nil {
		return f.apply(experiment.Named(factory))
	}
	if near := config.Near(name); near != "" && config.Nearest(name, a.registry.Names()) == "" {
		return experiment.Subject{}, usageError(fmt.Errorf("no algorithm %q; did you mean the config %s?", name, near))
	}
	return experiment.Subject{}, usageError(fmt.Errorf("no algorithm %q%s; or want a config, whose name ends in .json: bench new makes one",
		name, config.Choice(name, a.registry.Names(), "algorithms")))
}

// versionsOf returns the versions of an algorithm or config; none if it cannot be read.
func (a *app) versionsOf(ctx context.Context, name string) []framework.Version {
	s, err := a.named(ctx, name, choices{})
	if err != nil {
		return nil
	}
	return s.Factory.Versions
}

// each calls check for the algorithms or configs of these names, or for all algorithms, and reports
// whether one is bad.
func (a *app) each(ctx context.Context, names []string, f choices, check func(name string, s experiment.Subject) (bad bool, err error)) (found bool, _ error) {
	if len(names) == 0 {
		names = a.registry.Names()
	}
	for _, name := range names {
		s, err := a.named(ctx, name, f)
		if err != nil {
			return found, err
		}
		bad, err := check(name, s)
		if err != nil {
			return found, err
		}
		found = found || bad
	}
	return found, nil
}

func (a *app) sensorNames() []string {
	var names []string
	for _, s := range a.registry.Sensors() {
		names = append(names, s.Name)
	}
	return names
}

// opened is an experiment with the wisdom that its plan used.
type opened struct {
	*experiment.Experiment
	wisdom wisdom.Uses // empty without wisdom
}

// options returns the options that the flags choose besides the config. The wisdom that plans use is
// added to used.
func (f choices) options(used *wisdom.Uses) (experiment.Options, error) {
	opt := f.Options
	opt.PowerMode = powermode.CurrentName(cmp.Or(f.Root, "/"))
	if analytical.IsDescribed(f.Device) {
		d, err := analytical.FindDevice(f.Device)
		if err != nil {
			return opt, usageError(err)
		}
		opt.Facts = &d.Facts
	}
	if f.wisdom == "none" {
		return opt, nil
	}
	mode := opt.PowerMode
	if f.modes != "" { // others will follow
		mode = ""
	}
	opt.Wisdom = func(factory *framework.Factory, facts *gpu.Facts) (plan.Tuned, error) {
		u, err := wisdom.OpenFor(f.wisdom, factory, facts, mode)
		if u == nil {
			return nil, err
		}
		*used = append(*used, u)
		return u.Tuned, nil
	}
	return opt, nil
}

// open plans a subject with the flags' choices. The caller closes it.
func (a *app) open(ctx context.Context, s experiment.Subject, f choices) (*opened, error) {
	x := &opened{}
	opt, err := f.options(&x.wisdom)
	if err != nil {
		return nil, err
	}
	if x.Experiment, err = experiment.Open(ctx, s, opt); err != nil {
		return nil, openError(err)
	}
	return x, nil
}

// info returns what run.json says of a run of the experiment on the machine of that name.
func (x *opened) info(name string) record.Info {
	i := x.RunInfo()
	i.Name, i.Wisdom = name, x.wisdom.Info()
	return i
}

// sayTunables prints the sources of tunables other than the defaults.
func (a *app) sayTunables(used wisdom.Uses) {
	if line := used.Summary(); line != "" {
		a.note("%s", line)
	}
}

// openError gives an error of the request, or of what was then run, its exit status.
func openError(err error) error {
	if known := (*statusError)(nil); errors.As(err, &known) {
		return err
	}
	none, ran := (*experiment.NoDevice)(nil), (*experiment.RunError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, engine.ErrInterrupted), errors.Is(err, context.Canceled):
		return &statusError{exitInterrupted, engine.ErrInterrupted}
	case errors.As(err, &none), errors.As(err, &ran), errors.Is(err, experiment.ErrNoProblems):
		return failure(err)
	}
	return usageError(err)
}

// ranError gives an error of a run its exit status.
func ranError(err error) error {
	if errors.Is(err, engine.ErrInterrupted) || errors.Is(err, context.Canceled) {
		return &statusError{exitInterrupted, engine.ErrInterrupted}
	}
	return failure(err)
}

// verdict returns the exit status of a complete examination, without a message.
func verdict(bad bool) error {
	if bad {
		return &statusError{exitBad, nil}
	}
	return nil
}

// readRun reads a run of any folder, and warns of what is wrong with it. With trials the run may be a
// search, whose trials are read.
func (a *app) readRun(dir string, trials bool) (*record.Run, error) {
	run, err := record.Read(dir)
	if trials && errors.Is(err, record.ErrSearch) {
		run, err = record.ReadJournal(dir)
	}
	if err != nil {
		return nil, usageError(err)
	}
	for _, n := range run.Notes {
		a.note("%s", n)
	}
	if part := run.Unfinished(); part != "" {
		a.note("%s: %s", dir, part)
	}
	return run, nil
}

// printJSON prints a document.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(terminal.Whole(a.out))
	e.SetIndent("", "  ")
	return failure(e.Encode(v))
}

// printLines prints documents, one on each line.
func printLines[T any](a *app, list []T) error {
	e := json.NewEncoder(terminal.Whole(a.out))
	for _, v := range list {
		if err := e.Encode(v); err != nil {
			return failure(err)
		}
	}
	return nil
}

// printRows prints documents, one on each line, or one text of all.
func printRows[T any](a *app, list []T, asJSON bool, text func([]T) string) error {
	if asJSON {
		return printLines(a, list)
	}
	_, err := io.WriteString(a.out, text(list))
	return err
}

// note prints a remark on standard error; warn prints a warning.
func (a *app) note(format string, args ...any) { fmt.Fprintf(a.err, format+"\n", args...) }

func (a *app) warn(format string, args ...any) {
	a.note("%s", terminal.PaletteOf(a.err).Warning(fmt.Sprintf(format, args...)))
}

// quietly returns the app without the output for the case that all is well.
func (a *app) quietly() *app {
	b := *a
	b.out = io.Discard
	return &b
}
