package plots

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"example.org/bench/framework/record"
	"example.org/bench/plots/picture"
)

// DrawnWords are the words that a chart's figure has for the screen, and those of its legend.
func DrawnWords(s *picture.Sweep, c picture.Chart) (words, legend []string) {
	f := figureOf(s, c, charted(c))
	_, list, _ := recorded(f.page)
	for _, w := range list {
		words = append(words, w.text)
	}
	for _, e := range f.page.content.legend() {
		legend = append(legend, e.text)
	}
	return words, legend
}

// HollowWords explain marks of doubt in a legend.
var HollowWords = hollowEntry.text

// Written reports whether words hold a text, whose superscripts are words of their own.
func Written(words []string, text string) bool {
	for _, p := range parts(text) {
		if !slices.Contains(words, p.text) {
			return false
		}
	}
	return true
}

// Drawn is a figure for the screen.
type Drawn struct {
	Title         string
	Words, Legend []string
	// Marks counts shapes that are filled or stroked within the figure's data.
	Marks int
	// Points counts the values that the figure is made of.
	Points int
}

// DrawnOf are figures as they are drawn.
func DrawnOf(all Figures) (list []Drawn) {
	for _, f := range all {
		d := Drawn{Title: f.page.title, Points: pointsOf(f.page.content)}
		at, written, actions := recorded(f.page)
		for _, w := range written {
			d.Words = append(d.Words, w.text)
		}
		for _, e := range f.page.content.legend() {
			d.Legend = append(d.Legend, e.text)
		}
		for _, a := range actions {
			var path vg.Path
			switch a := a.(type) {
			case *recorder.Fill:
				path = a.Path
			case *recorder.Stroke:
				path = a.Path
			}
			if len(path) > 0 && inside(path[0].Pos, at.data) {
				d.Marks++
			}
		}
		list = append(list, d)
	}
	return list
}

// DrawnBeside are a run's figures beside its charts, by how their titles on a page begin.
func DrawnBeside(run *record.Run) map[string][]Drawn {
	s := picture.NewSweep(run)
	return map[string][]Drawn{
		"roofline":                   DrawnOf(rooflines(s)),
		"time and energy of one run": DrawnOf(energies(s, run)),
		"share of each kernel":       DrawnOf(stageFigures(run)),
	}
}

func pointsOf(c content) (n int) {
	switch c := c.(type) {
	case *timeEnergyChart:
		n = len(c.Others) + 2*len(c.Again)
		for _, m := range c.Marked {
			n += len(m.Points)
		}
	case *roofline:
		for _, l := range c.Lines {
			n += len(l.Points)
		}
	case *stages:
		for _, p := range c.points {
			n += len(p.Time) + len(p.Energy)
		}
	case *strips:
		for _, r := range c.Rows {
			n += 1 + len(r.Ratios)
		}
	case *groups:
		for _, k := range c.Kinds {
			n += len(k.Bars)
		}
	case *curves:
		for _, l := range c.Curves {
			n += len(l.Places())
		}
	case *heat:
		for _, row := range c.Share {
			n += len(row)
		}
	}
	return n
}

func inside(p vg.Point, r vg.Rectangle) bool {
	return p.X >= r.Min.X-1 && p.X <= r.Max.X+1 && p.Y >= r.Min.Y-1 && p.Y <= r.Max.Y+1
}
