package command

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bench/framework/record"
	"bench/framework/safefile"
	"bench/plots"
	"bench/terminal"
)

func (a *app) plotCommand() *cobra.Command {
	var files bool
	var medium string
	var rates record.Rates
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the plots of a results folder again",
		Long: `Plot reads the CSVs and run.json of a results folder and draws its plots, SVG, PNG
and PDF, into its folder figures, or for another medium than the screen into one
of the medium's name:

` + plots.MediaList() + `
Plots for paper have no titles; captions.txt has them. For an interrupted run it draws the points that
the journal holds, whichever build of bench measured them; --csv writes their CSVs,
too, and those of the trials of an interrupted search.

EXIT STATUS
  0    drawn
  1    a plot cannot be drawn or written
  2    bad usage, or DIR holds no results that can be read
  130  interrupted`,
		Example: `  bench plot results/fft
  bench plot results/fft --for paper    into results/fft/paper
  bench plot results/fft --csv          of a run that was killed and will not be resumed`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := plots.MediumOf(medium)
			if err != nil {
				return usageError(fmt.Errorf("--for %w", err))
			}
			run, err := a.readRun(args[0], files)
			if err != nil {
				return err
			}
			run.Rates = rates
			into, err := safefile.OpenFolder(args[0])
			if err != nil {
				return failure(err)
			}
			defer into.Close()
			if files && run.Results != nil {
				if err := record.WriteIn(into, run); err != nil {
					return failure(err)
				}
				fmt.Fprintf(a.out, "%s: CSVs, samples and run.json of %s\n", args[0], terminal.Count(len(run.Rows), "point"))
			}
			drawn, err := plots.All(run, args[0], into, m)
			if err != nil {
				return failure(err)
			}
			for _, f := range drawn {
				fmt.Fprintln(a.out, f)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&medium, "for", plots.Screen.Name, "what the plots are for")
	cmd.Flags().Var(&rates, "rates", record.RatesHelp)
	cmd.Flags().BoolVar(&files, "csv", false, "write the CSVs, samples and run.json of points that are in the journal alone")
	return cmd
}

// draws reports whether a verb that measures, merges or replays also draws, which BENCH_PLOTS=none
// prevents.
func draws() bool { return os.Getenv("BENCH_PLOTS") != "none" }
