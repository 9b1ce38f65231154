package digits

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A value ends where its uncertainty does, which has one or two digits.
func TestDigitsFollowTheDoubt(t *testing.T) {
	for want, got := range map[string]string{
		"225 ± 4 mJ":             PlusMinus(0.2248, 0.004464, "J"),
		"213 ± 4 W":              PlusMinus(212.8, 4.093, "W"),
		"3.142 ± 0.024":          PlusMinus(3.1416, 0.0243, ""),
		"0.9443 ± 0.0012":        PlusMinus(0.944284, 0.00124, ""),
		"2.0 ± 1.0 J":            PlusMinus(2, 1, "J"),
		"22.3 ± 1.1":             PlusMinus(22.3133, 1.08, ""),
		"1200 ± 300":             PlusMinus(1234, 340, ""),
		"120 ± 50 µs":            PlusMinus(123.4e-6, 47e-6, "s"),
		"1.000 ± 0.003 ms":       PlusMinus(0.9998e-3, 3e-6, "s"),
		"5.00 ± 0.10 s":          PlusMinus(5, 0.0996, "s"),
		"8 ms ± unknown":         PlusMinus(7.604e-3, 8.06e-3, "s"),
		"2.000 J":                PlusMinus(2, math.NaN(), "J"),
		"20":                     Known(16.01, math.Inf(1), ""),
		"86.7 ms":                Known(86.7e-3, 0.3e-3, "s"),
		"0 W":                    Known(0, 3, "W"),
		"1234 s":                 Scaled(1234, "s"),
		"1.234 kW":               Scaled(1234, "W"),
		"12346":                  Scaled(12345.6, ""),
		"0.03367":                Scaled(0.033672, ""),
		"1.8 (1.5 to 2.8)":       Interval(1.83, 1.52, 2.77, ""),
		"22.3 (21.2 to 23.5)":    Interval(22.3133, 21.2, 23.48, ""),
		"1.002 (0.995 to 1.009)": Interval(1.0022, 0.995, 1.009, ""),
		"1.00002 to 1.00008":     Range(1.00002, 1.00008, ""),
		"360 to 410 µs":          Range(357.1e-6, 412e-6, "s"),
		"0.059 to 3.3":           Range(0.0594, 3.3072, ""),
		"10 µs to 1.5 s":         Range(10.2e-6, 1.53, "s"),
	} {
		check(t, got, want)
	}
	for _, got := range []string{Scaled(math.NaN(), "s"), Known(math.Inf(1), 1, "s"), Range(math.NaN(), 1, "")} {
		check(t, got, "")
	}
}

func TestScaledOfAnySize(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.000 s", 371.2e-6: "371.2 µs", 0.99996: "1.000 s", 2e-15: "2.000 fs", 1e-18: "0.001 fs", 5e-324: "4.941e-309 fs", 1.7e308: "1.7e+308 s", 12: "12.00 s", -1e300: "-1e+300 s",
	} {
		check(t, Scaled(x, "s"), want)
	}
	for _, c := range []struct {
		x          float64
		unit, want string
	}{
		{9.9996, "W", "10.00 W"}, {99.996, "W", "100.0 W"}, {999.96, "W", "1.000 kW"}, {123456, "J", "123.5 kJ"}, {3e-18, "s", "0.003 fs"},
		{-2.5e-3, "J", "-2.500 mJ"}, {4.23e12, "B/s", "4.230 TB/s"}, {1e19, "J", "10.00 EJ"}, {0.99994, "s", "999.9 ms"},
		{5, "", "5.000"}, {0.0099996, "", "0.01000"}, {12345.6, "", "12346"}, {3e-7, "", "0.0000003000"},
	} {
		check(t, Scaled(c.x, c.unit), c.want)
	}
	check(t, Scaled(1e-300, ""), "1e-300")
	if text := Known(1, 1e-300, ""); len(text) > most+1 {
		t.Errorf("%q", text)
	}
}

func TestSettingsHaveNoZerosAtTheEnd(t *testing.T) {
	for want, got := range map[string]string{"430 ms": Stated(0.43, "s"), "0 W": Stated(0, "W"), "2.631 W": Stated(2.63088, "W"), "1000 s": Stated(1000, "s"), "0.5": Stated(0.5, ""), "1e-300": Stated(1e-300, ""), "": Stated(math.NaN(), "s")} {
		check(t, got, want)
	}
}

// What is known to no more than its own size is unknown.
func TestDoubt(t *testing.T) {
	for half, want := range map[float64]string{0.0049: "0.5 %", 0.0921: "9.2 %", 0.35: "35 %", 1: "100 %", 1.01: "unknown", 67.34: "unknown", math.Inf(1): "unknown", math.NaN(): "", 0: "0 %", 1e-300: "1e-298 %"} {
		check(t, Doubt(half), want)
	}
	for share, want := range map[float64]string{0: "0 %", 1.2e-7: "0.00001 %", 0.0012: "0.1 %", 0.0123: "1.2 %", 0.123: "12 %", 9.1: "910 %", -0.0004: "-0.04 %", math.NaN(): ""} {
		check(t, Percent(share), want)
	}
}

func TestPointsAreBelowEachOther(t *testing.T) {
	column := Column([]string{"371.2 µs", "1.85 ms", "~12 ms", "", "unknown", "12 GFLOP/s"})
	want := []string{
		"371.2 µs   ",
		"  1.85 ms  ",
		"~12 ms     ",
		"           ",
		"    unknown",
		" 12 GFLOP/s",
	}
	if !slices.Equal(column, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(column, "|\n"), strings.Join(want, "|\n"))
	}
}

// TestRounded: a number is rounded to the place at which Known ends, or to four digits.
func TestRounded(t *testing.T) {
	for _, c := range [][3]float64{{0.000341234, 0.0000051, 0.000341}, {123.456, 40, 120}, {123.456, 4, 123}, {123.456, 0.9, 123.5}, {123.456, math.NaN(), 123.5}, {123.456, math.Inf(1), 123.5}, {1.5, 3, 2}, {99.96, 0.4, 100}, {-2.34567, 0.012, -2.346}, {0, 1, 0}, {5e-324, 1e-324, 5e-324}} {
		got := Rounded(c[0], c[1])
		if got != c[2] {
			t.Errorf("%v ± %v: %v; want %v", c[0], c[1], got, c[2])
		}
		if text := Known(c[0], c[1], ""); !math.IsInf(c[1], 0) && c[0] != 5e-324 {
			if known, err := strconv.ParseFloat(text, 64); err != nil || known != got {
				t.Errorf("%v ± %v: %v, and Known writes %s", c[0], c[1], got, text)
			}
		}
	}
}
