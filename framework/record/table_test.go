package record

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"bench/framework"
	"bench/framework/measure"
)

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{
		{371.23e-6, "s", "371.2 µs"}, {0, "s", "0.000 s"}, {1, "s", "1.000 s"}, {0.99999, "s", "1.000 s"}, {0.99994, "s", "999.9 ms"},
		{9.9996, "W", "10.00 W"}, {99.996, "W", "100.0 W"}, {999.96, "W", "1.000 kW"}, {1000, "W", "1.000 kW"}, {123456, "J", "123.5 kJ"},
		{3e-18, "s", "0.003 fs"}, {-2.5e-3, "J", "-2.500 mJ"}, {4.23e12, "B/s", "4.230 TB/s"}, {5, "", "5.000"},
	} {
		if got := Scaled(Measured(c.x), c.unit); got != c.want {
			t.Errorf("Scaled(%v, %q) = %q, want %q", c.x, c.unit, got, c.want)
		}
	}
	if got := Scaled(Number{}, "s"); got != "" {
		t.Errorf("Scaled(none) = %q", got)
	}
	if got := Scaled(Number{math.NaN(), true}, "s"); got != "NaN s" {
		t.Errorf("Scaled(NaN) = %q", got)
	}
}

func TestTable(t *testing.T) {
	got := Table(testRun())
	lines := strings.Split(got, "\n")
	if lines[0] != "fft, precision single" {
		t.Errorf("title %q", lines[0])
	}
	if len(lines) != 2+4+3 {
		t.Fatalf("%d lines:\n%s", len(lines), got)
	}
	for _, want := range []string{"stockham", "cuda:0", "MAXN", "128", "2.000 ms", "50 %", "1.000 ms", "3000", "1000", "25 %", "300.0 W", "600.0 mJ", "ok"} {
		if !strings.Contains(lines[3], want) {
			t.Errorf("the GPU's line lacks %q:\n%s", want, got)
		}
	}
	at := utf8.RuneCountInString(lines[1][:strings.Index(lines[1], "status")])
	for i, want := range []string{"ok", "ok", "wrong", "skipped"} {
		if got := string([]rune(lines[2+i])[at:]); got != want {
			t.Errorf("status of row %d: %q, want %q", i, got, want)
		}
	}
	if lines[6] != "stockham, point 2, wrong: relative L2 error NaN is above 1e-06" || !strings.HasPrefix(lines[7], "stockham, point 3, skipped: fftw is not") {
		t.Errorf("reasons:\n%s", got)
	}
	if lines[8] != "not converged, by version (points): stockham (1)" {
		t.Errorf("doubts:\n%s", got)
	}
}

func TestTableFitsAndLeavesOutEmptyColumns(t *testing.T) {
	var results []Result
	for i := range 18 {
		for v, name := range []string{"stockham", "cufft"} {
			r := testResult(2*i + v)
			r.Point.Device, r.Point.Processor, r.Point.Version = "cuda:0", framework.GPU, name
			r.Point.Params["N"] = framework.IntValue(64 << i)
			r.Cold = &measure.Series{Samples: []float64{371e-6, 372e-6, 371e-6, 370e-6, 371e-6, 371e-6}, Converged: true}
			r.Work = framework.Work{NominalFLOPs: 5 << 30, NominalBytes: 1 << 30}
			r.Energy = &measure.Energy{Window: 2, Runs: 5000, Channels: []measure.ChannelEnergy{{Sensor: "nvml", Channel: "gpu", Role: "total", Power: 612, Energy: 1224}}}
			if v == 1 && i < 3 {
				r.Status, r.Reason = Failed, strings.Repeat("a long reason ", 20)
			}
			results = append(results, r)
		}
	}
	info := Info{Devices: []Device{{ID: "cuda:0", Ceilings: testCeilings}}}
	got := Table(NewRun(info, "fft", nil, results))
	lines := strings.Split(got, "\n")
	for _, l := range lines[:2+36] {
		if n := utf8.RuneCountInString(l); n > 100 {
			t.Errorf("%d columns, want at most 100: %s", n, l)
		}
	}
	if len(lines) != 2+36+1 || !strings.HasPrefix(lines[38], "cufft, 3 points, failed: a long reason") {
		t.Errorf("want one line for the three points that failed alike:\n%s", got)
	}
	bare := Table(NewRun(Info{}, "fft", nil, []Result{testResult(0)}))
	for _, absent := range []string{"power", "energy", "of copy", "hot"} {
		if strings.Contains(bare, absent) {
			t.Errorf("a column without values is shown: %s in\n%s", absent, bare)
		}
	}
	if !strings.HasPrefix(bare, "fft, N 64, precision single, device cpu\n") {
		t.Errorf("title of a single point:\n%s", bare)
	}
	if got := Table(NewRun(Info{}, "fft", nil, nil)); got != "no points" {
		t.Errorf("empty run: %q", got)
	}
}
