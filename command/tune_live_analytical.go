package command

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"text/tabwriter"

	"bench/framework"
	"bench/framework/engine"
	"bench/framework/plan"
	"bench/tuning"
	"bench/tuning/analytical"
	"bench/tuning/strategy"
	"bench/tuning/wisdom"
)

// analyticalRow is the model's choice at one sweep point.
type analyticalRow struct {
	Algorithm string `json:"algorithm"`
	Version   string `json:"version"`
	Device    string `json:"device"`
	N         int64  `json:"N"`
	analytical.Setting
}

// analytical prints the analytical model's choices for a GPU that need not be
// there.
func (a *app) analytical(ctx context.Context, paths []string, f tuneFlags, l liveFlags) error {
	if f.strategies[0] != "analytical" {
		return usageError(fmt.Errorf("--device %s is a description, nothing can be measured on it; only --strategy analytical works without a GPU", l.device))
	}
	d, err := analytical.FindDevice(l.device)
	if err != nil {
		return usageError(err)
	}
	if l.compiled {
		for _, path := range paths {
			if err := a.analyticalCompiled(ctx, path, d, f, l); err != nil {
				return err
			}
		}
		return nil
	}
	var rows []analyticalRow
	for _, path := range paths {
		list, err := a.analyticalRows(path, d)
		if err != nil {
			return usageError(err)
		}
		rows = append(rows, list...)
	}
	if f.json {
		e := json.NewEncoder(a.out)
		for _, r := range rows {
			if err := e.Encode(r); err != nil {
				return &statusError{exitBad, err}
			}
		}
		return nil
	}
	fmt.Fprintf(a.out, "%s (%s): %d multiprocessors, each of at most %d warps and %d blocks\n", d.Facts.Name, d.Chip,
		d.Facts.Multiprocessors, d.Facts.MaxThreadsPerSM/d.Facts.WarpSize, d.Facts.MaxBlocksPerSM)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ALGORITHM\tVERSION\tN\t(S, P, L)\tr\tSHUFFLE\tKERNELS\tBLOCKS A SM\tWARP OCCUPANCY")
	for _, r := range rows {
		radix := ""
		if r.Radix > 0 {
			radix = fmt.Sprint(r.Radix)
		}
		shuffle := 0
		if r.Shuffle {
			shuffle = 1
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t(%d, %d, %d)\t%s\t%d\t%d\t%d\t%.0f %%\n", r.Algorithm, r.Version, r.N, r.S, r.P, r.L, radix, shuffle, r.Kernels,
			r.Occupancy.Blocks, math.Round(100*r.Occupancy.Share))
	}
	w.Flush()
	fmt.Fprintln(a.out, "\nWhat fills a multiprocessor:")
	return a.occupancyTable(d)
}

func (a *app) analyticalRows(path string, d *analytical.Device) ([]analyticalRow, error) {
	c, factory, err := a.load(path)
	if err != nil {
		return nil, err
	}
	c.Tunables = nil
	p, err := plan.Make(c, factory, plan.Machine{Processor: "GPU", GPU: &d.Facts})
	if err != nil {
		return nil, err
	}
	var rows []analyticalRow
	unknown := map[string]bool{}
	for _, point := range p.Points {
		n := point.Params.Int("N")
		s, ok := analytical.SettingOf(d.Facts, point.Algorithm, point.Version, int(n))
		if !ok {
			if point.Processor == framework.GPU && !point.Peer && !unknown[point.Version] {
				unknown[point.Version] = true
				fmt.Fprintf(a.err, "%s N %d: the literature's model says nothing of it\n", point.Version, n)
			}
			continue
		}
		rows = append(rows, analyticalRow{point.Algorithm, point.Version, d.ID, n, s})
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: the analytical model knows none of its versions; it knows those of fft, scan and tridiagonal that the literature has", path)
	}
	return rows, nil
}

// occupancyTable prints how the literature's blocks fill a multiprocessor.
func (a *app) occupancyTable(d *analytical.Device) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WARPS A BLOCK\tREGISTERS A THREAD\tSHARED BYTES A BLOCK\tWARP OCCUPANCY\tBLOCKS A SM")
	for _, r := range analytical.OccupancyTable(d.Facts) {
		fmt.Fprintf(w, "%d\t%d\t%d\t%.0f %%\t%d\n", r.Warps, r.Registers, r.SharedBytes, math.Round(100*r.Occupancy.Share), r.Occupancy.Blocks)
	}
	return w.Flush()
}

// analyticalCompiled prints the guideline's choice among the points of each
// space, by kernels compiled for the described GPU. With --out it is kept as a
// search's report is, so that --phi can judge it by another GPU's times.
func (a *app) analyticalCompiled(ctx context.Context, path string, d *analytical.Device, f tuneFlags, lf liveFlags) error {
	c, factory, err := a.load(path)
	if err != nil {
		return usageError(err)
	}
	l := &live{app: a, flags: f, liveFlags: lf, config: c, factory: factory, facts: &d.Facts, place: wisdom.Device{Name: d.Facts.Name, Architecture: d.Facts.Arch()}}
	bare := *c
	bare.Tunables = nil
	p, err := plan.Make(&bare, l.factory, plan.Machine{Processor: "GPU", GPU: l.facts})
	if err != nil {
		return usageError(err)
	}
	searches, err := searchesOf(ctx, c, l.factory, p, l.facts, func(format string, args ...any) {
		fmt.Fprintf(a.err, format+"\n", args...)
	})
	if err != nil {
		return err
	}
	l.compilers = newCompilers(l.compilerCount(), engine.Options{Config: &bare, Factory: l.factory, Seed: f.seed, Workers: 1, Root: "/"}, l.facts)
	defer l.compilers.close()
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "VERSION\tAT\tPOINTS\tREGISTERS\tSHARED BYTES\tBLOCKS A SM\tWARP OCCUPANCY\tTUNABLES")
	report := tuneReport{Objective: lf.objective, Strategy: "analytical", Place: l.place, Constraints: c.Constraints}
	for _, s := range searches {
		facts := l.kernelFacts(ctx, s)
		var spaces []tuning.Task
		for _, t := range s.tasks {
			spaces = append(spaces, tuning.Task{Space: t.space})
		}
		strategy, err := strategy.Find("analytical").New(tuning.Search{Tasks: spaces, Facts: facts})
		if err != nil {
			return &statusError{exitBad, err}
		}
		for task, point, ok := strategy.Next(); ok; task, point, ok = strategy.Next() {
			t := s.tasks[task]
			registers, shared, _ := facts.Resources(task, point)
			o := analytical.OccupancyOf(d.Facts, facts.Threads(task, point), registers, shared)
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%.0f %%\t%s\n", s.version.Name, t.name, t.space.Len(), registers, shared, o.Blocks,
				math.Round(100*o.Share), settingsText(t.point(point)))
			report.Tasks = append(report.Tasks, taskReport{Algorithm: t.base.Algorithm, Version: t.base.Version, Processor: t.base.Processor,
				Params: t.base.Params, Points: t.space.Len(), Tunables: t.point(point).Tunables, Stopped: "computed, not measured"})
		}
		if why := l.compilers.allFailed(); why != nil {
			return &statusError{exitBad, why}
		}
	}
	if err := w.Flush(); err != nil || f.out == "" {
		return err
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return &statusError{exitBad, err}
	}
	if err := report.writeFile(f.out); err != nil {
		return &statusError{exitBad, err}
	}
	return nil
}
