package command

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"bench/cuda/occupancy"
	"bench/framework"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/framework/safefile"
	"bench/tuning/analytical"
	"bench/tuning/search"
	"bench/tuning/strategy"
)

// analytical prints the analytical model's choices for a GPU that need not be
// there.
func (a *app) analytical(ctx context.Context, paths []string, f tuneFlags) error {
	d, err := analytical.FindDevice(f.device)
	if err != nil {
		return usageError(err)
	}
	if f.compiled {
		for _, path := range paths {
			if err := a.analyticalCompiled(ctx, path, d, f, len(paths) > 1); err != nil {
				return err
			}
		}
		return nil
	}
	var rows []analytical.Row
	for _, path := range paths {
		list, err := a.analyticalRows(ctx, path, d, f)
		if err != nil {
			return err
		}
		rows = append(rows, list...)
	}
	if f.json {
		return printLines(a, rows)
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

func (a *app) analyticalRows(ctx context.Context, path string, d *analytical.Device, f tuneFlags) ([]analytical.Row, error) {
	s, err := a.subject(ctx, path, f.choices)
	if err != nil {
		return nil, err
	}
	s.Config.Tunables = nil
	x, err := experiment.Open(ctx, s, experiment.Options{Processor: string(framework.GPU), Facts: &d.Facts, For: experiment.Search})
	if err != nil {
		return nil, openError(err)
	}
	defer x.Close()
	rows := d.Rows(x.Plan.Points, func(p plan.Point) {
		a.note("%s: the literature's model says nothing of it", strings.TrimSpace(p.Version+" "+axesText(x.Plan, p)))
	})
	if len(rows) == 0 {
		return nil, usageError(fmt.Errorf("%s: the analytical model knows none of its versions; it knows those of fft, scan and tridiagonal that the literature has", path))
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

// axesText names a point by what is swept.
func axesText(p *plan.Plan, point plan.Point) string {
	var words []string
	for _, x := range p.Axes {
		words = append(words, x.Name+" "+point.Params[x.Name].String())
	}
	return strings.Join(words, " ")
}

// analyticalCompiled prints the guideline's choice among the points of each
// space, by kernels compiled for the described GPU. With --out it is kept as a
// search's report is, so that bench transfer --reference can judge it by another
// GPU's times.
func (a *app) analyticalCompiled(ctx context.Context, path string, d *analytical.Device, f tuneFlags, several bool) error {
	subject, err := a.subject(ctx, path, f.choices)
	if err != nil {
		return err
	}
	s, err := search.Open(ctx, subject, search.Options{Objective: search.Time, Facts: &d.Facts, Device: f.device, Strategy: *strategy.Find("analytical"),
		Seed: f.seed, Compilers: f.compilers, Note: a.note})
	if err != nil {
		return openError(err)
	}
	defer s.Close()
	choices, report, err := s.Compute(ctx)
	if err != nil {
		return &statusError{exitBad, err}
	}
	if f.json {
		if err := printLines(a, report.Tasks); err != nil {
			return err
		}
	} else {
		w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "VERSION\tAT\tPOINTS\tREGISTERS\tSHARED BYTES\tBLOCKS A SM\tWARP OCCUPANCY\tTUNABLES")
		for _, c := range choices {
			o := occupancy.Of(d.Facts, c.Threads, c.Registers, c.SharedBytes)
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%.0f %%\t%s\n", c.Point.Version, c.Task.Name, c.Task.Space.Len(), c.Registers, c.SharedBytes, o.Blocks,
				math.Round(100*o.Share), c.Point.TunablesText())
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if f.out == "" {
		return nil
	}
	dir := outDir(subject.Config, f.out, several)
	if err := safefile.MkdirAll(dir); err != nil {
		return &statusError{exitBad, err}
	}
	if err := report.Write(dir); err != nil {
		return &statusError{exitBad, err}
	}
	return nil
}
