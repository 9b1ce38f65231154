// Package graph turns a GPU version into one that launches each run as one CUDA graph: what the version
// puts on its stream is recorded once. The host then queues a chain of kernels in one call, and the device
// goes from one kernel to the next sooner.
package graph

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/internal/terminal"
)

// Algorithm is a version that is launched as a graph.
type Algorithm struct {
	framework.GPUAlgorithm
	gpu   *driver.GPU
	note  func(format string, args ...any)
	graph *driver.Graph
}

// resetting is an Algorithm whose version restores its inputs, which no graph does.
type resetting struct {
	*Algorithm
	framework.Resetter
}

var (
	_ framework.FastVerifier = (*Algorithm)(nil)
	_ framework.Rechecker    = (*Algorithm)(nil)
	_ framework.Answerer     = (*Algorithm)(nil)
	_ framework.Transferrer  = (*Algorithm)(nil)
	_ framework.Overwriter   = (*Algorithm)(nil)
	_ framework.Staged       = (*Algorithm)(nil)
	_ framework.Resetter     = resetting{}
)

// New makes it of a version on that GPU; note takes how much is recorded. The stream is
// not the default one.
func New(alg framework.BaseAlgorithm, gpu *driver.GPU, note func(format string, args ...any)) (framework.GPUAlgorithm, error) {
	g, ok := alg.(framework.GPUAlgorithm)
	if !ok {
		return nil, fmt.Errorf("the version launches nothing on a GPU: %s must be %s", framework.LaunchParam, framework.StreamLaunch)
	}
	a := &Algorithm{GPUAlgorithm: g, gpu: gpu, note: note}
	if r, ok := alg.(framework.Resetter); ok {
		return resetting{a, r}, nil
	}
	return a, nil
}

// PreRun runs the version once, so that what a library loads at its first run is loaded, and
// records the next run. A version that waits for the device, or uses another stream, cannot
// be recorded.
func (a *Algorithm) PreRun() error {
	if err := a.GPUAlgorithm.PreRun(); err != nil {
		return err
	}
	return a.record()
}

// record runs the version once and records a run.
func (a *Algorithm) record() error {
	if err := a.once(); err != nil {
		return err
	}
	var err error
	if a.graph, err = a.gpu.Capture(a.Stream(), a.GPUAlgorithm.Run); err != nil {
		return err
	}
	if a.graph.Nodes() == 0 {
		return errors.New("capture a graph: a run puts nothing on its stream")
	}
	a.note("a run is a graph of %s", terminal.Count(a.graph.Nodes(), "node"))
	return nil
}

func (a *Algorithm) once() error {
	if r, ok := a.GPUAlgorithm.(framework.Resetter); ok {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
	}
	if err := a.GPUAlgorithm.Run(); err != nil {
		return err
	}
	return a.gpu.Synchronize(a.Stream())
}

// Run launches the graph.
func (a *Algorithm) Run() error { return a.graph.Launch(a.Stream()) }

// LaunchesGraph implements measure.GraphLauncher.
func (a *Algorithm) LaunchesGraph() {}

// PostRun frees the graph and what the version holds.
func (a *Algorithm) PostRun() error {
	graph := a.graph
	a.graph = nil
	return errors.Join(graph.Close(), a.GPUAlgorithm.PostRun())
}

// VerifyFast is the version's.
func (a *Algorithm) VerifyFast() ([]framework.Check, error) {
	if fast, ok := a.GPUAlgorithm.(framework.FastVerifier); ok {
		return fast.VerifyFast()
	}
	return nil, framework.ErrNoFastCheck
}

// Recheck is the version's; no check where it has none.
func (a *Algorithm) Recheck() ([]framework.Check, error) {
	if r, ok := a.GPUAlgorithm.(framework.Rechecker); ok {
		return r.Recheck()
	}
	return nil, nil
}

// Answers are the version's; none where it shows none.
func (a *Algorithm) Answers() ([]framework.Answer, error) {
	if shown, ok := a.GPUAlgorithm.(framework.Answerer); ok {
		return shown.Answers()
	}
	return nil, nil
}

// Transfers are the version's; none where it does not say them.
func (a *Algorithm) Transfers() framework.Transfers {
	if t, ok := a.GPUAlgorithm.(framework.Transferrer); ok {
		return t.Transfers()
	}
	return framework.Transfers{}
}

// Renew is the version's, with a graph of its own; nothing where it has none.
func (a *Algorithm) Renew() error {
	r, ok := a.GPUAlgorithm.(framework.Renewer)
	if !ok {
		return nil
	}
	graph := a.graph
	a.graph = nil
	if err := errors.Join(graph.Close(), r.Renew()); err != nil {
		return err
	}
	return a.record()
}

// Written is the version's; 0 where it does not say it.
func (a *Algorithm) Written() int64 {
	if x, ok := a.GPUAlgorithm.(framework.Writer); ok {
		return x.Written()
	}
	return 0
}

// Alternate is the version's; false where it has none.
func (a *Algorithm) Alternate() (bool, error) {
	if x, ok := a.GPUAlgorithm.(framework.Alternator); ok {
		return x.Alternate()
	}
	return false, nil
}

// Sets is the version's; 1 where it has no other inputs.
func (a *Algorithm) Sets() int {
	if x, ok := a.GPUAlgorithm.(framework.Alternator); ok {
		return x.Sets()
	}
	return 1
}

// Use is the version's, which Alternate was asked of.
func (a *Algorithm) Use(set int) error { return a.GPUAlgorithm.(framework.Alternator).Use(set) }

// Stages are the version's; none where it says none.
func (a *Algorithm) Stages() []framework.Stage {
	if s, ok := a.GPUAlgorithm.(framework.Staged); ok {
		return s.Stages()
	}
	return nil
}

// RunStage is the version's, whose Stages were asked for, without the graph.
func (a *Algorithm) RunStage(i int) error { return a.GPUAlgorithm.(framework.Staged).RunStage(i) }

// RunBefore is the version's likewise.
func (a *Algorithm) RunBefore(i int) error { return a.GPUAlgorithm.(framework.Staged).RunBefore(i) }

// Repeatable is the version's likewise.
func (a *Algorithm) Repeatable(i int) (bool, error) {
	return a.GPUAlgorithm.(framework.Staged).Repeatable(i)
}

// Overwrite is the version's; nothing where it has none.
func (a *Algorithm) Overwrite(value byte) error {
	if o, ok := a.GPUAlgorithm.(framework.Overwriter); ok {
		return o.Overwrite(value)
	}
	return nil
}

// Device is the driver's GPU of a version's device; nil for the simulator, which has no
// graphs.
func Device(d gpu.Device) *driver.GPU {
	switch d := d.(type) {
	case *driver.GPU:
		return d
	case *driver.Placed:
		return d.GPU
	}
	return nil
}
