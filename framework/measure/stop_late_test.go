package measure

import (
	"testing"

	"bench/framework/config"
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
