// Package profile compares versions' own counts of FLOPs and bytes with what Nsight Compute counts in the
// same runs.
package profile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

// How far a version's own counts may be from the profiler's.
const (
	flopsBound = 0.02
	bytesBound = 0.05
)

// Seen is what the profiler saw of the one run of a point.
type Seen[T any] struct {
	Point    plan.Point
	Work     framework.Work
	Profiled T
	Failed   string // why there is nothing to compare; empty: there is
}

// Counted is one version's Work with what the profiler counted of the same run.
type Counted Seen[Run]

// Quantity is one compared count.
type Quantity struct {
	Own, Profiled int64
	bound         float64
}

// Quantities are FLOPs, bytes loaded, and bytes stored to memory or to other
// blocks.
func (c Counted) Quantities() [3]Quantity {
	return [3]Quantity{
		{c.Work.FLOPs, c.Profiled.FLOPs, flopsBound},
		{c.Work.LoadBytes, c.Profiled.LoadBytes, bytesBound},
		{c.Work.StoreBytes + c.Work.ClusterBytes, c.Profiled.StoreBytes, bytesBound},
	}
}

// Off is the own count's distance from the profiler's, relative to it; ±Inf
// where only one of them is 0.
func (q Quantity) Off() float64 {
	switch {
	case q.Own == q.Profiled:
		return 0
	case q.Profiled == 0:
		return math.Inf(1)
	}
	return float64(q.Own)/float64(q.Profiled) - 1
}

func (q Quantity) ok() bool { return math.Abs(q.Off()) <= q.bound }

// OK reports whether all counts are within their bounds of the profiler's.
func (c Counted) OK() bool {
	all := c.Quantities()
	return c.Failed == "" && !slices.ContainsFunc(all[:], func(q Quantity) bool { return !q.ok() })
}

// Counts runs the points under the profiler and joins what it saw of each with
// the point's own counts; keep gets the profiler's tables, and may be nil.
func Counts(ctx context.Context, e *engine.Engine, profiler string, points []plan.Point, keep io.Writer) ([]Counted, error) {
	list, err := table[Run]{metricNames(), (*Run).add, "none"}.all(ctx, e, profiler, points, keep)
	done := make([]Counted, len(list))
	for i, x := range list {
		c := Counted(x)
		if !c.OK() && c.Failed == "" && c.Profiled.Empty > 0 {
			c.Failed = fmt.Sprintf("the profiler counted nothing of %d of %s, as Nsight Compute does at times: count again", c.Profiled.Empty, terminal.Count(c.Profiled.Kernels, "kernel"))
		}
		done[i] = c
	}
	return done, err
}

// CountSubject counts the GPU versions of an algorithm, each at one problem, or a config's at
// all its points; there are none of a program's. The error is that of experiment.Open,
// engine.ErrInterrupted or an experiment.RunError.
func CountSubject(ctx context.Context, profiler string, s experiment.Subject, device string, seed uint64, keep io.Writer) ([]Counted, error) {
	if s.Factory.External || !s.RunsOn(device) {
		return nil, nil
	}
	// A worker process tells the facts, so that this one opens no device beside
	// the profiled one.
	x, err := experiment.Open(ctx, s, experiment.Options{Processor: string(framework.GPU), Device: device, Must: true, Choices: engine.Choices{Seed: seed}, For: experiment.Profile})
	if err != nil {
		return nil, err
	}
	x.Close()
	list, err := Counts(ctx, x.Engine, profiler, x.Plan.Points, keep)
	if ctx.Err() != nil {
		return nil, engine.ErrInterrupted
	}
	if err != nil {
		return nil, &experiment.RunError{Err: fmt.Errorf("%s: %w", s.Factory.Name, err)}
	}
	return list, nil
}

// table is what the profiler is asked for, and how the rows of a run's kernels are added.
type table[T any] struct {
	metrics []string
	add     func(run *T, row []string, column map[string]int) error
	caches  string // what is done with them before each kernel
}

// all profiles every point. Where a process ends early, another takes the points that
// are left, so that a kernel that cannot be profiled costs its own point only.
func (t table[T]) all(ctx context.Context, e *engine.Engine, profiler string, points []plan.Point, keep io.Writer) ([]Seen[T], error) {
	var done []Seen[T]
	for len(done) < len(points) {
		left := points[len(done):]
		runs, text, ended, err := profiled(ctx, e, profiler, left, t.metrics, t.caches, keep)
		if err != nil {
			return nil, err
		}
		list, err := t.join(left, runs, text, ended)
		if err != nil {
			return nil, err
		}
		done = append(done, list...)
	}
	return done, nil
}

// profiled runs the points in one process under the profiler: how each ran, the profiler's
// table, which keep gets too, and why the process ended early, if it did.
func profiled(ctx context.Context, e *engine.Engine, profiler string, points []plan.Point, metrics []string, caches string, keep io.Writer) (runs []engine.Profiled, text []byte, ended, err error) {
	dir, err := safefile.TempFolder("bench-profile")
	if err != nil {
		return nil, nil, nil, err
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "profile.csv")
	runs, ended = e.Profile(ctx, points, func(ctx context.Context, worker []string) error {
		return run(ctx, profiler, log, worker, metrics, caches)
	})
	if errors.Is(ended, engine.ErrInterrupted) {
		return nil, nil, nil, ended
	}
	if text, err = bounded.ReadFile(log, bounded.MostDocument); err != nil {
		return nil, nil, nil, errors.Join(ended, err)
	}
	if keep != nil {
		if _, err = keep.Write(text); err != nil {
			return nil, nil, nil, err
		}
	}
	return runs, text, ended, nil
}

// join gives each point that was run, in order, its profile, and the next one,
// if any, the reason of the early end.
func (t table[T]) join(points []plan.Point, runs []engine.Profiled, text []byte, ended error) ([]Seen[T], error) {
	profiles, err := runsOf(text, t.metrics, t.add)
	if err != nil {
		return nil, errors.Join(ended, err)
	}
	var list []Seen[T]
	for i, r := range runs {
		c := Seen[T]{Point: points[i]}
		switch r.Result.Status {
		case record.OK:
		case record.Wrong:
			c.Failed = "wrong under the profiler: " + r.Result.Reason
		default:
			c.Failed = r.Result.Reason
		}
		if r.Ran {
			if len(profiles) == 0 {
				return nil, fmt.Errorf("the profiler saw less runs than the %d points that ran", len(runs))
			}
			c.Work, c.Profiled = r.Result.Work, profiles[0]
			profiles = profiles[1:]
		}
		list = append(list, c)
	}
	if len(profiles) > 0 {
		return nil, fmt.Errorf("the profiler saw %d runs more than points ran", len(profiles))
	}
	if len(runs) < len(points) && (ended != nil || len(runs) == 0) {
		c := Seen[T]{Point: points[len(runs)], Failed: "the profiled process did not come to it"}
		if ended != nil {
			c.Failed = ended.Error()
		}
		list = append(list, c)
	}
	return list, nil
}
