package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gocarina/gocsv"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func compared(t *testing.T, runs []Run, opt Options) *Comparison {
	t.Helper()
	c, err := New(runs, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMissingPartners(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := noises[0].make(rng, 50, 1e-3)
	a := synthetic("a", []spot{{version: "v", n: 1, samples: x}, {version: "v", n: 2, samples: x}, {version: "v", n: 3, samples: x}})
	b := synthetic("b", []spot{{version: "v", n: 1, samples: x}, {version: "v", n: 2, status: record.Timeout}, {version: "v", n: 4, samples: x}, {version: "v", n: 5, samples: x}})
	b.Rows[1].Reason = "no result after 60 s"
	c := compared(t, []Run{a, b}, Options{By: ByRun})
	if len(c.Points) != 1 || c.Points[0].Name() != "1" {
		t.Errorf("points %+v, want N 1 alone", c.Points)
	}
	var lines []string
	for _, l := range c.Unpaired {
		lines = append(lines, l.String())
	}
	if want := []string{"b timeout: no result after 60 s at N 2", "b is not there at N 3", "a is not there at N 4; N 5"}; !slices.Equal(lines, want) {
		t.Errorf("lines %q, want %q", lines, want)
	}
	if text := c.Text(); !contains(text, "without partner: b is not there at N 3") {
		t.Errorf("the text does not name the point without partner:\n%s", text)
	}
}

func TestPowerModesAsLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	spots := func(mode string, time float64) []spot {
		return []spot{{version: "v", n: 1, mode: mode, samples: noises[0].make(rng, 50, time), energy: 1e-3 / time}}
	}
	// One run that swept the mode, and two runs of one mode each, are the same.
	swept := synthetic("swept", append(spots("MAXN", 1e-3), spots("10W", 2e-3)...))
	for name, runs := range map[string][]Run{
		"one run":  {swept},
		"two runs": {synthetic("a", spots("MAXN", 1e-3)), synthetic("b", spots("10W", 2e-3))},
	} {
		c := compared(t, runs, Options{By: ByPowerMode})
		cell, err := cellOf(c, "time", "", "10W")
		if err != nil || math.Abs(cell.Ratio.Value-2) > 0.05 || cell.Ratio.Verdict != Worse {
			t.Errorf("%s: %+v, %v", name, cell, err)
		}
		if got := strings.Join(c.Points[0].Front, " "); got != "MAXN 10W" {
			t.Errorf("%s: front %s, want MAXN 10W", name, got)
		}
	}
	// Two runs that both swept it pair by it.
	c := compared(t, []Run{swept, synthetic("again", append(spots("MAXN", 3e-3), spots("10W", 6e-3)...))}, Options{By: ByRun})
	for _, mode := range []string{"MAXN", "10W"} {
		if cell, err := cellOf(c, "time", mode, "again"); err != nil || math.Abs(cell.Ratio.Value-3) > 0.1 {
			t.Errorf("%s: %+v, %v; want a ratio of 3", mode, cell.Ratio, err)
		}
	}
	// Compared with a run of another mode, folder by folder, it is a warning.
	c = compared(t, []Run{synthetic("a", spots("MAXN", 1e-3)), synthetic("b", spots("10W", 2e-3))}, Options{By: ByRun})
	if !has(c.Warnings, "power mode differs", "MAXN (a)", "10W (b)") {
		t.Errorf("warnings %q do not name the power modes", c.Warnings)
	}
	if _, err := New([]Run{synthetic("a", spots("MAXN", 1e-3)), synthetic("b", spots("MAXN", 1e-3))}, Options{By: ByPowerMode}); err == nil {
		t.Error("two runs of one mode, compared by mode, gave no error")
	}
}

// TestVersionsWithinRuns: each version against the baseline at each N, of
// several tunings the fastest.
func TestVersionsWithinRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := func(time float64) []float64 { return noises[0].make(rng, 100, time) }
	run := synthetic("fft", []spot{
		{version: "stockham", n: 64, tunable: 2, samples: x(3e-3)}, {version: "stockham", n: 64, tunable: 4, samples: x(2e-3)},
		{version: "cufft", n: 64, samples: x(1e-3)},
		{version: "stockham", n: 128, tunable: 4, samples: x(4e-3)}, {version: "cufft", n: 128, samples: x(2e-3)},
	})
	c := compared(t, []Run{run}, Options{By: ByVersion, Baseline: "cufft"})
	for _, n := range []string{"64", "128"} {
		cell, err := cellOf(c, "time", n, "stockham")
		if err != nil || math.Abs(cell.Ratio.Value-2) > 0.05 {
			t.Errorf("N %s: %+v, %v; want a ratio of 2", n, cell.Ratio, err)
		}
	}
	if !has(c.Notes, "several tunings", "1 point left out") {
		t.Errorf("notes %q do not say that the fastest tuning counts", c.Notes)
	}
	if _, err := New([]Run{run}, Options{By: ByVersion, Baseline: "fftw"}); err == nil || !contains(err.Error(), "stockham, cufft") {
		t.Errorf("unknown baseline: %v, want an error that names the versions", err)
	}
}

// TestTuningsPairByTheirTunables where a run sweeps them.
func TestTuningsPairByTheirTunables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := func(time float64) []float64 { return noises[0].make(rng, 100, time) }
	spots := func(f float64) []spot {
		return []spot{{version: "v", n: 1, tunable: 2, samples: x(f * 3e-3)}, {version: "v", n: 1, tunable: 4, samples: x(f * 1e-3)}}
	}
	c := compared(t, []Run{synthetic("a", spots(1)), synthetic("b", spots(2))}, Options{By: ByRun})
	if len(c.Notes) != 0 {
		t.Errorf("notes %q of equal tunings", c.Notes)
	}
	for _, radix := range []string{"2", "4"} {
		if cell, err := cellOf(c, "time", radix, "b"); err != nil || math.Abs(cell.Ratio.Value-2) > 0.05 {
			t.Errorf("RADIX %s: %+v, %v", radix, cell.Ratio, err)
		}
	}
	// One tuning each, not the same: paired all the same, and said.
	c = compared(t, []Run{synthetic("a", spots(1)[:1]), synthetic("b", spots(1)[1:])}, Options{By: ByRun})
	if len(c.Points) != 1 || !has(c.Notes, "RADIX differs between the levels at 1 pair of points: 2 and 4") {
		t.Errorf("%d points, notes %q", len(c.Points), c.Notes)
	}
}

func TestDevices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	on := func(name, g string, integrated bool, f float64) Run {
		r := synthetic(name, []spot{{version: "v0", n: 1, samples: noises[0].make(rng, 100, f*8e-3)}, {version: "v1", n: 1, samples: noises[0].make(rng, 100, f*1e-3)}})
		r.Rows[1].Processor, r.Rows[1].Device = framework.GPU, "cuda:0"
		r.Info.Machine.CPU, r.Info.Machine.Board = "CPU of "+name, "board "+name
		r.Info.Devices = []record.Device{{ID: "cpu"}, {ID: "cuda:0", Facts: &gpu.Facts{Name: g, Integrated: integrated}}}
		return r
	}
	c := compared(t, []Run{on("TX1", "Tegra X1", true, 2), on("TX2", "Tegra X2", true, 1)}, Options{By: ByDevice})
	if got := strings.Join(c.Levels, ", "); got != "board TX1, board TX2" {
		t.Errorf("boards: levels %s", got)
	}
	c = compared(t, []Run{on("one", "H100", false, 2), on("two", "H200", false, 1)}, Options{By: ByDevice})
	for point, level := range map[string]string{"v0 CPU": "CPU of two", "v1 GPU": "H200"} {
		if cell, err := cellOf(c, "time", point, level); err != nil || cell.Ratio == nil || math.Abs(cell.Ratio.Value-0.5) > 0.02 {
			t.Errorf("%s on %s: %+v, %v", point, level, cell, err)
		}
	}
	// Where copied files told power and modes, they are part of what was measured.
	files := on("two", "H100", false, 1)
	files.Info.CopiedFiles = "Jetson TX2"
	c = compared(t, []Run{on("one", "H100", false, 2), files}, Options{By: ByDevice})
	if got, want := strings.Join(c.Levels, "; "), "CPU of one; H100; Jetson TX2, copied files; H100 with copied files of Jetson TX2"; got != want {
		t.Errorf("copied files: levels %s, want %s", got, want)
	}
	if len(c.Unpaired) > 0 {
		t.Errorf("alone: %v; CPU and GPU versions are not each other's partners", c.Unpaired)
	}
}

func TestEnvironments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := noises[0].make(rng, 50, 1e-3)
	make := func(name string) Run { return synthetic(name, []spot{{version: "v", n: 1, samples: x}}) }
	for want, change := range map[string]func(*Run){
		"driver differs: 550.1 (a); CUDA 13.0 (b)": func(r *Run) {
			r.Info.Devices[0].Driver, r.Info.Devices[0].Facts.DriverVersion = "", "13.0"
		},
		"usable CPUs differs: 4 (a); 4, 0.3 by quota (b)": func(r *Run) { r.Info.Machine.CPUQuota = 0.3 },
		"usable CPUs differs: 4 (a); 8 (b)":               func(r *Run) { r.Info.Machine.UsableCPUs = 8 },
		"driver differs: 550.1 (a); 570.2 (b)":            func(r *Run) { r.Info.Devices[0].Driver = "570.2" },
		"GPU differs: H200 (a); H100 (b)": func(r *Run) {
			r.Info.Devices = []record.Device{{ID: "cuda:0", Driver: "550.1", Facts: &gpu.Facts{Name: "H100"}}}
		},
		"CPU governor and clocks differs: performance 1000 to 2000 MHz (a); powersave 1000 to 2000 MHz (b)": func(r *Run) { r.Info.Machine.Governors[0].Governor = "powersave" },
		"measure settings differs":             func(r *Run) { r.Info.Config.Text = `{"algorithm": "fft", "measure": {"noise": 0.01}}` },
		"tool version differs: v1 (a); v2 (b)": func(r *Run) { r.Info.Tool.Version = "v2" },
		"b: the machine was busy":              func(r *Run) { r.Info.Warnings = []string{"the machine was busy"} },
		"":                                     func(r *Run) { r.Info.Machine.UsableCPUs, r.Info.Devices[0].Driver = 0, "" }, // not known
	} {
		runs := []Run{make("a"), make("b")}
		for i := range runs {
			r := &runs[i]
			r.Info.Tool.Version, r.Info.Machine.UsableCPUs = "v1", 4
			r.Info.Config = record.ConfigFile{Path: "fft.json", Text: `{"algorithm": "fft"}`}
			r.Info.Machine.Governors = []machine.Governor{{Governor: "performance", MinHz: 1e9, MaxHz: 2e9}}
			r.Info.Devices = []record.Device{{ID: "cuda:0", Driver: "550.1", Facts: &gpu.Facts{Name: "H200"}}}
		}
		change(&runs[1])
		c := compared(t, runs, Options{By: ByRun})
		if want == "" {
			if len(c.Warnings) > 0 {
				t.Errorf("equal environments: warnings %q", c.Warnings)
			}
			continue
		}
		if len(c.Warnings) != 1 || !contains(c.Warnings[0], want) {
			t.Errorf("warnings %q, want %q", c.Warnings, want)
		}
	}
}

func TestFront(t *testing.T) {
	front := Front([]Choice{{"slow and hungry", 3, 3}, {"thrifty", 2, 1}, {"fast", 1, 2}, {"fast and hungrier", 1, 2.5}, {"as thrifty, slower", 2.5, 1}})
	var names []string
	for _, f := range front {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, ", "); got != "fast, thrifty" {
		t.Errorf("front %s, want fast, thrifty", got)
	}
}

func TestCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	c := compared(t, pairOf(rng, noises[0].make, 2, 50, 2), Options{By: ByRun})
	text, err := csvOf(c)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := gocsv.CSVToMaps(strings.NewReader(text))
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v:\n%s", len(rows), err, text)
	}
	front, shown := rows[1]["front"]
	if r := rows[1]; r["metric"] != "time" || r["N"] != "0" || r["level"] != "after" ||
		r["verdict"] != "worse" || r["samples"] != "50" || front != "" || !shown || !strings.HasPrefix(r["ratio"], "2.0") && !strings.HasPrefix(r["ratio"], "1.9") {
		t.Errorf("row %v", r)
	}
}

// TestRatiosShowTheirDifference: narrow intervals have the digits that tell
// their ends apart.
func TestRatiosShowTheirDifference(t *testing.T) {
	for _, c := range []struct {
		value, low, high float64
		want             string
	}{
		{1.0004, 1.00011, 1.00069, "1.0004, 1.0001 to 1.0007"},
		{1.2, 1.1, 1.31, "1.20, 1.10 to 1.31"},
		{1, 1, 1, "1.000, 1.000 to 1.000"},
		{12.5, 12.4999, 12.5001, "12.50000, 12.49990 to 12.50010"},
		{1, 1 - 1e-13, 1 + 1e-13, "1.00000000, 1.00000000 to 1.00000000"},
		{20000, 19999, 20001, "20000.0, 19999.0 to 20001.0"},
	} {
		r := Ratio{Value: c.value, Low: &c.low, High: &c.high}
		if got := r.Text() + ", " + r.Interval(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if got := (Ratio{Value: 1.00004}).Text(); got != "1.000" {
		t.Errorf("without an interval: %s", got)
	}
}

// csvOf is what WriteCSV writes.
func csvOf(c *Comparison) (string, error) {
	var b strings.Builder
	err := c.WriteCSV(&b)
	return b.String(), err
}
