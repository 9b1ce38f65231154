package command_test

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/driver/drivertest"
)

// TestRateEndToEnd: a version that pauses for 5 ms in every thousandth run shows it in the
// 99.9th percentile and in misses, as long as it is released 1000 times a second.
// What it shows beside that is another matter on a loaded machine (TestPlantedPause of
// framework/measure).
func TestRateEndToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "rate.json"), `{"algorithm": "faulty", "versions": ["pauses"], "sensors": [],
		"sweep_arg": {"rate_hz": [1000, 2000]}, "measure": {"ceilings": false, "releases": 2000, "timeout_s": 5, "point_timeout_s": 120}}`)
	status, out, errOut := execute(t, dir, faultyPath, "run", c)
	if status != 0 || !strings.Contains(out, "p99.9") || !strings.Contains(out, "missed") {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	results := filepath.Join(dir, "results", "rate")
	rows := table(t, filepath.Join(results, "rate_rate.csv"))
	if len(rows) != 2 {
		t.Fatalf("%v", rows)
	}
	number := func(column string) float64 {
		x, err := strconv.ParseFloat(rows[0][column], 64)
		if err != nil {
			t.Errorf("%s: %v", column, err)
		}
		return x
	}
	// Two pauses, and the releases that wait for each: 5, 4, 3, … ms.
	if number("latency_p999_s") < 4e-3 || number("latency_worst_s") < 4.9e-3 || number("misses") < 8 {
		t.Errorf("the pause is not found: %v", rows[0])
	}
	if number("releases") != 2000 || number("release_hz") != 1000 || number("allowed_s") != 1e-3 || rows[0]["wait"] != "sleep" || rows[0]["scheduler"] == "" {
		t.Errorf("%v", rows[0])
	}
	f, err := os.Open(filepath.Join(results, "rate_latency.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	bins, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, b := range bins[1:] {
		n, _ := strconv.Atoi(b[4])
		counted += n
	}
	if counted != 4000 {
		t.Errorf("the histogram has %d releases", counted)
	}
	status, out, errOut = execute(t, dir, faultyPath, "compare", results, "--by", "rate_hz", "--metric", "latency_p999", "--csv")
	if status != 0 || !strings.Contains(out, "latency_p999") || !strings.Contains(out, "2000") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
}

// TestRateMistakes are found before anything runs.
func TestRateMistakes(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		`"static_args": {"wait": "spin"}`:                "wait is of runs at a rate, and there is no rate_hz",
		`"static_args": {"rate_hz": "fast"}`:             `"fast" is a word; want a number from 0.001 to 1000000, or max`,
		`"static_args": {"rate_hz": 0}`:                  "0 is less than 0.001",
		`"sweep_arg": {"rate_hz": [0.01, 10]}`:           "rate_hz 0.01: 10 releases (measure.min_samples) take longer than measure.point_timeout_s (60)",
		`"static_args": {"rate_hz": 1, "wait": "doze"}`:  "one of sleep, spin",
		`"static_args": {"rate_h": 1}`:                   `did you mean "rate_hz"?`,
		`"static_args": {"rate_hz": 5, "deadline_s": 0}`: "deadline_s",
	} {
		c := write(t, filepath.Join(t.TempDir(), "x.json"), `{"algorithm": "faulty", "versions": ["good"], `+settings+`}`)
		status, out, errOut := execute(t, filepath.Dir(c), faultyPath, "validate", c)
		if status != 2 || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d\n%s%s\nwant %s", settings, status, out, errOut, want)
		}
	}
}

// TestBesideEndToEnd: the load runs while a version does, leaves a note of what it read,
// and is gone afterwards.
func TestBesideEndToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "beside.json"), `{"algorithm": "faulty", "versions": ["good"], "sensors": [],
		"sweep_arg": {"beside": ["none", {"bandwidth_Bps": 5e6}]}, "measure": {"ceilings": false, "min_time_s": 0.05, "timeout_s": 0.3, "point_timeout_s": 120}}`)
	status, out, errOut := execute(t, dir, faultyPath, "run", c)
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	results := filepath.Join(dir, "results", "beside")
	rows := table(t, filepath.Join(results, "beside_time.csv"))
	if len(rows) != 2 || strings.Contains(rows[0]["notes"], "beside") || !strings.Contains(rows[1]["notes"], "beside: ") || !strings.Contains(rows[1]["notes"], "of 5e+06 bytes per second") {
		t.Errorf("%v", rows)
	}
	status, out, errOut = execute(t, dir, faultyPath, "compare", results, "--by", "beside", "--metric", "time", "--csv")
	if status != 0 || !strings.Contains(out, "bandwidth_Bps:5e6") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	status, _, errOut = execute(t, dir, faultyPath, "plan", c, "--set", "beside=gpu:2")
	if status != 2 || !strings.Contains(errOut, "is no load; want none, or one or several of cpu:THREADS") {
		t.Errorf("status %d\n%s", status, errOut)
	}
}

// TestBesideOnTheGPU: a version on the CPU runs beside copies on the GPU; without a GPU
// the point says why it has no load.
func TestBesideOnTheGPU(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "beside.json"), `{"algorithm": "faulty", "versions": ["good"], "sensors": [],
		"static_args": {"beside": {"gpu_bandwidth_Bps": 2e8}}, "measure": {"ceilings": false, "min_time_s": 0.05, "timeout_s": 0.3, "point_timeout_s": 120}}`)
	notes := func(env []string) (status int, row map[string]string) {
		status, out, errOut := executeWith(t, dir, env, faultyPath, "run", c)
		rows := table(t, filepath.Join(dir, "results", "beside", "beside_time.csv"))
		if len(rows) != 1 {
			t.Fatalf("status %d\n%s\n%s", status, out, errOut)
		}
		return status, rows[0]
	}
	stub := filepath.Dir(drivertest.Build(t, "ACROSS_PROCESSES").Path)
	if status, row := notes([]string{"LD_LIBRARY_PATH=" + stub + ":" + os.Getenv("LD_LIBRARY_PATH")}); status != 0 || row["beside"] != "gpu_bandwidth_Bps:2e8" ||
		!strings.Contains(row["notes"], "of 2e+08 bytes per second were copied by the GPU") {
		t.Errorf("status %d, %v", status, row)
	}
	if status, row := notes(nil); status != 1 || row["status"] != "failed" || !strings.HasPrefix(row["reason"], "load beside: ") || !strings.Contains(row["reason"], "libcuda") {
		t.Errorf("status %d, %v", status, row)
	}
}
