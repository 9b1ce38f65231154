package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/opencl"
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

// OpenCheck plans the check of the answers of a subject's versions on one device: cpu, sim or a GPU. The
// experiment is nil if the device was not asked for by name and no version that the config names runs there.
// The caller closes it.
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

// CheckedOn returns the devices on which the answers are checked: the one asked for, or the CPU
// and the first GPU; a program finds its own.
func (s Subject) CheckedOn(asked string) []string {
	switch {
	case s.Factory.External:
		return []string{"cpu"}
	case asked == "":
		return []string{"cpu", s.GPU()}
	}
	return []string{asked}
}

// Check runs each point once and counts how its answer was. The error is engine.ErrInterrupted or a
// RunError.
func (x *Experiment) Check(ctx context.Context, points []plan.Point, observer engine.Observer, count *Tally) error {
	if engine.OpenCL(count.Device) {
		count.Device = x.Device() // its number
	}
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

// RunsOn reports whether the algorithm has versions for the device.
func (s Subject) RunsOn(device string) bool {
	return slices.ContainsFunc(s.Factory.Versions, func(v framework.Version) bool { return runsOn(&v, device) })
}

// runsOn reports whether a version is for the device's processor and, on a GPU, for its interface.
func runsOn(v *framework.Version, device string) bool {
	return v.Processor == ProcessorOf(device) && (v.Processor == framework.CPU || v.Takes(engine.OpenCL(device)))
}

// GPU returns the GPU that runs the versions if none is named: the first one of CUDA, or of OpenCL
// (opencl.First) if all GPU versions are for that.
func (s Subject) GPU() string {
	if !s.RunsOn("cuda:0") && s.RunsOn(opencl.First) {
		return opencl.First
	}
	return "cuda:0"
}

// resolve replaces the name of a device of OpenCL by its number.
func (o *Options) resolve(ctx context.Context, c *config.Config) error {
	if !engine.OpenCL(o.Device) || o.Facts != nil {
		return nil
	}
	if _, err := engine.ParseDevices(o.Device); err == nil {
		return nil
	}
	// A worker of its own: it ends with the drivers of other devices.
	e := engine.New(engine.Options{Config: c, Choices: o.Choices})
	defer e.Close()
	all, err := e.OpenCLDevices(ctx)
	if errors.Is(err, engine.ErrInterrupted) {
		return err
	}
	if err != nil {
		return &NoDevice{o.Device, err}
	}
	i, err := opencl.Named(o.Device, all)
	if err != nil {
		return &NoDevice{o.Device, err}
	}
	o.Device = opencl.ID(i)
	return nil
}

// asksFor reports whether a chosen version runs on the device's processor. The plan refuses a name that is not
// a version's.
func (s Subject) asksFor(device string) bool {
	names := s.Config.Versions
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool {
		v := s.Factory.VersionOn(n, ProcessorOf(device))
		return s.Factory.Version(n) == nil || v != nil && runsOn(v, device)
	})
}
