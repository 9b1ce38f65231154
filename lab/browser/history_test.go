package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"example.org/bench/framework/history/historytest"
)

// TestHistory reads a history's section: what changed since which revision, in words, in
// the figure and in tables.
func TestHistory(t *testing.T) {
	p := open(t, writtenOf(t, historytest.Grow(t, 40, historytest.Outlier(15, 2, historytest.Step(32, 1.2)))))
	p.contains("main", "40 runs, 1 series: worse.", "fft/stockham on cpu, time (a CPU): slower by ", "from r32 on (between r31 and r32)")
	p.run(`for (const c of document.querySelectorAll(".chart")) c.view.draw();`)
	p.contains("main", "fft/stockham on cpu", "Lines are levels; hollow marks are outliers.")
	// What is drawn: the outlier hollow, two levels, a fifth apart.
	p.run(`for (const d of document.querySelectorAll("figure details")) d.open = true;`)
	evaluate[bool](p, frame)
	rows := evaluate[[]string](p, `[...document.querySelectorAll("figure tbody tr")].map((r) => [...r.cells].map((c) => c.textContent).join("|"))`)
	marks := map[string]int{}
	for _, r := range rows {
		name, _, _ := strings.Cut(r, "|")
		marks[name]++
	}
	if marks["runs"] != 35 || marks["other surroundings"] != 5 || marks["levels"] < 4 {
		t.Errorf("%v of\n%s", marks, strings.Join(rows, "\n"))
	}
	// With the keyboard, run by run: each says its revision.
	p.run(`document.querySelector(".chart").focus();`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	first := evaluate[string](p, `document.querySelector(".chart ~ .readout").textContent`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	second := evaluate[string](p, `document.querySelector(".chart ~ .readout").textContent`)
	if !strings.Contains(first, "r5") || !strings.Contains(second, "r6") {
		t.Errorf("runs read %q, then %q", first, second)
	}
	p.contains("main", "changes", "r32", "r31", "noise")
	p.picture("history")
}
