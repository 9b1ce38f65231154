package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/tuning/analytical"
)

// subject reads a config, finds its algorithm, and applies the flags.
func (a *app) subject(path string, f choices) (experiment.Subject, error) {
	c, factory, err := a.load(path)
	if err != nil {
		return experiment.Subject{}, usageError(err)
	}
	if err := c.CheckSensors(a.sensorNames()); err != nil {
		return experiment.Subject{}, usageError(err)
	}
	return f.apply(experiment.Subject{Config: c, Factory: factory})
}

// named is the algorithm of that name or, for the name of a .json file and for
// "-", the config.
func (a *app) named(name string, f choices) (experiment.Subject, error) {
	if name == "-" || strings.HasSuffix(name, ".json") {
		return a.subject(name, f)
	}
	if factory := a.registry.Algorithm(name); factory != nil {
		return f.apply(experiment.Named(factory))
	}
	return experiment.Subject{}, usageError(fmt.Errorf("no algorithm %q%s; or want a config, whose name ends in .json",
		name, config.Choice(name, a.registry.Names(), "algorithms")))
}

func (a *app) sensorNames() []string {
	var names []string
	for _, s := range a.registry.Sensors() {
		names = append(names, s.Name)
	}
	return names
}

// opened is an experiment with the wisdom that its plan took.
type opened struct {
	*experiment.Experiment
	wisdom *wisdomUse // nil: none
}

// open plans a subject with what the flags choose. The caller closes it.
func (a *app) open(ctx context.Context, s experiment.Subject, f choices) (*opened, error) {
	x := &opened{}
	opt := experiment.Options{Processor: f.processor, Device: f.device, Seed: f.seed, Root: f.root, PowerMode: currentMode(cmp.Or(f.root, "/"))}
	if analytical.IsDescribed(f.device) {
		d, err := analytical.FindDevice(f.device)
		if err != nil {
			return nil, usageError(err)
		}
		opt.Facts = &d.Facts
	}
	if f.wisdom != "none" {
		opt.Wisdom = func(factory *framework.Factory, facts *cuda.Facts) (plan.Tuned, error) {
			var err error
			if x.wisdom, err = openWisdom(f.wisdom, factory, facts); x.wisdom == nil {
				return nil, err
			}
			return x.wisdom.tuned, nil
		}
	}
	var err error
	if x.Experiment, err = experiment.Open(ctx, s, opt); err != nil {
		return nil, openError(err)
	}
	return x, nil
}

// openError gives what experiment.Open refuses its exit status.
func openError(err error) error {
	switch none := (*experiment.NoDevice)(nil); {
	case errors.Is(err, engine.ErrInterrupted):
		return &statusError{exitInterrupted, err}
	case errors.As(err, &none), errors.Is(err, experiment.ErrNoProblems):
		return &statusError{exitBad, err}
	}
	return usageError(err)
}

// printJSON prints a document.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return &statusError{exitBad, err}
	}
	return nil
}

// quietly is the app without what it prints where all is well.
func (a *app) quietly() *app {
	b := *a
	b.out = io.Discard
	return &b
}
