package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/analysis/energy"
	"example.org/bench/analysis/why"
	"example.org/bench/command/grammar"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning/analytical"
	"example.org/bench/tuning/search"
)

type whyFlags struct {
	choices
	against, space, calibration string
	calibrate                   bool
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
times are those of the run. What the run or this machine lacks is said; kernels of
a library and of OpenCL, whose code is not known, are judged by what their problem needs at least.

--against explains a difference: what changed in time, class, counts, occupancy and
code from that version, or those tunables, to each other point.

--calibrate measures, in some minutes, what the GPU's energy goes to, and keeps it: of a
point with energy why then says so too, and what would save.
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
  bench why configs/polybench/gemm.json --device jetson-agx-orin --space model
  bench why --calibrate                     then: bench why results/gemm says what its energy goes to
  bench why results/gemm --space model      then: bench tune configs/polybench/gemm.json --from model/SPACE.csv.gz`,
		Args: grammar.Where(&f.calibrate, cobra.MaximumNArgs(1), cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return a.why(cmd.Context(), args, f) },
	}
	f.devices(cmd, "", grammar.OneGPU, grammar.OneOpenCL, grammar.Described)
	f.flag(cmd, "set: of a CONFIG: NAME=VALUE,VALUE…: replace an axis or a static argument", "versions", "wisdom: of a CONFIG: wisdom file of bench tune with the tunables to use (default as bench run; none: no file)", "json: print one JSON object a point, a line each",
		"out: of a CONFIG: folder that keeps what is measured (with several configs: for their folders; default: nothing is kept)")
	cmd.Flags().StringVar(&f.space, "space", "", "write the model's times of the tunables, as recorded spaces, to this folder; explain nothing")
	cmd.Flags().StringVar(&f.against, "against", "", "a version, or tunables (NAME=VALUE with commas), that each point is held against")
	cmd.Flags().BoolVar(&f.calibrate, "calibrate", false, "measure what the GPU's energy goes to, and keep it; or find it again from the DIR of such a run")
	cmd.Flags().StringVar(&f.calibration, "calibration", "", "energy.json that --calibrate wrote to --out, instead of what is kept for the GPU")
	grammar.Excludes(cmd, "space", "against", "json", "calibration")
	grammar.Excludes(cmd, "calibrate", "space", "against", "json", "calibration")
	return cmd
}

func (a *app) why(ctx context.Context, args []string, f whyFlags) error {
	f.Processor, f.Seed = "GPU", 1
	if err := f.check(); err != nil {
		return err
	}
	if f.calibrate {
		return a.calibrate(ctx, args, f)
	}
	var calibration *energy.Model
	if f.calibration != "" {
		m, err := energy.Read(f.calibration)
		if err != nil {
			return usageError(err)
		}
		calibration = &m
	}
	var unmeasured []error
	for _, arg := range args {
		if analytical.IsDescribed(f.Device) {
			if err := a.whyDescribed(ctx, arg, f); err != nil {
				return err
			}
			continue
		}
		run, s, failed, err := a.whyRun(ctx, arg, f, len(args) > 1)
		if err != nil {
			return err
		}
		unmeasured = append(unmeasured, failed)
		if f.space != "" {
			err = search.WriteModelled(ctx, s, run, f.versions, why.Modelled, f.space, a.out, a.warn, a.note)
		} else if opt := (why.Options{Versions: f.versions, Against: f.against, Folder: arg, Calibration: calibration}); f.json {
			err = why.Explain(ctx, s, run, opt, func(e why.Explained) { _ = printLines(a, []why.Explained{e}) })
		} else {
			err = why.ExplainText(ctx, s, run, opt, arg, a.out, terminal.PaletteOf(a.out))
		}
		if err := explainError(arg, err); err != nil {
			return err
		}
	}
	return failure(errors.Join(unmeasured...))
}

// calibrate measures the loads, or reads a run of them, and keeps what the GPU's energy goes to.
func (a *app) calibrate(ctx context.Context, args []string, f whyFlags) error {
	config, err := energy.KeepLoads()
	if err != nil {
		return failure(err)
	}
	if len(args) > 0 {
		return explainError(args[0], why.CalibrateFrom(ctx, args[0], config, a.factory, a.out))
	}
	a.note("the GPU's loads are measured with energy: some minutes")
	run, s, failed, err := a.whyMeasured(ctx, config, f, false)
	if err != nil {
		return err
	}
	return failure(errors.Join(why.CalibrateText(ctx, s, run, f.out, a.out), failed))
}

// whyDescribed has the model say the times of a config's tunables on a GPU that need not be present.
func (a *app) whyDescribed(ctx context.Context, path string, f whyFlags) error {
	s, err := a.subject(ctx, path, f.choices)
	if err != nil {
		return err
	}
	return explainError(path, search.WriteDescribed(ctx, s.Choose(f.versions...), f.Choices, f.Device, why.Seconds, f.space, a.out, a.warn, a.note))
}

// explainError gives the error of an explanation its exit status.
func explainError(arg string, err error) error {
	if ran := (*experiment.RunError)(nil); err == nil || errors.Is(err, engine.ErrInterrupted) || errors.As(err, &ran) {
		return openError(err)
	}
	return usageError(fmt.Errorf("%s: %w", arg, err))
}

// whyRun reads a run, or measures a config. failed says which of its points could not be measured
// although others could.
func (a *app) whyRun(ctx context.Context, arg string, f whyFlags, several bool) (run *record.Run, s experiment.Subject, failed, err error) {
	if arg == "-" || strings.HasSuffix(arg, ".json") {
		return a.whyMeasured(ctx, arg, f, several)
	}
	switch {
	case len(f.set) > 0:
		return nil, s, nil, usageError(fmt.Errorf("--set replaces values of a config, and %s is a folder", arg))
	case f.wisdom != "":
		return nil, s, nil, usageError(fmt.Errorf("--wisdom has tunables for a config's points, and %s is a folder", arg))
	case f.out != "":
		return nil, s, nil, usageError(fmt.Errorf("--out keeps what is measured of a config, and %s is a folder", arg))
	}
	if run, err = record.Read(arg); err != nil {
		return nil, s, nil, usageError(err)
	}
	s, changed, err := experiment.SubjectOf(run, a.factory)
	if err != nil {
		return nil, s, nil, usageError(fmt.Errorf("%s: %w", arg, err))
	}
	if err := why.Explainable(s, why.DeviceOf(run)); err != nil {
		return nil, s, nil, failure(err)
	}
	if changed {
		a.warn("%s: its sources have changed since: what is explained is the code of today", arg)
	}
	return run, s, nil, nil
}

// whyMeasured measures the GPU's points of a config, without power unless they are to calibrate.
func (a *app) whyMeasured(ctx context.Context, path string, f whyFlags, several bool) (_ *record.Run, s experiment.Subject, failed, err error) {
	if s, err = a.subject(ctx, path, f.choices); err != nil {
		return nil, s, nil, err
	}
	if err := why.Explainable(s, f.Device); err != nil {
		return nil, s, nil, failure(err)
	}
	if !f.calibrate {
		s = s.WithoutPower()
	}
	x, err := a.open(ctx, s, f.choices)
	if err != nil {
		return nil, s, nil, err
	}
	defer x.Close()
	a.sayTunables(x.wisdom)
	if len(x.Plan.Points) == 0 {
		return nil, s, nil, &statusError{exitBad, fmt.Errorf("%s: no point to measure: %s", path, strings.Join(x.Plan.LeftOut, "; "))}
	}
	dir := ""
	if f.out != "" {
		dir = x.Config.Folder(f.out, several)
	} else if dir, err = safefile.TempFolder("bench-why"); err != nil {
		return nil, s, nil, failure(err)
	} else {
		defer os.RemoveAll(dir)
	}
	journal, _, err := a.journal(dir, x.Header("why"), false)
	if err != nil {
		return nil, s, nil, err
	}
	defer journal.Close()
	session := x.Session(journal, nil, x.info(""), a.warn, a.note)
	if err := session.MeasureAll(ctx); err != nil {
		return nil, s, nil, openError(err)
	}
	if f.out != "" {
		folder, lost := journal.Place()
		if folder != nil {
			lost = errors.Join(lost, record.WriteIn(folder, session.Record()))
		}
		if lost != nil {
			return nil, s, nil, failure(lost)
		}
		a.whereIs(folder)
	}
	if !record.Good(session.Results) {
		failed = fmt.Errorf("%s: %s", path, record.Unwell(session.Results))
		if !slices.ContainsFunc(session.Results, func(r record.Result) bool { return r.Status == record.OK }) {
			return nil, s, nil, &statusError{exitBad, failed}
		}
	}
	return session.Record(), s, failed, nil
}
