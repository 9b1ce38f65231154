package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bench/framework"
	"bench/framework/engine"
	"bench/framework/plan"
	"bench/framework/record"
)

// RunError is an error of what was run, or of keeping its results. The request itself was valid.
type RunError struct{ Err error }

func (e *RunError) Error() string { return e.Err.Error() }

func (e *RunError) Unwrap() error { return e.Err }

// ran makes err a RunError, unless it is engine.ErrInterrupted.
func ran(err error) error {
	if err == nil || errors.Is(err, engine.ErrInterrupted) {
		return err
	}
	return &RunError{err}
}

// OpenCheck plans where the answers of a subject's versions are checked on one device: cpu,
// sim or a GPU. Where the device was not asked for by name, and no version that the config
// names runs there, the experiment is nil. The caller closes it.
func OpenCheck(ctx context.Context, s Subject, opt Options, asked bool) (*Experiment, error) {
	opt.For, opt.Must = Verification, true
	switch {
	case s.Factory.External: // finds its device by itself
		opt.Device = ""
	case !s.RunsOn(opt.Device):
		if asked {
			return nil, fmt.Errorf("%s has no version for %s", s.Factory.Name, opt.Device)
		}
		return nil, nil
	case !asked && !s.asksFor(opt.Device):
		return nil, nil
	case opt.Device != "cpu":
		opt.Processor = string(framework.GPU)
	}
	return Open(ctx, s, opt)
}

// CheckedOn are the devices on which the answers are checked: the one asked for, or the CPU
// and the first GPU; a program finds its own.
func (s Subject) CheckedOn(asked string) []string {
	switch {
	case s.Factory.External:
		return []string{"cpu"}
	case asked == "":
		return []string{"cpu", "cuda:0"}
	}
	return []string{asked}
}

// Check runs each point once and counts how its answer was. The error is engine.ErrInterrupted or a
// RunError.
func (x *Experiment) Check(ctx context.Context, points []plan.Point, observer engine.Observer, count *Tally) error {
	return ran(x.Engine.Run(ctx, points, x.Facts, nil, observer, engine.Keep(func(r record.Result) error {
		count.Add(r)
		return nil
	})))
}

// ProcessorOf returns the processor of the versions that run on a device: the CPU for cpu, the GPU
// for all others.
func ProcessorOf(device string) framework.Processor {
	if device == "cpu" {
		return framework.CPU
	}
	return framework.GPU
}

// RunsOn reports whether the algorithm has versions for the device's processor.
func (s Subject) RunsOn(device string) bool {
	return slices.ContainsFunc(s.Factory.Versions, func(v framework.Version) bool { return v.Processor == ProcessorOf(device) })
}

// asksFor reports whether one of the versions chosen runs on the device's processor; a
// name that is not a version's is the plan's to refuse.
func (s Subject) asksFor(device string) bool {
	names := s.Config.Versions
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool {
		return s.Factory.Version(n) == nil || s.Factory.VersionOn(n, ProcessorOf(device)) != nil
	})
}
