package clock

import (
	"bytes"
	"strings"
	"testing"
)

func TestToleranceBoundaries(t *testing.T) {
	for _, c := range []struct {
		kernel, mode   string
		control, bench float64
		agree          bool
	}{
		{"5 us", "cold", 8e-6, 8.29e-6, true},
		{"5 us", "cold", 8e-6, 8.31e-6, false},
		{"5 us", "hot", 5e-6, 4.69e-6, false},
		{"copy", "hot", 500e-6, 504.9e-6, true},
		{"copy", "hot", 500e-6, 505.1e-6, false},
		{"empty", "hot", 0.7e-6, 0.76e-6, true},
		{"empty", "hot", 0.7e-6, 0.78e-6, false},
		{"5 ms", "cold", 5e-3, 5.024e-3, true},
		{"5 ms", "cold", 5e-3, 5.026e-3, false},
	} {
		rows, err := compare([]Reading{{c.kernel, c.mode, c.control, 1}}, []Reading{{c.kernel, c.mode, c.bench, 1}})
		if err != nil {
			t.Fatal(err)
		}
		if rows[0].Agree != c.agree {
			t.Errorf("%s %s: %g against %g: agree = %v", c.kernel, c.mode, c.bench, c.control, rows[0].Agree)
		}
	}
}

func TestCompareTakesTheMedianOfRounds(t *testing.T) {
	control := []Reading{{"a", "hot", 1, 1}, {"b", "hot", 9, 1}, {"a", "hot", 5, 1}, {"a", "hot", 2, 1}}
	bench := []Reading{{"b", "hot", 9, 1}, {"a", "hot", 2, 1}}
	rows, err := compare(control, bench)
	if err != nil {
		t.Fatal(err)
	}
	if rows[0].Kernel != "a" || rows[0].Control != 2 || !rows[0].Agree || rows[1].Control != 9 {
		t.Errorf("rows %+v", rows)
	}
	if _, err := compare(control, bench[:1]); err == nil {
		t.Error("a missing reading went unnoticed")
	}
	if _, err := compare(nil, nil); err == nil {
		t.Error("nothing agrees with nothing")
	}
}

func TestTableShowsDisagreement(t *testing.T) {
	rows := []Agreement{{Kernel: "5 us", Mode: "cold", Control: 8e-6, Bench: 9e-6, Difference: 1e-6, Relative: 0.125, Tolerance: 0.3e-6}}
	var table, csv bytes.Buffer
	if err := writeTable(&table, rows); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "| 5 us | cold | 8.000 | 9.000 | +1.000 | +12.50 | 0.300 | **no** |") {
		t.Errorf("table:\n%s", &table)
	}
	if err := writeCSV(&csv, rows); err != nil {
		t.Fatal(err)
	}
	if want := "kernel,mode,control_s,bench_s,difference_s,difference_ratio,tolerance_s,agree\n5 us,cold,0.000008,0.000009,0.000001,0.125,0.0000003,false\n"; csv.String() != want {
		t.Errorf("CSV:\n%s", &csv)
	}
}
