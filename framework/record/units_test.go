package record

import (
	"math"
	"strings"
	"testing"
)

func TestScaledOfAnySize(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.000 s", 371.2e-6: "371.2 µs", 0.99996: "1.000 s", 2e-15: "2.000 fs", 1e-18: "0.001 fs", 5e-324: "4.941e-309 fs", 1.7e308: "1.7e+290 Es", 1e19: "10.00 Es", -1e300: "-1e+282 Es",
	} {
		if got := Scaled(Measured(x), "s"); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	if got := significant(1e-300, 4); got != "1e-300" || strings.Contains(significant(1e-9, 4), "e") {
		t.Errorf("%q, %q", got, significant(1e-9, 4))
	}
}

// What is known to no more than its own size is unknown.
func TestDoubt(t *testing.T) {
	for half, want := range map[float64]string{0.35: "35 %", 1: "100 %", 1.01: "unknown", 67.34: "unknown", math.Inf(1): "unknown", math.NaN(): ""} {
		if got := Doubt(half); got != want {
			t.Errorf("%v: %q, want %q", half, got, want)
		}
	}
	for want, got := range map[string]string{"2.000 J ± 1.000 J": PlusMinus(Measured(2), Measured(1), "J"), "2.000 J ± unknown": PlusMinus(Measured(2), Measured(3), "J"), "2.000 J": PlusMinus(Measured(2), Number{}, "J")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	s := Statistics{Median: Measured(1), Low: Measured(0.5), High: Measured(4), Q1: Measured(1), Q3: Measured(1), Samples: Counted(1)}
	if got := s.interval(); got != "~unknown" {
		t.Errorf("%q", got)
	}
	if got := s.spread(); got != "" {
		t.Errorf("a single sample has a spread of %q", got)
	}
	if s.Samples = Counted(2); s.spread() != "0 %" {
		t.Errorf("two that are the same have a spread of %q", s.spread())
	}
}
