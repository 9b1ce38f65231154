package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"example.org/bench/report"
)

// A page that follows a run shows the file that came in its place, stays where it was, and waits while
// somebody looks at a point.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	put := func(title string, reload float64) {
		d, err := report.Read([]string{"../../results/epyc-fft"}, report.Options{Title: title})
		if err != nil {
			t.Fatal(err)
		}
		d.Reload = reload
		if err := os.Rename(kept(t, d), path); err != nil {
			t.Fatal(err)
		}
	}
	put("first", 0.2)
	p := open(t, path)
	// Until it has met a whole page, and no reload of it.
	const show = `scrollTo(0, 600), document.querySelector("section.point").hidden = false`
	const stays = `new Promise((done) => setTimeout(() => done(scrollY === 600 && !document.querySelector("section.point").hidden), 500))`
	for shown := false; !shown; {
		awaited := func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }
		if err := chromedp.Run(p.tab, chromedp.Evaluate(show, nil), chromedp.Evaluate(stays, &shown, awaited)); err != nil && p.tab.Err() != nil {
			t.Fatal(err)
		}
	}
	put("second", 0)
	if title := evaluate[string](p, `new Promise((done) => setTimeout(() => done(document.title), 1000))`); title != "first" {
		t.Errorf("a page whose point is looked at is %q now", title)
	}
	p.run(`document.querySelector("section.point").hidden = true;`)
	p.do(chromedp.WaitReady(`//h1[text()="second"]`), chromedp.WaitReady(`html[data-ready="yes"]`, chromedp.ByQuery))
	if y := evaluate[float64](p, "scrollY"); y != 600 {
		t.Errorf("the page is at %g after it has reloaded itself; want 600", y)
	}
}
