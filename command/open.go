package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"bench/cuda"
	"bench/framework"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
)

// subject reads a config and finds its algorithm.
func (a *app) subject(path string) (experiment.Subject, error) {
	c, f, err := a.load(path)
	if err != nil {
		return experiment.Subject{}, usageError(err)
	}
	if err := c.CheckSensors(a.sensorNames()); err != nil {
		return experiment.Subject{}, usageError(err)
	}
	return experiment.Subject{Config: c, Factory: f}, nil
}

// named is the algorithm of that name or, for the name of a .json file, the
// config.
func (a *app) named(name string) (experiment.Subject, error) {
	if strings.HasSuffix(name, ".json") {
		return a.subject(name)
	}
	if f := a.registry.Algorithm(name); f != nil {
		return experiment.Named(f), nil
	}
	return experiment.Subject{}, usageError(fmt.Errorf("no algorithm %q; there are: %s; or want a config, whose name ends in .json",
		name, strings.Join(a.registry.Names(), ", ")))
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
func (a *app) open(ctx context.Context, s experiment.Subject, f runFlags) (*opened, error) {
	x := &opened{}
	opt := experiment.Options{Processor: f.processor, Device: f.device, Seed: f.seed, Root: f.root, PowerMode: currentMode(cmp.Or(f.root, "/"))}
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
