package command

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	info := a.info(x, f.choices)
	device := record.Device{ID: pairs[0].A.Device}
	if pairs[0].A.Processor == framework.GPU {
		device.Facts = x.Facts
	}
	info.Devices = append(info.Devices, device)
	for _, w := range info.Warnings {
		a.warn("%s", w)
	}
	result := &abResult{Info: info}
	for i, p := range pairs {
		if !f.quiet {
			fmt.Fprintf(a.err, "%d of %d: %s\n", i+1, len(pairs), p.Name)
		}
		if err := p.run(ctx, x.Engine, f.repeats); err != nil {
			if errors.Is(err, engine.ErrInterrupted) {
				return &statusError{exitInterrupted, errors.New("interrupted; an ab comparison cannot be resumed")}
			}
			return &statusError{exitBad, err}
		}
	}
	result.Info.Ended = time.Now().UTC()
	result.Pairs = pairs
	result.judge()
	if f.json {
		err = a.printJSON(result)
	} else {
		_, err = fmt.Fprint(a.out, result.text())
	}
	if err != nil {
		return err
	}
	if f.out != "" {
		files, err := result.write(f.out)
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
func (a *app) pairs(ctx context.Context, paths []string, f abFlags) (_ *opened, _ []*abPair, err error) {
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
	pairs, err := pairUp(plans, names)
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

// pairUp matches the points of equal problems of two versions. Each side has
// one there.
func pairUp(plans [2]*plan.Plan, names [2]string) ([]*abPair, error) {
	var of [2]map[string]plan.Point
	var first []plan.Point
	for i, s := range plans {
		of[i] = map[string]plan.Point{}
		for _, p := range s.Points {
			if p.Version != names[i] {
				continue
			}
			if i == 0 {
				first = append(first, p)
			}
			key := p.Problem()
			if had, ok := of[i][key]; ok {
				if had.Processor != p.Processor {
					return nil, fmt.Errorf("%s runs on CPU and GPU: choose with --processor", names[i])
				}
				return nil, fmt.Errorf("%s has several tunings at %s: give one value of each tunable", names[i], key)
			}
			of[i][key] = p
		}
		if len(of[i]) == 0 {
			return nil, fmt.Errorf("no point of %s to run: %s", names[i], strings.Join(s.LeftOut, "; "))
		}
	}
	var pairs []*abPair
	varying := varyingParams(first)
	for _, p := range first {
		q, ok := of[1][p.Problem()]
		if !ok {
			continue
		}
		pair := &abPair{A: p, B: q, Name: p.Algorithm}
		for _, n := range p.ParamOrder {
			if varying[n] {
				pair.Name += " " + n + " " + p.Params[n].String()
			}
		}
		for _, side := range []plan.Point{p, q} {
			if side.Skip != "" {
				pair.Failure = side.Version + " skipped: " + side.Skip
			}
		}
		if p.Processor != q.Processor {
			return nil, fmt.Errorf("%s is a %s version and %s a %s one: only versions of one processor can take turns", p.Version, p.Processor, q.Version, q.Processor)
		}
		pairs = append(pairs, pair)
	}
	if len(pairs) == 0 {
		return nil, errors.New("the two configs have no problem in common")
	}
	return pairs, nil
}

func varyingParams(points []plan.Point) map[string]bool {
	varying := map[string]bool{}
	for _, p := range points {
		for n, v := range p.Params {
			varying[n] = varying[n] || v != points[0].Params[n]
		}
	}
	return varying
}

// run takes the repeats; a failure ends the pair and is kept in it.
func (p *abPair) run(ctx context.Context, e *engine.Engine, repeats int) error {
	for i := 0; i < repeats && p.Failure == ""; i++ {
		t, err := e.Turns(ctx, engine.Pair{A: p.A, B: p.B, Swap: i%2 == 1})
		if err != nil {
			return err
		}
		if t.Status != record.OK {
			p.Failure = fmt.Sprintf("%s in repeat %d: %s", t.Status, i+1, t.Reason)
			return nil
		}
		p.repeats = append(p.repeats, t)
	}
	return nil
}
