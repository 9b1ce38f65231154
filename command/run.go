package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/command/figures"
	"example.org/bench/command/grammar"
	"example.org/bench/command/interrupt"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots"
)

type runFlags struct {
	choices
	repeats int    // 0 for the config's
	name    string // of the machine
	rates   record.Rates
	printer *app // for JSON
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run CONFIG...",
		Short: "Run the points of configs; write CSVs, raw samples, run.json and plots",
		Long: `Run runs every point of each config: it verifies the answer, times it, and
measures power if a sensor is found. Results go to results/<output_file_prefix>,
or to --out; an earlier run there is renamed by its time. Every finished
point is on disk at once: after an interrupt, --resume runs what is missing.
With --repeats, or measure.repeats, each point is measured in several instances, each
in a new process with new memory, round by round; the interval is then over them.
With --power-modes the points run in each of these modes (bench modes lists them);
the original mode is restored at the end, also after an interrupt.
Several GPUs (--device cuda:all, or cuda:0,1) measure at the same time, with CPUs of
their own each: they share the points or, with --each, all run every point.
` + exitHelp,
		Example: `  bench run configs/fft.json
  bench run configs/fft.json --processor CPU --out /tmp/fft
  bench run configs/fft.json --repeats 5
  bench run configs/fft.json --resume
  bench run configs/fft.json --device cuda:all --each      compare this machine's GPUs
  sudo bench run configs/fft.json --power-modes all      on a Jetson: every power mode
  sudo bench run configs/fft.json --power-modes 300W,500W,1200MHz,default      on a server GPU`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkRepeats(cmd, f.repeats); err != nil {
				return err
			}
			if err := f.checkModes(cmd); err != nil {
				return err
			}
			return a.runAll(cmd.Context(), args, f)
		},
	}
	f.devices(cmd, "", grammar.OneGPU, grammar.OneOpenCL, grammar.SeveralGPUs, grammar.CPU, grammar.Simulator)
	f.flag(cmd, "each", "set", "versions", "processor", "out: folder for the results (with several configs: for their folders)", "new-seed", "resume", "root", "wisdom", "verify", "quiet", "dump", "for", "json: print one JSON object a config, a line each, at its end")
	cmd.Flags().IntVar(&f.repeats, "repeats", 0, "instances of each point (default measure.repeats, or 1)")
	cmd.Flags().StringVar(&f.name, "name", "", "what this machine is called: bench merge names its devices so")
	cmd.Flags().Var(&f.rates, "rates", record.RatesHelp)
	f.modesFlag(cmd, "to run in")
	return cmd
}

// selection returns the flags that choose among the config's points.
func (f runFlags) selection() string {
	s := "--processor " + f.Processor + " --device " + f.Device
	if f.Each {
		s += " --each"
	}
	if len(f.versions) > 0 {
		s += " --versions " + strings.Join(f.versions, ",")
	}
	if f.modes != "" {
		s += " --power-modes " + f.modes
	}
	if f.repeats > 0 {
		s += fmt.Sprintf(" --repeats %d", f.repeats)
	}
	return s
}

func (a *app) runAll(ctx context.Context, paths []string, f runFlags) error {
	f.printer = a
	if f.quiet || f.json {
		a = a.quietly()
	}
	if err := f.check(); err != nil {
		return err
	}
	// All configs are planned first: a mistake in the last one must not show after hours of the first.
	var subjects []experiment.Subject
	for _, p := range paths {
		s, err := a.subject(ctx, p, f.choices)
		if err != nil {
			return err
		}
		subjects = append(subjects, s)
	}
	if err := a.restoreLeftBehind(f.modes != ""); err != nil {
		return err
	}
	worst := exitGood
	for _, s := range subjects {
		status, err := a.runOne(ctx, s, f, len(subjects) > 1)
		if err != nil {
			return err
		}
		worst = max(worst, status)
	}
	if worst != exitGood {
		return &statusError{worst, nil}
	}
	return nil
}

// runOne runs one config and returns the exit status that its points earn.
func (a *app) runOne(ctx context.Context, s experiment.Subject, f runFlags, several bool) (_ int, err error) {
	path := s.Config.Path
	modes, err := boardModes(f.choices)
	if err != nil {
		return 0, err
	}
	end := func() error { return ended(modes) }
	defer func() { err = errors.Join(err, end()) }()
	dir := s.Config.Folder(f.out, several)
	if f.Seed == 0 {
		f.Seed = record.DrawnSeed(dir, f.resume)
	}
	x, err := a.open(ctx, s, f.choices)
	if err != nil {
		return 0, err
	}
	defer x.Close()
	f.Device = cmp.Or(f.Device, x.Device())
	if len(x.Plan.Points) == 0 {
		return 0, usageError(fmt.Errorf("%s: no point to run", path))
	}
	if modes == nil {
		if modes, err = gpuModes(x.Facts, f.choices); err != nil {
			return 0, err
		}
	}
	if modes != nil {
		x.Plan.InModes(modes.Names(), modes.Boot)
	}
	if f.Device != grammar.Simulator { // the simulator times nothing
		x.Plan.Repeat(cmp.Or(f.repeats, x.Config.Measure.Repeats))
	}
	journal, earlier, err := a.journal(dir, x.Header(f.selection()), f.resume)
	if err != nil {
		return 0, err
	}
	defer journal.Close()
	session := x.Session(journal, earlier, x.info(f.name), a.warn, a.note)
	for _, line := range x.Plan.Remarks() {
		fmt.Fprintln(a.err, line)
	}
	a.sayTunables(x.wisdom)
	a.warnOf(session.Info)
	switch {
	case modes != nil:
		session.InModes(modes.Enter)
	case !session.Complete():
		err = session.Ceilings(ctx, "")
	}
	switch {
	case errors.Is(err, engine.ErrInterrupted):
		return 0, &statusError{exitInterrupted, errors.New("interrupted before the first point")}
	case err != nil:
		return 0, failure(err)
	}
	if about := session.Duration(); about > 0 {
		fmt.Fprintf(a.out, "%s: %d of %s to go, about %s%s\n", path, len(session.ToGo()), terminal.Count(len(x.Plan.Points), "point"), terminal.Clock(about.Seconds()), session.Beside())
	}
	show := session.Progress(a.out)
	runErr := session.Run(ctx, show)
	show.Close()
	if runErr == nil && len(x.Config.Counters) > 0 {
		runErr = a.count(ctx, session, modes != nil)
	}
	end() // its error is returned at the end
	if warning := record.BoardWarning(session.Results); warning != "" {
		a.warn("%s", warning)
		session.Info.Warnings = append(session.Info.Warnings, warning)
	}
	run := session.Record()
	run.Rates = f.rates
	where, err := a.finish(ctx, journal, run, f.choices)
	if f.json {
		err = errors.Join(err, printLines(f.printer, []record.RunReport{record.RunReportOf(run, where)}))
	}
	switch {
	case err != nil && !errors.Is(err, engine.ErrInterrupted):
		return 0, &statusError{exitBad, finished(runErr, err)}
	case errors.Is(runErr, engine.ErrInterrupted):
		return 0, &statusError{exitInterrupted, fmt.Errorf("%s: interrupted with %d of %d points done; the same command with --resume runs the rest",
			path, len(session.Results), len(x.Plan.Points))}
	case runErr != nil:
		return 0, &statusError{exitBad, runErr}
	case err != nil:
		return 0, &statusError{exitInterrupted, err}
	}
	if record.Good(session.Results) {
		return exitGood, nil
	}
	if f.quiet || f.json { // there is no table
		fmt.Fprintf(a.err, "%s: %s\n", path, record.Unwell(session.Results))
	}
	return exitBad, nil
}

// count adds the counters that a config asks for to a run whose points were all measured.
func (a *app) count(ctx context.Context, s *experiment.Session, inModes bool) error {
	if inModes {
		a.warn("no counters: a run in several power modes has none, as only the last mode is still on")
		return nil
	}
	fmt.Fprintf(a.out, "counting: each point again, in a process that times nothing\n")
	return s.Count(ctx)
}

// journal opens the folder: with resume an interrupted run's, else a new one, with any earlier run moved
// aside. The caller closes it.
func (a *app) journal(dir string, header record.Header, resume bool) (j *record.Journal, finished []record.Result, err error) {
	if resume {
		j, finished, err = record.ResumeJournal(dir, header)
	} else if err = a.moveAside(dir); err == nil {
		j, err = record.CreateJournal(dir, header)
	}
	if err != nil {
		return nil, nil, failure(err)
	}
	for _, n := range j.Notes() {
		fmt.Fprintln(a.err, n)
	}
	return j, finished, nil
}

// warnOf warns of what may disturb a run.
func (a *app) warnOf(info record.Info) {
	for _, w := range info.Warnings {
		a.warn("%s", w)
	}
}

// moveAside keeps the run that a folder holds under another name, which it prints.
func (a *app) moveAside(dir string, also ...string) error {
	moved, err := record.MoveAside(dir, also...)
	if moved != "" {
		fmt.Fprintf(a.err, "the earlier run in %s is now in %s\n", dir, moved)
	}
	return err
}

// finish writes everything to the journal's folder, prints the table, and returns the folder. Once ctx
// ends it stops drawing, and the error is engine.ErrInterrupted.
func (a *app) finish(ctx context.Context, journal *record.Journal, run *record.Run, f choices) (where string, err error) {
	// The table needs no disk.
	colours := terminal.PaletteOf(a.out)
	fmt.Fprintf(a.out, "\n%s\n%s", record.Table(run, colours, terminal.Width(a.out)), compare.OfRun(compare.Run{Run: run}).Line(colours))
	dir, lost := journal.Place()
	if dir == nil {
		return "", lost
	}
	if err := record.WriteIn(dir, run); err != nil {
		return "", errors.Join(lost, err)
	}
	if f.plotless || !figures.Wanted() {
		where = a.whereIs(dir)
		fmt.Fprintf(a.out, "%s: CSVs, samples and run.json\n", where)
		return where, lost
	}
	files, err := interrupt.Await(ctx, func() ([]string, error) { return plots.All(run, dir.String(), dir, f.medium) })
	where = a.whereIs(dir)
	if errors.Is(err, engine.ErrInterrupted) {
		fmt.Fprintf(a.out, "%s: CSVs, samples and run.json\n", where)
		return where, errors.Join(lost, fmt.Errorf("plots: %w; bench plot %s draws them", err, where))
	}
	if err != nil {
		return where, errors.Join(lost, fmt.Errorf("plots: %w; bench plot %s draws them again", err, where))
	}
	fmt.Fprintf(a.out, "%s: CSVs, samples, run.json and %s\n", where, terminal.Count(len(files), "plot"))
	return where, lost
}

// finished joins the error that ended a run with those at its end. A lost journal is reported once.
func finished(run, end error) error {
	if errors.Is(run, record.ErrLost) && errors.Is(end, record.ErrLost) {
		return end
	}
	return errors.Join(run, end)
}

// whereIs returns the present place of a folder that results were written to, and prints a note if it was
// moved.
func (a *app) whereIs(folder *safefile.Folder) string {
	now := folder.Now()
	switch now {
	case folder.String():
	case "":
		a.note("%s was renamed or removed meanwhile", folder)
		return folder.String()
	default:
		a.note("%s was renamed meanwhile: its results are in %s", folder, now)
	}
	return now
}
