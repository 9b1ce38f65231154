package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/plots/picture"
)

// linesEnding are lines over 1, 2, 4, 8 at these values.
func linesEnding(at ...float64) picture.Panel {
	var p picture.Panel
	for i, y := range at {
		l := picture.Line{Name: fmt.Sprint("v", i), Style: i}
		for _, x := range []float64{1, 2, 4, 8} {
			l.Points = append(l.Points, picture.Point{X: x, Y: y, Low: math.NaN(), High: math.NaN()})
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}

// TestNamesAtLineEnds: names stand at the ends of few lines, moved a little where these are near, else in
// the legend.
func TestNamesAtLineEnds(t *testing.T) {
	for name, c := range map[string]struct {
		panel picture.Panel
		named bool
	}{
		"one":        {linesEnding(1), true},
		"apart":      {linesEnding(1, 0.5, 0.2), true},
		"near":       {linesEnding(1, 0.98), true},
		"four near":  {linesEnding(1, 0.52, 0.51, 0.5, 0.49), false},
		"many":       {linesEnding(1, 0.8, 0.6, 0.4, 0.2, 0.1), false},
		"long":       {picture.Panel{Lines: []picture.Line{{Name: strings.Repeat("long", 10), Points: linesEnding(1).Lines[0].Points}}}, false},
		"ends early": {picture.Panel{Lines: []picture.Line{linesEnding(1).Lines[0], {Name: "early", Points: linesEnding(0.5).Lines[0].Points[:3]}}}, false},
		"nothing":    {picture.Panel{}, false},
	} {
		chart := newChart(picture.NewChart(picture.Time, c.panel, "N", true))
		chart.label()
		if named := chart.ends != nil; named != c.named || named && len(chart.legend()) != 0 {
			t.Errorf("%s: named at the ends: %v, %d entries in the legend", name, named, len(chart.legend()))
		}
		if c.named && !slices.IsSortedFunc(chart.ends, func(a, b ending) int {
			if b.share-a.share < endsApart-1e-9 {
				return 1
			}
			return -1
		}) {
			t.Errorf("%s: names at %v touch", name, chart.ends)
		}
	}
}

// TestNoLineWithoutSweep: two abscissas are no sweep, and a rate that was found is none of its steps.
func TestNoLineWithoutSweep(t *testing.T) {
	p := linesEnding(1)
	p.Lines[0].Points = p.Lines[0].Points[:2]
	if picture.NewChart(picture.Time, p, "N", true); !p.Lines[0].Apart {
		t.Error("two points are joined")
	}
	p = linesEnding(1)
	if picture.NewChart(picture.Time, p, "N", true); p.Lines[0].Apart || p.Lines[0].IsEnd(1) || !p.Lines[0].IsEnd(0) || !p.Lines[0].IsEnd(3) {
		t.Error("a sweep of four is not joined")
	}
	p.Lines[0].Points[3].Apart = true
	if !p.Lines[0].IsEnd(3) || !p.Lines[0].IsEnd(2) || p.Lines[0].IsEnd(1) {
		t.Error("the point that was found is joined")
	}
}

// TestMarkersAreThinned: of many points every few have a marker, of few all.
func TestMarkersAreThinned(t *testing.T) {
	l := picture.Line{Points: make([]picture.Point, 32)}
	if few := thinned(picture.Line{Points: l.Points[:8]}, 300); few != 1 {
		t.Errorf("of 8 points every %d has a marker", few)
	}
	if many := thinned(l, 150); many != 4 {
		t.Errorf("of 32 points on 150 pt every %d has a marker", many)
	}
}

// TestSamplesFigure: versions whose samples spread have a chart for each problem, at most six; a run of
// hundreds of points has none, and neither has one whose lines would all stand upright.
func TestSamplesFigure(t *testing.T) {
	run := runs()["sweep"]
	spread := func(width float64) *record.Samples {
		r := *run
		r.Results = slices.Clone(run.Results)
		for i := range r.Results {
			if c := r.Results[i].Cold; c != nil {
				own := *c
				own.Samples = nil
				for k := range 100 {
					own.Samples = append(own.Samples, 1e-3*(1+width*float64(k)/100))
				}
				r.Results[i].Cold = &own
			}
		}
		dir := t.TempDir()
		if err := record.WriteIn(safefiletest.Hold(t, dir), &r); err != nil {
			t.Fatal(err)
		}
		read, err := record.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		samples, err := record.ReadSamples(dir, read)
		if err != nil {
			t.Fatal(err)
		}
		return samples
	}
	all := samplesFigure(run, spread(0.2))
	if len(all) != 1 || len(all[0].page.content.(*sheet).charts) != mostProblems || !strings.Contains(all[0].page.note, "6 of 18 problems whose samples spread") {
		t.Fatalf("%d figures: %+v", len(all), all)
	}
	c := all[0].page.content.(*sheet).charts[0].(*shareChart)
	if len(c.lines) < 3 || math.Abs(middle(c.lines[0])-1.098e-3) > 1e-9 {
		t.Errorf("%d lines, the median %v", len(c.lines), middle(c.lines[0]))
	}
	hundreds := *run
	hundreds.Rows = slices.Repeat(run.Rows, mostSampled/len(run.Rows)+1)
	if f, err := sampleFigures(&hundreds, "nowhere"); len(f) != 0 || err != nil {
		t.Errorf("%d figures of %d points, %v", len(f), len(hundreds.Rows), err)
	}
	if f, err := sampleFigures(run, t.TempDir()); run.Results == nil && (len(f) != 0 || err != nil) {
		t.Errorf("without samples: %d figures, %v", len(f), err)
	}
}

// TestLabelsGoEvenly: of evenly spaced labels that touch every second stays, of others those that fit, with
// the last.
func TestLabelsGoEvenly(t *testing.T) {
	shown := func(values []float64, width vg.Length) (texts []string) {
		for _, t := range scaleOf(axis.Swept("N", values, true)).apart(width) {
			if t.Label != "" {
				texts = append(texts, t.Label)
			}
		}
		return texts
	}
	powers := []float64{1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22}
	if got := shown(powers, 150); !slices.Equal(got, []string{"1Ki", "16Ki", "256Ki", "4Mi"}) {
		t.Errorf("narrow: %q", got)
	}
	if got := shown(powers, 400); len(got) != len(powers) {
		t.Errorf("wide: %q", got)
	}
	if got := shown([]float64{10, 100, 1000, 1170}, 200); !slices.Equal(got, []string{"10", "100", "1170"}) {
		t.Errorf("uneven: %q", got)
	}
}

// TestSheetsFitThePage: in print a sheet has rows that leave room for a text, on the screen all.
func TestSheetsFitThePage(t *testing.T) {
	all := overviews(picture.NewSweep(runs()["sweep"]))
	if len(all) != 1 {
		t.Fatalf("%d sheets", len(all))
	}
	for _, m := range Media() {
		parts := m.inParts(all)
		charts := 0
		for i, f := range parts {
			s := f.page.content.(*sheet)
			charts += len(s.charts)
			if _, rows, _, _ := s.grid(m.width - 2*margin); m.rows > 0 && (rows > m.rows || f.name != fmt.Sprintf("overview_%d", i+1)) {
				t.Errorf("%s: %s has %d rows", m.Name, f.name, rows)
			}
		}
		if want := len(all[0].page.content.(*sheet).charts); charts != want || m.rows == 0 && len(parts) != 1 {
			t.Errorf("%s: %d charts in %d figures, want %d", m.Name, charts, len(parts), want)
		}
	}
}

// TestRooflineOfOneIntensity: a sweep whose points would all stand on one another has none.
func TestRooflineOfOneIntensity(t *testing.T) {
	run := *runs()["sweep"]
	run.Rows = slices.Clone(run.Rows)
	if len(picture.NewSweep(&run).Rooflines()) == 0 {
		t.Fatal("the sweep has no roofline")
	}
	for i := range run.Rows {
		run.Rows[i].Work.FLOPPerByte = record.Measured(0.4)
	}
	if f := picture.NewSweep(&run).Rooflines(); len(f) != 0 {
		t.Errorf("%d rooflines at one intensity", len(f))
	}
}

// TestRaised: superscripts, which the font has in part, are small digits, and as wide as these.
func TestRaised(t *testing.T) {
	style := textStyle(10, ink)
	small := textStyle(10*raisedSize, ink)
	if got, want := style.Width("10⁻⁹ s"), style.Width("10")+small.Width("-9")+style.Width(" s"); math.Abs(float64(got-want)) > 1e-9 {
		t.Errorf("width %v, want %v", got, want)
	}
	if got := fmt.Sprint(parts("2×10⁻⁹ s")); got != "[{2×10 false} {-9 true} { s false}]" {
		t.Error(got)
	}
}

// TestPercentStaysWithItsNumber: no line of a note ends between the two.
func TestPercentStaysWithItsNumber(t *testing.T) {
	style := textStyle(10, ink)
	width := style.Width("error bars: 95")
	if got := fit(style, "error bars: 95 % intervals", width+1, 3); !slices.Equal(got, []string{"error bars:", "95 %", "intervals"}) {
		t.Errorf("%q", got)
	}
}

// TestLevelsAreNamedOnce: beside the dots of a comparison of one problem, or in the legend.
func TestLevelsAreNamedOnce(t *testing.T) {
	for sizes, want := range map[int]string{1: "front: no other beats both", 3: "front: no other beats both; first; second"} {
		f := timeEnergyFigure("", picture.ComparedEnergies(compared(t, []int64{1000, 2000, 4000}[:sizes], 1.5)))
		var names []string
		for _, e := range f.page.content.legend() {
			names = append(names, e.text)
		}
		if got := strings.Join(names, "; "); got != want {
			t.Errorf("%d problems: legend %s, want %s", sizes, got, want)
		}
		drawn := 0
		_, words, _ := recorded(f.page)
		for _, w := range words {
			if w.text == "first" || w.text == "second" {
				drawn++
			}
		}
		if drawn != 2 {
			t.Errorf("%d problems: the levels are named %d times", sizes, drawn)
		}
	}
}

// TestCorners: a name goes into a corner where no side is free, if it may.
func TestCorners(t *testing.T) {
	for _, corners := range []bool{false, true} {
		a := annotations{page: vg.Rectangle{Max: vg.Point{X: 200, Y: 200}}, corners: corners}
		at := vg.Point{X: 100, Y: 100}
		a.keepLine([]vg.Point{{X: 0, Y: 100}, {X: 200, Y: 100}})
		a.keepLine([]vg.Point{{X: 100, Y: 0}, {X: 100, Y: 200}})
		if placed := a.beside(draw.NewCanvas(new(recorder.Canvas), 200, 200), textStyle(9, ink), at, "name"); placed != corners {
			t.Errorf("corners %v: placed %v", corners, placed)
		}
	}
}
