package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/bench/command/figures"
	"example.org/bench/command/grammar"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/plots"
	"example.org/bench/plots/picture"
	"example.org/bench/tuning/wisdom"
)

type abFlags struct {
	choices
	repeats   int
	same      string
	mix, long bool
}

func (a *app) abCommand() *cobra.Command {
	var f abFlags
	cmd := &cobra.Command{
		Use:   "ab CONFIG [CONFIG]",
		Short: "Time two versions in turns, A B B A, in one process, after an A/A control",
		Long: `Ab times two versions on the same inputs in turns, A B B A, in one process, at every
problem of the config's sweep, so that drift affects both alike. Each repeat
makes new instances, verifies them, times A against a second instance of A (the
control) and then A against B, for measure.min_samples samples of each and
measure.min_time_s. GPU versions are timed cold, CPU versions back to back or, with
measure.cpu_caches, cold.

The ratio of the medians is averaged over the repeats, with its 95 % interval. The
control shows what this machine reports when there is no difference. The verdict is
about B/A by A/A, repeat by repeat: faster or slower where a paired t test shows a
difference; the same, where the whole interval is within --same of 1; else unknown,
with the difference that is still possible. --versions A,A measures the control alone.

The tunables are those that bench run takes: the config's, else those of the wisdom file,
else the defaults. What is not a default is printed; --wisdom none leaves the file out.

With two configs of one algorithm, A is from the first and B from the second; each has
one version, or --versions names both. The measure settings are those of the first.

EXIT STATUS
  0    measured, whatever the answer
  1    a version failed or was wrong, or files could not be written
  2    bad config or usage
  130  interrupted`,
		Example: `  bench ab configs/fft.json --versions stockham,cufft
  bench ab configs/fft.json --versions stockham,stockham --repeats 20 --out control
  bench ab radix4.json radix8.json`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.ab(cmd.Context(), args, f) },
	}
	f.devices(cmd, "", grammar.OneGPU, grammar.OneOpenCL, grammar.CPU)
	f.flag(cmd, "set", "versions: the two versions, A,B", "processor: auto, CPU or GPU: for a version that exists on both", "new-seed", "wisdom", "verify",
		"out: folder for ab.csv, ab.json, the samples and a plot of the repeats", "for", "json", "quiet")
	cmd.Flags().IntVar(&f.repeats, "repeats", 10, fmt.Sprintf("repeats with new instances, at least %d", compare.LeastRepeats))
	cmd.Flags().BoolVar(&f.mix, "mix-caches", false, "take two configs of which one asks for cold caches and one for hot ones, or for other flushes; the first counts")
	cmd.Flags().BoolVar(&f.long, "long", false, "print a paragraph for each problem, with the control and how answers were checked")
	cmd.Flags().StringVar(&f.same, "same", "1%", "versions are the same where the interval of their ratio is within this of 1")
	return cmd
}

func (a *app) ab(ctx context.Context, paths []string, f abFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.repeats < compare.LeastRepeats {
		return usageError(fmt.Errorf("--repeats %d: at least %d are needed", f.repeats, compare.LeastRepeats))
	}
	same, err := compare.ParseShare(f.same)
	if err != nil {
		return usageError(fmt.Errorf("--same: %w", err))
	}
	f.Seed = cmp.Or(f.Seed, record.NewSeed())
	var used wisdom.Uses
	x, pairs, err := a.pairs(ctx, paths, f, &used)
	if err != nil {
		return err
	}
	defer x.Close()
	a.sayTunables(used)
	var folder *safefile.Folder
	if f.out != "" {
		err := a.moveAside(f.out, experiment.TurnsFile)
		if err == nil {
			folder, err = safefile.MakeFolder(f.out)
		}
		if err != nil {
			return failure(err)
		}
		defer folder.Close()
	}
	result := x.Turns(pairs)
	result.Info.Wisdom = used.Info()
	a.warnOf(result.Info)
	err = result.Run(ctx, x, f.repeats, func(i int, p *experiment.Pair, left time.Duration) {
		if !f.quiet {
			a.note("%d of %d: %s, about %s to go", i+1, len(pairs), p.Name, terminal.Clock(left.Seconds()))
		}
	})
	switch {
	case errors.Is(err, engine.ErrInterrupted):
		return &statusError{exitInterrupted, errors.New("interrupted; an ab comparison cannot be resumed")}
	case err != nil:
		return failure(err)
	}
	result.Judge(same)
	if f.json {
		err = a.printJSON(result)
	} else {
		_, err = fmt.Fprint(a.out, result.Printed(f.long, terminal.PaletteOf(a.out), terminal.Width(a.out)))
	}
	if err != nil {
		return err
	}
	if folder != nil {
		files, err := result.Write(folder)
		var drawn []string
		if err == nil {
			drawn, err = figures.Draw(ctx, f.medium, folder, func() plots.Figures { return plots.Turns(picture.TurnsOf(result)) })
		}
		if err != nil {
			return stopped(err)
		}
		for _, path := range drawn {
			files = append(files, filepath.Join(f.medium.Folder, filepath.Base(path)))
		}
		where := a.whereIs(folder)
		if !f.json {
			fmt.Fprintf(a.out, "\n%s: %s\n", where, strings.Join(files, ", "))
		}
	}
	return verdict(slices.ContainsFunc(pairs, func(p *experiment.Pair) bool { return p.Failure != "" }))
}

// pairs plans one config or both for the versions that the flags or the configs name, and adds the wisdom
// that they use to used. The caller closes the experiment, which is the first config's.
func (a *app) pairs(ctx context.Context, paths []string, f abFlags, used *wisdom.Uses) (*experiment.Experiment, []*experiment.Pair, error) {
	chosen := f.versions
	f.versions = nil // one of them may be the other config's
	var subjects []experiment.Subject
	for _, path := range paths {
		s, err := a.subject(ctx, path, f.choices)
		if err != nil {
			return nil, nil, err
		}
		if why := s.NotInTurns(); why != "" {
			return nil, nil, usageError(fmt.Errorf("%s: %s; run both and compare the runs", path, why))
		}
		subjects = append(subjects, s)
	}
	names, err := experiment.TwoVersions(subjects, chosen)
	if err != nil {
		return nil, nil, usageError(err)
	}
	opt, err := f.options(used)
	if err != nil {
		return nil, nil, err
	}
	opt.MixCaches = f.mix
	x, pairs, err := experiment.OpenPairs(ctx, subjects, names, opt)
	return x, pairs, openError(err)
}
