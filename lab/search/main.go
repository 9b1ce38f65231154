// Search measures what the prior of bench tune is worth on recorded spaces: searches without it, with it,
// and with priors that mislead.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/strategy"
)

const usage = `usage: search -live FOLDER
	prints what the live searches of lab/gpu/search/run.sh needed until they were within 5 % of the optimum.
usage: search -against RUNS.csv.gz,... [-repeats N] [-budget N] [-compilers N] TRUTH.csv.gz[=MODEL.csv.gz]...
	prints the same of other tuners' searches (opponents.py) beside those of best, without a prior and with it.
usage: search [-repeats N] [-budget N] [-compilers N] TRUTH.csv.gz=MODEL.csv.gz...
	TRUTH is a recorded space of which every point was measured, MODEL what bench why --space wrote
	of the same kernel and size. Prints evaluations (and, where TRUTH has compile_s and run_s, seconds)
	until half of the searches with best are within 5 % of the optimum: without a prior, with the
	model, with the model's costs inverted, and with them dealt out at random.`

func main() {
	repeats := flag.Int("repeats", 50, "searches of each kind")
	budget := flag.Int("budget", 400, "evaluations")
	compilers := flag.Int("compilers", 15, "processes that compile, of spaces with a clock")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, usage); flag.PrintDefaults() }
	folder := flag.String("live", "", "folder of lab/gpu/search/run.sh")
	runs := flag.String("against", "", "what other tuners evaluated")
	flag.Parse()
	if *folder != "" && flag.NArg() == 0 {
		if err := live(os.Stdout, *folder); err != nil {
			fmt.Fprintln(os.Stderr, "search:", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() == 0 || *folder != "" {
		flag.Usage()
		os.Exit(2)
	}
	o := replay.Options{Budget: *budget, Repeats: *repeats, Seed: 1, Compilers: *compilers}
	err := error(nil)
	if *runs != "" {
		err = against(os.Stdout, *runs, flag.Args(), o)
	} else {
		err = compare(flag.Args(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

// kinds are the priors of a space by its model.
var kinds = []struct {
	name string
	of   func(*recorded.Space) *recorded.Space
}{
	{"none", func(*recorded.Space) *recorded.Space { return nil }},
	{"model", func(m *recorded.Space) *recorded.Space { return m }},
	{"inverted", func(m *recorded.Space) *recorded.Space {
		return with(m, func(costs []float64) {
			for i, c := range costs {
				costs[i] = 1 / c
			}
		})
	}},
	{"random", func(m *recorded.Space) *recorded.Space {
		return with(m, func(costs []float64) {
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(costs), func(i, j int) { costs[i], costs[j] = costs[j], costs[i] })
		})
	}},
}

func with(m *recorded.Space, change func([]float64)) *recorded.Space {
	other := *m
	other.Costs = slices.Clone(m.Costs)
	change(other.Costs)
	return &other
}

// compare prints a row for each pair, and the geometric means of what each kind needs by what none does.
func compare(pairs []string, o replay.Options) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "SPACE\tPOINTS\tMODELLED")
	for _, k := range kinds {
		fmt.Fprintf(w, "\t%s", strings.ToUpper(k.name))
	}
	fmt.Fprintln(w)
	logs := make([][2]float64, len(kinds))
	for _, pair := range pairs {
		truth, model, ok := strings.Cut(pair, "=")
		if !ok {
			return fmt.Errorf("%q: want TRUTH=MODEL", pair)
		}
		space, err := recorded.Open(truth, nil)
		if err != nil {
			return err
		}
		prior, err := recorded.Open(model, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%d\t%d", strings.TrimSuffix(filepath.Base(truth), ".csv.gz"), space.Space.Len(), prior.Space.Len())
		for i, k := range kinds {
			if o.From = nil; k.of(prior) != nil {
				o.From = []*recorded.Space{k.of(prior)}
			}
			r, err := replay.Run(context.Background(), []*recorded.Space{space}, *strategy.Find("best"), o)
			if err != nil {
				return err
			}
			e, s := needed(r, o.Budget)
			logs[i][0] += math.Log(e) / float64(len(pairs))
			fmt.Fprintf(w, "\t%.1f", e)
			if r.Clocked {
				logs[i][1] += math.Log(s) / float64(len(pairs))
				fmt.Fprintf(w, " (%.3g s)", s)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "by none\t\t")
	for i := range kinds {
		fmt.Fprintf(w, "\t%.2f", math.Exp(logs[i][0]-logs[0][0]))
		if logs[0][1] != 0 {
			fmt.Fprintf(w, " (%.2f)", math.Exp(logs[i][1]-logs[0][1]))
		}
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// needed is the mean over the searches of their evaluations until they are within 5 % of the optimum, those that
// never are counted with the whole budget, by their logarithms; and the median of the seconds.
func needed(r *replay.Result, budget int) (evaluations, seconds float64) {
	sum := 0.0
	for _, run := range r.Runs {
		at := slices.IndexFunc(run, func(f float64) bool { return f >= 0.95 })
		if at < 0 {
			at = budget
		}
		sum += math.Log(float64(at+1)) / float64(len(r.Runs))
	}
	return math.Exp(sum), r.SecondsMedian
}
