package command

import (
	"context"
	"fmt"
	"io"

	"example.org/bench/internal/safefile"
	"example.org/bench/tuning/analytical"
	"example.org/bench/tuning/search"
	"example.org/bench/tuning/strategy"
)

// analytical prints the analytical model's choices for a GPU that need not be present.
func (a *app) analytical(ctx context.Context, paths []string, f tuneFlags) error {
	d, err := analytical.FindDevice(f.Device)
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
		s, err := a.subject(ctx, path, f.choices)
		if err != nil {
			return err
		}
		list, err := d.RowsOf(ctx, path, s, a.note)
		if err != nil {
			return openError(err)
		}
		rows = append(rows, list...)
	}
	if f.json {
		return printLines(a, rows)
	}
	_, err = io.WriteString(a.out, d.Text(rows))
	return err
}

// analyticalCompiled prints the guideline's choice among the points of each space, using kernels compiled
// for the described GPU. With --out it is kept like a search's report, so that bench transfer --reference
// can judge it by another GPU's times.
func (a *app) analyticalCompiled(ctx context.Context, path string, d *analytical.Device, f tuneFlags, several bool) error {
	subject, err := a.subject(ctx, path, f.choices)
	if err != nil {
		return err
	}
	s, err := search.Open(ctx, subject, search.Options{Choices: f.Choices, Objective: search.Time, Facts: &d.Facts, Device: f.Device, Strategy: *strategy.Find("analytical"),
		Compilers: f.compilers, Note: a.note})
	if err != nil {
		return openError(err)
	}
	defer s.Close()
	choices, report, err := s.Compute(ctx)
	if err != nil {
		return failure(err)
	}
	if f.json {
		if err := printLines(a, report.Tasks); err != nil {
			return err
		}
	} else {
		fmt.Fprint(a.out, search.ChoicesText(choices, d.Facts))
	}
	if f.out == "" {
		return nil
	}
	dir := subject.Config.Folder(f.out, several)
	folder, err := safefile.MakeFolder(dir)
	if err != nil {
		return failure(err)
	}
	defer folder.Close()
	return failure(report.Write(folder))
}
