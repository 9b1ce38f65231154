package command_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocarina/gocsv"

	"example.org/bench/algorithms"
	"example.org/bench/command"
	"example.org/bench/sensors"
	"example.org/bench/test/faulty"
)

// The tests run these programs, as users do: cmd/bench, test/faulty/program and
// the latter with made-up times, of test/faulty's versions, which no load of the
// machine changes: between it and its workers stands timesPath, which is standIn.
// They are scripts that start the tests' own program with a word for TestMain.
var benchPath, faultyPath, madeUpPath, timesPath string

// meterPath is a sensor's program, which prints some 20 W a hundred times per second. A
// shell would start a process for each sleep.
var meterPath string

// asProgram names the environment variable with that word.
const asProgram = "BENCH_TEST_AS"

func TestMain(m *testing.M) {
	worker := len(os.Args) > 1 && os.Args[1] == "worker" // of an engine in this process, which starts its own program
	switch as := os.Getenv(asProgram); {
	case as == "faulty":
		command.Main(append(algorithms.All(), faulty.Factory()), sensors.All())
	case as == "times":
		status, err := standIn(os.Args[1:])
		if err != nil {
			panic(err)
		}
		os.Exit(status)
	case as == "meter":
		meter()
		return
	case as == "bench" || worker:
		command.Main(algorithms.All(), sensors.All())
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "bench-command")
	if err != nil {
		panic(err)
	}
	for name, path := range map[string]*string{"bench": &benchPath, "faulty": &faultyPath, "times": &timesPath, "madeup": &madeUpPath, "meter": &meterPath} {
		*path = filepath.Join(dir, name)
		as, more := name, ""
		if name == "madeup" {
			as, more = "faulty", "BENCH_WORKER_PREFIX='"+filepath.Join(dir, "times")+"' "
		}
		script := fmt.Sprintf("#!/bin/sh\n%s%s=%s exec '%s' \"$@\"\n", more, asProgram, as, self)
		if err := os.WriteFile(*path, []byte(script), 0o755); err != nil {
			panic(err)
		}
	}
	// What lives for milliseconds need not collect its garbage; a test of memory asks for it.
	if err := os.Setenv("GOGC", "400"); err != nil {
		panic(err)
	}
	debug.SetGCPercent(400)
	// Tests that look at plots take drawing.
	if err := os.Setenv("BENCH_PLOTS", "none"); err != nil {
		panic(err)
	}
	// No other package's test meets a note of power modes that these leave.
	if err := os.Setenv("STATE_DIRECTORY", dir); err != nil {
		panic(err)
	}
	// Most of these tests wait for programs, which wait for sensors and boards: unless told
	// otherwise, more of them run at once than there are processors.
	flag.Parse()
	told := false
	flag.Visit(func(f *flag.Flag) { told = told || f.Name == "test.parallel" })
	if !told {
		if err := flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// meter ends when nobody reads. With the argument "modes" it shows 10 W while the board below
// BENCH_TREE is in mode 1, and 40 W in all others.
func meter() {
	for i := 0; ; i++ {
		watts := 20.0
		if len(os.Args) > 1 && os.Args[1] == "modes" {
			mode, err := os.ReadFile(filepath.Join(os.Getenv("BENCH_TREE"), "var/lib/nvpmodel/status"))
			if err != nil {
				panic(err)
			}
			if watts = 40; strings.Contains(string(mode), ":0001") {
				watts = 10
			}
		}
		if _, err := fmt.Printf("%.1f\n", watts+0.1*float64(i%2)); err != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// drawing has a program draw its plots.
var drawing = []string{"BENCH_PLOTS="}

// execute runs a program in dir and returns its exit status and output.
func execute(t *testing.T, dir, program string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	return executeWith(t, dir, nil, program, args...)
}

// executeWith is execute with more in the environment.
func executeWith(t *testing.T, dir string, env []string, program string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errOut.String()
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// table reads a CSV as one map a row.
func table(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := gocsv.CSVToMaps(f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// quick are measure settings for tests that look at anything but the times.
const quick = `"sensors": [], "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.5, "timeout_s": 5, "point_timeout_s": 120}`

func TestRunWritesEveryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "small.json"), `{"algorithm": "fft", "versions": ["reference", "stockham"], "processor": "CPU",
		"output_file_prefix": "small", "static_args": {"batch_elements": 4096},
		"sweep_arg": {"N": {"from": 64, "to": 128, "factor": 2}}, `+quick+`}`)
	status, out, errOut := executeWith(t, dir, drawing, benchPath, "run", c)
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	results := filepath.Join(dir, "results", "small")
	for _, name := range []string{"small_time.csv", "small_flops.csv", "small_loadstoresize.csv", "small_power.csv",
		"small_energy.csv", "small_samples.csv.gz", "run.json", "journal.jsonl"} {
		if fi, err := os.Stat(filepath.Join(results, name)); err != nil || fi.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if plots, _ := filepath.Glob(filepath.Join(results, "figures", "*.svg")); len(plots) == 0 {
		t.Error("no plot was drawn")
	}
	rows := table(t, filepath.Join(results, "small_time.csv"))
	if len(rows) != 4 {
		t.Fatalf("%d rows, want 4", len(rows))
	}
	for _, r := range rows {
		if r["status"] != "ok" || r["time_s"] == "" || r["error"] == "" {
			t.Errorf("row %v", r)
		}
	}
	for _, r := range table(t, filepath.Join(results, "small_power.csv")) {
		if r["power_W"] != "" {
			t.Errorf("power %q without a sensor, want an empty cell", r["power_W"])
		}
	}
	if !strings.Contains(errOut, "no power and energy") {
		t.Errorf("nothing says why there is no power:\n%s", errOut)
	}
	// A second run keeps the first. BENCH_PLOTS is none.
	if status, out, errOut := execute(t, dir, benchPath, "run", c); status != 0 || !strings.Contains(errOut, "earlier run") || !strings.Contains(out, "CSVs, samples and run.json\n") {
		t.Errorf("status %d, %s\n%s", status, out, errOut)
	}
	if drawn, err := filepath.Glob(filepath.Join(results, "figures", "*.svg")); len(drawn) > 0 || err != nil {
		t.Errorf("%q were drawn, %v", drawn, err)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, "results", "small*")); len(kept) != 2 {
		t.Errorf("folders %v, want the earlier run kept", kept)
	}
	if status, out, errOut := execute(t, dir, benchPath, "plot", results); status != 0 || !strings.Contains(out, ".svg") {
		t.Errorf("plot: status %d\n%s%s", status, out, errOut)
	}
	if status, out, errOut := execute(t, dir, benchPath, "plot", results, "--for", "paper"); status != 0 || !strings.Contains(out, "paper/small_captions.txt") {
		t.Errorf("plot for paper: status %d\n%s%s", status, out, errOut)
	}
	if status, _, errOut := execute(t, dir, benchPath, "plot", results, "--for", "print"); status != 2 || !strings.Contains(errOut, `--for "print": want screen, paper, paper-wide, slides`) {
		t.Errorf("plot for print: status %d\n%s", status, errOut)
	}
	// A process that was killed leaves the journal alone.
	for _, e := range []string{"*.csv", "*.gz", "run.json", "figures/*"} {
		files, _ := filepath.Glob(filepath.Join(results, e))
		for _, f := range files {
			os.Remove(f)
		}
	}
	journal := filepath.Join(results, "journal.jsonl")
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(journal, int64(len(text)-100)); err != nil {
		t.Fatal(err)
	}
	const part = "3 of 4 points so far; if the run was interrupted, --resume goes on"
	if status, out, errOut := execute(t, dir, benchPath, "plot", results); status != 0 || !strings.Contains(out, ".svg") || !strings.Contains(errOut, part) {
		t.Errorf("plot of a journal: status %d\n%s%s", status, out, errOut)
	}
	earlier, _ := filepath.Glob(results + "-*")
	if status, out, errOut := execute(t, dir, benchPath, append([]string{"compare", results}, earlier...)...); status != 0 || !strings.Contains(out, part) {
		t.Errorf("compare of a journal: status %d\n%s%s", status, out, errOut)
	}
}

// TestMisbehaviourCostsOnePoint is the contract of the worker process.
func TestMisbehaviourCostsOnePoint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "faulty.json"), `{"algorithm": "faulty", "output_file_prefix": "faulty",
		"versions": ["good", "slower", "wrong", "error", "panic", "exit", "segfault", "memory", "tuned", "absent", "unsupported"], `+quick+`}`)
	status, out, errOut := execute(t, dir, faultyPath, "run", c)
	if status != 1 {
		t.Fatalf("status %d, want 1\n%s\n%s", status, out, errOut)
	}
	want := map[string]struct{ status, reason string }{
		"good":        {"ok", ""},
		"slower":      {"ok", ""},
		"tuned":       {"ok", ""},
		"wrong":       {"wrong", "deviation 1 is above 1e-06"},
		"error":       {"failed", "the run gave an error"},
		"panic":       {"failed", "panic: the run panicked (faulty.go"},
		"exit":        {"failed", "ended with status 3"},
		"segfault":    {"failed", "unexpected fault address"},
		"memory":      {"failed", "out of memory"},
		"absent":      {"skipped", "libabsent.so is not installed"},
		"unsupported": {"skipped", "no size is supported"},
	}
	rows := table(t, filepath.Join(dir, "results", "faulty", "faulty_time.csv"))
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
	for _, r := range rows {
		w := want[r["version"]]
		if r["status"] != w.status || !strings.Contains(r["reason"], w.reason) {
			t.Errorf("%s: %s %q, want %s %q", r["version"], r["status"], r["reason"], w.status, w.reason)
		}
		if timed := r["time_s"] != ""; timed != (w.status == "ok") {
			t.Errorf("%s: time_s is %q", r["version"], r["time_s"])
		}
	}
}

// A point that hangs is ended, and the next one has its own time.
func TestHangCostsOnePoint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "hang.json"), `{"algorithm": "faulty", "versions": ["hang"], "output_file_prefix": "hang",
		"sweep_arg": {"ms": [1, 2]}, "sensors": [], "measure": {"ceilings": false, "timeout_s": 0.3, "power_window_s": 0.3, "point_timeout_s": 0.3, "cooldown_s": 0}}`)
	if status, out, errOut := execute(t, dir, faultyPath, "run", c); status != 1 {
		t.Fatalf("status %d, want 1\n%s\n%s", status, out, errOut)
	}
	rows := table(t, filepath.Join(dir, "results", "hang", "hang_time.csv"))
	if len(rows) != 2 {
		t.Errorf("%d rows, want 2", len(rows))
	}
	for _, r := range rows {
		if r["status"] != "timeout" || !strings.Contains(r["reason"], "no result after 0.3 s") || r["time_s"] != "" {
			t.Errorf("row %v", r)
		}
	}
}

func TestTooLargeForMemoryIsOneRow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "large.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "large",
		"sweep_arg": {"host_bytes": [0, 1152921504606846976]}, `+quick+`}`)
	status, out, errOut := execute(t, dir, faultyPath, "run", c)
	if status != 0 {
		t.Fatalf("status %d, want 0\n%s\n%s", status, out, errOut)
	}
	rows := table(t, filepath.Join(dir, "results", "large", "large_time.csv"))
	if rows[0]["status"] != "ok" || rows[1]["status"] != "skipped" || !strings.Contains(rows[1]["reason"], "needs 1.07e+09 GiB of memory") {
		t.Errorf("rows %v", rows)
	}
}
