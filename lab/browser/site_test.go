package browser

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hugo names the variable with the program.
const hugo = "BENCH_HUGO"

// makeSite is the pages as make site makes them, once for all tests.
var makeSite = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "bench-site")
	if err != nil {
		return "", err
	}
	started.Lock()
	started.stop = append(started.stop, func() { os.RemoveAll(dir) })
	started.Unlock()
	site := filepath.Join(dir, "site")
	cmd := exec.Command(os.Getenv(hugo), "--noBuildLock", "--source", "../../tools/site", "--destination", site)
	cmd.Env = append(os.Environ(), "HUGO_CACHEDIR="+filepath.Join(dir, "cache"))
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "WARN") {
		return "", fmt.Errorf("hugo: %v\n%s", err, out)
	}
	return site, nil
})

func siteOf(t *testing.T) string {
	t.Helper()
	if os.Getenv(hugo) == "" {
		t.Skipf("needs %s: run tools/fetch-test-env hugo and source .cache/env.sh", hugo)
	}
	site, err := makeSite()
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// openSite shows nothing of the site yet.
func openSite(t *testing.T) *page {
	t.Helper()
	site := siteOf(t)
	p := tabOf(t, filepath.Join(site, "index.html"))
	p.site = site
	return p
}

func (p *page) visit(name string) {
	p.t.Helper()
	p.do(chromedp.Navigate("file://" + filepath.Join(p.site, name)))
}

// looked is what a page of the site has.
type looked struct {
	Links    []string // as the browser resolves them
	IDs      []string
	Headings []string // their text and anchor, with a line's end between
	Broken   []string // pictures that do not load or say nothing
	Wide     string   // what reaches beyond the window
	Title    string
}

const look = `(async () => {
	const all = (selector) => [...document.querySelectorAll(selector)];
	const broken = [];
	for (const i of all("img")) {
		i.loading = "eager";
		await i.decode().catch(() => broken.push(i.src + " does not load"));
		if (i.alt.length < 20) broken.push(i.src + " lacks a text of what it shows");
	}
	const wide = document.documentElement.scrollWidth <= innerWidth ? "" : all("main *").filter((e) => e.getBoundingClientRect().right > innerWidth && !e.parentElement.closest("pre, .table")).map((e) => e.outerHTML.slice(0, 200)).concat("something")[0];
	return { Links: all("a[href], link[href]").map((a) => a.href), IDs: all("[id]").map((e) => e.id), Broken: broken, Wide: wide, Title: document.title,
		Headings: all("main :is(h1, h2, h3, h4)").map((h) => h.firstChild && [...h.childNodes].filter((n) => n.className !== "anchor").map((n) => n.textContent).join("").trim() + "\n" + h.id) };
})()`

// deadLinks lists the links that lead to no file or anchor, and files that nothing leads to.
func deadLinks(site string, pages map[string]looked) []string {
	var dead []string
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, link := range pages[name].Links {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "file" {
				if err != nil || u.Scheme != "https" {
					dead = append(dead, name+": "+link)
				}
				continue
			}
			to, err := filepath.Rel(site, u.Path)
			to = filepath.ToSlash(to)
			info, missing := os.Stat(u.Path)
			target, isPage := pages[to]
			if err != nil || strings.HasPrefix(to, "..") || missing != nil && !isPage || missing == nil && info.IsDir() || u.Fragment != "" && !slices.Contains(target.IDs, u.Fragment) {
				dead = append(dead, name+": "+to+"#"+u.Fragment)
			}
		}
	}
	return dead
}

var unnamed = regexp.MustCompile(`[^\pL\pN_ -]`)

// wrongAnchors lists the headings that GitHub would name otherwise.
func wrongAnchors(headings []string) []string {
	var wrong []string
	seen := map[string]int{}
	for _, h := range headings {
		text, got, _ := strings.Cut(h, "\n")
		want := strings.ReplaceAll(unnamed.ReplaceAllString(strings.ToLower(text), ""), " ", "-")
		n := seen[want]
		seen[want]++
		if n > 0 {
			want = fmt.Sprintf("%s-%d", want, n)
		}
		if got != want {
			wrong = append(wrong, fmt.Sprintf("%s: %s, and GitHub's is %s", text, got, want))
		}
	}
	return wrong
}

// TestSite looks at every page as on a telephone, 400 pixels wide.
func TestSite(t *testing.T) {
	p := openSite(t)
	p.do(emulation.SetDeviceMetricsOverride(400, 800, 1, false))
	pages := map[string]looked{}
	titles := map[string]string{}
	err := fs.WalkDir(os.DirFS(p.site), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		p.visit(name)
		l := evaluate[looked](p, look)
		pages[name] = l
		for _, b := range append(l.Broken, wrongAnchors(l.Headings)...) {
			t.Errorf("%s: %s", name, b)
		}
		if l.Wide != "" {
			t.Errorf("%s is wider than 400 pixels: %s", name, l.Wide)
		}
		if l.Title == "" || titles[l.Title] != "" {
			t.Errorf("%s: the title %q is that of %s too", name, l.Title, titles[l.Title])
		}
		titles[l.Title] = name
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 60 {
		t.Errorf("only %d pages", len(pages))
	}
	for _, d := range deadLinks(p.site, pages) {
		t.Errorf("a link leads nowhere: %s", d)
	}
	p.visit("docs/rates.html")
	p.picture("site-400")
}

// TestDeadLinksFinds has the test above able to fail.
func TestDeadLinksFinds(t *testing.T) {
	site := t.TempDir()
	to := "file://" + site
	pages := map[string]looked{
		"a.html":   {Links: []string{to + "/a.html", to + "/b/c.html#x", to + "/b/c.html#none", to + "/none.html", to + "/b", "https://example.com/", "http://example.com/", "file:///etc"}},
		"b/c.html": {IDs: []string{"x"}},
	}
	want := []string{"a.html: b/c.html#none", "a.html: none.html#", "a.html: b#", "a.html: http://example.com/"}
	if got := deadLinks(site, pages); !slices.Equal(got[:len(got)-1], want) || !strings.HasSuffix(got[len(got)-1], "etc#") {
		t.Errorf("dead links found: %q", got)
	}
	if got := wrongAnchors([]string{"A B\na-b", "A B\na-b-1", "`x`.y\nx-y"}); len(got) != 1 {
		t.Errorf("wrong anchors found: %q", got)
	}
}

// questions are what a reader asks, with the sections that answer.
var questions = []struct {
	asked  string
	answer []string
}{
	{"how do I install on a Jetson", []string{"docs/jetson.html#install-on-a-jetson-measure-send"}},
	{"what does inconclusive mean", []string{"docs/comparing.html#what-inconclusive-means"}},
	{"draw a search for a paper", []string{"docs/plots.html#for-a-paper-for-slides"}},
	{"libcuda not found", []string{"docs/troubleshooting.html#nothing-runs-on-the-gpu"}},
	{"compare two power modes", []string{"docs/power.html#power-modes"}},
	{"energy of a kernel", []string{"docs/power.html", "docs/power.html#how-energy-is-measured"}},
	{"my own kernel", []string{"index.html#your-own-kernel"}},
	{"back to back time", []string{"docs/measuring.html#time-on-a-gpu"}},
	{"what is judge hidden", []string{"docs/judging.html#a-task"}},
	{"highest rate without a miss", []string{"docs/rates.html#the-highest-rate"}},
}

// TestSiteSearch asks as a reader does: by the keyboard, from a page below the first.
func TestSiteSearch(t *testing.T) {
	p := openSite(t)
	p.visit("docs/others.html")
	p.do(chromedp.KeyEvent("/"), chromedp.WaitReady("#index", chromedp.ByQuery))
	for _, q := range questions {
		p.run(`document.querySelector("#search").select();`)
		p.do(chromedp.SendKeys("#search", q.asked, chromedp.ByQuery), chromedp.WaitVisible("#found a", chromedp.ByQuery))
		found := evaluate[[]string](p, `[...document.querySelectorAll("#found a")].map((a) => a.href)`)
		for i := range found {
			found[i] = strings.TrimPrefix(found[i], "file://"+p.site+"/")
		}
		t.Logf("%s:\n%s", q.asked, strings.Join(found[:min(6, len(found))], "\n"))
		if !slices.ContainsFunc(found[:min(3, len(found))], func(f string) bool { return slices.Contains(q.answer, f) }) {
			t.Errorf("%s: the first three are %q, none of %q", q.asked, found[:min(3, len(found))], q.answer)
		}
	}
	p.picture("site-search")
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	second := evaluate[string](p, `document.querySelectorAll("#found a")[1].href`)
	p.do(chromedp.KeyEvent(kb.Enter))
	if got := evaluate[string](p, `new Promise((done) => { const look = () => location.href.includes("others") ? setTimeout(look, 20) : done(location.href); look(); })`); got != second {
		t.Errorf("Enter leads to %s, not to %s", got, second)
	}
}

// TestSiteDark changes the colours, and has the choice kept for the next page.
func TestSiteDark(t *testing.T) {
	p := openSite(t)
	back := func() string {
		return evaluate[string](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(getComputedStyle(document.body).backgroundColor))))`)
	}
	system := func(theme string) {
		p.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
	}
	system("light")
	p.visit("index.html")
	light := back()
	system("dark")
	dark := back()
	if light == dark {
		t.Errorf("a dark system leaves the background %s", light)
	}
	p.picture("site-dark")
	p.do(chromedp.Click("#dark", chromedp.ByQuery))
	if got := back(); got != light {
		t.Errorf("the button for light gives %s", got)
	}
	p.visit("docs/config.html")
	if got := back(); got != light {
		t.Errorf("the choice of light is forgotten: %s", got)
	}
}
