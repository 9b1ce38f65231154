package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"example.org/bench/analysis/why"
	"example.org/bench/command/figures"
	"example.org/bench/command/grammar"
	"example.org/bench/command/interrupt"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/powermode"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning"
	"example.org/bench/tuning/analytical"
	"example.org/bench/tuning/exchange"
	"example.org/bench/tuning/knn"
	"example.org/bench/tuning/search"
	"example.org/bench/tuning/strategy"
	"example.org/bench/tuning/wisdom"
)

// tuneFlags are the flags of a search on a device.
type tuneFlags struct {
	choices
	strategyFlags
	objective          string
	confirm, compilers int
	whole              bool
	untaught           bool // --from none
	anyDevice          bool // --device is not given
	// compiled takes the kernels' resources from their cubins, for a GPU that is not present.
	compiled bool

	train, trainVersions, where, from []string
}

func (a *app) tuneCommand() *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune CONFIG...",
		Short: "Find the best tunables of a config's versions in few trials",
		Long: `Tune searches the tunables of the versions of a config at each of its sweep points.
Only verified results count. A point that does not compile, does not launch or gives a
wrong answer is a trial too, and the strategy learns from it. The config's "tunables"
replace the values tried, and its "tuning_constraints" narrow them. The best trials are
measured again, in turns with the defaults. The device is the first GPU, or the CPU for a
config that has CPU versions only. Tune writes trials.csv, tune.json, plots, the
recorded space of each sweep point whose every point was measured, and a wisdom file,
which bench run then uses. Several equal GPUs (--device cuda:all, or cuda:0,1) share the
trials; each first measures the same point, and one that is slower is corrected by that. --strategy analytical with a described --device needs no GPU:
it prints the model's choices.

With --objective time,energy the front is searched for: the points that no other beats by
both time and energy. It is measured again at length, and reported with its hypervolume:
the area that it beats of what costs less than a point a tenth of its extent beyond its worst.

With --power-modes the power mode is one more axis: the strategy chooses it together with
the tunables, and weighs the seconds that a switch takes. The mode that was on is restored
at the end, also after an interrupt. A mode that cannot be entered is left out.

--train takes finished runs and searches, your own or published tables: --strategy knn then starts at
every sweep point with what was fastest at the nearest size in those runs.

--from takes what another device, size or version taught, see bench replay: recorded
spaces or folders of searches with the same tunables; and wisdom files, or folders of
runs, whose points of the same version at the nearest size teach it.

The strategies:

` + strategy.List() + `
EXIT STATUS
  0    searched
  1    nothing valid was found, results could not be written, or a strategy failed
  2    bad config or usage
  130  interrupted`,
		Example: `  bench tune configs/scan.json --budget 60
  sudo bench tune configs/fft.json --objective energy --power-modes all      on a Jetson
  bench tune configs/fft.json --resume
  bench tune configs/fft.json --objective time,energy
  bench tune configs/fft.json --device cuda:all
  bench tune configs/tridiagonal-literature.json --strategy analytical --device jetson-tx1
  bench tune configs/tridiagonal.json --strategy knn --train results/tridiagonal --budget 10`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			strategies, err := f.chosen()
			if err != nil {
				return usageError(err)
			}
			if err := f.checkTogether(c, strategies); err != nil {
				return usageError(err)
			}
			if err := f.checkModes(c); err != nil {
				return err
			}
			if f.quiet && !f.json {
				a = a.quietly()
			}
			f.anyDevice = !c.Flags().Changed("device")
			if analytical.IsDescribed(f.Device) {
				return a.analytical(c.Context(), args, f)
			}
			return a.tune(c.Context(), args, strategies[0], f)
		},
	}
	f.strategyFlags.add(cmd, "trials per sweep point")
	f.devices(cmd, "", grammar.OneGPU, grammar.OneOpenCL, grammar.SeveralGPUs, grammar.CPU, grammar.Described)
	f.flag(cmd, "set", "versions", "seed: the only source of chance", "resume", "verify", "wisdom: wisdom file to add to (default: bench/wisdom.json in the user's configuration folder; none: no file)",
		"json: print one JSON object a sweep point, a line each", "quiet", "for", "root",
		"out: folder for the results (with several configs: for their folders; default results/tune-PREFIX)")
	flags := cmd.Flags()
	flags.StringVar(&f.objective, "objective", "time", "time, energy or edp (energy-delay product): what is minimised; or time,energy: the front of both")
	flags.IntVar(&f.confirm, "confirm", 3, "number of best trials to measure again at length, of a front all; 0: none, and no comparison with the defaults")
	flags.IntVar(&f.compilers, "compilers", 0, "processes that compile ahead (default: one per CPU but those that measure, at most 16)")
	flags.BoolVar(&f.whole, "whole-trials", false, "on a GPU: measure on where a trial is known to be slower than the best")
	flags.BoolVar(&f.compiled, "compiled", false, "analytical, for a described GPU: registers and shared memory from kernels compiled for it, not the literature's constants")
	flags.StringSliceVar(&f.train, "train", nil, "folders of finished runs and searches that --strategy knn learns from")
	flags.StringSliceVar(&f.trainVersions, "train-versions", nil, "versions of those runs to learn from; for one size, the rows of the last one named count")
	flags.StringSliceVar(&f.where, "where", nil, "NAME=VALUE of parameters that those runs' rows must have")
	flags.StringSliceVar(&f.from, "from", nil, "recorded spaces, folders of searches or runs, or wisdom files, that teach the search; none: not even the model of bench why, which guides --strategy best on a GPU as far as it proves right")
	f.modesFlag(cmd, "to search")
	grammar.Needs(cmd, "train-versions", "train")
	grammar.Needs(cmd, "where", "train")
	return cmd
}

// checkTogether refuses flags that do not apply.
func (f *tuneFlags) checkTogether(c *cobra.Command, strategies []tuning.Info) error {
	refuse := func(why string, names ...string) error {
		for _, name := range names {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s: %s", name, why)
			}
		}
		return nil
	}
	if len(strategies) != 1 {
		return errors.New("--strategy: a live search has one strategy; bench replay compares several")
	}
	if err := search.Objective(f.objective).Check(); err != nil {
		return fmt.Errorf("--objective %w", err)
	}
	if f.untaught = slices.Equal(f.from, []string{"none"}); f.untaught {
		f.from = nil
	}
	if err := search.Objective(f.objective).CheckSearch(strategies, f.from); err != nil {
		return err
	}
	if strategies[0].Computes && f.Device == "cpu" {
		return fmt.Errorf("--strategy %s computes from kernels compiled for a GPU; want a --device other than cpu", strategies[0].Name)
	}
	if f.modes != "" && !analytical.IsDescribed(f.Device) && (strategies[0].Computes || len(f.train) > 0) {
		return fmt.Errorf("--power-modes: --strategy %s chooses by what is known of the tunables alone", strategies[0].Name)
	}
	if len(f.train) > 0 && strategies[0].Name != "knn" {
		return fmt.Errorf("--train: only --strategy knn learns from runs, not %s", strategies[0].Name)
	}
	if f.Device == "cpu" {
		if err := refuse("nothing is compiled ahead for the CPU", "compilers"); err != nil {
			return err
		}
	}
	if !analytical.IsDescribed(f.Device) {
		return refuse("it is for a described --device such as jetson-tx1", "compiled")
	}
	if strategies[0].Name != "analytical" {
		return fmt.Errorf("--device %s is a description, nothing can be measured on it; only --strategy analytical works without a GPU", f.Device)
	}
	if err := refuse("nothing is measured on a described device", "for", "objective", "budget", "confirm", "whole-trials", "seed", "resume", "verify", "wisdom", "option", "train", "from", "power-modes", "root"); err != nil || f.compiled {
		return err
	}
	return refuse("it is for --compiled", "compilers", "out")
}

// searchOptions returns the flags as options of a search.
func (a *app) searchOptions(strategy tuning.Info, f tuneFlags) (search.Options, error) {
	o := search.Options{Choices: f.Choices, Objective: search.Objective(f.objective), Device: f.Device, Strategy: strategy, Budget: f.budget.Evaluations, Limit: f.budget.Limit, Patience: f.budget.Patience,
		Confirm: f.confirm, Verify: f.Verify, WholeTrials: f.whole, NoPrior: f.untaught, Compilers: f.compilers, Model: why.Seconds, Note: a.note}
	settings, err := f.optionsOf([]tuning.Info{strategy})
	if err != nil {
		return o, usageError(err)
	}
	o.Settings = settings
	if o.From, o.Taught, err = exchange.Sources(f.from, "", o.Objective, []tuning.Info{strategy}, a.note); err != nil {
		return o, usageError(err)
	}
	if o.Training, err = knn.NewTraining(search.ReadFinished, f.train, f.trainVersions, f.where); err != nil {
		return o, usageError(err)
	}
	if o.Wisdom, err = wisdom.PathFor(f.wisdom); err != nil {
		return o, usageError(err)
	}
	return o, nil
}

func (a *app) tune(ctx context.Context, paths []string, strategy tuning.Info, f tuneFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	o, err := a.searchOptions(strategy, f)
	if err != nil {
		return err
	}
	if err := a.restoreLeftBehind(f.modes != ""); err != nil {
		return err
	}
	if doubt := machine.ClockDoubt(); doubt != "" {
		a.warn("%s", doubt)
	}
	all := true
	for _, path := range paths {
		found, err := a.tuneOne(ctx, path, o, f, len(paths) > 1)
		if err != nil {
			return err
		}
		all = all && found
	}
	return verdict(!all)
}

// tuneOne reports whether a valid point was found at every sweep point.
func (a *app) tuneOne(ctx context.Context, path string, o search.Options, f tuneFlags, several bool) (found bool, err error) {
	subject, err := a.subject(ctx, path, f.choices)
	if err != nil {
		return false, err
	}
	if f.anyDevice && !subject.RunsOnGPU() && !o.Strategy.Computes {
		o.Device = "cpu"
	}
	c := subject.Config
	if o.Objective != search.Time && c.Sensors != nil && len(c.Sensors) == 0 {
		return false, usageError(fmt.Errorf("--objective %s: %s asks for no sensor (\"sensors\": [])", o.Objective, c.Path))
	}
	modes, err := boardModes(f.choices)
	if err != nil {
		return false, err
	}
	end := func() error { return ended(modes) }
	defer func() { err = errors.Join(err, end()) }()
	if f.modes != "" {
		o.Modes = func(facts *gpu.Facts) (search.Modes, error) {
			var err error
			if modes == nil && o.Device == "cpu" {
				return nil, fmt.Errorf("--power-modes: %w: there is no nvpmodel.conf below %s, and a GPU's modes are for GPU versions", powermode.ErrNone, f.Root)
			}
			if modes == nil {
				modes, err = gpuModes(facts, f.choices)
			}
			return modes, err
		}
	}
	s, err := search.Open(ctx, subject, o)
	if err != nil {
		return false, openError(err)
	}
	defer s.Close()
	dir := c.Folder(f.out, several)
	if f.out == "" {
		dir = filepath.Join("results", "tune-"+c.Prefix)
	}
	journal, earlier, err := a.journal(dir, record.HeaderOf(c, f.Seed, s.Selection(f.versions)), f.resume)
	if err != nil {
		return false, err
	}
	defer journal.Close()
	trials := len(slices.DeleteFunc(slices.Clone(earlier), func(r record.Result) bool { return !search.IsTrial(r) }))
	out := a.out
	if f.json {
		out = a.quietly().out
	}
	fmt.Fprintf(out, "%s: at most %s, %d of them in the journal, about %s%s\n", path, terminal.Count(s.Evaluations(), "evaluation"), trials, terminal.Clock(s.Duration(trials).Seconds()), s.Switching(trials))
	show := search.NewProgress(out, s, trials)
	searchErr := s.Run(ctx, journal, earlier, show)
	show.Close()
	end() // its error is returned at the end
	drawErr, err := a.finishSearch(ctx, s, journal, path, f)
	if err != nil {
		return false, &statusError{exitBad, finished(searchErr, err)}
	}
	switch {
	case errors.Is(searchErr, context.Canceled) || errors.Is(searchErr, engine.ErrInterrupted):
		return false, &statusError{exitInterrupted, fmt.Errorf("interrupted after %d evaluations; bench tune %s --resume with the same flags goes on", len(s.Trials), path)}
	case searchErr != nil:
		return false, &statusError{exitBad, searchErr}
	case drawErr != nil:
		return false, &statusError{exitInterrupted, drawErr}
	case !s.Found() && f.quiet: // there is no table
		fmt.Fprintf(a.err, "%s: at a sweep point no evaluation is valid: %s says why\n", path, filepath.Join(dir, "trials.csv"))
	}
	return s.Found(), nil
}

// finishSearch writes what a search found to the folder of its journal, draws it until ctx ends, and
// prints it.
func (a *app) finishSearch(ctx context.Context, s *search.Search, journal *record.Journal, path string, f tuneFlags) (drawing, err error) {
	folder, lost := journal.Place()
	if folder == nil {
		return nil, lost
	}
	finished, err := s.Finish(folder)
	if err == nil && figures.Wanted() {
		finished.Plots, err = interrupt.Await(ctx, func() (int, error) { return s.Draw(finished.Report, f.medium, folder) })
		if err != nil {
			err = fmt.Errorf("plots: %w; bench tune %s --resume with the same flags draws them", err, path)
		}
		if errors.Is(err, engine.ErrInterrupted) {
			drawing, err = err, nil
		}
	}
	if err == nil && f.json {
		err = printLines(a, finished.Report.Tasks)
	}
	if err != nil {
		return nil, errors.Join(lost, err)
	}
	a.whereIs(folder)
	if !f.json {
		fmt.Fprint(a.out, finished.Text(terminal.PaletteOf(a.out)))
	}
	return drawing, lost
}
