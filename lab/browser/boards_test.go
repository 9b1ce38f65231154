package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"example.org/bench/framework/record"
	"example.org/bench/report"
	"example.org/bench/test/program"
)

// boardsOf writes a site of published runs as boards of these names, each with its own page, and returns its first page.
func boardsOf(t *testing.T, boards map[string][]string, change func(b *report.Board)) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, content io.WriterTo) {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := content.WriteTo(f); err != nil {
			t.Fatal(err)
		}
	}
	assets, err := report.Assets()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, report.AssetsFolder), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range assets {
		if err := os.WriteFile(filepath.Join(dir, report.AssetsFolder, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for name := range boards {
		names = append(names, name)
	}
	slices.Sort(names)
	var all []report.Board
	for i, name := range names {
		b := report.Board{Name: name, Kind: "guest", File: fmt.Sprintf("board-%d.html", i), Facts: []report.Fact{{Name: "GPU", Value: "one"}}}
		var folders []string
		for _, run := range boards[name] {
			folders = append(folders, filepath.Join("../../results", run))
			r, err := record.Read(folders[len(folders)-1])
			if err != nil {
				t.Fatal(err)
			}
			b.Runs = append(b.Runs, r)
		}
		change(&b)
		d, err := report.Read(folders, report.Options{Title: b.Name, Made: "of a test"})
		if err != nil {
			t.Fatal(err)
		}
		d.Links = []report.Link{{Title: "All boards", File: "index.html"}}
		write(b.File, report.Page{Document: d})
		all = append(all, b)
	}
	write("index.html", report.Page{Document: report.Boards(all, "of a test")})
	return filepath.Join(dir, "index.html")
}

// openBoards shows the first page, which may request what lies beside it.
func openBoards(t *testing.T, path string) *page {
	t.Helper()
	p := tabOf(t, path)
	p.site = filepath.Dir(p.path)
	p.do(chromedp.Navigate("file://"+p.path), chromedp.WaitReady(`html[data-ready="yes"]`, chromedp.ByQuery))
	return p
}

// TestBoards: the first page of a site draws its figures from disk, says which board is fastest and which takes least energy,
// and leads to each board's page and back.
func TestBoards(t *testing.T) {
	p := openBoards(t, boardsOf(t, map[string][]string{"H200 one": {"h200-energy/1.zip"}, "H200 two": {"h200-energy/2.zip"}}, func(*report.Board) {}))
	p.contains(".pages", "H200 one", "guest", "H200 two")
	p.contains("#section-0", "2 boards: 2 guest")
	p.contains("#section-1 .finding", " is fastest, ", " takes least energy, ")
	p.contains("#section-1", "time, rate and energy", "against the first board and mode", "which board for a frame rate")
	p.run(`for (const c of document.querySelectorAll(".chart")) c.view.draw();`)
	p.do(emulation.SetDeviceMetricsOverride(1400, 1000, 1, false))
	if hidden := evaluate[[]string](p, `[...document.querySelectorAll("#section-1 .first th")].filter((h) => ["time", "±", "energy"].includes(h.innerText.trim()) && h.getBoundingClientRect().right > h.closest(".scroll").getBoundingClientRect().right).map((h) => h.innerText)`); len(hidden) > 0 {
		t.Errorf("on a screen of 1400 one does not see %q", hidden)
	}
	if n := evaluate[int](p, `document.querySelectorAll("#section-1 .chart svg, #section-1 .chart canvas").length`); n < 2 {
		t.Errorf("%d figures are drawn, want times and energies", n)
	}
	p.picture("boards")
	p.do(chromedp.Click(`.pages a[href="board-1.html"]`, chromedp.ByQuery), chromedp.WaitReady(`.pages a[href="index.html"]`, chromedp.ByQuery))
	p.contains("h1", "H200 two")
	p.do(chromedp.Click(`.pages a[href="index.html"]`, chromedp.ByQuery), chromedp.WaitReady(`.pages a[href="board-1.html"]`, chromedp.ByQuery))
}

// TestHostileBoards: what a stranger's file says is text, wherever it comes to.
func TestHostileBoards(t *testing.T) {
	p := openBoards(t, boardsOf(t, map[string][]string{"a": {"h200-energy/1.zip"}, "b": {"h200-energy/2.zip"}}, func(b *report.Board) {
		b.Name, b.Kind, b.Facts = strings.Join(hostile, " ")+b.Name, hostile[1], []report.Fact{{Name: hostile[0], Value: hostile[2]}}
		for _, r := range b.Runs {
			for i := range r.Rows {
				r.Rows[i].Version, r.Rows[i].PowerMode, r.Rows[i].Algorithm = hostile[i%len(hostile)], hostile[0], hostile[1]
			}
		}
	}))
	p.run(`for (const c of document.querySelectorAll(".chart")) c.view.draw();`)
	p.run(`for (const b of document.querySelectorAll("td button")) b.click();`)
	evaluate[bool](p, frame)
	if evaluate[bool](p, "window.broken !== undefined") {
		t.Error("a file's text has run")
	}
	if got := evaluate[[]string](p, `[...document.querySelectorAll("img, iframe, object, embed, base, form, main script, main style, [onload], [onerror]")].map((e) => e.outerHTML)`); len(got) > 0 {
		t.Errorf("a file's text became %q", got)
	}
	for _, href := range evaluate[[]string](p, `[...document.querySelectorAll("a")].map((a) => a.getAttribute("href"))`) {
		if !strings.HasPrefix(href, "#") && href != "board-0.html" && href != "board-1.html" {
			t.Errorf("there is a link to %q", href)
		}
	}
	want, _ := json.Marshal(hostile[1])
	if !evaluate[bool](p, `document.querySelector("#section-1 h2").firstChild.textContent === `+string(want)) {
		t.Error("an algorithm's name does not stand in the page as it is")
	}
}

// TestPublishedBoards: the site that the program makes of the published files opens from disk, and leads to each board's page.
func TestPublishedBoards(t *testing.T) {
	files, err := filepath.Glob("../../results/boards/*.zip")
	if err != nil || len(files) < 2 {
		t.Fatalf("files %v: %v", files, err)
	}
	dir := t.TempDir()
	bench := filepath.Join(dir, "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(bench, append([]string{"boards", "--out", filepath.Join(dir, "site")}, files...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := openBoards(t, filepath.Join(dir, "site/index.html"))
	p.contains("#section-0", fmt.Sprintf("%d boards: ", len(files)), "emulated", "guest", "arm64 by qemu-aarch64-static")
	p.run(`for (const c of document.querySelectorAll(".chart")) c.view.draw();`)
	if n := evaluate[int](p, `document.querySelectorAll(".chart svg, .chart canvas").length`); n < 6 {
		t.Errorf("%d figures are drawn, want one of each algorithm", n)
	}
	p.picture("published-boards")
	for i := range files {
		own := fmt.Sprintf("board-%03d.html", i+1)
		p.do(chromedp.Click(`.pages a[href="`+own+`"]`, chromedp.ByQuery), chromedp.WaitReady(`.pages a[href="index.html"]`, chromedp.ByQuery))
		p.contains("#section-0", "digest")
		if n := evaluate[int](p, `document.querySelectorAll("[id^=section-] table tbody tr").length`); n < 2 {
			t.Errorf("%s shows %d rows", own, n)
		}
		p.do(chromedp.Click(`.pages a[href="index.html"]`, chromedp.ByQuery), chromedp.WaitReady(`.pages a[href="`+own+`"]`, chromedp.ByQuery))
	}
}
