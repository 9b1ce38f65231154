package measure

import (
	"testing"

	"example.org/bench/framework/config"
)

// TestTimeoutLooksOnceMore: what the samples since the last look say counts.
func TestTimeoutLooksOnceMore(t *testing.T) {
	elapsed := 0.0
	r := newRule(config.Measure{MinSamples: 10, Noise: 1e-6, Timeout: 1}, func() float64 { return elapsed })
	for i := range 11 {
		r.Add(1 + 0.01*float64(i%3))
		if stop, _, reason := r.Done(); stop {
			t.Fatalf("stopped after %d samples: %s", i+1, reason)
		}
	}
	if n := r.looks[len(r.looks)-1].count; n != 10 {
		t.Fatalf("the last look was at %d samples, want 10", n)
	}
	elapsed = 1
	if stop, converged, reason := r.Done(); !stop || converged || reason == "" {
		t.Errorf("stop %v, converged %v, %q", stop, converged, reason)
	}
	if n := r.looks[len(r.looks)-1].count; n != 11 {
		t.Errorf("the last look was at %d samples, want all 11", n)
	}
}

// TestPatience: who has enough samples is not given the whole time for a narrower interval.
func TestPatience(t *testing.T) {
	for _, c := range []struct {
		patience float64
		every    float64 // seconds between samples
		want     int     // samples
	}{{0, 0.01, 100}, {0.3, 0.01, 30}, {0.3, 0.0625, 10}, {0.3, 0.25, 4}, {2, 0.01, 100}} {
		elapsed := 0.0
		r := newRule(config.Measure{MinSamples: 10, Noise: 1e-9, Timeout: 0.9999}, func() float64 { return elapsed })
		r.Patience(c.patience)
		for i := 1; ; i++ {
			elapsed += c.every
			r.Add(1 + 0.3*float64(i*i%7))
			if stop, converged, reason := r.Done(); stop {
				if converged || len(r.samples) != c.want {
					t.Errorf("%+v: ended after %d samples: %s", c, len(r.samples), reason)
				}
				break
			}
		}
	}
}
