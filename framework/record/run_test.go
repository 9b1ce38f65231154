package record

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gocarina/gocsv"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

var testCeilings = Ceilings{Copy: 4e12, FMA: 6e13, FMA64: 3e13, Seconds: 0.5}

func gpuResult(id int, n int64) Result {
	r := testResult(id)
	r.Point.Processor, r.Point.Device, r.Point.PowerMode = framework.GPU, "cuda:0", "MAXN"
	r.Point.Params["N"] = framework.IntValue(n)
	r.Point.Tunables = framework.Values{"P": framework.IntValue(8)}
	r.Point.TunableOrder = []string{"P"}
	r.Work = framework.Work{NominalFLOPs: 6e9, NominalBytes: 2e9, FLOPs: 7e9, LoadBytes: 1e9, StoreBytes: 3e9, Items: 1e8}
	r.Cold = &measure.Series{Samples: []float64{2e-3, 1e-3, 3e-3, 2e-3, 2e-3, 2e-3}, Batch: 1, Dropped: 4, Stop: "timeout", ClockHz: 1.98e9}
	r.Energy = &measure.Energy{
		Window: 2, Runs: 1000, Period: 0.1,
		Channels: []measure.ChannelEnergy{
			{Sensor: "ina3221", Channel: "VDD_IN", Role: "total", Power: 300, Idle: 100, Energy: 600, Uncertainty: 5, Fresh: 19, Period: 0.105},
			{Sensor: "ina3221", Channel: "VDD_GPU", Role: "part", Power: 200, Idle: 50, Energy: 400},
		},
		Notes:   []string{"few readings"},
		Samples: []measure.PowerSample{{Time: -0.1, Channel: "VDD_IN", Value: 100}, {Time: 0.1, Channel: "VDD_IN", Value: math.NaN()}},
	}
	r.TemperatureBefore = map[string]float64{"GPU-therm": 41.5}
	r.Phases = map[string]float64{PreparePhase: 0.25, VerifyPhase: 0.5, "time": 1}
	r.TemperatureAfter = map[string]float64{"GPU-therm": 55, "CPU-therm": 50}
	return r
}

func testRun() *Run {
	wrong := testResult(2)
	wrong.Status, wrong.Reason, wrong.Hot = Wrong, "relative L2 error NaN is above 1e-06", nil
	wrong.Checks = []framework.Check{{Metric: "relative L2 error", Error: 1e-7, Bound: 1e-6}, {Metric: "round trip", Error: math.NaN(), Bound: 1e-6}}
	skipped := Result{Point: testResult(3).Point, Status: Skipped, Reason: "fftw is not installed: apt-get install libfftw3-single3, \"quoted\""}
	cpu := testResult(0)
	cpu.Notes = []string{"plan: FFTW_MEASURE", "4 threads"}
	cpu.Energy = &measure.Energy{Absent: "rapl: not readable by this user"}
	return NewRun(
		Info{
			Tool: ThisTool(), Command: []string{"bench", "run", "configs/fft.json"}, Seed: 7,
			Config:  ConfigFile{Path: "configs/fft.json", Hash: "ab", Text: "{}", Set: []string{"N=64"}},
			Started: time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC),
			Devices: []Device{{ID: "cuda:0", Ceilings: testCeilings}},
			Sensors: []Sensor{{Name: "ina3221"}, {Name: "rapl", Absent: "not readable by this user"}},
		},
		"fft",
		[]plan.Axis{{Name: "N", Unit: "points", Geometric: true, Count: 2}},
		[]Result{cpu, gpuResult(1, 128), skipped, wrong})
}

// cells reads one CSV file: its header, and rows of cells by column.
func cells(t *testing.T, path string) ([]string, []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := gocsv.CSVToMaps(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(text), "\n")
	return strings.Split(header, ","), rows
}

func TestWriteValues(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, testRun()); err != nil {
		t.Fatal(err)
	}
	const cpu, gpu, wrong, skipped = 0, 1, 2, 3
	for _, c := range []struct {
		file, column string
		row          int
		want         string
	}{
		{timeCSV, "algorithm", gpu, "fft"},
		{timeCSV, "power_mode", gpu, "MAXN"},
		{timeCSV, "N", gpu, "128"},
		{timeCSV, "precision", gpu, "single"},
		{timeCSV, "P", gpu, "8"},
		{timeCSV, "P", cpu, ""},
		{timeCSV, "time_s", gpu, "0.002"}, // cold is the headline of a GPU
		{timeCSV, "time_min_s", gpu, "0.001"},
		{timeCSV, "time_max_s", gpu, "0.003"},
		{timeCSV, "time_ci_low_s", gpu, "0.001"},
		{timeCSV, "samples", gpu, "6"},
		{timeCSV, "dropped_samples", gpu, "4"},
		{timeCSV, "converged", gpu, "false"},
		{timeCSV, "sm_clock_Hz", gpu, "1.98e+09"},
		{timeCSV, "hot_time_s", gpu, "0.001"},
		{timeCSV, "hot_converged", gpu, "true"},
		{timeCSV, "time_s", cpu, "0.001"}, // hot is the headline of a CPU
		{timeCSV, "time_ci_low_s", cpu, ""},
		{timeCSV, "hot_time_s", cpu, ""},
		{timeCSV, "hot_samples", cpu, ""},
		{timeCSV, "sm_clock_Hz", cpu, ""},
		{timeCSV, "temperature_GPU_therm_before_degC", gpu, "41.5"},
		{timeCSV, "temperature_CPU_therm_before_degC", gpu, ""},
		{timeCSV, "temperature_GPU_therm_after_degC", cpu, ""},
		{timeCSV, "status", wrong, "wrong"},
		{timeCSV, "error", wrong, "NaN"},
		{timeCSV, "error_metric", wrong, "round trip"},
		{timeCSV, "time_s", wrong, ""},
		{timeCSV, "samples", wrong, ""},
		{timeCSV, "reason", skipped, "fftw is not installed: apt-get install libfftw3-single3, \"quoted\""},
		{flopsCSV, "nominal_flops", gpu, "6000000000"},
		{flopsCSV, "gflop_per_s", gpu, "3000"},
		{flopsCSV, "fma_share", gpu, "0.05"},
		{flopsCSV, "fma_share", cpu, ""},
		{flopsCSV, "flop_per_byte", gpu, "3"},
		{flopsCSV, "items_per_s", gpu, "5e+10"},
		{flopsCSV, "flops", cpu, ""},
		{flopsCSV, "gflop_per_s", wrong, ""},
		{bytesCSV, "gbyte_per_s", gpu, "1000"},
		{bytesCSV, "copy_share", gpu, "0.25"},
		{bytesCSV, "load_bytes", gpu, "1000000000"},
		{bytesCSV, "load_gbyte_per_s", gpu, "500"},
		{bytesCSV, "store_gbyte_per_s", gpu, "1500"},
		{powerCSV, "power_W", gpu, "300"},
		{powerCSV, "idle_power_W", gpu, "100"},
		{powerCSV, "gflop_per_s_per_W", gpu, "10"},
		{powerCSV, "ina3221_VDD_GPU_power_W", gpu, "200"},
		{powerCSV, "ina3221_VDD_GPU_idle_W", gpu, "50"},
		{powerCSV, "power_W", cpu, ""},
		{powerCSV, "window_s", cpu, ""},
		{powerCSV, "runs", cpu, ""},
		{powerCSV, "absent", cpu, "rapl: not readable by this user"},
		{powerCSV, "ina3221_VDD_GPU_power_W", cpu, ""},
		{energyCSV, "energy_J", gpu, "0.6"},
		{energyCSV, "energy_integral_J", gpu, "0.6"},
		{energyCSV, "energy_counter_J", gpu, ""},
		{energyCSV, "energy_above_idle_J", gpu, "0.39999999999999997"},
		{energyCSV, "run_time_s", gpu, "0.002"},
		{energyCSV, "edp_Js", gpu, "0.0012"},
		{energyCSV, "ina3221_VDD_GPU_energy_J", gpu, "0.4"},
		{energyCSV, "energy_J", cpu, ""},
		{energyCSV, "energy_uncertainty_J", gpu, "0.005"},
		{energyCSV, "ina3221_VDD_IN_uncertainty_J", gpu, "0.005"},
		{energyCSV, "ina3221_VDD_GPU_uncertainty_J", gpu, ""},
		{energyCSV, "ina3221_VDD_GPU_energy_above_idle_J", gpu, "0.30000000000000004"},
		{energyCSV, "ina3221_VDD_GPU_energy_above_idle_J", cpu, ""},
		{powerCSV, "power_uncertainty_W", gpu, "2.5"},
		{powerCSV, "ina3221_VDD_IN_power_uncertainty_W", gpu, "2.5"},
		{powerCSV, "ina3221_VDD_GPU_power_uncertainty_W", gpu, ""},
		{powerCSV, "fresh_readings", gpu, "19"},
		{powerCSV, "fresh_readings", cpu, ""},
		{powerCSV, "power_notes", gpu, "few readings"},
		{timeCSV, "notes", cpu, "plan: FFTW_MEASURE; 4 threads"},
		{energyCSV, "energy_J", skipped, ""},
	} {
		_, rows := cells(t, filepath.Join(dir, "fft_"+c.file))
		if len(rows) != 4 {
			t.Fatalf("%s: %d rows, want 4", c.file, len(rows))
		}
		got, ok := rows[c.row][c.column]
		if !ok || got != c.want {
			t.Errorf("%s, row %d, %s = %q (there: %v), want %q", c.file, c.row, c.column, got, ok, c.want)
		}
	}
	for _, kind := range []string{timeCSV, flopsCSV, bytesCSV, powerCSV, energyCSV} {
		header, _ := cells(t, filepath.Join(dir, "fft_"+kind))
		want := "algorithm version processor device power_mode N precision P status reason point"
		if got := strings.Join(header[:11], " "); got != want {
			t.Errorf("%s begins %q, want %q", kind, got, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestReadGivesBackWhatWriteWrote(t *testing.T) {
	dir := t.TempDir()
	run := testRun()
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.Info, run.Info) {
		t.Errorf("info %+v\nwant %+v", back.Info, run.Info)
	}
	if !reflect.DeepEqual(back.Axes, run.Axes) || !reflect.DeepEqual(back.Columns, run.Columns) {
		t.Errorf("axes %+v, columns %+v\nwant %+v, %+v", back.Axes, back.Columns, run.Axes, run.Columns)
	}
	if len(back.Rows) != len(run.Rows) {
		t.Fatalf("%d rows, want %d", len(back.Rows), len(run.Rows))
	}
	for i := range run.Rows {
		got, want := back.Rows[i], run.Rows[i]
		if math.IsNaN(want.Error.Float()) && math.IsNaN(got.Error.Float()) && got.Error.IsSet() == want.Error.IsSet() {
			got.Error, want.Error = Number{}, Number{} // NaN is not equal to itself
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("row %d: %+v\nwant %+v", i, got, want)
		}
	}
	read, err := ReadSamples(dir, back)
	samples := read.List()
	if err != nil {
		t.Fatal(err)
	}
	// Hot of points 0 and 1, cold of point 1.
	if len(samples) != 3+6+3 || samples[3] != (Sample{1, 0, "stockham", "cold", 0, 2e-3}) {
		t.Errorf("%d samples: %+v", len(samples), samples)
	}
	_, power := cells(t, filepath.Join(dir, "fft_power_samples.csv.gz"))
	if len(power) != 2 || power[0]["value"] != "100" || power[1]["value"] != "" {
		t.Errorf("power samples %v", power)
	}
}

func TestWriteWithoutPowerLeavesNoPowerSamples(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, testRun()); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, NewRun(Info{}, "fft", nil, []Result{testResult(0)})); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "fft_power_samples.csv.gz")); !os.IsNotExist(err) {
		t.Errorf("the run before's power samples are still there (%v)", err)
	}
}

func TestWriteEmptyRun(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, NewRun(Info{}, "none", nil, nil)); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil || len(back.Rows) != 0 {
		t.Errorf("%v, %v", back, err)
	}
}

// A parameter may have any name, and every kind of value must come back as it
// was.
func TestColumnsOfAwkwardNamesAndValues(t *testing.T) {
	r := testResult(0)
	r.Point.Params = framework.Values{
		"samples": framework.IntValue(9), "x": framework.FloatValue(2), "word": framework.TextValue("64"), "status": framework.TextValue("a,\"b\"\nc"),
	}
	r.Point.ParamOrder = []string{"samples", "x", "word", "status"}
	r.Point.Tunables = framework.Values{"x": framework.IntValue(3)}
	r.Point.TunableOrder = []string{"x"}
	dir := t.TempDir()
	if err := Write(dir, NewRun(Info{}, "p", nil, []Result{r})); err != nil {
		t.Fatal(err)
	}
	_, rows := cells(t, filepath.Join(dir, "p_time.csv"))
	for column, want := range map[string]string{"param_samples": "9", "samples": "3", "x": "2", "tunable_x": "3", "param_status": "a,\"b\"\nc", "status": "ok"} {
		if rows[0][column] != want {
			t.Errorf("%s = %q, want %q", column, rows[0][column], want)
		}
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	r.Point.Params["status"] = framework.TextValue(`a,"b"\nc`) // makes no line
	if !reflect.DeepEqual(back.Rows[0].Params.Values(), r.Point.Params) || !reflect.DeepEqual(back.Rows[0].Tunables.Values(), r.Point.Tunables) {
		t.Errorf("read back %v and %v, want %v and %v", back.Rows[0].Params, back.Rows[0].Tunables, r.Point.Params, r.Point.Tunables)
	}
}

func TestNewRunLaterResultCounts(t *testing.T) {
	failed := testResult(0)
	failed.Status, failed.Reason, failed.Hot = Failed, "worker died", nil
	run := NewRun(Info{}, "p", nil, []Result{testResult(1), failed, testResult(0)})
	if len(run.Rows) != 2 || run.Rows[0].Point != 0 || run.Rows[0].Status != OK || run.Rows[1].Point != 1 {
		t.Errorf("rows %+v", run.Rows)
	}
}

func TestReadRefusesClearly(t *testing.T) {
	written := func() string {
		dir := t.TempDir()
		if err := Write(dir, testRun()); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	edit := func(dir, file, old, new string) string {
		path := filepath.Join(dir, file)
		b, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(b), old) {
			t.Fatalf("%s lacks %q (%v)", path, old, err)
		}
		os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o666)
		return dir
	}
	remove := func(dir, file string) string { os.Remove(filepath.Join(dir, file)); return dir }
	for name, c := range map[string]struct{ dir, want string }{
		"no folder":      {filepath.Join(t.TempDir(), "no"), "there is no such folder"},
		"empty folder":   {t.TempDir(), "holds no results"},
		"no power file":  {remove(written(), "fft_power.csv"), "there is no fft_power.csv"},
		"newer format":   {edit(written(), InfoFile, `"format": 1`, `"format": 99`), "format is 99"},
		"torn run.json":  {edit(written(), InfoFile, `"format": 1`, `"format": `), InfoFile},
		"no number":      {edit(written(), "fft_flops.csv", "6000000000", "many"), "fft_flops.csv"},
		"other run":      {edit(written(), "fft_energy.csv", "\"quoted\"\"\",3", "\"quoted\"\"\",9"), "not of one run"},
		"missing column": {edit(written(), "fft_time.csv", "precision", "prec"), "column precision"},
		"ragged":         {edit(written(), "fft_time.csv", "algorithm,", "algorithm,x,"), "fft_time.csv"},
	} {
		_, err := Read(c.dir)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", name, err, c.want)
		}
	}
}

// TestTablesOfEditors: what spreadsheets and editors make of a run's files is read, or refused in words.
func TestTablesOfEditors(t *testing.T) {
	for name, c := range map[string]struct {
		file   string
		change func(text string) string
		want   string
	}{
		"mark of a table":    {"fft_time.csv", func(text string) string { return "\ufeff" + text }, ""},
		"mark of run.json":   {InfoFile, func(text string) string { return "\ufeff" + text }, ""},
		"semicolons":         {"fft_time.csv", func(text string) string { return strings.NewReplacer(",", ";", ".", ",").Replace(text) }, "fft_time.csv: its columns are separated by semicolons"},
		"what no clock gave": {"fft_time.csv", func(text string) string { return strings.Replace(text, ",0.001,", ",5e-324,", 1) }, "fft_time.csv: line 2: a time is 5e-324 s, which no clock gives; want 1e-15 to 1e+09 s"},
	} {
		dir := t.TempDir()
		if err := Write(dir, testRun()); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, c.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.change(string(text))), 0o666); err != nil {
			t.Fatal(err)
		}
		run, err := Read(dir)
		if c.want == "" {
			if err != nil || len(run.Rows) != len(testRun().Rows) {
				t.Errorf("%s: %v", name, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
}

func TestDoublePrecisionHasItsOwnCeiling(t *testing.T) {
	r := gpuResult(0, 64)
	r.Point.Params["precision"] = framework.TextValue("double")
	if row := newRow([]Result{r}, rowNames{}, testCeilings); row.Work.FMAShare.Float() != 0.1 {
		t.Errorf("share %v, want 3000 of 30000", row.Work.FMAShare)
	}
}

func TestSensorsGetTheirUpdatePeriod(t *testing.T) {
	run := testRun()
	if s := run.Info.Sensors; s[0].Period != 0.105 || s[1].Period != 0 {
		t.Errorf("sensors %+v, want 0.105 s as the channels showed", s)
	}
}

func TestPeersAreNamed(t *testing.T) {
	r := testResult(0)
	r.Point.Peer, r.Point.Version = true, "fftw"
	run := NewRun(Info{}, "p", nil, []Result{r, testResult(1)})
	if !reflect.DeepEqual(run.Info.Peers, []string{"fftw"}) {
		t.Errorf("peers %q", run.Info.Peers)
	}
}
