package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTenQuestions asks what a reader is to learn from the file alone.
func TestTenQuestions(t *testing.T) {
	peers := open(t, written(t, "h200-fft-peers"))
	// 1, 2: which is fastest, where is another one, by how much, how sure?
	peers.contains("main", "Fastest of stockham, cufft at 18 problems: stockham at 17, cufft at 1.",
		"cufft takes 1.0 to 1.6 times as long as stockham, 1.2 in the geometric mean", "Shown: slower at 17, faster at 1")
	row := evaluate[string](peers, `[...document.querySelectorAll(".first tbody tr")].map((r) => [...r.cells].map((c) => c.textContent).join("|")).find((r) => r.startsWith("16384|"))`)
	for _, part := range []string{"stockham|290.8 µs|cufft|1.2713|", " to ", "|differs"} {
		if !strings.Contains(row, part) {
			t.Errorf("the row of N 16384 lacks %q: %s", part, row)
		}
	}
	// 3: what is missing, and why?
	peers.contains("main", "CPU version stockham left out: processor is GPU.")
	mixed := open(t, writtenOf(t, mixedRun(t)))
	mixed.contains("main", "Wrong: broken: largest element error 0.5", "Failed: hungry: out of memory: 300 GB asked for")
	// 4: where, and by what?
	peers.contains(".facts", "NVIDIA H200", "driver 580.159.04", "bench f76eafd", "Ubuntu 24.04.3", "bench run configs/fft-peers.json")
	// 5: what may have disturbed it?
	peers.contains(".warnings", "1 of 36 points did not converge")
	// 6: how near to the device's ceilings?
	peers.contains("main", "Nearest to the measured copy ceiling: stockham, N 512, 99 % of it.")
	peers.contains(".facts", "copy 4.257 TB/s")
	// 7: what takes least energy, and is it the fastest?
	mixed.contains("main", "fast is fastest of fast, frugal, neither.", "Least energy of 3 points: frugal, 240.0 ± 2.4 mJ a run.")
	mixed.run(`for (const c of document.querySelectorAll(".chart")) c.view.draw(); for (const d of document.querySelectorAll("figure details")) d.open = true;`)
	evaluate[bool](mixed, frame)
	front := evaluate[[]string](mixed, `[...[...document.querySelectorAll("figure")].find((f) => f.querySelector("h4").textContent === "time and energy of one run").querySelectorAll("tbody tr")].map((r) => r.textContent).filter((r) => r.startsWith("front"))`)
	if len(front) != 2 || !strings.HasPrefix(front[0], "front: no other beats both0.0010.4") || !strings.HasPrefix(front[1], "front: no other beats both0.0020.24") {
		t.Errorf("on the front are %q, want fast and frugal", front)
	}
	mixed.picture("mixed")
	// 8: the samples of a point, and how it is measured again.
	peers.do(chromedp.Focus(".chart", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.Enter))
	peers.contains(".point", "bench run configs/fft-peers.json --set N=64 --versions stockham", "1692 of 1 run each", "quartiles", "samples in the order taken")
	// 9: what became worse, first of all?
	change := open(t, written(t, "h100-fft-peers/empty-cache", "h100-fft-peers/full-cache"))
	change.contains("main", "Time: ", "worse", "better")
	if got := evaluate[string](change, `document.querySelector(".first tbody tr td:last-child").textContent`); got != "worse" {
		t.Errorf("first of the ratios is one that is %q", got)
	}
	change.picture("change")
	// 10: what did a search find, when, and what matters? Why points are invalid is
	// TestInvalidPoints.
	search := open(t, written(t, "h200-tuning/scan-exhaustive"))
	search.contains("main", "found after")
	search.contains(".first", "best tunables", "found after")
	search.run(`for (const d of document.querySelectorAll("figure details")) d.open = true;`)
	evaluate[bool](search, frame)
	search.contains("main", "importance0.") // the most important comes first in its table
}
