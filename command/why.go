package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bench/cuda/nvrtc"
	"bench/framework/bound"
	"bench/framework/config"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/framework/safefile"
)

type whyFlags struct {
	choices
	against, space string
}

func (a *app) whyCommand() *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why DIR|CONFIG...",
		Short: "What bounds each point, and what would make it faster by about how much",
		Long: `Why says of each point of a GPU what bounds it: memory, the L2 cache, shared memory, a
kind of instruction, latency, occupancy, the grid, the tail, atomics, launches or the
clock, with its margin over what comes next; and the changes that promise most. DIR is a
folder of bench run, of any machine; a CONFIG is measured first, without power.

No counter of the GPU is read, and no permission is needed: some blocks of every launch
are executed on the CPU, from the PTX that NVRTC makes for the run's GPU. Ceilings and
times are those of the run. What the run or this machine lacks is said; a library's
kernel, whose code is not known, is judged by what its problem needs at least.

--against explains a difference: what changed in time, class, counts, occupancy and
code from that version, or those tunables, to each other point.

--space has the model say the times of all tunables, of 400 at most, of each version at
each point, and writes them as recorded spaces: bench tune --from is taught by these, on
the GPU of the run, before anything was tuned there.

EXIT STATUS
  0    explained, as far as it can be
  1    a CONFIG's points could not be measured, or this machine has no NVRTC
  2    bad usage, or a DIR holds no point that can be explained
  130  interrupted`,
		Example: `  bench why results/h200-fft-peers
  bench why results/fft --versions stockham --against P=4
  bench why configs/polybench/gemm.json --set N=1024 --json
  bench why results/gemm --space model      then: bench tune configs/polybench/gemm.json --from model/SPACE.csv.gz`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.why(cmd.Context(), args, f) },
	}
	f.devices(cmd, "cuda:0", onCUDA)
	f.flag(cmd, "set: of a CONFIG: NAME=VALUE,VALUE…: replace an axis or a static argument", "versions", "json: print one JSON object a point, a line each",
		"out: of a CONFIG: folder that keeps what is measured (with several configs: for their folders; default: nothing is kept)")
	cmd.Flags().StringVar(&f.space, "space", "", "write the model's times of the tunables, as recorded spaces, to this folder; explain nothing")
	cmd.Flags().StringVar(&f.against, "against", "", "a version, or tunables (NAME=VALUE with commas), that each point is held against")
	excludes(cmd, "space", "against", "json")
	return cmd
}

func (a *app) why(ctx context.Context, args []string, f whyFlags) error {
	f.wisdom, f.processor, f.seed = "", "GPU", 1
	if err := f.check(); err != nil {
		return err
	}
	if _, err := nvrtc.Open(); err != nil {
		return &statusError{exitBad, fmt.Errorf("what kernels do is read from their PTX: %w", err)}
	}
	var unmeasured []error
	for _, arg := range args {
		run, s, failed, err := a.whyRun(ctx, arg, f, len(args) > 1)
		if err != nil {
			return err
		}
		unmeasured = append(unmeasured, failed)
		if f.space != "" {
			if err := a.modelSpaces(ctx, arg, s, run, f); err != nil {
				return err
			}
			continue
		}
		if !f.json {
			a.printWhyHead(arg, run)
		}
		err = s.Explain(ctx, run, experiment.WhyOptions{Versions: f.versions, Against: f.against}, func(e experiment.Explained) {
			if f.json {
				_ = printLines(a, []experiment.Explained{e})
			} else {
				a.printWhy(e)
			}
		})
		if err := explainError(arg, err); err != nil {
			return err
		}
	}
	if err := errors.Join(unmeasured...); err != nil {
		return &statusError{exitBad, err}
	}
	return nil
}

// explainError has the exit status of an error of what was to be explained.
func explainError(arg string, err error) error {
	switch {
	case errors.Is(err, engine.ErrInterrupted):
		return &statusError{exitInterrupted, err}
	case err != nil:
		return usageError(fmt.Errorf("%s: %w", arg, err))
	}
	return nil
}

// whyRun reads a run, or measures a config; failed says which of its points could not be
// measured where others could.
func (a *app) whyRun(ctx context.Context, arg string, f whyFlags, several bool) (run *record.Run, s experiment.Subject, failed, err error) {
	if arg == "-" || strings.HasSuffix(arg, ".json") {
		return a.whyMeasured(ctx, arg, f, several)
	}
	switch {
	case len(f.set) > 0:
		return nil, s, nil, usageError(fmt.Errorf("--set replaces values of a config, and %s is a folder", arg))
	case f.out != "":
		return nil, s, nil, usageError(fmt.Errorf("--out keeps what is measured of a config, and %s is a folder", arg))
	}
	if run, err = record.Read(arg); err != nil {
		return nil, s, nil, usageError(err)
	}
	s, changed, err := a.measured(run)
	if err != nil {
		return nil, s, nil, usageError(fmt.Errorf("%s: %w", arg, err))
	}
	if changed {
		a.warn("%s: its sources have changed since: what is explained is the code of today", arg)
	}
	return run, s, nil, nil
}

// measured is what a run measured, and whether its sources have changed since.
func (a *app) measured(run *record.Run) (s experiment.Subject, changed bool, err error) {
	bad := func(err error) (experiment.Subject, bool, error) {
		return s, false, fmt.Errorf("its algorithm cannot be made from %s: %w", run.Info.Config.Path, err)
	}
	c, err := config.Parse(run.Info.Config.Path, []byte(run.Info.Config.Text))
	if err != nil {
		return bad(err)
	}
	if err := c.Set(run.Info.Config.Set); err != nil {
		return bad(err)
	}
	factory, err := a.factory(c)
	if err != nil {
		return bad(err)
	}
	return experiment.Subject{Config: c, Factory: factory}, c.Hash != run.Info.Config.Hash, nil
}

// explainers explain points of runs of which the code is at hand, as it was measured.
func (a *app) explainers() (*experiment.Explainers, error) {
	if _, err := nvrtc.Open(); err != nil {
		return nil, fmt.Errorf("what kernels do is read from their PTX: %w", err)
	}
	return experiment.NewExplainers(func(run *record.Run) (experiment.Subject, error) {
		s, changed, err := a.measured(run)
		if err == nil && changed {
			err = errors.New("its sources have changed since it was measured")
		}
		return s, err
	}), nil
}

// whyMeasured measures the GPU's points of a config, without power.
func (a *app) whyMeasured(ctx context.Context, path string, f whyFlags, several bool) (_ *record.Run, s experiment.Subject, failed, err error) {
	if s, err = a.subject(ctx, path, f.choices); err != nil {
		return nil, s, nil, err
	}
	quick := *s.Config
	quick.Sensors = []string{}
	s.Config = &quick
	x, err := a.open(ctx, s, f.choices)
	if err != nil {
		return nil, s, nil, err
	}
	defer x.Close()
	if len(x.Plan.Points) == 0 {
		return nil, s, nil, &statusError{exitBad, fmt.Errorf("%s: no point to measure: %s", path, strings.Join(x.Plan.LeftOut, "; "))}
	}
	dir := ""
	if f.out != "" {
		dir = outDir(x.Config, f.out, several)
	} else if dir, err = safefile.TempFolder("bench-why"); err != nil {
		return nil, s, nil, &statusError{exitBad, err}
	} else {
		defer os.RemoveAll(dir)
	}
	journal, _, err := a.journal(dir, x.Header("why"), false)
	if err != nil {
		return nil, s, nil, err
	}
	defer journal.Close()
	session := x.Session(journal, nil, x.info())
	session.Warn, session.Note = a.warn, a.note
	if err = session.Ceilings(ctx, ""); err == nil {
		err = session.Run(ctx, unseen{})
	}
	if err == nil {
		err = session.Count(ctx)
	}
	switch {
	case errors.Is(err, engine.ErrInterrupted):
		return nil, s, nil, &statusError{exitInterrupted, err}
	case err != nil:
		return nil, s, nil, &statusError{exitBad, err}
	}
	if f.out != "" {
		if err := record.Write(dir, session.Record()); err != nil {
			return nil, s, nil, &statusError{exitBad, err}
		}
	}
	if status(session.Results) != exitGood {
		failed = fmt.Errorf("%s: %s", path, unwell(session.Results))
		if !slices.ContainsFunc(session.Results, func(r record.Result) bool { return r.Status == record.OK }) {
			return nil, s, nil, &statusError{exitBad, failed}
		}
	}
	return session.Record(), s, failed, nil
}

// unseen shows nothing of a run.
type unseen struct{}

func (unseen) Started(plan.Point)       {}
func (unseen) Phase(plan.Point, string) {}
func (unseen) Done(*record.Result)      {}

// printWhyHead says of what GPU the points are.
func (a *app) printWhyHead(arg string, run *record.Run) {
	for _, d := range run.Info.Devices {
		if d.Facts == nil {
			continue
		}
		fmt.Fprintf(a.out, "%s: %s, %s\n", arg, d.ID, d.Facts.Name)
		if m := bound.MachineOf(*d.Facts, d.Ceilings, 0); len(m.Estimated) > 0 {
			fmt.Fprintf(a.out, "  not measured by this run, so from tables: %s\n", strings.Join(m.Estimated, ", "))
		}
	}
}

func (a *app) printWhy(e experiment.Explained) {
	fmt.Fprintf(a.out, "\n%s %s: %s\n", e.Point.Version, e.Point.Settings(), verdictOf(e.Why))
	if e.Why.Missing != "" {
		fmt.Fprintf(a.out, "  missing: %s\n", e.Why.Missing)
	}
	var busy []string
	for _, u := range e.Why.Uses[:min(4, len(e.Why.Uses))] {
		busy = append(busy, fmt.Sprintf("%s %.0f %%", u.What, 100*u.Share))
	}
	if len(busy) > 0 {
		fmt.Fprintf(a.out, "  busy: %s\n", strings.Join(busy, ", "))
	}
	if c := e.Counted; c != nil {
		var texts []string
		for _, u := range c.Uses {
			texts = append(texts, fmt.Sprintf("%s %.0f %%", u.What, 100*u.Share))
		}
		for _, x := range c.Counters {
			texts = append(texts, x.Text())
		}
		fmt.Fprintf(a.out, "  counted: %s\n", strings.Join(texts, ", "))
	}
	for _, k := range e.Why.Kernels[:min(4, len(e.Why.Kernels))] {
		fmt.Fprintf(a.out, "  %s ×%d: %d blocks of %d threads, %d registers, %s, occupancy %.0f %% by %s, %.2f waves\n", k.Name, k.Launches,
			k.Grid[0]*k.Grid[1]*k.Grid[2], k.Block[0]*k.Block[1]*k.Block[2], k.Registers, spilled(k.SpillBytes), 100*k.Occupancy, k.Limit, k.Waves)
	}
	if n := len(e.Why.Kernels); n > 4 {
		fmt.Fprintf(a.out, "  and %d more (--json has all)\n", n-4)
	}
	for i, c := range e.Why.Changes {
		fmt.Fprintf(a.out, "  %d. %s: about %.2f×\n", i+1, c.Text, c.Gain)
	}
	if x := e.Against; x != nil {
		fmt.Fprintf(a.out, "  from %s %s:\n", x.Point.Version, x.Point.TunablesText())
		for _, d := range x.Differences {
			fmt.Fprintf(a.out, "    %s\n", d)
		}
	}
}

func spilled(n int) string {
	if n == 0 {
		return "no spills"
	}
	return fmt.Sprintf("%d bytes spilled a thread", n)
}

// verdictOf is the class with its share, its margin, and how far the model's time is off.
func verdictOf(w bound.Why) string {
	var parts []string
	if w.Class != bound.Unknown {
		parts = append(parts, "bound by "+w.Title())
	} else {
		parts = append(parts, "unknown")
	}
	if slices.Contains([]bound.Class{bound.Memory, bound.L2, bound.SharedMem, bound.L1, bound.Compute, bound.Clock}, w.Class) {
		parts[0] += fmt.Sprintf(", busy for %.0f %% of the time", 100*w.Share)
		if w.Margin > 0 {
			parts[0] += fmt.Sprintf(", %.2g times as long as %s", w.Margin, w.Next)
		}
	}
	if w.Time > 0 {
		parts = append(parts, fmt.Sprintf("%.4g µs", 1e6*w.Time))
	}
	if w.Model > 0 {
		parts = append(parts, fmt.Sprintf("%.4g µs by the model", 1e6*w.Model))
	}
	if !w.Sure && w.Class != bound.Unknown {
		parts = append(parts, "not sure")
	}
	return strings.Join(parts, "; ")
}
