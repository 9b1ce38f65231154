package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"bench/framework/engine"
	"bench/framework/record"
	"bench/framework/safefile"
	"bench/report"
	"bench/terminal"
)

// page is a report's file. It is written without another buffer, because it has hundreds of megabytes for
// large runs.
type page struct{ *report.Document }

// WriteTo writes the file.
func (p page) WriteTo(w io.Writer) (int64, error) { return 0, p.Write(w) }

func (a *app) reportCommand() *cobra.Command {
	var out, title string
	var why, follow bool
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

--follow writes the file anew as points of a running bench run come, and the page
reloads itself where it is open, until the run has ended.

EXIT STATUS
  0    written
  1    the file cannot be written, or --why and this machine has no NVRTC
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
			if why {
				x, err := a.explainers()
				if err != nil {
					return &statusError{exitBad, fmt.Errorf("--why: %w", err)}
				}
				defer x.Close()
				o.Why = x.Within(cmd.Context())
			}
			var d *report.Document
			for follow && slices.ContainsFunc(runningIn(args), func(r running) bool { return r.points == 0 }) { // it has just begun
				if !changed(cmd.Context(), args, runningIn(args), time.Second/10) {
					return &statusError{exitInterrupted, engine.ErrInterrupted}
				}
			}
			for {
				began, were := time.Now(), runningIn(args)
				var err error
				d, err = report.Read(args, o)
				switch {
				case errors.Is(err, engine.ErrInterrupted):
					return &statusError{exitInterrupted, err}
				case err != nil:
					return usageError(err)
				}
				if follow && d.Unfinished() {
					d.Reload = reloadTime.Seconds()
				}
				if err := safefile.Write(out, page{d}); err != nil {
					return failure(err)
				}
				if d.Reload == 0 {
					break
				}
				if !changed(cmd.Context(), args, were, max(reloadTime, writingShare*time.Since(began))) {
					return &statusError{exitInterrupted, engine.ErrInterrupted}
				}
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
	cmd.Flags().BoolVar(&why, "why", false, "also say what bounds each point of a GPU, and why times differ; a second a point and a minute at most, needs NVRTC")
	cmd.Flags().BoolVar(&follow, "follow", false, "write the file anew as points of a run come, until it has ended; the page reloads itself")
	cmd.Flags().StringVar(&title, "title", "", "heading of the page (default the names of the results)")
	return cmd
}

const (
	// reloadTime is how often a page that follows a run reloads itself, and the file is written at most.
	reloadTime = 2 * time.Second
	// writingShare times the time that the file took passes before it is written again: the run beside it is
	// disturbed for a twentieth of its time at most.
	writingShare = 20
)

// running is what changes in a folder while a run writes there.
type running struct {
	points int       // of the journal; negative without one
	ended  time.Time // when run.json was written; zero without one
}

func runningIn(folders []string) (all []running) {
	for _, dir := range folders {
		r := running{points: -1}
		if n, _, err := record.Progress(dir); err == nil {
			r.points = n
		}
		if info, err := os.Stat(filepath.Join(dir, record.InfoFile)); err == nil {
			r.ended = info.ModTime()
		}
		all = append(all, r)
	}
	return all
}

// changed waits for a while, and then until the folders are no longer as they were; it reports whether ctx has not
// ended meanwhile.
func changed(ctx context.Context, folders []string, were []running, while time.Duration) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(while):
		}
		if !slices.Equal(runningIn(folders), were) {
			return true
		}
		while = reloadTime
	}
}
