package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/bench/analysis/why"
	"example.org/bench/command/grammar"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots"
)

// The exit statuses of a gate, which are a contract.
const (
	exitWorse        = 3
	exitInconclusive = 4
)

type compareFlags struct {
	by, baseline, gate, plots string
	metrics                   []string
	csv, json, markdown, mix  bool
	why, long                 bool
	medium                    plots.Medium
}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare RUN... [-- RUN...]",
		Short: "Compare runs, or versions: ratios with confidence, time–energy front, CI gate",
		Long: `Compare pairs the points of results folders that differ in only one thing:

  --by run         the folder (default)
  --by power_mode  the board's power mode
  --by device      the GPU, CPU or board
  --by version     the implementation, within each run; one folder is enough
  --by inputs, --by rate_hz and other parameters of how a version is used, likewise

Several runs of one side, and one config's measure.repeats, show what differs from
one process and its memory to the next: before -- come the runs of the first side,
the baseline, behind it those of the second.

One table per metric, with a row for each problem and a column for each run, mode, device
or version, gives the ratio to the baseline with its 95 % interval, from the raw samples
(time) or the uncertainty (power, energy, efficiency). --long has a row for each. A difference is
called better or worse only if that holds with all ratios of the tables taken
together: the chance of any false verdict is at most 5 % (Holm). Points without a
partner, and differences between the runs' environments, are listed. What is known badly (a
level that moved, a machine that others used) widens the interval; where that then holds 1,
the ratio is inconclusive. A finding, in one sentence, is last.

Times with cold caches and with hot ones, and those flushed in different ways
(measure.flush), are not compared, with a gate or without, unless --mix-caches is given
or --by timed is: a run from input to answer finds the caches as its copies leave them.

--gate 5% asks whether anything is more than 5 % worse than the baseline, in the
metrics of --metric (all by default; higher time, power and energy are worse, lower
efficiency is). A point that was ok in the baseline and is wrong, failed or timed
out counts as worse, one that is missing as inconclusive, and so does a ratio of
figures without samples or uncertainty. Inconclusive points need more samples or
repeats, a quieter machine, or a wider gate; bench ab shows how small a difference
this machine can detect.

--why says why times of a GPU that are called better or worse differ: what changed in
the counts of instructions, bytes, spills, occupancy and such, and how much of the
difference they explain (bench why); of OpenCL, what the problem and the device's
ceilings say. Of each comparison the largest differences are explained; where none
can be, the comparison says so and is otherwise the same.

EXIT STATUS
  0    compared; with --gate: every point is shown to be no worse
  1    the plots could not be written
  2    bad usage, or nothing to compare
  3    --gate: at least one point is shown to be worse
  4    --gate: none is shown to be worse, but not all are shown to be no worse
  130  interrupted`,
		Example: `  bench compare results/before results/after --gate 5%
  bench compare --gate 5% results/before1 results/before2 -- results/after1 results/after2
  bench compare results/mode0 results/mode1 --by power_mode --plots plots
  bench compare results/fft --by version --baseline cufft --metric time
  bench compare results/h200-bicubic --by version --baseline v5 --why`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compare(cmd.Context(), args, cmd.ArgsLenAtDash(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.by, "by", "run", "what is compared: run, power_mode, device, version or a parameter of use")
	flags.StringSliceVar(&f.metrics, "metric", nil, "time, power, energy, efficiency, latency, latency_p99, latency_p999, highest_rate, rate (default all of these that were measured), executed_rate, accessed_rate, executed_efficiency, accessed_efficiency (of what a version executes, loads and stores)")
	flags.StringVar(&f.baseline, "baseline", "", "the run, mode, device or version that the others are compared with (default the first)")
	flags.StringVar(&f.gate, "gate", "", "tolerated worsening, e.g. 5%")
	flags.StringVar(&f.plots, "plots", "", "folder for plots: bars by group, and time against energy with the front")
	mediumFlag(cmd, &f.medium)
	grammar.Needs(cmd, "for", "plots")
	flags.BoolVar(&f.why, "why", false, "say why the times of a GPU differ; a second a point and a minute at most, of CUDA's needs NVRTC")
	flags.BoolVar(&f.mix, "mix-caches", false, "compare times with cold and hot caches, or flushed in different ways, all the same")
	flags.BoolVar(&f.csv, "csv", false, "print CSV, in base units")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.BoolVar(&f.markdown, "markdown", false, "print Markdown")
	flags.BoolVar(&f.long, "long", false, "print a row for each level, with p values and speed-ups")
	grammar.Excludes(cmd, "csv", "json", "markdown", "long")
	grammar.Excludes(cmd, "json", "markdown", "long")
	return cmd
}

// compare compares the runs in dirs. Those from dash on are the second side, if dash is not negative.
func (a *app) compare(ctx context.Context, dirs []string, dash int, f compareFlags) error {
	opt := compare.Options{By: compare.Dimension(f.by), Metrics: f.metrics, Baseline: f.baseline, MixCaches: f.mix}
	if err := opt.By.Check(); err != nil {
		return usageError(fmt.Errorf("--by %w", err))
	}
	if f.gate != "" {
		g, err := compare.ParseShare(f.gate)
		if err != nil {
			return usageError(fmt.Errorf("--gate: %w", err))
		}
		opt.Gate = &g
	}
	runs, err := compare.ReadAround(dirs, dash, opt.By)
	if err != nil {
		return usageError(err)
	}
	if opt.By == compare.ByRun && len(dirs) == 1 && dash < 0 {
		return usageError(errors.New("one folder alone: give another, or compare its versions with --by version"))
	}
	c, err := compare.New(runs, opt)
	if err != nil {
		return usageError(err)
	}
	if f.why {
		if err := why.Reasons(ctx, c, experiment.AsMeasured(a.factory)); err != nil {
			return &statusError{exitInterrupted, err}
		}
	}
	if err := a.printComparison(c, f); err != nil {
		return failure(err)
	}
	if f.plots != "" {
		folder, err := safefile.MakeFolder(f.plots)
		var files []string
		if err == nil {
			files, err = f.medium.WriteInto(plots.Comparison(c), folder)
			folder.Close()
		}
		if err != nil {
			return &statusError{exitBad, fmt.Errorf("plots: %w", err)}
		}
		fmt.Fprintf(a.err, "%s: %s\n", f.plots, terminal.Count(len(files), "plot"))
	}
	if c.Gate != nil {
		switch c.Gate.Verdict {
		case compare.Worse:
			return &statusError{exitWorse, nil}
		case compare.Inconclusive:
			return &statusError{exitInconclusive, nil}
		}
	}
	return nil
}

func (a *app) printComparison(c *compare.Comparison, f compareFlags) (err error) {
	switch {
	case f.csv:
		err = c.WriteCSV(terminal.Whole(a.out))
	case f.json:
		err = a.printJSON(c)
	case f.markdown:
		_, err = fmt.Fprint(terminal.Whole(a.out), c.Markdown())
	case f.long:
		_, err = fmt.Fprint(a.out, c.Text())
	default:
		_, err = fmt.Fprint(a.out, c.Short(terminal.PaletteOf(a.out), terminal.Width(a.out)))
	}
	if f.csv || f.json { // CSV lacks the warnings, and JSON readers easily overlook them
		for _, w := range c.Warnings {
			a.warn("%s", w)
		}
	}
	return err
}
