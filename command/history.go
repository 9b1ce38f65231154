package command

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/command/interrupt"
	"example.org/bench/framework/config"
	"example.org/bench/framework/history"
	"example.org/bench/internal/terminal"
)

func (a *app) historyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Keep results of many revisions, and find where they became slower",
		Long: `History keeps the results of many runs in one text file, a line of JSON for each, and
says what changed, since which revision, and whether the code did it:

  bench history add      put a run's results into the file
  bench history check    a gate: is anything slower since one of the last runs?
  bench history show     every series of results, with its level, noise and changes

bench report draws a history. The file is merged by git as the union of its lines:
*.jsonl merge=union in .gitattributes.

EXIT STATUS
  0    done
  2    bad usage`,
		Example: `  bench run configs/fft.json --out results/now
  bench history add results/now --revision v1.4-12-gabc1234
  bench history check`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New(config.NoneOf(args[0], []string{"add", "check", "show"}))
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, verb := range []*cobra.Command{a.historyAddCommand(), a.historyCheckCommand(), a.historyShowCommand()} {
		cmd.AddCommand(interrupt.EndsAtOnce(verb))
	}
	return cmd
}

func (a *app) historyAddCommand() *cobra.Command {
	var file, revision string
	cmd := &cobra.Command{
		Use:   "add RUN...",
		Short: "Put the results of runs into the file",
		Long: `Add appends the results of each results folder to the history, and makes the file if it
is not there. Results that it has are not added again.

EXIT STATUS
  0    added, or there already
  1    the file could not be written
  2    bad usage, or a RUN holds no results that can be added
  130  interrupted`,
		Example: `  bench history add results/now
  bench history add results/now --revision v1.4 --file perf/history.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.historyAdd(args, file, revision) },
	}
	historyFile(cmd, &file)
	cmd.Flags().StringVar(&revision, "revision", "", "revision of the source that was measured (default what git says of this folder)")
	return cmd
}

func historyFile(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "file", history.DefaultFile, "the history")
}

func (a *app) historyAdd(dirs []string, file, revision string) error {
	all, revision, err := history.EntriesOf(dirs, revision)
	if err != nil {
		return usageError(err)
	}
	added, err := history.Append(file, all)
	if err != nil {
		return failure(err)
	}
	if doubt := history.Misdated(all, time.Now()); doubt != "" {
		a.warn("%s: %s", file, doubt)
	}
	fmt.Fprintf(a.out, "%s: %s of %s added", file, terminal.Count(added, "result"), revision)
	if had := len(all) - added; had > 0 {
		fmt.Fprintf(a.out, ", %d were there", had)
	}
	fmt.Fprintln(a.out)
	return nil
}

type historyFlags struct {
	file           string
	recent         int
	json, markdown bool
}

func (a *app) historyCheckCommand() *cobra.Command {
	var f historyFlags
	cmd := &cobra.Command{
		Use:   "check",
		Short: "A gate: is anything slower since one of the last runs?",
		Long: `Check judges every series of the history: the results of one point of a config on one
machine, with the surroundings of its last run (driver, compiler, clocks, kernel, …).
Results of other surroundings or machines are not compared with them.

A series is found to be slower or faster from a revision on, to drift, or not to have
changed. Unknown is what has too few runs. A change fails the check in the run that
finds it and in those after it, 10 in all, or --recent N. Of 100 series of 100 runs
without a change, about one has a false alarm. Not judged is what has too few runs,
other surroundings, or a change that is not the code's.

EXIT STATUS
  0    no series is found to be worse
  1    what is printed could not be written
  2    bad usage, or no history
  3    at least one series is worse, drifts to worse, or fails
  4    none is worse, but at least one cannot be judged
  130  interrupted`,
		Example: `  bench history check
  bench history check --file perf/history.jsonl --markdown > comment.md`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := a.readHistory(f)
			if err != nil {
				return err
			}
			text := c.Text
			if f.markdown {
				text = c.Markdown
			}
			if err := a.printCheck(c, f.json, text); err != nil {
				return err
			}
			switch c.Verdict {
			case history.GateWorse:
				return &statusError{exitWorse, nil}
			case history.GateInconclusive:
				return &statusError{exitInconclusive, nil}
			}
			return nil
		},
	}
	historyFile(cmd, &f.file)
	cmd.Flags().IntVar(&f.recent, "recent", 10, "a change counts that one of the last N runs found")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&f.markdown, "markdown", false, "print Markdown, for a merge request's comment")
	grammar.Excludes(cmd, "json", "markdown")
	return cmd
}

func (a *app) historyShowCommand() *cobra.Command {
	f := historyFlags{recent: 10}
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Every series of results, with its level, noise and changes",
		Long: `Show prints what check judges, series by series: how many runs there are, the level and
noise of the last ones, every change, outliers, and what changed in the surroundings.

EXIT STATUS
  0    shown
  1    what is printed could not be written
  2    bad usage, or no history
  130  interrupted`,
		Example: `  bench history show
  bench history show --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := a.readHistory(f)
			if err != nil {
				return err
			}
			return a.printCheck(c, f.json, c.Show)
		},
	}
	historyFile(cmd, &f.file)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// printCheck prints the findings about a history: as JSON, or as the text.
func (a *app) printCheck(c *history.Check, asJSON bool, text func() string) error {
	if asJSON {
		return a.printJSON(c)
	}
	if _, err := fmt.Fprint(a.out, text()); err != nil {
		return failure(err)
	}
	return nil
}

// readHistory reads and judges a history, and warns of damaged parts.
func (a *app) readHistory(f historyFlags) (*history.Check, error) {
	if f.recent < 1 {
		return nil, usageError(fmt.Errorf("--recent %d: want at least 1", f.recent))
	}
	file, err := history.Read(f.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError(fmt.Errorf("there is no %s: bench history add makes it", f.file))
	case err != nil:
		return nil, usageError(err)
	}
	for _, d := range file.Damaged {
		a.warn("%s", d)
	}
	if len(file.Entries)+len(file.Undated) == 0 {
		return nil, usageError(fmt.Errorf("%s holds no results", f.file))
	}
	c := file.Check(f.recent)
	for _, n := range c.Notes {
		a.warn("%s: %s", f.file, n)
	}
	return c, nil
}
