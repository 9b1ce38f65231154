package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"bench/framework/safefile"
	"bench/plots"
	"bench/tuning/recorded"
	"bench/tuning/replay"
)

// replayLine is what --json prints of a strategy, a contract.
type replayLine struct {
	Space    string `json:"space"`
	Strategy string `json:"strategy"`
	Budget   int    `json:"budget"`
	Repeats  int    `json:"repeats"`
	// Median and P05 are the fraction of the optimum at the end of the budget.
	Median                 float64 `json:"median"`
	P05                    float64 `json:"p05"`
	Standard1              *int    `json:"standard1_evaluations"`
	Standard2              *int    `json:"standard2_evaluations"`
	OwnTime_ms             float64 `json:"own_ms_per_evaluation"`
	Evaluations            float64 `json:"mean_evaluations"`
	Invalid                float64 `json:"mean_invalid"`
	Seed                   uint64  `json:"seed"`
	Spaces                 int     `json:"spaces"`
	HarmonicMeanEfficiency float64 `json:"phi"` // the mean over the repeats
}

// replay searches recorded spaces with each strategy.
func (a *app) replay(ctx context.Context, f tuneFlags) error {
	strategies, err := f.chosen()
	if err != nil {
		return usageError(err)
	}
	for _, s := range strategies {
		if s.Computes {
			return usageError(fmt.Errorf("--strategy %s computes from compiled kernels, which a recorded space does not have; want another strategy", s.Name))
		}
	}
	options, err := f.optionsOf(strategies)
	if err != nil {
		return usageError(err)
	}
	if f.budget < 1 || f.repeats < 1 {
		return usageError(fmt.Errorf("--budget %d --repeats %d: both are at least 1", f.budget, f.repeats))
	}
	if err := distinct(f.replay); err != nil {
		return usageError(err)
	}
	spaces, err := a.openSpaces(f.replay, f.manifest)
	if err != nil {
		return usageError(err)
	}
	if err := recorded.Check(spaces); err != nil {
		return usageError(err)
	}
	var all []*replay.Result
	for _, s := range strategies {
		r, err := replay.Run(ctx, spaces, s, replay.Options{Budget: f.budget, Repeats: f.repeats, Seed: f.seed, Options: options})
		if errors.Is(err, context.Canceled) {
			return &statusError{exitInterrupted, err}
		}
		if err != nil {
			return &statusError{exitBad, err}
		}
		all = append(all, r)
		if err := a.printReplay(r, len(spaces), f, len(all) == 1); err != nil {
			return &statusError{exitBad, err}
		}
	}
	out := f.out
	if out == "" {
		if f.json {
			return nil
		}
		out = filepath.Join("results", "replay-"+all[0].Space)
	}
	files, err := writeReplays(all, out)
	if err != nil {
		return &statusError{exitBad, err}
	}
	fmt.Fprintf(a.err, "%s: %d files\n", out, len(files))
	return nil
}

func (a *app) printReplay(r *replay.Result, spaces int, f tuneFlags, first bool) error {
	median, p05 := r.Final()
	if f.json {
		line, err := json.Marshal(replayLine{Space: r.Space, Strategy: r.Strategy, Budget: r.Budget, Repeats: r.Repeats,
			Median: median, P05: p05, Standard1: reached(r.EvaluationsMedian), Standard2: reached(r.EvaluationsP05), OwnTime_ms: r.OwnTime_s * 1e3,
			Evaluations: r.Evaluations, Invalid: r.Invalid, Seed: f.seed, Spaces: spaces, HarmonicMeanEfficiency: r.Phi()})
		if err == nil {
			_, err = fmt.Fprintf(a.out, "%s\n", line)
		}
		return err
	}
	if first {
		fmt.Fprintf(a.out, "%s: budget %d, %d repeats\n%-14s %8s %8s %8s %10s %10s %8s %12s\n", r.Space, r.Budget, r.Repeats,
			"strategy", "median", "p05", "phi", "standard 1", "standard 2", "invalid", "own ms/eval")
	}
	_, err := fmt.Fprintf(a.out, "%-14s %8.4f %8.4f %8.4f %10s %10s %8.1f %12.3f\n", r.Strategy, median, p05, r.Phi(),
		evaluationsText(r.EvaluationsMedian), evaluationsText(r.EvaluationsP05), r.Invalid, r.OwnTime_s*1e3)
	return err
}

func reached(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func evaluationsText(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// writeReplays writes convergence.csv, replay.csv and the plot of
// convergence.
func writeReplays(all []*replay.Result, dir string) ([]string, error) {
	summary := [][]string{{"space", "strategy", "budget", "repeats", "median", "p05", "phi", "standard1_evaluations", "standard2_evaluations",
		"mean_evaluations", "mean_invalid", "own_time_s"}}
	curves := [][]string{{"space", "strategy", "evaluations", "median", "p05"}}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	var lines []plots.Convergence
	for _, r := range all {
		median, p05 := r.Final()
		row := []string{r.Space, r.Strategy, strconv.Itoa(r.Budget), strconv.Itoa(r.Repeats), number(median), number(p05), number(r.Phi()), "", "",
			number(r.Evaluations), number(r.Invalid), number(r.OwnTime_s)}
		for i, n := range []int{r.EvaluationsMedian, r.EvaluationsP05} {
			if n > 0 {
				row[7+i] = strconv.Itoa(n)
			}
		}
		summary = append(summary, row)
		for i := range r.Median {
			curves = append(curves, []string{r.Space, r.Strategy, strconv.Itoa(i + 1), number(r.Median[i]), number(r.P05[i])})
		}
		lines = append(lines, plots.Convergence{Name: r.Strategy, Median: r.Median, Low: r.P05})
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var files []string
	for name, table := range map[string][][]string{"replay.csv": summary, "convergence.csv": curves} {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(table); err != nil {
			return files, err
		}
		path := filepath.Join(dir, name)
		if err := safefile.Write(path, &b); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	note := fmt.Sprintf("median of %d searches; the band reaches down to the 5th percentile", all[0].Repeats)
	drawn, err := plots.Converging(all[0].Space, note, lines, dir)
	return append(files, drawn...), err
}
