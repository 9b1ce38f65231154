package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/analysis/energy"
	"example.org/bench/analysis/why"
)

// pairs are versions of one kernel before and after a change, beside those of Planted and Changed, by the run's name.
var pairs = map[string]struct{ before, after, change string }{
	"histogram": {"global", "shared", "fewer-atomics"},
	"product":   {"plain", "tiles", "reuse"},
	"transpose": {"plain", "tiles", "coalesce"},
}

// printEnergies holds what a calibration predicts of the energies of runs against what was measured, and what is promised of
// changes against what they saved.
func printEnergies(ctx context.Context, calibration string, runs []string, out io.Writer) error {
	m, err := energy.Read(calibration)
	if err != nil {
		return err
	}
	var all, within, pairsOf, signs, promises, promised int
	var off float64
	kernels := map[string]bool{}
	var errs []error
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "POINT\tPOWER\tMEASURED\tPREDICTED\t±\tOFF\tWITHIN\tCLOCK\tGOES TO")
	changes := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(changes, "CHANGE\tMEASURED\tPREDICTED\tSIGN\tPROMISED BEFORE\tSIGN")
	for _, run := range runs {
		list, err := explainedBy(ctx, run, "--calibration", calibration)
		errs = append(errs, err)
		for _, e := range list {
			y := e.Energy
			name := fmt.Sprintf("%s %s %s", e.Point.Algorithm, e.Point.Version, e.Point.Settings())
			if y == nil || y.Measured == 0 || y.Predicted == 0 {
				fmt.Fprintf(w, "%s\tno energy, or its work is not known: %s\n", name, e.Why.Missing)
				continue
			}
			all++
			kernels[e.Point.Algorithm] = true
			x := y.Predicted/y.Measured - 1
			off += math.Abs(x)
			sure := ""
			if y.Sure {
				within++
				sure = "yes"
			}
			var goes []string
			for _, g := range y.Groups {
				goes = append(goes, fmt.Sprintf("%s %.0f %%", g.Of, 100*g.Share))
			}
			fmt.Fprintf(w, "%s\t%.0f W\t%.4g mJ\t%.4g mJ\t%.0f %%\t%+.1f %%\t%s\t%.0f MHz\t%s\n", name, y.Measured/y.Time, 1e3*y.Measured, 1e3*y.Predicted, 100*y.Uncertainty/y.Predicted, 100*x, sure, y.Clock/1e6, strings.Join(goes, ", "))
		}
		for _, p := range pairsIn(filepath.Base(run), list) {
			before, after := p.before.Energy, p.after.Energy
			saved, predicted := 1-after.Measured/before.Measured, 1-after.Predicted/before.Predicted
			pairsOf++
			row := fmt.Sprintf("%s %s: %s\t%.1f %%\t%.1f %%\t%s", p.before.Point.Algorithm, p.before.Point.Settings(), strings.Join(p.changes, " or "), 100*saved, 100*predicted, same(saved, predicted, &signs))
			o := energy.Observation{Work: p.before.Why.Work, Time: before.Time, Clock: before.Clock}
			best, found := 0.0, false
			for _, name := range p.changes {
				if c, ok := m.Saves(o, name, p.before.Why); ok && (!found || math.Abs(c.Saves) > math.Abs(best)) {
					best, found = c.Saves, true
				}
			}
			if found {
				promises++
				row += fmt.Sprintf("\t%.1f %%\t%s", 100*best, same(saved, best, &promised))
			} else {
				row += "\tnot suggested\t"
			}
			fmt.Fprintln(changes, row)
		}
	}
	w.Flush()
	if all > 0 {
		fmt.Fprintf(out, "%d points of %d kernels: predicted energy off by %.1f %% on average; %d within the uncertainty\n\n", all, len(kernels), 100*off/float64(all), within)
	}
	changes.Flush()
	fmt.Fprintf(out, "%d changes: the sign of %d is right where both points are predicted; of %d that the first point suggests, %d\n", pairsOf, signs, promises, promised)
	return errors.Join(errs...)
}

// same counts whether two savings have one sign.
func same(x, y float64, count *int) string {
	if (x > 0) == (y > 0) {
		*count++
		return "right"
	}
	return "wrong"
}

// pair is a point before and after a change of one of these names.
type pair struct {
	before, after why.Explained
	changes       []string
}

// pairsIn are those of a run.
func pairsIn(name string, list []why.Explained) (all []pair) {
	var before, after string
	var changes []string
	named := func(p Weakness) bool { return p.Name == name }
	if p, ok := pairs[name]; ok {
		before, after, changes = p.before, p.after, []string{p.change}
	} else if i := slices.IndexFunc(Planted, named); i >= 0 {
		before, after, changes = "weak", "mended", Planted[i].Changes
	} else if i := slices.IndexFunc(allChanged, named); i >= 0 {
		before, after, changes = "before", "after", allChanged[i].Changes
	} else {
		return nil
	}
	for _, b := range list {
		for _, a := range list {
			if b.Point.Version == before && a.Point.Version == after && b.Point.Settings() == a.Point.Settings() && measuredEnergy(a) && measuredEnergy(b) {
				all = append(all, pair{b, a, changes})
			}
		}
	}
	return all
}

func measuredEnergy(e why.Explained) bool {
	return e.Energy != nil && e.Energy.Measured > 0 && e.Energy.Predicted > 0
}

// explainedBy is what bench why says of a run with options.
func explainedBy(ctx context.Context, run string, options ...string) (list []why.Explained, err error) {
	text, ran := bench(ctx, append([]string{"why", run, "--json"}, options...)...)
	if text == nil {
		return nil, ran
	}
	for lines := json.NewDecoder(text); lines.More(); {
		var e why.Explained
		if err := lines.Decode(&e); err != nil {
			return list, err
		}
		list = append(list, e)
	}
	return list, ran
}
