// Counters compares, on a GPU, the counters of bench run with Nsight Compute's for the same points, and
// the time they take with that of a search's trial.
package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"example.org/bench/algorithms"
	"example.org/bench/algorithms/kernel"
	"example.org/bench/command"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/lab/ncu"
	"example.org/bench/sensors"
)

const usage = `usage: counters measure FOLDER CONFIG...
	count the points of the configs by bench and by Nsight Compute; write what was seen
	to the folder. Anything else is bench's.`

// near is how far a counter may be from the profiler's.
const near = 0.02

func main() {
	if len(os.Args) < 2 || os.Args[1] != "measure" {
		command.Main(algorithms.All(), sensors.All()) // its workers are this program too
		return
	}
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err := measure(context.Background(), os.Args[2], os.Args[3:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "counters:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, folder string, configs []string, out io.Writer) error {
	profiler, err := ncu.Find(ncu.Toolkit)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(folder, "counters.csv"))
	if err != nil {
		return err
	}
	defer file.Close()
	t := &table{csv: csv.NewWriter(file), text: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	t.row("point", "counter", "bench", "ncu", "ratio", "ncu_again", "ratio_again", "trial_s", "counting_s", "passes", "absent")
	var errs []error
	for _, path := range configs {
		if err := t.config(ctx, path, profiler); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
		}
	}
	fmt.Fprintf(out, "%d of %d counters are within %g %% of Nsight Compute's; a second run of it, of its first: %d\n", t.near, t.all, 100*near, t.again)
	if len(t.ratios) > 0 {
		s := stats.Summarize(t.ratios)
		fmt.Fprintf(out, "counting took %.3g times a trial at the median, %.3g at most, of %d points\n", s.Median, s.Max, len(t.ratios))
	}
	return errors.Join(append(errs, t.csv.Error())...)
}

type table struct {
	csv              *csv.Writer
	text             *tabwriter.Writer
	near, again, all int       // counters: bench's and the second ones of the profiler that are near its first
	ratios           []float64 // of the times of counting and of a trial
}

func (t *table) row(cells ...string) {
	t.csv.Write(cells) // its error is asked for at the end
	for _, c := range cells {
		fmt.Fprint(t.text, c, "\t")
	}
	fmt.Fprintln(t.text)
}

// config counts the points of one config.
func (t *table) config(ctx context.Context, path, profiler string) error {
	subject, err := load(path)
	if err != nil {
		return err
	}
	for _, metric := range ncu.Compared() {
		subject.Config.Counters = append(subject.Config.Counters, metric.Name)
	}
	open := func(purpose experiment.Purpose) (*experiment.Experiment, error) {
		return experiment.Open(ctx, subject, experiment.Options{Processor: "GPU", Must: true, Choices: engine.Choices{Seed: 1}, For: purpose, Verify: framework.FastVerification})
	}
	x, err := open(experiment.Profile)
	if err != nil {
		return err
	}
	points := x.Plan.Points
	trials, err := open(experiment.Search)
	if err != nil {
		return err
	}
	elapsed := map[string]float64{}
	_, err = trials.Crew.Run(ctx, points, trials.Facts, nil, engine.Unseen{}, engine.Keep(func(r record.Result) error { elapsed[r.Point.Key()] = r.Elapsed; return nil }))
	if err != nil {
		return err
	}
	counted := make([]record.Counters, len(points))
	if _, err := trials.Counters(ctx, points, func(i int, c record.Counters) error { counted[i] = c; return nil }); err != nil {
		return err
	}
	x.Close()
	var seen [2][]ncu.Seen
	for i := range seen {
		if seen[i], err = ncu.Speeds(ctx, x.Engine, profiler, points); err != nil {
			return err
		}
	}
	for i, p := range points {
		t.point(p, i > 0, counted[i], seen[0][i], seen[1][i], elapsed[p.Key()])
	}
	t.text.Flush()
	t.csv.Flush()
	return nil
}

// point has a row a counter. The first point of a config pays for the process, and is not
// held against a trial. The profiler empties the caches before each kernel, bench before
// each run: of a run of several kernels only the instructions are the same.
func (t *table) point(p plan.Point, later bool, c record.Counters, seen, again ncu.Seen, trial float64) {
	name := p.Algorithm + " " + p.Version + " " + p.Settings()
	if c.Absent != "" {
		t.row(name, "", "", "", "", "", "", number(trial), number(c.Seconds), "", c.Absent)
		return
	}
	if later && trial > 0 {
		t.ratios = append(t.ratios, c.Seconds/trial)
	}
	for _, metric := range ncu.Compared() {
		ours, theirs, control := c.Values[metric.Name], math.NaN(), math.NaN()
		note := cmp.Or(c.Note, seen.Failed, again.Failed)
		if seen.Failed == "" && again.Failed == "" {
			theirs, control = metric.Of(seen.Speed), metric.Of(again.Speed)
			if metric.Cached && seen.Speed.Kernels > 1 {
				note = cmp.Or(note, "several kernels, and the profiler empties the caches before each")
			} else {
				t.all++
				t.near += within(ours, theirs)
				t.again += within(control, theirs)
			}
		}
		t.row(name, metric.Name, number(ours), number(theirs), number(ours/theirs), number(control), number(control/theirs), number(trial), number(c.Seconds), strconv.Itoa(c.Passes), note)
	}
}

// within is 1 where two counts are near.
func within(x, y float64) int {
	if x == y || math.Abs(x/y-1) <= near {
		return 1
	}
	return 0
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func load(path string) (s experiment.Subject, err error) {
	if s.Config, err = config.Load(path); err != nil {
		return s, err
	}
	if s.Config.CUDA != nil {
		s.Factory, err = kernel.New(s.Config)
	} else if s.Factory = framework.NewRegistry(algorithms.All(), nil).Algorithm(s.Config.Algorithm); s.Factory == nil {
		err = fmt.Errorf("no algorithm %q", s.Config.Algorithm)
	}
	return s, err
}
