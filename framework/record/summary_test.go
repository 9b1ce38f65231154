package record

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
)

func TestKnownDigits(t *testing.T) {
	for _, c := range []struct {
		x, half float64
		want    string
	}{
		{3.58261e-4, 1.2e-7, "0.00035826"}, {8.934567e-3, 4.1e-4, "0.0089"}, {123456, 2000, "123500"}, {0.5, 2, "0.5"}, {1.23456789, math.NaN(), "1.235"},
		{0, 0.1, "0"}, {math.NaN(), 1, ""}, {2.5e-9, 1e-12, "2.5e-09"}, {1e300, math.Inf(1), "1e+300"}, {-12.3456, 0.5, "-12.3"},
	} {
		if got := knownDigits(c.x, c.half); got != c.want {
			t.Errorf("%v ± %v is %s, want %s", c.x, c.half, got, c.want)
		}
	}
}

// TestSummary has more parameters than columns, a point that failed, and tunables; the swept one comes first.
func TestSummary(t *testing.T) {
	r := testRun()
	dir := t.TempDir()
	if err := Write(dir, r); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, SummaryFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	head := strings.Split(lines[0], ",")
	if len(lines) != len(r.Rows)+1 || len(head) > 14 || !strings.HasPrefix(lines[0], "version,device,power_mode,") || !strings.HasSuffix(lines[0], ",energy_J,status") {
		t.Errorf("the summary is\n%s", text)
	}
	for i, w := range r.Rows {
		if !strings.HasPrefix(lines[i+1], w.Version+","+w.Device+",") || !strings.HasSuffix(lines[i+1], ","+string(w.Status)) {
			t.Errorf("row %d: %s", i, lines[i+1])
		}
	}
	for _, rates := range []bool{false, true} {
		wide := &Run{}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			wide.Columns.Params = append(wide.Columns.Params, Column{Name: name, Column: name, Kind: framework.Int.String()})
		}
		if n := len(wide.summaryColumns(rates)); n != 14 {
			t.Errorf("%d columns, at rates %v", n, rates)
		}
	}
}
