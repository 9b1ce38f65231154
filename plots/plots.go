// Package plots draws the figures of a run, SVG, PNG and PDF each: time, rates,
// roofline, power and energy, over the first swept parameter, one line per
// version; of a run with energy also all of these on one page.
package plots

import (
	"slices"

	"bench/framework/record"
	"bench/framework/safefile"
)

// Folder is the one in a folder of results that holds figures for the screen.
const Folder = "figures"

// All draws every figure that the run has values for from dir, its results
// folder, for a medium, into the medium's folder in results, and returns the files
// it wrote.
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
	traces, err := m.powerTraces(run, dir, into)
	return append(written, traces...), err
}

// Figures are what a verb draws of its results.
type Figures []figure

// figure is one picture.
type figure struct {
	name string // of its files
	page page
}

// quantity is what a figure's y axis shows.
type quantity struct {
	name  string // of the file
	title string
	unit  string // with an SI prefix in front
	cold  bool   // from the series with flushed caches where there is one
	value func(*record.Row) record.Number
	// low and high are the error bar, and bar says what it is; nil for none.
	low, high func(*record.Row) record.Number
	bar       string
	// doubtful values are hollow: known less well than a table's "~" allows, or in
	// doubt for the reasons that the table gives; nil for none.
	doubtful func(*record.Row) bool
	// limit is a measured ceiling of the device; nil for none.
	limit     func(record.Ceilings) float64
	limitName string
	band      bool    // intervals are bands along the lines, not bars
	line      float64 // a value with a line of its own; 0: none
}

// quantities are the figures over the sweep, in order.
func quantities(run *record.Run) []quantity {
	all := append([]quantity{timeFigure, hotTimeFigure}, peerSpeed(run)...)
	all = append(all, ceilingShare, flopsFigure(run), throughputFigure(run), powerFigure, energyFigure, operationsPerJoule(run), bytesPerJoule(run))
	return append(all, latencyFigures...)
}

// figuresIn are a run's figures, with those that need more than its rows.
func figuresIn(run *record.Run, dir string) ([]figure, error) {
	latencies, err := distributions(run, dir)
	if err != nil {
		return nil, err
	}
	samples, err := sampleFigures(run, dir)
	return slices.Concat(figures(run), latencies, samples), err
}

func figures(run *record.Run) []figure {
	over := atRate(run)
	s := newSweep(over)
	s.found = foundRates(run)
	var all []figure
	for _, q := range quantities(run) {
		drawn := s.figures(q)
		if over != run && q.name == energyFigure.name {
			markCrossings(drawn)
		}
		all = append(all, drawn...)
	}
	if over == run {
		all = append(all, s.overviews()...)
	}
	return append(all, rooflines(run, s)...)
}
