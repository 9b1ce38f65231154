// Package browser looks at reports in real browsers: what they request, say on the
// console, and answer to the keyboard, a screen reader and a drag.
package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"example.org/bench/report"
	"example.org/bench/test/published"
)

// chromium names the variable with the program.
const chromium = "BENCH_CHROMIUM"

// patience ends what hangs.
const patience = 5 * time.Minute

var screenshots = flag.String("screenshots", "", "folder for pictures of the pages that tests look at")

var started struct {
	sync.Mutex
	browser context.Context
	stop    []context.CancelFunc
}

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	for _, stop := range started.stop {
		stop()
	}
	os.Exit(status)
}

// browserOf is the one Chromium of all tests.
func browserOf(t *testing.T) context.Context {
	t.Helper()
	program := os.Getenv(chromium)
	if program == "" {
		t.Skipf("needs %s, a headless Chromium: run tools/fetch-test-env chromium and source .cache/env.sh", chromium)
	}
	started.Lock()
	defer started.Unlock()
	if started.browser != nil {
		return started.browser
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1280, 1000))
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	browser, stopBrowser := chromedp.NewContext(allocator)
	started.stop = append(started.stop, stopBrowser, stopAllocator)
	if err := chromedp.Run(browser); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	started.browser = browser
	return browser
}

// page is a report in a tab.
type page struct {
	t    *testing.T
	tab  context.Context
	path string
	site string // a folder with more that the page may request

	lock       sync.Mutex
	complaints []string
}

// open shows a report in a tab of its own. At the end of the test nothing may have been
// requested or complained of.
func open(t *testing.T, path string) *page {
	t.Helper()
	p := tabOf(t, path)
	p.do(chromedp.Navigate("file://"+p.path), chromedp.WaitReady(`html[data-ready="yes"]`, chromedp.ByQuery))
	return p
}

// tabOf is a tab that shows nothing yet.
func tabOf(t *testing.T, path string) *page {
	t.Helper()
	tab, closeTab := chromedp.NewContext(browserOf(t))
	tab, giveUp := context.WithTimeout(tab, patience)
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t: t, tab: tab, path: path}
	t.Cleanup(func() {
		giveUp()
		closeTab()
		p.lock.Lock()
		defer p.lock.Unlock()
		for _, c := range p.complaints {
			t.Error(c)
		}
	})
	chromedp.ListenTarget(tab, p.listen)
	p.do(network.Enable(), log.Enable())
	return p
}

func (p *page) listen(event any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	complain := func(format string, args ...any) { p.complaints = append(p.complaints, fmt.Sprintf(format, args...)) }
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		u := e.Request.URL
		own := u == "file://"+p.path || strings.HasPrefix(u, "blob:") || p.site != "" && strings.HasPrefix(u, "file://"+p.site+"/")
		if !own {
			complain("the page requests %.200s", u)
		}
	case *runtime.EventExceptionThrown:
		complain("the page fails: %s", e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			complain("the console has %s: %s", e.Type, a.Value)
		}
	case *log.EventEntryAdded:
		complain("the log has %s: %s", e.Entry.Level, e.Entry.Text)
	}
}

func (p *page) do(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.tab, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// evaluate is what an expression of the page's language gives, promises awaited.
func evaluate[T any](p *page, expression string) (result T) {
	p.t.Helper()
	p.do(chromedp.Evaluate(expression, &result, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	return result
}

// run runs statements of the page's language.
func (p *page) run(statements string) {
	p.t.Helper()
	p.do(chromedp.Evaluate("(() => { "+statements+" })()", nil))
}

// text is what an element says.
func (p *page) text(selector string) string {
	p.t.Helper()
	return evaluate[string](p, fmt.Sprintf("document.querySelector(%q)?.textContent ?? '(there is no such element)'", selector))
}

func (p *page) contains(selector string, parts ...string) {
	p.t.Helper()
	text := p.text(selector)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			p.t.Errorf("%s lacks %q:\n%.2000s", selector, part, text)
		}
	}
}

// picture keeps what the page looks like, where asked for.
func (p *page) picture(name string) {
	p.t.Helper()
	if *screenshots == "" {
		return
	}
	var png []byte
	p.run(`for (const c of document.querySelectorAll("section.source .chart")) c.view.drawn || c.view.draw();`)
	p.do(chromedp.FullScreenshot(&png, 100))
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), png, 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// pages are the reports of published results that were made, by their paths.
var pages = map[string][]byte{}

// written makes a report of published results, once for all tests.
func written(t *testing.T, paths ...string) string {
	t.Helper()
	for i, p := range paths {
		paths[i] = published.Path("../..", p)
	}
	key := strings.Join(paths, "\n")
	if page, made := pages[key]; made {
		path := filepath.Join(t.TempDir(), "report.html")
		if err := os.WriteFile(path, page, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := writtenOf(t, paths...)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pages[key] = page
	return path
}

func writtenOf(t *testing.T, paths ...string) string {
	t.Helper()
	d, err := report.Read(paths, report.Options{Made: "of a test"})
	if err != nil {
		t.Fatal(err)
	}
	return kept(t, d)
}

// kept is a document's file.
func kept(t *testing.T, d *report.Document) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := d.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	return path
}

// drag is what a mouse does.
func drag(x0, y0, x1, y1 float64) []chromedp.Action {
	const steps = 5
	press := func(kind input.MouseType, x, y float64) chromedp.Action {
		return input.DispatchMouseEvent(kind, x, y).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	}
	actions := []chromedp.Action{input.DispatchMouseEvent(input.MouseMoved, x0, y0), press(input.MousePressed, x0, y0)}
	for i := 1; i <= steps; i++ {
		share := float64(i) / steps
		actions = append(actions, press(input.MouseMoved, x0+(x1-x0)*share, y0+(y1-y0)*share))
	}
	return append(actions, press(input.MouseReleased, x1, y1))
}
