package browser

import (
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// frame waits until the page has drawn what it was last told.
const frame = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

func TestThemes(t *testing.T) {
	p := open(t, written(t, "h200-fft-peers"))
	ground := func() string { return evaluate[string](p, "getComputedStyle(document.body).backgroundColor") }
	chart := func() string {
		return evaluate[string](p, `(() => { const v = document.querySelector(".chart").view; v.drawn || v.draw(); return v.chart.getOption().backgroundColor; })()`)
	}
	prefer := func(scheme string) {
		p.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
		evaluate[bool](p, frame)
	}
	choose := func(value string) {
		p.do(chromedp.SetValue(".theme select", value, chromedp.ByQuery))
		p.run(`document.querySelector(".theme select").dispatchEvent(new Event("change"))`)
	}
	const white, black = "rgb(255, 255, 255)", "rgb(23, 25, 28)"
	for _, step := range []struct {
		name           string
		act            func()
		ground, figure string
	}{
		{"light", func() { prefer("light") }, white, "#ffffff"},
		{"dark", func() { prefer("dark") }, black, "#17191c"},
		{"light-chosen", func() { choose("light") }, white, "#ffffff"},
		{"dark-chosen", func() { prefer("light"); choose("dark") }, black, "#17191c"},
	} {
		step.act()
		if g, f := ground(), chart(); g != step.ground || f != step.figure {
			t.Errorf("%s: the page's ground is %s and the figure's %s, want %s and %s", step.name, g, f, step.ground, step.figure)
		}
		p.picture("theme-" + step.name)
	}
}

// TestKeyboard goes through a figure and a point without a mouse.
func TestKeyboard(t *testing.T) {
	p := open(t, written(t, "h200-fft-peers"))
	p.do(chromedp.Focus(".chart", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	p.contains(".readout", "stockham: N 128, time of one run 258 µs (interval 257.9 µs to 258.2 µs)", "Enter or a click")
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.contains(".readout", "cufft: N 128")
	p.do(chromedp.KeyEvent(kb.End))
	p.contains(".readout", "cufft: N 8Mi")
	p.do(chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.Enter))
	p.contains(".point", "cufft, N 64", "bench run configs/fft-peers.json --set N=64 --versions cufft", "samples in the order taken")
	if got := evaluate[string](p, "document.activeElement.textContent"); !strings.Contains(got, "cufft, N 64") {
		t.Errorf("the focus is on %q, not on the point", got)
	}
	evaluate[bool](p, frame)
	if n := evaluate[int](p, `document.querySelectorAll(".point .chart svg path, .point .chart canvas").length`); n == 0 {
		t.Error("the point's samples are not drawn")
	}
	p.picture("point")
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	if got := evaluate[bool](p, `document.querySelector(".point").hidden && document.activeElement === document.querySelector(".chart")`); !got {
		t.Error("Close does not give the focus back to the figure")
	}
	// Nothing that acts is out of the keyboard's reach.
	if got := evaluate[[]string](p, `[...document.querySelectorAll("button, select, input, summary, a, .chart[role=application]")].filter((e) => e.tabIndex < 0).map((e) => e.outerHTML)`); len(got) > 0 {
		t.Errorf("out of the keyboard's reach: %q", got)
	}
}

func TestTables(t *testing.T) {
	p := open(t, written(t, "h200-fft-peers"))
	const table = `.tables section:first-of-type`
	first := func() string { return p.text(table + " tbody tr:first-child") }
	header := func(name string) string {
		return `[...document.querySelectorAll("` + table + ` th button")].find((b) => b.textContent === "` + name + `")`
	}
	press := func(name string) {
		p.run(header(name) + ".focus()")
		p.do(chromedp.KeyEvent(kb.Enter))
	}
	press("time")
	if got := first(); !strings.Contains(got, "255.65 µs") {
		t.Errorf("by time the first row is %s", got)
	}
	press("time")
	if got := first(); !strings.Contains(got, "848.7 µs") {
		t.Errorf("by time, descending, the first row is %s", got)
	}
	if got := evaluate[string](p, header("time")+`.parentElement.getAttribute("aria-sort")`); got != "descending" {
		t.Errorf("aria-sort is %s", got)
	}
	p.do(chromedp.SendKeys(table+" input", "stockham 4096", chromedp.ByQuery))
	p.contains(table+" .count", "of 36 rows")
	if got := first(); !strings.Contains(got, "stockham") || !strings.Contains(got, "4096") {
		t.Errorf("filtered, the first row is %s", got)
	}
	p.run(`window.copied = ""; navigator.clipboard.writeText = async (t) => { window.copied = t; }`)
	p.run(`[...document.querySelectorAll("` + table + ` .tools button")].find((b) => b.textContent === "Copy").click()`)
	if got := evaluate[string](p, "window.copied"); !strings.HasPrefix(got, "point\tversion") || strings.Contains(got, "cufft") {
		t.Errorf("copied is %.300q", got)
	}
}

// TestSaved reads back what figures are saved as.
func TestSaved(t *testing.T) {
	p := open(t, written(t, "h200-fft-peers"))
	p.run(`URL.createObjectURL = (b) => { window.saved = b; return "blob:none"; }; HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; }`)
	press := func(what string) string {
		t.Helper()
		p.run(`[...document.querySelectorAll("figure .tools button")].find((b) => b.textContent === "` + what + `").click()`)
		return evaluate[string](p, "window.saved.text()")
	}
	svg := press("Save SVG")
	paths := 0
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v\n%.500s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
			paths++
		}
	}
	if paths < 36 || !strings.Contains(svg, "stockham") || !strings.Contains(svg, "time of one run") {
		t.Errorf("the SVG has %d paths, or lacks its title or legend", paths)
	}
	if got := evaluate[string](p, "window.savedAs"); got != "time-of-one-run.svg" {
		t.Errorf("the SVG is saved as %s", got)
	}
	rows, err := csv.NewReader(strings.NewReader(press("Save CSV"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 37 || !slices.Equal(rows[0], []string{"series", "N", "time of one run (s)", "interval from", "interval to", "remark"}) || rows[1][1] != "64" || rows[1][2] != "0.000258272" {
		t.Errorf("the CSV has %d rows, the first %q", len(rows), rows[:2])
	}
}

// TestPrint has every figure on paper, in light colours, and nothing to press.
func TestPrint(t *testing.T) {
	p := open(t, written(t, "h200-fft-peers"))
	p.run(`document.documentElement.dataset.theme = "dark"`)
	var pdf []byte
	p.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = cdppage.PrintToPDF().WithPrintBackground(true).Do(ctx)
		return err
	}))
	if !strings.HasPrefix(string(pdf), "%PDF-") {
		t.Errorf("it prints %d bytes that are no PDF", len(pdf))
	}
	if got := evaluate[int](p, `[...document.querySelectorAll(".first .chart, .figures .chart")].filter((c) => !c.view.drawn).length`); got != 0 {
		t.Errorf("%d figures are not drawn on paper", got)
	}
	p.do(emulation.SetEmulatedMedia().WithMedia("print"))
	p.run(`dispatchEvent(new Event("beforeprint"))`)
	if got := evaluate[[]string](p, `[...document.querySelectorAll(".tools button, select")].filter((e) => e.checkVisibility()).map((e) => e.textContent)`); len(got) > 0 {
		t.Errorf("on paper there is %q to press", got)
	}
	if got := evaluate[string](p, "getComputedStyle(document.body).backgroundColor"); got != "rgb(255, 255, 255)" {
		t.Errorf("paper is %s", got)
	}
	p.picture("print")
}

// TestNames holds that all that one can act on, and every figure and table, has a name
// for a screen reader.
func TestNames(t *testing.T) {
	p := open(t, written(t, "h200-energy/1", "h200-fft-peers", "h100-fft-peers/full-cache"))
	var nodes []*accessibility.Node
	p.do(accessibility.Enable(), chromedp.ActionFunc(func(ctx context.Context) (err error) {
		nodes, err = accessibility.GetFullAXTree().Do(ctx)
		return err
	}))
	named := map[string]int{}
	for _, n := range nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := strings.Trim(string(n.Role.Value), `"`)
		if !slices.Contains([]string{"button", "combobox", "searchbox", "textbox", "link", "application", "figure", "region", "navigation", "heading", "DisclosureTriangle"}, role) {
			continue
		}
		if n.Name == nil || strings.Trim(string(n.Name.Value), `" `) == "" {
			t.Errorf("a %s has no name", role)
		}
		named[role]++
	}
	for role, least := range map[string]int{"button": 40, "combobox": 1, "searchbox": 6, "application": 12, "figure": 12, "region": 6, "navigation": 1, "heading": 20} {
		if named[role] < least {
			t.Errorf("a screen reader finds %d of role %s, want at least %d: %v", named[role], role, least, named)
		}
	}
	p.picture("several")
}
