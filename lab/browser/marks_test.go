package browser

import (
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"example.org/bench/report"
)

// TestMarks draws a line with a gap and a cross, and figures of any numbers: the page
// takes no longer, complains of nothing, and has each mark within the figure.
func TestMarks(t *testing.T) {
	line := report.Figure{Title: "gap", X: report.Axis{Title: "N", Log: true, Swept: true}, Y: report.Axis{Title: "time", Unit: "s", Log: true},
		Series: []report.Series{{Name: "v", Mark: report.MarkLine, X: report.Reals{1024, 2048, 4096, 8192}, Y: report.Reals{1e-3, 2e-3, math.NaN(), 4e-3}, Failed: []int{2}, Label: []string{"", "", "timeout", ""}, Point: []int{0, 1, 2, 3}}}}
	figures := []report.Figure{line}
	for _, numbers := range []report.Reals{{5e-324, 1e-320}, {1.7e308, 1e300}, {5e-324, 1.7e308}, {-1.7e308, 1.7e308}, {0, 0}, {360e-6, 360.1e-6}, {math.NaN(), math.Inf(1)}} {
		for _, log := range []bool{false, true} {
			for _, mark := range []report.Mark{report.MarkLine, report.MarkPoints, report.MarkStep} {
				figures = append(figures, report.Figure{Title: "any", X: report.Axis{Title: "x", Log: log, Swept: log}, Y: report.Axis{Title: "y", Unit: "s", Log: log},
					Series: []report.Series{{Name: "v", Mark: mark, X: numbers, Y: numbers, Low: numbers, High: numbers}}})
			}
			figures = append(figures, report.Figure{Title: "rows", X: report.Axis{Title: "x", Log: log, Unit: "J"}, Y: report.Axis{Names: []string{"a", "b"}},
				Series: []report.Series{{Name: "v", Mark: report.MarkBar, X: numbers, Y: report.Reals{0, 1}}}})
		}
	}
	points := make([]report.Point, 4)
	for i := range points {
		points[i].Name = []string{"first", "second", "third", "fourth"}[i]
	}
	p := open(t, kept(t, &report.Document{Title: "marks", Sections: []report.Section{{Title: "marks", Kind: "run", Verdict: []string{"one failed"}, Failed: true, Figures: figures, Points: points}}}))
	p.run(drawFigures)
	evaluate[bool](p, frame)
	// ECharts begins a piece of the line anew behind the gap, and the cross is a mark.
	const first = `document.querySelector(".chart")`
	series := evaluate[string](p, `JSON.stringify(`+first+`.view.chart.getOption().series.map((s) => [s.id, s.data.map((d) => (d.value ?? d)[1])]))`)
	if !strings.Contains(series, `["s0",[`) || !strings.Contains(series, `null`) || !strings.Contains(series, `["f0",[0]]`) {
		t.Errorf("the line is drawn from %s", series)
	}
	p.run(first + `.focus();`)
	for range 3 {
		p.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	p.contains(".readout", "v: N 4Ki, time no value, timeout")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.contains(".point", "third")
	if got := evaluate[bool](p, `getComputedStyle(document.querySelector(".finding")).borderLeftColor !== getComputedStyle(document.querySelector(".point")).borderLeftColor`); !got {
		t.Error("the verdict of a run that failed is as of any other")
	}
	for _, text := range evaluate[[]string](p, `[...document.querySelectorAll(".chart")].map((c) => [...c.querySelectorAll("svg text")].map((e) => e.textContent).join("|"))`) {
		if strings.Contains(text, "NaN") || strings.Contains(text, "Infinity") {
			t.Errorf("an axis reads %s", text)
		}
	}
	p.picture("marks")
}
