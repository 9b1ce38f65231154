package record

import (
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
