//go:build gpu

package measure

import (
	"math"
	"testing"

	"example.org/bench/framework/stats"
)

// TestAlternateOnGPU: a chain of twice the length takes twice as long, and one
// of the same length as long, within the event's resolution.
func TestAlternateOnGPU(t *testing.T) {
	_, timer, kernel := hardware(t)
	for _, test := range []struct{ a, b int }{{100000, 100000}, {100000, 200000}} {
		x, err := timer.Alternate(kernel(1, test.a), kernel(1, test.b))
		if err != nil {
			t.Fatal(err)
		}
		a, b := stats.Summarize(x.A), stats.Summarize(x.B)
		t.Logf("%d samples each, %g s and %g s, %g MHz, %d quads dropped", a.Count, a.Median, b.Median, x.ClockHz/1e6, x.Dropped)
		if want := float64(test.b) / float64(test.a); math.Abs(b.Median/a.Median-want) > 0.02*want {
			t.Errorf("b by a is %g, want %g", b.Median/a.Median, want)
		}
		if a.Count < 10 || a.Count != b.Count || x.ClockHz <= 0 {
			t.Errorf("%d and %d samples at %g Hz", a.Count, b.Count, x.ClockHz)
		}
	}
}
