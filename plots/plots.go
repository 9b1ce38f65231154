// Package plots draws the figures of a run as SVG, PNG and PDF: time, rates, roofline, power and energy over
// the first swept parameter, with a line per version. For a run with energy it also draws all of these on one
// page.
package plots

import (
	"slices"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/plots/picture"
)

// Folder is the folder, in a folder of results, of the figures for the screen.
const Folder = "figures"

// All draws, for a medium, every figure for which the run has values. dir is the run's results folder. The
// files go into the medium's folder in results; All returns them.
func All(run *record.Run, dir string, results *safefile.Folder, m Medium) ([]string, error) {
	all, err := figuresIn(run, dir)
	if err != nil {
		return nil, err
	}
	into, err := results.Make(m.Folder)
	if err != nil {
		return nil, err
	}
	defer into.Close()
	all = m.inParts(all)
	for i := range all {
		all[i].name = run.Prefix + "_" + all[i].name
	}
	written, err := m.writeAll(all, into, run.Prefix+"_")
	if err != nil {
		return written, err
	}
	energies, err := m.energyFolder(run, into)
	if written = append(written, energies...); err != nil {
		return written, err
	}
	traces, err := m.powerTraces(run, dir, into)
	return append(written, traces...), err
}

// Figures are the figures of a verb's results.
type Figures []figure

// figure is one picture.
type figure struct {
	name string // without the extension, of its files
	page page
}

// figuresIn returns a run's figures, including those that need more than its rows.
func figuresIn(run *record.Run, dir string) ([]figure, error) {
	latencies, err := distributions(run, dir)
	if err != nil {
		return nil, err
	}
	samples, err := sampleFigures(run, dir)
	return slices.Concat(figures(run), latencies, samples), err
}

func figures(run *record.Run) []figure {
	s := picture.NewSweep(run)
	var all []figure
	for _, q := range picture.Quantities(run) {
		for _, c := range s.Charts(q) {
			all = append(all, figureOf(s, c, charted(c)))
		}
	}
	all = append(all, overviews(s)...)
	if of := energies(s, run); len(of) == 1 { // several have a folder
		all = append(all, of...)
	}
	all = append(all, stageFigures(run)...)
	return append(all, rooflines(s)...)
}

// charted returns a chart of lines, or bars, with the entries of its legend or the names beside its lines.
func charted(c picture.Chart) content {
	if c.Bars {
		return newBars(c)
	}
	drawn := newChart(c)
	drawn.label()
	if n := len(c.Crossings); n > 0 && n <= mostCrossings {
		return marked{drawn, c.Crossings}
	}
	return drawn
}

func figureOf(s *picture.Sweep, c picture.Chart, drawn content) figure {
	f := figure{name: c.Name, page: page{title: s.Title + ": " + c.Title, note: c.Note, content: drawn}}
	if c.Panel != "" {
		f.name += "_" + picture.FileName(c.Panel)
	}
	return f
}
