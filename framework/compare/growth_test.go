package compare

import (
	"fmt"
	"io"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Comparing grows with the points, not with their square, where there is little else to do:
// runs without samples. Four times the points take about as many times as long as four times
// the words of a loop.
func TestComparingIsLinear(t *testing.T) {
	const points = 2000
	spend := func(f func()) float64 {
		least := 0.0
		for range 3 {
			from := processorTime(t)
			f()
			if s := processorTime(t) - from; least == 0 || s < least {
				least = s
			}
		}
		return least
	}
	var compared, control [2]float64
	for i, n := range []int{points, 4 * points} {
		var a, b []spot
		for k := range n {
			a = append(a, spot{version: "v", n: int64(k + 1), energy: 1, uncertainty: 0.1})
			b = append(b, spot{version: "v", n: int64(k + 1), energy: 2, uncertainty: 0.1, status: ""})
		}
		runs := []Run{synthetic("a", a), synthetic("b", b)}
		compared[i] = spend(func() {
			c, err := New(runs, Options{By: ByRun})
			if err != nil {
				t.Fatal(err)
			}
			c.overview()
			c.Choices()
		})
		control[i] = spend(func() {
			for k := range 20 * n {
				fmt.Fprintf(io.Discard, "%d %g\n", k, float64(k))
			}
		})
	}
	if grown, linear := compared[1]/compared[0], control[1]/control[0]; grown > 2*linear {
		t.Errorf("%.3f s for %d points, %.3f s for %d: %.1f times, and a loop %.1f times", compared[0], points, compared[1], 4*points, grown, linear)
	}
}

// processorTime is what the process has taken, in seconds.
func processorTime(t *testing.T) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return (time.Duration(u.Utime.Nano()) + time.Duration(u.Stime.Nano())).Seconds()
}

// TestSamplesAreNotKept: of many points samples are most of a comparison; a gate alone needs
// them after the ratios.
func TestSamplesAreNotKept(t *testing.T) {
	x := fill(60, func(i int) float64 { return 1e-3 * (1 + 1e-3*float64(i%7)) })
	runs := []Run{synthetic("a", []spot{{version: "v", n: 1, samples: x}}), synthetic("b", []spot{{version: "v", n: 1, samples: x}})}
	share := 0.05
	for _, gate := range []*float64{nil, &share} {
		c := compared(t, runs, Options{By: ByRun, Gate: gate})
		for _, cell := range c.Tables[0].Cells {
			if cell.Samples != 60 || cell.sorted != nil || cell.blocks != nil {
				t.Errorf("%+v", cell)
			}
			if r := cell.Ratio; r != nil && ((r.sides != nil) != (gate != nil) || !r.sampled || r.P == nil) {
				t.Errorf("%+v", r)
			}
		}
	}
}
