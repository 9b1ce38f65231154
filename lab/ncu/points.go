package ncu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
)

// Seen is what the profiler saw of the one run of a point.
type Seen struct {
	Point  plan.Point
	Speed  Speed
	Failed string // why there is none; empty: there is
}

// Speeds runs the points under the profiler and returns what it says of each. Where a process ends early,
// another takes the points that are left, so that a kernel that cannot be profiled costs its own point only.
func Speeds(ctx context.Context, e *engine.Engine, profiler string, points []plan.Point) ([]Seen, error) {
	var done []Seen
	for len(done) < len(points) {
		left := points[len(done):]
		runs, text, ended, err := profiled(ctx, e, profiler, left)
		if err != nil {
			return nil, err
		}
		list, err := join(left, runs, text, ended)
		if err != nil {
			return nil, err
		}
		done = append(done, list...)
	}
	return done, nil
}

// profiled runs the points in one process under the profiler: how each ran, the profiler's table, and why the process ended early, if it did.
func profiled(ctx context.Context, e *engine.Engine, profiler string, points []plan.Point) (runs []engine.Profiled, text []byte, ended, err error) {
	dir, err := safefile.TempFolder("bench-profile")
	if err != nil {
		return nil, nil, nil, err
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "profile.csv")
	runs, ended = e.Profile(ctx, points, func(ctx context.Context, worker []string) error {
		return run(ctx, profiler, log, worker)
	})
	if errors.Is(ended, engine.ErrInterrupted) {
		return nil, nil, nil, ended
	}
	if text, err = bounded.ReadFile(log, bounded.MostDocument); err != nil {
		return nil, nil, nil, errors.Join(ended, err)
	}
	return runs, text, ended, nil
}

// join gives each point that was run, in order, its profile, and the next one,
// if any, the reason of the early end.
func join(points []plan.Point, runs []engine.Profiled, text []byte, ended error) ([]Seen, error) {
	profiles, err := runsOf(text)
	if err != nil {
		return nil, errors.Join(ended, err)
	}
	var list []Seen
	for i, r := range runs {
		c := Seen{Point: points[i]}
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
			c.Speed = profiles[0]
			profiles = profiles[1:]
		}
		list = append(list, c)
	}
	if len(profiles) > 0 {
		return nil, fmt.Errorf("the profiler saw %d runs more than points ran", len(profiles))
	}
	if len(runs) < len(points) && (ended != nil || len(runs) == 0) {
		c := Seen{Point: points[len(runs)], Failed: "the profiled process did not come to it"}
		if ended != nil {
			c.Failed = ended.Error()
		}
		list = append(list, c)
	}
	return list, nil
}
