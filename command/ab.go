package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bench/framework"
	"bench/framework/compare"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/framework/safefile"
	"bench/plots"
)

type abFlags struct {
	choices
	repeats int
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
measure.min_time_s. GPU versions are timed cold, CPU versions back to back.

The ratio of the medians is averaged over the repeats, with its 95 % interval. The
control's interval shows what this machine reports when there is no difference: its
further end is the smallest difference that ab calls real. --versions A,A measures
only that.

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
	f.devices(cmd, "cuda:0", onCUDA, onCPU)
	f.flag(cmd, "set", "versions: the two versions, A,B", "processor: auto, CPU or GPU: for a version that exists on both", "seed",
		"out: folder for ab.csv, ab.json, the samples and a plot of the repeats", "json", "quiet")
	cmd.Flags().IntVar(&f.repeats, "repeats", 10, fmt.Sprintf("repeats with new instances, at least %d", compare.LeastRepeats))
	return cmd
}

func (a *app) ab(ctx context.Context, paths []string, f abFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.repeats < compare.LeastRepeats {
		return usageError(fmt.Errorf("--repeats %d: at least %d are needed", f.repeats, compare.LeastRepeats))
	}
	x, pairs, err := a.pairs(ctx, paths, f)
	if err != nil {
		return err
	}
	defer x.Close()
	if f.out != "" {
		err := a.moveAside(f.out, abFile)
		if err == nil {
			err = os.MkdirAll(f.out, 0o777)
		}
		if err != nil {
			return &statusError{exitBad, err}
		}
	}
	info := x.info()
	device := record.Device{ID: pairs[0].A.Device}
	if pairs[0].A.Processor == framework.GPU {
		device.Facts = x.Facts
	}
	info.Devices = append(info.Devices, device)
	for _, w := range info.Warnings {
		a.warn("%s", w)
	}
	result := &experiment.Turns{Info: info}
	for i, p := range pairs {
		if !f.quiet {
			fmt.Fprintf(a.err, "%d of %d: %s\n", i+1, len(pairs), p.Name)
		}
		if err := p.Run(ctx, x.Engine, f.repeats); err != nil {
			if errors.Is(err, engine.ErrInterrupted) {
				return &statusError{exitInterrupted, errors.New("interrupted; an ab comparison cannot be resumed")}
			}
			return &statusError{exitBad, err}
		}
	}
	result.Info.Ended = time.Now().UTC()
	result.Pairs = pairs
	result.Judge()
	if f.json {
		err = a.printJSON(result)
	} else {
		_, err = fmt.Fprint(a.out, result.Text())
	}
	if err != nil {
		return err
	}
	if f.out != "" {
		files, err := writeTurns(result, f.out)
		if err != nil {
			return &statusError{exitBad, err}
		}
		if !f.json {
			fmt.Fprintf(a.out, "\n%s: %s\n", f.out, strings.Join(files, ", "))
		}
	}
	for _, p := range pairs {
		if p.Failure != "" {
			return &statusError{exitBad, nil}
		}
	}
	return nil
}

// pairs plans both sides and puts the points of equal problems together. The
// caller closes the experiment, which is the first config's.
func (a *app) pairs(ctx context.Context, paths []string, f abFlags) (_ *opened, _ []*experiment.Pair, err error) {
	names, err := f.names(paths)
	if err != nil {
		return nil, nil, usageError(err)
	}
	f.wisdom = "none" // versions are compared at their defaults, or as the configs say
	var sides [2]experiment.Subject
	for i := range sides {
		if sides[i], err = a.side(ctx, paths[min(i, len(paths)-1)], &names[i], f.choices); err != nil {
			return nil, nil, err
		}
	}
	if was, is := sides[0].Factory.Name, sides[1].Factory.Name; was != is {
		return nil, nil, usageError(fmt.Errorf("%s is of %s and %s of %s: two versions of one algorithm can be compared", paths[0], was, paths[1], is))
	}
	chosen := names[:1]
	if len(paths) == 1 {
		chosen = names[:]
	}
	x, err := a.open(ctx, sides[0].Choose(chosen...), f.choices)
	if err != nil {
		return nil, nil, err
	}
	plans := [2]*plan.Plan{x.Plan, x.Plan}
	if len(paths) == 2 {
		y, err := a.open(ctx, sides[1].Choose(names[1]), f.choices)
		if err != nil {
			x.Close()
			return nil, nil, err
		}
		y.Close()
		plans[1] = y.Plan
	}
	pairs, err := experiment.PairUp(plans, names)
	if err != nil {
		x.Close()
		return nil, nil, usageError(err)
	}
	return x, pairs, nil
}

// names are the two versions; empty ones are left to the configs.
func (f abFlags) names(paths []string) ([2]string, error) {
	switch {
	case len(f.versions) == 2:
		return [2]string{f.versions[0], f.versions[1]}, nil
	case len(f.versions) != 0:
		return [2]string{}, fmt.Errorf("--versions names %d, want two: A,B", len(f.versions))
	case len(paths) == 1:
		return [2]string{}, errors.New("which two versions? --versions A,B")
	}
	return [2]string{}, nil
}

func distinctVersions(f *framework.Factory) (names []string) {
	for _, v := range f.Versions {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// side reads a config and finds its version: the named one or, where no name
// is given, its only one.
func (a *app) side(ctx context.Context, path string, name *string, f choices) (experiment.Subject, error) {
	f.versions = nil // one of them may be the other config's
	s, err := a.subject(ctx, path, f)
	if err != nil {
		return s, err
	}
	if s.Factory.External {
		return s, usageError(fmt.Errorf("%s: a program that times itself cannot take turns; run both and compare the runs", path))
	}
	if *name == "" {
		chosen := s.Config.Versions
		if len(chosen) == 0 {
			chosen = distinctVersions(s.Factory)
		}
		if len(chosen) != 1 {
			return s, usageError(fmt.Errorf("%s: %d versions, want one in each config, or --versions A,B", path, len(chosen)))
		}
		*name = chosen[0]
	}
	return choices{versions: []string{*name}}.apply(s)
}

// abFile is the file of the comparison.
const abFile = "ab.json"

// writeTurns writes the files to dir and returns their names.
func writeTurns(r *experiment.Turns, dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var files []string
	put := func(name string, b []byte) error {
		files = append(files, name)
		return safefile.Write(filepath.Join(dir, name), bytes.NewReader(b))
	}
	ratios, samples, err := r.Tables()
	if err != nil {
		return nil, err
	}
	if err := put("ab.csv", ratios); err != nil {
		return nil, err
	}
	if err := put("ab_samples.csv.gz", samples); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := put(abFile, append(b, '\n')); err != nil {
		return nil, err
	}
	figures, err := plots.Turns(drawn(r), dir)
	for _, f := range figures {
		files = append(files, filepath.Base(f))
	}
	return files, err
}

// drawn are the pairs that were measured, told apart by the parameters that
// differ between these.
func drawn(r *experiment.Turns) []plots.Repeats {
	var points []plan.Point
	for _, p := range r.Pairs {
		if p.Result != nil {
			points = append(points, p.A)
		}
	}
	varying := experiment.VaryingParams(points)
	var all []plots.Repeats
	for _, p := range r.Pairs {
		if p.Result == nil {
			continue
		}
		var settings []string
		for _, n := range p.A.ParamOrder {
			if varying[n] {
				settings = append(settings, n+" "+p.A.Params[n].String())
			}
		}
		all = append(all, plots.Repeats{Algorithm: p.A.Algorithm, Point: strings.Join(settings, ", "), A: p.A.Version, B: p.B.Version, Turns: p.Result})
	}
	return all
}
