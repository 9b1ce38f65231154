package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/profile"
)

// counts compares the Work of every GPU version with the profiler.
func (a *app) counts(ctx context.Context, names []string, flags verifyFlags) error {
	device := flags.device
	if device == "" {
		device = "cuda:0"
	}
	if _, err := engine.ParseDevice(device); err != nil {
		return usageError(fmt.Errorf("--counts counts on a GPU; --device: %w", err))
	}
	if len(names) == 0 {
		names = a.registry.Names()
	}
	profiler, err := profile.Find(profile.Toolkit)
	if err != nil {
		return &statusError{exitBad, err}
	}
	var keep io.Writer
	if flags.profile != "" {
		file, err := os.Create(flags.profile)
		if err != nil {
			return usageError(fmt.Errorf("--profile: %w", err))
		}
		defer file.Close()
		keep = file
	}
	bad := false
	for _, name := range names {
		s, err := a.named(ctx, name, flags.choices)
		if err != nil {
			return err
		}
		list, err := a.countOn(ctx, profiler, keep, s, device, flags)
		if err != nil {
			return err
		}
		fmt.Fprint(a.out, profile.CountsText(s.Factory.Name, list))
		bad = bad || slices.ContainsFunc(list, func(c profile.Counted) bool { return !c.OK() })
	}
	if bad {
		return &statusError{exitBad, nil}
	}
	return nil
}

// countOn profiles the GPU versions of one algorithm, each at one problem, or
// a config's at all its points.
func (a *app) countOn(ctx context.Context, profiler string, keep io.Writer, s experiment.Subject, device string, flags verifyFlags) ([]profile.Counted, error) {
	if s.Factory.External || !s.RunsOn(device) {
		return nil, nil
	}
	// A worker process tells the facts, so that this one opens no device beside
	// the profiled one.
	x, err := experiment.Open(ctx, s, experiment.Options{Processor: "GPU", Device: device, Must: true, Seed: flags.seed, For: experiment.Profile})
	if err != nil {
		return nil, openError(err)
	}
	x.Close()
	list, err := profile.Counts(ctx, x.Engine, profiler, x.Plan.Points, keep)
	if ctx.Err() != nil {
		return nil, &statusError{exitInterrupted, errors.New("interrupted")}
	}
	if err != nil {
		return nil, &statusError{exitBad, fmt.Errorf("%s: %w", s.Factory.Name, err)}
	}
	return list, nil
}
