package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/bench/command/figures"
	"example.org/bench/command/grammar"
	"example.org/bench/command/interrupt"
	"example.org/bench/framework/engine"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots"
	"example.org/bench/tuning/exchange"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/search"
	"example.org/bench/tuning/strategy"
)

// replayFlags are the flags of bench replay.
type replayFlags struct {
	choices
	strategyFlags
	manifest  string
	objective string
	repeats   int
	pending   int
	from      []string
	// compilers is for spaces that have a clock.
	compilers int
	change    float64 // seconds to change the power mode
	score     string
	runs      []string
}

func (a *app) replayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE.csv.gz...",
		Short: "Measure strategies on recorded spaces, without a GPU",
		Long: `Replay measures strategies on a recorded space: how close to the optimum they
come, after how many evaluations. Standard 1 is the number of evaluations until the
median over the repeats reaches 95 % of the optimum, Standard 2 until their 5th
percentile does. An evaluation is a point not evaluated before, valid or not. Several
files are the problem sizes of one search: the figure is then the harmonic mean of
the fractions of their optima. The points of a space are shuffled in every repeat.

With --from a search is taught by what was recorded on another device, at another size
or of another version: it evaluates three points that this advises and then goes on as
if from nothing, so it loses at most three evaluations (--option trust=N for others).

With --objective time,energy the front is searched for: the points that no other beats by
both time and energy, of spaces that have both. What strategies are measured by is then the
share of the front's hypervolume: the area that it beats of what costs less than the
reference, which is a tenth of the front's extent beyond its worst.

With --score each file is a space by itself, and strategies are compared by the score of
"A Methodology for Comparing Optimization Algorithms for Auto-Tuning" (Willemsen and
others), over evaluations, or with --score=seconds over the seconds of spaces that have them and
of the strategies themselves: 0 is random search as expected, 1 the optimum from the start.
--runs adds what other programs evaluated.

A recorded space is a CSV file, plain or gzip: a header; one column per parameter; time_ms
(empty if invalid); status (valid or invalid); and maybe energy_J, and compile_s and run_s,
the seconds that compiling the point took and that it held the device. With these, Standard 1 and 2 are
also given in seconds, as a search with --compilers would take: without the strategy's own
time and without starting anything. A manifest declares the order of the
parameters' values; without one they ascend.

The strategies:

` + strategy.List() + `
EXIT STATUS
  0    measured
  1    results could not be written, or a strategy failed
  2    bad usage, or a file that is not a recorded space
  130  interrupted`,
		Example: `  bench replay gemm-RTX_3090.csv.gz --strategy best,random --budget 200 --repeats 50
  bench replay gemm-RTX_3090.csv.gz --from gemm-RTX_2080_Ti.csv.gz
  bench replay gemm-H100.csv.gz --objective time,energy --strategy best,random
  bench replay gemm-*.csv.gz --score=seconds --compilers 0 --strategy best,bo
  bench replay n1024.csv.gz n4096.csv.gz --budget 60 --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.replay(c.Context(), args, f) },
	}
	f.strategyFlags.add(cmd, "evaluations")
	f.flag(cmd, "seed: the only source of chance", "json: print one JSON object a strategy, a line each",
		"out: folder for the results (default results/replay-SPACE; with --json: none)", "for")
	cmd.Flags().StringVar(&f.manifest, "manifest", "", "manifest.json of the recorded spaces")
	cmd.Flags().StringVar(&f.objective, "objective", "time", "time, energy or edp (energy-delay product): what is minimised; or time,energy: the front of both")
	cmd.Flags().StringSliceVar(&f.from, "from", nil, "recorded spaces of the same parameters that teach the search, folders of searches or runs, or wisdom files")
	cmd.Flags().StringVar(&f.score, "score", "", "score the strategies against random search, over evaluations or =seconds; the budget follows from each space")
	cmd.Flags().Lookup("score").NoOptDefVal = string(replay.Evaluations)
	cmd.Flags().StringSliceVar(&f.runs, "runs", nil, "CSV files of space, strategy, run, evaluation, time_ms, seconds: searches of other programs to score")
	cmd.Flags().IntVar(&f.pending, "pending", 0, "evaluations under way beside the next one: 1 as on two GPUs")
	cmd.Flags().IntVar(&f.compilers, "compilers", 15, "points compiled at a time, by the clock of spaces that have one (compile_s, run_s); 0: each when it is to be run")
	cmd.Flags().Float64Var(&f.change, "switch", 0, "seconds that changing power_mode takes, by the clock of spaces that have both; strategies know it")
	cmd.Flags().IntVar(&f.repeats, "repeats", 50, "searches a strategy, in parallel on the cores")
	grammar.Needs(cmd, "runs", "score")
	grammar.Excludes(cmd, "score", "budget", "from", "objective", "switch")
	return cmd
}

// mostPending is the largest value of --pending.
const mostPending = 1000

// replay searches recorded spaces with each strategy.
func (a *app) replay(ctx context.Context, files []string, f replayFlags) error {
	if err := folderNotFile(f.out); err != nil {
		return usageError(err)
	}
	strategies, err := f.chosen()
	if err != nil {
		return usageError(err)
	}
	for _, s := range strategies {
		if s.Computes {
			return usageError(fmt.Errorf("--strategy %s computes from compiled kernels, which a recorded space does not have; want another strategy", s.Name))
		}
	}
	objective := search.Objective(f.objective)
	if err := objective.Check(); err != nil {
		return usageError(fmt.Errorf("--objective %w", err))
	}
	if err := objective.CheckSearch(strategies, f.from); err != nil {
		return usageError(err)
	}
	options, err := f.optionsOf(strategies)
	if err != nil {
		return usageError(err)
	}
	if f.repeats < 1 {
		return usageError(fmt.Errorf("--repeats %d: want at least 1", f.repeats))
	}
	if err := cmp.Or(inRange("pending", f.pending, 0, mostPending), inRange("compilers", f.compilers, 0, mostPending)); err != nil {
		return err
	}
	if err := recorded.Distinct(files); err != nil {
		return usageError(err)
	}
	spaces, err := interrupt.Await(ctx, func() ([]*recorded.Space, error) { return recorded.OpenAll(files, f.manifest, a.note) })
	if err != nil {
		return openError(err)
	}
	o := replay.Options{Repeats: f.repeats, Seed: f.Seed, Options: options, Pending: f.pending, Compilers: f.compilers}
	if f.score != "" {
		return a.score(ctx, spaces, strategies, o, f)
	}
	if err := recorded.Check(spaces); err != nil {
		return usageError(err)
	}
	o.Front, o.Budget, o.Limit, o.Patience = objective == search.Front, f.budget.Evaluations, f.budget.Limit, f.budget.Patience
	o.Switch = f.change
	if err := o.CheckClock(spaces, f.budget.Text); err != nil {
		return usageError(err)
	}
	o.From, err = exchange.Lessons(f.from, f.manifest, objective, strategies, spaces, files, a.note)
	if err != nil {
		return usageError(err)
	}
	if spaces, err = objective.Prices(spaces); err != nil {
		return usageError(fmt.Errorf("--objective %s: %w", f.objective, err))
	}
	var all []*replay.Result
	for _, s := range strategies {
		r, err := replay.Run(ctx, spaces, s, o)
		if err != nil {
			return stopped(err)
		}
		all = append(all, r)
		if err := a.printReplay(r, f, len(all) == 1); err != nil {
			return failure(err)
		}
	}
	out := f.out
	if out == "" {
		if f.json {
			return nil
		}
		out = filepath.Join("results", "replay-"+all[0].Space)
	}
	folder, err := safefile.MakeFolder(out)
	if err != nil {
		return failure(err)
	}
	defer folder.Close()
	written, err := replay.Write(all, folder)
	var drawn []string
	if err == nil {
		drawn, err = figures.Draw(ctx, f.medium, folder, func() plots.Figures { return replay.Figures(all, spaces) })
	}
	if err != nil {
		return stopped(err)
	}
	fmt.Fprintf(a.err, "%s: %s\n", out, terminal.Count(len(written)+len(drawn), "file"))
	return nil
}

// stopped gives an error that says what an interrupt left, or of a search on recorded spaces, its exit status.
func stopped(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, engine.ErrInterrupted) {
		return &statusError{exitInterrupted, err}
	}
	return failure(err)
}

// printReplay prints a strategy's row or document, with the heading above the first row.
func (a *app) printReplay(r *replay.Result, f replayFlags, first bool) error {
	objective := ""
	if f.objective != string(search.Time) {
		objective = f.objective
	}
	if f.json {
		s := r.Summary()
		s.Objective = objective
		return printLines(a, []replay.Summary{s})
	}
	if first {
		fmt.Fprint(a.out, r.Heading(objective, f.budget.Text))
	}
	_, err := fmt.Fprintln(a.out, r.Line())
	return err
}
