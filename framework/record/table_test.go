package record

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/stats"
)

func TestTable(t *testing.T) {
	got := Table(testRun(), false, 0)
	lines := strings.Split(got, "\n")
	if lines[0] != "fft, precision single, device cpu" || lines[6] != "fft, N 128, precision single, device cuda:0, power mode MAXN" {
		t.Errorf("titles of the CPU's and the GPU's table:\n%s", got)
	}
	if len(lines) != 2+3+1+2+1+3 {
		t.Fatalf("%d lines:\n%s", len(lines), got)
	}
	for _, want := range []string{"stockham", "2.0 ms", "50 %", "1.000 ms", "3000", "1000", "25 %", "300 W", "600 mJ", "ok"} {
		if !strings.Contains(lines[8], want) {
			t.Errorf("the GPU's line lacks %q:\n%s", want, got)
		}
	}
	at := utf8.RuneCountInString(lines[1][:strings.Index(lines[1], "status")])
	for i, want := range []string{"ok", "wrong", "skipped"} {
		if got := string([]rune(lines[2+i])[at:]); got != want {
			t.Errorf("status of row %d: %q, want %q", i, got, want)
		}
	}
	if lines[9] != "stockham, point 2, wrong: relative L2 error NaN is above 1e-06" || !strings.HasPrefix(lines[10], "stockham, point 3, skipped: fftw is not") {
		t.Errorf("reasons:\n%s", got)
	}
	if lines[11] != "1 of 2 points did not converge (worst ±50 %), ~ those beyond 5 %" {
		t.Errorf("doubts:\n%s", got)
	}
}

// What is too wide leaves out columns, which it names, and below 60 characters each row is a block;
// what tells rows apart and what was found stays.
func TestTableWithinAWidth(t *testing.T) {
	r := testRun()
	for _, c := range []struct {
		width       int
		has, hasNot []string
	}{
		{0, []string{"IQR", "hot", "of copy", "power"}, []string{"no room"}},
		{96, []string{"IQR", "hot", "of copy", "power"}, []string{"no room"}},
		{80, []string{"version", "time", "±", "power", "energy", "status", "no room for IQR: ", " IQR "}, nil},
		{40, []string{"stockham, N 64\n", "stockham\n  time: 2.0 ms, ±: ~50 %, IQR: 0 %,", "energy: 600 mJ,", "IQR: 10 %", "status: wrong"}, []string{"version", "no room"}},
	} {
		got := strings.ReplaceAll(Table(r, false, c.width), "\u00a0", " ")
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("within %d no %q:\n%s", c.width, want, got)
			}
		}
		for _, not := range c.hasNot {
			if strings.Contains(got, not) {
				t.Errorf("within %d there is %q:\n%s", c.width, not, got)
			}
		}
		for line := range strings.Lines(got) {
			if strings.Contains(line, "no room") || strings.Contains(line, "point") || strings.Contains(line, "known less") || strings.HasPrefix(line, "fft, ") {
				continue // the printer breaks them
			}
			if n := utf8.RuneCountInString(strings.TrimSpace(line)); c.width > 0 && n > c.width {
				t.Errorf("%d characters within %d: %s", n, c.width, line)
			}
		}
	}
}

// TestTunablesThatAreNotDefaults have a column, though all points have the same.
func TestTunablesThatAreNotDefaults(t *testing.T) {
	r := testResult(0)
	r.Point.Tunables, r.Point.TunableOrder = framework.Values{"P": framework.IntValue(8)}, []string{"P"}
	plain := Table(NewRun(Info{}, "fft", nil, []Result{r}), false, 0)
	r.Point.Changed = []string{"P"}
	changed := Table(NewRun(Info{}, "fft", nil, []Result{r}), false, 0)
	head := func(s string) []string { return strings.Fields(strings.Split(s, "\n")[1]) }
	if slices.Contains(head(plain), "P") || !slices.Contains(head(changed), "P") {
		t.Errorf("want a column P in the second alone:\n%s\n\n%s", plain, changed)
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
	got := Table(NewRun(info, "fft", nil, results), false, 0)
	lines := strings.Split(got, "\n")
	for _, l := range lines[:2+36] {
		if n := utf8.RuneCountInString(l); n > 100 {
			t.Errorf("%d columns, want at most 100: %s", n, l)
		}
	}
	if len(lines) != 2+36+1 || !strings.HasPrefix(lines[38], "cufft, 3 points, failed: a long reason") {
		t.Errorf("want one line for the three points that failed alike:\n%s", got)
	}
	bare := Table(NewRun(Info{}, "fft", nil, []Result{testResult(0)}), false, 0)
	for _, absent := range []string{"power", "energy", "of copy", "hot"} {
		if strings.Contains(bare, absent) {
			t.Errorf("a column without values is shown: %s in\n%s", absent, bare)
		}
	}
	if !strings.HasPrefix(bare, "fft, N 64, precision single, device cpu\n") {
		t.Errorf("title of a single point:\n%s", bare)
	}
	if got := Table(NewRun(Info{}, "fft", nil, nil), false, 0); got != "no points" {
		t.Errorf("empty run: %q", got)
	}
}

// Each kind of doubt marks its figures, and has one line with the points.
func TestTableDoubts(t *testing.T) {
	const frozen, failed = "the sensor may be frozen", "most readings failed: meter ended (exit status 1)"
	total := func(energy float64, doubt string) []measure.ChannelEnergy {
		return []measure.ChannelEnergy{
			{Sensor: "ina3221", Channel: "VDD_IN", Role: "total", Power: energy / 2, Energy: energy, Doubt: doubt},
			{Sensor: "ina3221", Channel: "VDD_GPU", Role: "part", Power: math.NaN(), Energy: math.NaN(), Doubt: "of a part"},
		}
	}
	var results []Result
	for i, c := range []struct {
		channels []measure.ChannelEnergy
		bytes    int64
	}{
		{total(60, frozen), 1e9}, {total(62, ""), 4.2e9}, {total(math.NaN(), failed), 9e9}, {total(64, frozen), 4.01e9}, {total(60, "")[1:], 1e9},
		{[]measure.ChannelEnergy{
			{Sensor: "nvml", Channel: "power", Role: "total", Power: 33, Energy: 66},
			{Sensor: "nvml", Channel: "energy", Role: "total", Counter: true, Power: 35, Energy: 70, Doubt: "of the view that is not taken"},
		}, 1e9},
	} {
		r := testResult(i)
		r.Point.Params["N"] = framework.IntValue(64 << i)
		r.Point.Device = "cuda:0"
		r.Hot.Samples, r.Hot.Converged = []float64{1e-3}, true
		r.Work = framework.Work{NominalBytes: c.bytes}
		r.Energy = &measure.Energy{Window: 2, Runs: 1000, Channels: c.channels}
		results = append(results, r)
	}
	got := Table(NewRun(Info{Devices: []Device{{ID: "cuda:0", Ceilings: testCeilings}}}, "fft", nil, results), false, 0)
	lines := strings.Split(got, "\n")
	for i, want := range []string{"? 30.00 W  ? 60.00 mJ", "105 %    31.00 W    62.00 mJ", " 225 %", "100 %  ? 32.00 W  ? 64.00 mJ",
		" 25 %", "? 33.00 W  ? 66.00 mJ"} {
		if !strings.HasSuffix(lines[2+i], want) {
			t.Errorf("row %d does not end with %q:\n%s", i, want, got)
		}
	}
	want := `above 100 % of copy, by version (points): stockham (2): such data stays in caches, the copy's does not
power and energy in doubt (?), by version (points): stockham (2): the sensor may be frozen
no power and energy, by version (points): stockham (1): most readings failed: meter ended (exit status 1)
no power and energy, by version (points): stockham (1): no channel measures the total
power and energy in doubt (?), by version (points): stockham (1): energy counter and integrated power differ by more than 5 %`
	if below := strings.Join(lines[8:], "\n"); below != want {
		t.Errorf("below the table:\n%s\nwant\n%s", below, want)
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		s    stats.Summary
		want string
	}{
		{stats.Summary{Median: 10, Low: 9.9, High: 12}, "20 %"}, {stats.Summary{Median: 10, Low: 9.5, High: 10}, "5.0 %"},
		{stats.Summary{Median: 10, Low: math.NaN(), High: math.NaN()}, ""},
	} {
		if got := Interval(c.s); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

// What one sample says of spread and interval is nothing.
func TestDoubtsOfAMedian(t *testing.T) {
	s := Statistics{Median: Measured(1), Low: Measured(0.5), High: Measured(4), Q1: Measured(1), Q3: Measured(1), Samples: Counted(1)}
	if got := s.interval(); got != "~unknown" || s.Text() != "1 s" {
		t.Errorf("%q, %q", s.Text(), got)
	}
	if got := s.spread(); got != "" {
		t.Errorf("a single sample has a spread of %q", got)
	}
	if s.Samples = Counted(2); s.spread() != "0 %" {
		t.Errorf("two that are the same have a spread of %q", s.spread())
	}
	if s.Low, s.High = Measured(0.96), Measured(1.01); s.Text() != "1.00 s" {
		t.Errorf("%q", s.Text())
	}
}
