package search

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/occupancy"
	"example.org/bench/tuning"
)

// Choice is a point that a strategy chose of what the kernels take.
type Choice struct {
	Task                            *Task
	Point                           plan.Point
	Threads, Registers, SharedBytes int
}

// Compute has a strategy of the kind that computes choose from the compiled kernels. Nothing is measured. The
// report has the form of a search's.
func (s *Search) Compute(ctx context.Context) ([]Choice, *Report, error) {
	var all []Choice
	report := s.Report()
	for _, v := range s.Versions {
		in := tuning.Search{Facts: s.KernelFacts(ctx, v)}
		for _, t := range v.Tasks {
			in.Tasks = append(in.Tasks, tuning.Task{Space: t.Space})
		}
		strategy, err := s.Strategy.New(in)
		if err != nil {
			return nil, nil, err
		}
		for task, point, ok := strategy.Next(); ok; task, point, ok = strategy.Next() {
			t := v.Tasks[task]
			c := Choice{Task: t, Point: t.Point(point), Threads: in.Facts.Threads(task, point)}
			c.Registers, c.SharedBytes, _ = in.Facts.Resources(task, point)
			all = append(all, c)
			report.Tasks = append(report.Tasks, TaskReport{Algorithm: t.Base.Algorithm, Version: t.Base.Version, Processor: t.Base.Processor,
				Params: t.Base.Params, Points: t.Space.Len(), Tunables: c.Point.Tunables, Stopped: "computed, not measured"})
		}
		if why := s.noneCompiled(); why != nil {
			return nil, nil, why
		}
	}
	return all, report, nil
}

// ChoicesText returns a row for each choice, with what it needs of a GPU with these facts.
func ChoicesText(choices []Choice, facts gpu.Facts) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "VERSION\tAT\tPOINTS\tREGISTERS\tSHARED BYTES\tBLOCKS A SM\tWARP OCCUPANCY\tTUNABLES")
	for _, c := range choices {
		o := occupancy.Of(facts, c.Threads, c.Registers, c.SharedBytes)
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%.0f %%\t%s\n", c.Point.Version, c.Task.Name, c.Task.Space.Len(), c.Registers, c.SharedBytes, o.Blocks,
			math.Round(100*o.Share), c.Point.TunablesText())
	}
	w.Flush()
	return b.String()
}
