package browser

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// wideSpace is a recorded space of so many points of two tunables that have every value up
// to n; points are chosen at random, or all of a small one.
func wideSpace(t *testing.T, n, points int) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("X,Y,time_ms,status\n")
	for _, at := range random.Perm(n * n)[:points] {
		x, y := at%n+1, at/n+1
		fmt.Fprintf(&b, "%d,%d,%.4f,valid\n", x, y, 1+float64(x)/float64(n)+float64(y*y)/float64(n*n)+0.1*random.Float64())
	}
	path := filepath.Join(t.TempDir(), "space.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// effort is what a page of a space costs the browser: its nodes, and the seconds of its tasks
// to show all figures and to answer a click on the last of the table's buttons.
type effort struct{ nodes, seconds, answer float64 }

const (
	drawFigures = `for (const c of document.querySelectorAll(".chart")) c.view.drawn || c.view.draw();`
	countNodes  = `document.querySelectorAll("*").length`
	// clickTime is how long the page takes until the frame after a click, by its own clock.
	clickTime = `new Promise((done) => { const start = performance.now(); [...document.querySelectorAll("th button")].pop().click();
		requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.now() - start); c.port2.postMessage(0); }); })`
)

func tasks(p *page) (seconds float64) {
	p.t.Helper()
	metrics := map[string]float64{}
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		all, err := performance.GetMetrics().Do(ctx)
		for _, m := range all {
			metrics[m.Name] = m.Value
		}
		return err
	}))
	return metrics["TaskDuration"]
}

// effortOf opens a page and uses it.
func effortOf(t *testing.T, path, picture string) (e effort) {
	t.Helper()
	p := open(t, path)
	p.do(performance.Enable(), chromedp.Reload(), chromedp.WaitReady(`html[data-ready="yes"]`, chromedp.ByQuery))
	p.run(drawFigures)
	evaluate[bool](p, frame)
	e.answer = evaluate[float64](p, clickTime)
	e.nodes, e.seconds = evaluate[float64](p, countNodes), tasks(p)
	p.picture(picture)
	return e
}

// moderate checks that a page costs no more than some of a small one.
func (e effort) moderate(t *testing.T, name string, control effort) {
	t.Helper()
	t.Logf("%s: %+v; a small one %+v", name, e, control)
	const nodes, times = 5, 25
	if e.nodes > nodes*control.nodes || e.seconds > times*control.seconds || e.answer > times*control.answer {
		t.Errorf("%s takes %+v, a small one %+v", name, e, control)
	}
}

// TestWideSpaces opens spaces of many values and of many points, beside a small one.
func TestWideSpaces(t *testing.T) {
	small := writtenOf(t, wideSpace(t, 14, 184))
	wide := map[string]string{}
	for name, c := range map[string]struct{ n, points int }{"1024": {1024, 7262}, "20000": {150, 20000}, "160000": {400, 160000}} {
		wide[name] = writtenOf(t, wideSpace(t, c.n, c.points))
	}
	control := effortOf(t, small, "space")
	for name, path := range wide {
		effortOf(t, path, "space-"+name).moderate(t, "Chromium, "+name, control)
	}
	b := startFirefox(t)
	inFirefox := func(path, name string) (e effort) {
		b.open(path)
		start := time.Now()
		b.text(`(() => { ` + drawFigures + ` return ""; })()`)
		b.text(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done("drawn"))))`)
		e.seconds = time.Since(start).Seconds()
		for to, expression := range map[*float64]string{&e.answer: clickTime + `.then(String)`, &e.nodes: "String(" + countNodes + ")"} {
			if _, err := fmt.Sscan(b.text(expression), to); err != nil {
				t.Fatal(err)
			}
		}
		b.picture("firefox-space-" + name)
		return e
	}
	control = inFirefox(small, "small")
	for name, path := range wide {
		inFirefox(path, name).moderate(t, "Firefox, "+name, control)
	}
}
