package browser

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
)

// TestFirstScreen holds what one sees of any results in the first screen of 1400 × 1000: the finding, the chief figure
// whole and the head of a table beside it, with the contents at the side; and that narrow screens have it all in one column.
func TestFirstScreen(t *testing.T) {
	for name, path := range map[string]string{
		"run": written(t, "h200-fft-peers"), "rate": written(t, "h200-rate-qr"), "search": written(t, "h200-tuning/scan-exhaustive"),
		"comparison": written(t, "h100-fft-peers/empty-cache", "h100-fft-peers/full-cache"),
	} {
		p := open(t, path)
		size := func(width, height int64) {
			p.do(emulation.SetDeviceMetricsOverride(width, height, 1, false))
			evaluate[bool](p, frame)
		}
		size(1400, 1000)
		p.picture("first-" + name)
		for _, selector := range []string{".finding", ".first .chart", ".first thead"} {
			if got := evaluate[[]float64](p, `(() => { const r = document.querySelector("`+selector+`").getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })()`); got[0] < 200 || got[1] < 0 || got[2] > 1400 && selector != ".first thead" || got[3] > 1000 || got[3] == got[1] {
				t.Errorf("%s: %s is at %v, not in the first screen beside the contents", name, selector, got)
			}
		}
		if !evaluate[bool](p, `(() => { const c = document.querySelector(".contents nav"); return c.checkVisibility() && c.getBoundingClientRect().right < document.querySelector("main").getBoundingClientRect().left; })()`) {
			t.Errorf("%s: the contents are not at the side", name)
		}
		if evaluate[bool](p, `[...document.querySelectorAll(".facts")].some((d) => d.open)`) {
			t.Errorf("%s: the environment is open", name)
		}
		if got := evaluate[int](p, `[...document.querySelectorAll(".contents a")].filter((a) => !document.getElementById(a.hash.slice(1))).length`); got > 0 {
			t.Errorf("%s: %d links of the contents lead nowhere", name, got)
		}
		for _, width := range []int64{400, 900} {
			size(width, 1000)
			wide := func() int64 { return evaluate[int64](p, "document.documentElement.scrollWidth") }
			for deadline := time.Now().Add(patience); wide() > width && time.Now().Before(deadline); { // figures follow the window
				evaluate[bool](p, frame)
			}
			if got := wide(); got > width {
				t.Errorf("%s: the page is %d wide on a screen of %d", name, got, width)
			}
		}
		p.picture("first-narrow-" + name)
	}
}
