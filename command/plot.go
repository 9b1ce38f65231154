package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.org/bench/command/figures"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots"
)

type plotFlags struct {
	choices
	csv   bool
	rates record.Rates
}

func (a *app) plotCommand() *cobra.Command {
	var f plotFlags
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the plots of a results folder again",
		Long: `Plot draws what a results folder of bench run, tune, ab, replay, merge or energy holds,
a history, or a file that bench compare --json printed: SVG, PNG and PDF, into its
folder figures, or for another medium than the screen into one of the medium's name:

` + plots.MediaList() + `
Plots for paper have no titles; PREFIX_captions.txt has them, with the run's prefix.
For an interrupted run it draws the points that the journal holds, whichever build of
bench measured them; --csv writes their CSVs, too, and those of the trials of an
interrupted search.

EXIT STATUS
  0    drawn
  1    a plot cannot be drawn or written
  2    bad usage, or DIR holds no results that can be read
  130  interrupted`,
		Example: `  bench plot results/fft
  bench plot results/fft --for paper    into results/fft/paper
  bench plot results/tune-fft --for slides
  bench plot perf/history.jsonl --out history
  bench plot results/fft --csv          of a run that was killed and will not be resumed`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.plot(args[0], f) },
	}
	f.flag(cmd, "for", "out: folder for the folder of the plots (default DIR, of a file the one that it is in)")
	cmd.Flags().Var(&f.rates, "rates", record.RatesHelp)
	cmd.Flags().BoolVar(&f.csv, "csv", false, "write the CSVs, samples and run.json of points that are in the journal alone")
	return cmd
}

func (a *app) plot(path string, f plotFlags) error {
	if err := folderNotFile(f.out); err != nil {
		return usageError(err)
	}
	var run *record.Run
	var others plots.Figures
	var err error
	if figures.IsRun(path) {
		run, err = a.readRun(path, f.csv)
	} else if others, err = figures.Of(path); err != nil {
		err = usageError(err)
	}
	if err != nil {
		return err
	}
	into, err := figures.Into(path, f.out)
	if err != nil {
		return failure(err)
	}
	defer into.Close()
	if f.csv && run != nil && run.Results != nil {
		if err := record.WriteIn(into, run); err != nil {
			return failure(err)
		}
		fmt.Fprintf(a.out, "%s: CSVs, samples and run.json of %s\n", into, terminal.Count(len(run.Rows), "point"))
	}
	var drawn []string
	if run == nil {
		drawn, err = f.medium.Write(others, into)
	} else {
		run.Rates = f.rates
		drawn, err = plots.All(run, path, into, f.medium)
	}
	if err != nil {
		return failure(err)
	}
	if missing := figures.Missing(path); missing != "" {
		a.note("%s", missing)
	}
	for _, f := range drawn {
		fmt.Fprintln(a.out, f)
	}
	return nil
}
