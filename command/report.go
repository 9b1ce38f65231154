package command

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"example.org/bench/analysis/why"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/report"
)

func (a *app) reportCommand() *cobra.Command {
	var out, title string
	var explain, follow bool
	cmd := &cobra.Command{
		Use:   "report DIR... --out FILE.html",
		Short: "One HTML file of results, to look at and to send: verdict, figures, tables",
		Long: `Report writes one HTML file of any mix of results, in the order given:

  a folder of bench run, energy, ab, tune or replay
  a FILE.json with what bench compare --json printed
  a recorded space, FILE.csv or FILE.csv.gz
  a history, the file of bench history

Several runs that share points are also compared with each other.

The file holds all that it needs: it opens from disk, requests nothing, prints, and
works without a mouse, on light and dark ground. First comes what the results show,
then what may have disturbed them, where they were measured, figures and tables. A
point that is clicked, or chosen with the keyboard, shows its samples and the command
that measures it again. Every figure can be saved as SVG and CSV.

--why adds what bench why says of the runs' points on a GPU, and the reasons why their
times differ.

--follow writes the file anew while a bench run goes on; the page reloads itself.

EXIT STATUS
  0    written
  1    the file cannot be written, or --why of a CUDA run and this machine has no NVRTC
  2    bad usage, or a DIR holds no results that can be read
  130  interrupted`,
		Example: `  bench report results/fft -o fft.html
  bench report results/before results/after --out change.html
  bench report results/tune-fft results/fft --out tuned.html
  bench report results/fft -o fft.html --follow    beside bench run, in another terminal`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usageError(errors.New("where to? --out FILE.html"))
			}
			o := report.Options{Title: title, Made: record.ThisTool().String()}
			if explain {
				x := why.NewExplainers(experiment.AsMeasured(a.factory))
				defer x.Close()
				o.Why = x.Within(cmd.Context())
			}
			var failed error
			write := func(d *report.Document) error { failed = safefile.Write(out, d); return failed }
			read := report.Read
			if follow {
				read = report.Follow(cmd.Context(), write)
			}
			d, err := read(args, o)
			if err == nil {
				err = write(d)
			}
			switch {
			case failed != nil:
				return failure(failed)
			case errors.Is(err, engine.ErrInterrupted), cmd.Context().Err() != nil:
				return &statusError{exitInterrupted, engine.ErrInterrupted}
			case errors.Is(err, why.ErrNoPTX):
				return &statusError{exitBad, fmt.Errorf("--why: %w", err)}
			case err != nil:
				return usageError(err)
			}
			written, err := os.Stat(out)
			if err != nil {
				return failure(err)
			}
			fmt.Fprintf(a.out, "%s: %s, %.1f MB\n", out, terminal.Count(len(d.Sections), "section"), float64(written.Size())/1e6)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the HTML file")
	cmd.Flags().BoolVar(&explain, "why", false, "also say what bounds each point of a GPU, and why times differ; a second a point and a minute at most, of CUDA's needs NVRTC")
	cmd.Flags().BoolVar(&follow, "follow", false, "write the file anew as points of a run come, until it has ended; the page reloads itself")
	cmd.Flags().StringVar(&title, "title", "", "heading of the page (default the names of the results)")
	return cmd
}
