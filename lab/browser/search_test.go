package browser

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSearch reads a search's section: what is best, what matters, how it was found.
func TestSearch(t *testing.T) {
	p := open(t, written(t, "h200-tuning/fft-exhaustive"))
	p.contains("main", "stockham, N 64: best 20.70 µs at", "found after 38 of 112 evaluations")
	p.run(`for (const c of document.querySelectorAll(".chart")) c.view.draw();`)
	p.contains("main", "convergence", "median over the sweep points, and 5th percentile", "parallel coordinates: stockham, N 64", "importance: stockham, N 64", "stockham N 64: best time as % of the least found for each")
	p.contains(".layers + .readout", "112 of 112 points chosen, 112 of them valid. Least time: 20.7 µs at S 256, P 4,")
	// With the keyboard: another sweep point, and its range of costs.
	p.run(`document.querySelectorAll("figure")[1].querySelector(".choice select").focus();`)
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.contains(".layers + .readout", "104 of 104 points chosen")
	p.run(`const s = [...document.querySelectorAll(".brush fieldset:last-child select")].pop(); s.focus();`)
	p.do(chromedp.KeyEvent(kb.Home))
	p.contains(".layers + .readout", "1 of 104 points chosen, 1 of them valid. Least time: 20.58 µs")
	// The heat map's cells are read out.
	p.run(`[...document.querySelectorAll("figure")].pop().querySelector(".chart").focus();`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	if got := evaluate[string](p, `[...document.querySelectorAll("figure")].pop().querySelector(".readout").textContent`); !strings.Contains(got, " µs") && !strings.Contains(got, "not evaluated") {
		t.Errorf("a cell of the heat map reads %q", got)
	}
	p.run(`document.querySelector(".first td button, .tables td button").click();`)
	p.contains(".point code", "bench run configs/tune-fft.json --set N=64 --set AHEAD=0 --set B=4")
	p.picture("search")
}

// TestInvalidPoints has the reasons of a recorded space's and a search's invalid points
// in sight.
func TestInvalidPoints(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tune.json": `{"objective": "time", "strategy": "random", "budget": 4, "tasks": [{"algorithm": "toy", "version": "v1", "processor": "GPU", "params": {}, "points": 4,
			"space": [{"name": "T", "values": [1, 2]}, {"name": "U", "values": [1, 2]}], "evaluations": 4, "invalid": 3, "evaluations_to_best": 2, "tunables": {"T": 1, "U": 2}, "cost": 0.001, "stopped": "budget"}]}`,
		"trials.csv": "version,processor,T,U,status,reason,time_s,cost\nv1,GPU,1,1,failed,too many registers,,\nv1,GPU,1,2,ok,,0.001,0.001\nv1,GPU,2,1,failed,too many registers,,\nv1,GPU,2,2,wrong,largest element error 3,,\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, writtenOf(t, dir))
	p.contains("main", "Invalid: 2, most often: too many registers.")
	p.contains("main", "reasons of invalid points", "largest element error 3", "v1: T 2, U 2")
}

// TestTurnsAndReplays reads the sections of bench ab, bench replay and a recorded space.
func TestTurnsAndReplays(t *testing.T) {
	space := filepath.Join(t.TempDir(), "space.csv.gz")
	f, err := os.Create(space)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	fmt.Fprint(z, "X,Y,time_ms,status\n1,1,3,valid\n1,2,,invalid\n2,1,1,valid\n2,2,2,valid\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	p := open(t, writtenOf(t, "../../results/epyc-fft-ab", "../../results/h200-aa", "../../results/tuning-replay/gemm-RTX_3090", space))
	p.run(`for (const c of document.querySelectorAll(".chart")) c.view.draw();`)
	p.contains("#section-0", "fft N 4096: stockham takes 0.60 times as long as fftw (95 % interval 0.57 to 0.64 over 5 repeats): it is faster.")
	p.contains("#section-0", "ratio of median times, samples taken in turns", "a repeat, B / A")
	p.contains("#section-1", "is the smallest difference that shows here")
	p.contains("#section-2", "best on gemm-RTX_3090: 100 % of the optimum", "the median reaches 95 % after 41 evaluations")
	p.contains("#section-3", "Best of 4 points: 1.000 ms at X 2, Y 1.", "1 are invalid")
	p.picture("turns")
}
