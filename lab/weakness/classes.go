package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/algorithms"
	"example.org/bench/algorithms/kernel"
	"example.org/bench/analysis/bound"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/internal/bounded"
	"example.org/bench/lab/ncu"
)

// measureClasses measures the configs' points, also under Nsight Compute. Of each config
// the folder gets a run, and what the profiler said of it.
func measureClasses(ctx context.Context, folder string, configs []string, out io.Writer) error {
	profiler, err := ncu.Find(ncu.Toolkit)
	if err != nil {
		return err
	}
	var errs []error
	for _, path := range configs {
		run := filepath.Join(folder, strings.TrimSuffix(filepath.Base(path), ".json"))
		errs = append(errs, measured(ctx, path, run), profiled(ctx, path, profiler, run))
		fmt.Fprintln(out, path)
	}
	return errors.Join(errs...)
}

// profiledPoint is a line of ncu.jsonl.
type profiledPoint struct {
	Point plan.Point `json:"point"`
	Speed ncu.Speed  `json:"ncu"`
	// Failed is why the profiler has nothing to say of it.
	Failed string `json:"failed,omitempty"`
}

// name tells a point whatever the order of its parameters.
func name(p plan.Point) string {
	words := strings.Fields(p.Settings())
	slices.Sort(words)
	return strings.Join(append([]string{p.Algorithm, p.Version}, words...), " ")
}

// printClasses compares what the runs have.
func printClasses(ctx context.Context, runs []string, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "POINT\tCLASS\tSHARE\tTIME\tMODEL\tSURE\tRULE\tCOMPUTE\tMEMORY\tDRAM\tL2\tL1\tCOUNTERS\tSAME")
	var byRule, byEither, all, sure, right int
	var errs []error
	for _, run := range runs {
		list, err := explainedBy(ctx, run)
		errs = append(errs, err)
		speeds := map[string]profiledPoint{}
		errs = append(errs, lines(filepath.Join(run, "ncu.jsonl"), func(p profiledPoint) { speeds[name(p.Point)] = p }))
		for _, e := range list {
			row := fmt.Sprintf("%s %s %s\t%s\t%.2f\t%.4g µs\t%.4g µs", e.Point.Algorithm, e.Point.Version, e.Point.Settings(), e.Why.Title(), e.Why.Share, 1e6*e.Why.Time, 1e6*e.Why.Model)
			p, ok := speeds[name(e.Point)]
			if !ok || p.Failed != "" {
				fmt.Fprintf(w, "%s\tnot profiled %s\n", row, p.Failed)
				continue
			}
			all++
			s, same := p.Speed, "no"
			c := coarse(e.Why)
			if e.Why.Sure {
				sure++
				if c == s.Class() {
					right++
				}
				row += "\tsure"
			} else {
				row += "\t"
			}
			switch c {
			case s.Class():
				byRule++
				byEither++
				same = "yes"
			case s.Busiest():
				byEither++
				same = "by counters"
			}
			fmt.Fprintf(w, "%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t%s\n", row, s.Class(), s.Compute, s.Memory, s.DRAM, s.L2, s.L1, s.Busiest(), same)
		}
	}
	w.Flush()
	fmt.Fprintf(out, "%d of %d classes are those of Nsight Compute's rule, %d those of its rule or its counters\n", byRule, all, byEither)
	fmt.Fprintf(out, "of %d that are called sure %d are the rule's\n", sure, right)
	return errors.Join(errs...)
}

// lines reads a file of JSON documents.
func lines[T any](file string, f func(T)) error {
	text, err := bounded.Open(file)
	if err != nil {
		return err
	}
	defer text.Close()
	for d := json.NewDecoder(text); d.More(); {
		var x T
		if err := d.Decode(&x); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		f(x)
	}
	return nil
}

// coarse is the class as Nsight Compute's rule names it.
func coarse(w bound.Why) string {
	switch w.Class {
	case bound.Memory, bound.L2, bound.L1, bound.SharedMem:
		return ncu.BoundByMemory
	case bound.Compute, bound.Clock:
		return ncu.BoundByCompute
	case bound.Unknown:
		return string(bound.Unknown)
	}
	return ncu.BoundByLatency
}

// profiled has the profiler look at a config's points, and keeps what it says beside their
// run.
func profiled(ctx context.Context, path, profiler, run string) error {
	c, err := config.Load(path)
	if err != nil {
		return err
	}
	var factory *framework.Factory
	if c.CUDA != nil {
		factory, err = kernel.New(c)
	} else {
		factory, err = framework.NewRegistry(algorithms.All(), nil).Algorithm(c.Algorithm), nil
	}
	if err != nil {
		return err
	}
	if factory == nil {
		return fmt.Errorf("%s: no algorithm %s", path, c.Algorithm)
	}
	x, err := experiment.Open(ctx, experiment.Subject{Config: c, Factory: factory},
		experiment.Options{Processor: "GPU", Must: true, Choices: engine.Choices{Seed: 1}, For: experiment.Profile, Verify: framework.FastVerification})
	if err != nil {
		return err
	}
	x.Close()
	seen, err := ncu.Speeds(ctx, x.Engine, profiler, x.Plan.Points)
	if err != nil {
		return err
	}
	keep, err := os.Create(filepath.Join(run, "ncu.jsonl"))
	if err != nil {
		return err
	}
	defer keep.Close()
	lines := json.NewEncoder(keep)
	for _, s := range seen {
		if err := lines.Encode(profiledPoint{s.Point, s.Speed, s.Failed}); err != nil {
			return err
		}
	}
	return nil
}
