package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/machine"
)

// judgement is what the tests look at of what bench judge prints.
type judgement struct {
	Verdict, Reason, Kind, Line, Device string
	Seed                                uint64
	Verified                            int
	Ratio                               *struct{ Value, Low, High float64 }
	Energy                              *struct {
		Value, Low, High float64
		Repeats          int
	}
	Problems []struct {
		Name       string
		Hidden     bool
		Time       float64 `json:"time_s"`
		FloorShare float64 `json:"floor_share"`
	}
	Simulator *struct {
		OK      int
		Timed   int
		Skipped string
	}
}

// judged gives what bench judge says of a candidate's text.
func judged(t *testing.T, task, name, text string, more ...string) (status int, j judgement, errOut string) {
	t.Helper()
	candidate := write(t, filepath.Join(t.TempDir(), name), text)
	status, out, errOut := execute(t, t.TempDir(), benchPath, append([]string{"judge", task, candidate, "--json"}, more...)...)
	if err := json.Unmarshal([]byte(out), &j); err != nil && status != 1 && status != 2 {
		t.Fatalf("%v in %q: status %d\n%s", err, out, status, errOut)
	}
	return status, j, errOut
}

// told is judged, again where a busy machine leaves the verdict unknown.
func told(t *testing.T, judge func() (int, judgement, string)) (status int, j judgement, errOut string) {
	t.Helper()
	for range 10 {
		if status, j, errOut = judge(); j.Verdict != "unknown" {
			break
		}
	}
	return status, j, errOut
}

// squares is a task of squaring numbers in 16 rounds: even a loaded machine tells 1 and 256 rounds from them.
func squares(t *testing.T) (task string) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "right.c"), "void right(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * x[i]; }\n")
	write(t, filepath.Join(dir, "work.h"), "static double square(double x) { return x * x; }\n")
	write(t, filepath.Join(dir, "start.c"), rounds(16))
	return write(t, filepath.Join(dir, "task.json"), `{"algorithm": {"cuda": {"name": "squares", "params": [{"name": "N", "default": 5000, "min": 1, "max": 100000}],
		"arguments": [{"name": "x", "type": "f64", "size": "N", "fill": {"random": [-1, 1]}}, {"name": "y", "type": "f64", "size": "N", "use": "output"}, {"name": "n", "type": "i32", "value": "N"}],
		"verify": {"c": {"source": "right.c", "function": "right"}, "at": [{"N": 1}, {"N": 100}]},
		"versions": [{"name": "sixteen", "c": {"source": "start.c", "function": "squares"}}, {"name": "mine", "c": {"source": "start.c", "function": "squares"}}]}},
		"sensors": [], "sweep_arg": {"N": [4000, 5000]},
		"measure": {"min_samples": 4, "min_time_s": 0.02, "timeout_s": 1, "point_timeout_s": 20, "ceilings": false},
		"judge": {"version": "mine", "baseline": "sixteen", "hidden": [{"N": 4999}], "hidden_at": [{"N": 77}], "repeats": 4}}`)
}

// rounds is a C function that squares so many times.
func rounds(n int) string {
	return fmt.Sprintf(`#include "work.h"
void squares(const double *x, double *y, int n) {
    for (int round = 0; round < %d; round++)
        for (int i = 0; i < n; i++)
            ((volatile double *)y)[i] = square(x[i]);
}
`, n)
}

// TestJudgeC: verdict and exit status of C functions on the CPU.
func TestJudgeC(t *testing.T) {
	t.Parallel()
	task := squares(t)
	for name, c := range map[string]struct {
		text, verdict, kind, reason string
		status                      int
	}{
		"slow":   {rounds(256), "slower", "", "", 5},
		"fast":   {rounds(1), "faster", "", "", 0},
		"off":    {strings.Replace(rounds(16), "i < n", "i < n - 1", 1), "wrong", "", "1 of 1 element wrong", 10},
		"fitted": {strings.Replace(rounds(16), "i < n;", "i < (n == 77 ? 76 : n);", 1), "wrong", "", "at a hidden problem: wrong", 10},
		"timed":  {strings.Replace(rounds(16), "i < n;", "i < (n == 4999 ? 76 : n);", 1), "wrong", "", "at a hidden problem: wrong", 10},
		"crash":  {"void squares(const double *x, double *y, int n) { *(volatile int *)8 = n; }\n", "wrong", "", "the worker process ended", 10},
		"thrice": {strings.Replace(rounds(16), "    for (int round", "    static int calls;\n    if (++calls > 3) return;\n    for (int round", 1), "cheats", "", "", 11},
		"there":  {strings.Replace(rounds(16), "    for (int round", "    if (y[n / 2] == x[n / 2] * x[n / 2]) return;\n    for (int round", 1), "cheats", "", "", 11},
		"whole": {strings.Replace(rounds(16), "    for (int round", "    int there = 0;\n    for (int i = 0; i < n; i++)\n        there += y[i] == x[i] * x[i];\n    if (there == n) return;\n    for (int round", 1),
			"cheats", "idle run", "", 11}, // at any of the problems, of which one is hidden
		"compiler": {strings.Replace(rounds(16), "i++", "i+++", 1), "does not compile", "", "mine.c", 12},
		"endless":  {"#include \"work.h\"\nvoid squares(const double *x, double *y, int n) { for (volatile int i = 0;;) i++; }\n", "timeout", "", "no result after", 13},
		"include":  {"#include \"/etc/passwd\"\n", "refused", "", "an absolute name", 14},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := task
			if name == "endless" {
				text, err := os.ReadFile(task)
				if err != nil {
					t.Fatal(err)
				}
				at = write(t, filepath.Join(filepath.Dir(task), "soon.json"), strings.Replace(string(text), `"point_timeout_s": 20`, `"point_timeout_s": 2`, 1))
			}
			status, j, errOut := told(t, func() (int, judgement, string) { return judged(t, at, "mine.c", c.text) })
			if status != c.status || j.Verdict != c.verdict || !strings.Contains(j.Reason, c.reason) || c.kind != "" && j.Kind != c.kind {
				t.Fatalf("status %d: %+v\n%s", status, j, errOut)
			}
			if strings.Contains(j.Reason, "\n") || strings.Contains(j.Reason, "bench-judge-") || strings.Contains(j.Reason, "4999") {
				t.Errorf("the reason tells what it should not: %q", j.Reason)
			}
			if j.Kind == "" && j.Verdict == "cheats" {
				t.Error("it cheats, and nothing says how")
			}
			if c.status == 0 || c.status == 5 {
				if j.Ratio == nil || (j.Ratio.High < 1) != (c.status == 0) || (j.Ratio.Low > 1) != (c.status == 5) {
					t.Errorf("ratio %+v", j.Ratio)
				}
				if len(j.Problems) != 3 || j.Problems[0].Hidden || !j.Problems[2].Hidden || j.Problems[2].Name != "hidden 1" || j.Verified != 3 || j.Device != "cpu" {
					t.Fatalf("%+v", j)
				}
				for i, n := range []float64{4000, 5000, 0} { // doubles, of which each CPU stores 128 bytes in a cycle of 8 GHz; the last are hidden
					p, floor := j.Problems[i], 8*n/(128*8e9*float64(len(machine.AllowedCPUs())))
					if got := p.FloorShare * p.Time; got < 0.999*floor || got > 1.001*floor {
						t.Errorf("%s: %g of %g s is the floor, want %g s", p.Name, p.FloorShare, p.Time, floor)
					}
				}
			} else if j.Ratio != nil {
				t.Errorf("a ratio of what is %s", j.Verdict)
			}
			if c.verdict == "does not compile" && j.Line != "mine.c:4" {
				t.Errorf("the line is %q", j.Line)
			}
		})
	}
}

// A candidate judged against itself is not told from it, but for one in a hundred by chance.
func TestJudgeItself(t *testing.T) {
	t.Parallel()
	status, j, errOut := 0, judgement{}, ""
	for try := 0; try < 2 && (status == 0 || status == 5); try++ {
		status, j, errOut = judged(t, squares(t), "mine.c", rounds(16), "--seed", "7")
	}
	if status != 3 && status != 4 || j.Seed != 7 {
		t.Errorf("status %d: %+v\n%s", status, j, errOut)
	}
}

// transposed is the kernel of configs/judge/transpose.json with its loop.
func transposed(body string) string {
	return "extern \"C\" __global__ void transpose(const float *in, float *out, int n) {\n" + body + "\n}\n"
}

const tiled = `    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8)
        if (x < n && y + row < n) tile[threadIdx.y + row][threadIdx.x] = in[(size_t)(y + row) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8)
        if (x < n && y + row < n) out[(size_t)(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];`

// TestJudgeSimulated: a kernel without a GPU is verified, and its mistakes have a line.
func TestJudgeSimulated(t *testing.T) {
	t.Parallel()
	const task = "../configs/judge/transpose.json"
	path, err := filepath.Abs(task)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file, text, verdict, kind, reason, line string
		status                                  int
	}{
		"tiled":    {"mine.cu", transposed(tiled), "verified", "", "", "", 0},
		"race":     {"mine.cu", transposed(strings.Replace(tiled, "    __syncthreads();\n", "\n", 1)), "wrong", "", "race on shared memory", "mine.cu:", 10},
		"bounds":   {"mine.cu", transposed(strings.ReplaceAll(tiled, "x < n && ", "")), "wrong", "", "past the end of", "mine.cu:", 10},
		"counts":   {"mine.cu", "__device__ int runs;\n" + transposed("    if (runs > 0) return;\n"+tiled+"\n    if (x == 0 && y == 0) runs = 1;"), "cheats", "left behind", "reads what an earlier run left", "mine.cu:3", 11},
		"compiler": {"mine.cu", transposed("    nonsense;"), "does not compile", "", "nonsense", "mine.cu:2", 12},
		"name":     {"mine.cu", strings.Replace(transposed(tiled), "transpose", "other", 1), "refused", "", "has no kernel transpose", "", 14},
		"include":  {"mine.cu", "#include \"../../go.mod\"\n" + transposed(tiled), "refused", "", "leads upwards", "mine.cu:1", 14},
		"PTX":      {"mine.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry transpose(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }\n", "refused", "", "needs a GPU", "", 14},
		"C":        {"mine.c", "int x;\n", "refused", "", "takes .cu, .ptx, .cubin", "", 14},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, j, errOut := judged(t, path, c.file, c.text, "--device", "sim")
			if status != c.status || j.Verdict != c.verdict || j.Kind != c.kind || !strings.Contains(j.Reason, c.reason) || !strings.HasPrefix(j.Line, c.line) {
				t.Errorf("status %d: %+v\n%s", status, j, errOut)
			}
			if j.Verdict == "verified" && (j.Simulator == nil || j.Simulator.OK != 4 || j.Ratio != nil) {
				t.Errorf("%+v", j)
			}
		})
	}
}

// Problems that are timed are simulated too, unless they are verified anyway or too large.
func TestJudgeSimulatedSizes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../configs/judge")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "transpose.json"))
	if err != nil {
		t.Fatal(err)
	}
	task := write(t, filepath.Join(dir, "sizes.json"), strings.NewReplacer(`"N": [2048, 4096]`, `"N": [33, 64, 4096]`, `"N": 3001`, `"N": 128`).Replace(string(text)))
	status, j, errOut := judged(t, task, "mine.cu", transposed(tiled), "--device", "sim")
	if status != 0 || j.Simulator == nil || j.Simulator.OK != 5 || j.Simulator.Timed != 1 {
		t.Errorf("status %d: %+v, %+v\n%s", status, j, j.Simulator, errOut)
	}
}

// Energies are measured of a candidate that is faster, not of a slower one. A confined worker cannot start the meter.
func TestJudgeEnergy(t *testing.T) {
	t.Parallel()
	task := squares(t)
	text, err := os.ReadFile(task)
	if err != nil {
		t.Fatal(err)
	}
	metered := strings.NewReplacer(`"sensors": []`, `"sensors": [{"external": {"command": ["`+meterPath+`"]}}]`, `"N": [4000, 5000]`, `"N": [4000]`,
		`"hidden": [{"N": 4999}], `, "", `"repeats": 4`, `"repeats": 4, "energy_repeats": 3`, `"min_samples"`, `"power_window_s": 0.3, "min_samples"`).Replace(string(text))
	task = write(t, filepath.Join(filepath.Dir(task), "metered.json"), metered)
	unconfined := []string{"BENCH_WORKER_PREFIX=env"}
	metering := func(text string) (int, judgement, string) {
		candidate := write(t, filepath.Join(t.TempDir(), "mine.c"), text)
		once := func() (int, judgement, string) {
			var j judgement
			status, out, errOut := executeWith(t, t.TempDir(), unconfined, benchPath, "judge", task, candidate, "--json")
			if err := json.Unmarshal([]byte(out), &j); err != nil {
				t.Fatalf("%v in %q: status %d\n%s", err, out, status, errOut)
			}
			return status, j, errOut
		}
		for range 4 { // on a busy machine the energies may not be told apart either
			status, j, errOut := told(t, once)
			if j.Energy == nil || !(j.Energy.Low < 1 && j.Energy.High > 1) {
				return status, j, errOut
			}
		}
		return once()
	}
	status, j, errOut := metering(rounds(1))
	if status != 0 || j.Energy == nil || j.Energy.Repeats != 3 || !(j.Energy.Value < 0.5) {
		t.Errorf("a sixteenth of the work at the same power: status %d, %+v, energy %+v\n%s", status, j, j.Energy, errOut)
	}
	if status, j, errOut := metering(rounds(256)); status != 5 || j.Energy != nil {
		t.Errorf("a slower candidate: status %d, %+v, energy %+v\n%s", status, j, j.Energy, errOut)
	}
}

// TestJudgeBad: what is no task, and where no verdict can be, ends with one line and the statuses of every verb.
func TestJudgeBad(t *testing.T) {
	t.Parallel()
	task := squares(t)
	text, err := os.ReadFile(task)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		old, new, want string
		status         int
	}{
		"no section": {`"judge": {`, `"tunables": {}, "output_file_prefix": "x", "counters": [], "versions": ["mine"], "calibration": {}, "run_arg": {}, "constraints": {`, "unknown key", 2},
		"version":    {`"version": "mine"`, `"version": "mien"`, `judge.version: "mien" is not a version; did you mean "mine"?`, 2},
		"baseline":   {`"baseline": "sixteen"`, `"baseline": "mine"`, "its own baseline", 2},
		"hidden at":  {`"hidden_at": [{"N": 77}]`, `"hidden_at": [{"N": 0}]`, "judge.hidden_at[0].N", 2},
		"inputs":     {`"repeats": 4`, `"repeats": 4, "inputs": ["huge", "flat"]`, "judge.inputs[1]", 2},
		"not drawn":  {`"fill": {"random": [-1, 1]}`, `"fill": {"constant": 1}`, "no argument of the task is drawn", 2},
		"built in":   {string(text), `{"algorithm": "fft", "judge": {"version": "stockham", "baseline": "reference"}}`, "kernels or C functions of its own", 2},
		"hidden":     {`"hidden": [{"N": 4999}]`, `"hidden": [{"M": 4999}]`, "M", 2},
		"twice":      {`"hidden": [{"N": 4999}]`, `"hidden": [{"N": 5000}]`, "judge.hidden[0]", 2},
		"repeats":    {`"repeats": 4`, `"repeats": 2`, "judge.repeats", 2},
		"energy":     {`"repeats": 4`, `"energy_repeats": 1`, "judge.energy_repeats: too few repeats for an interval", 2},
		"right":      {`"function": "right"`, `"function": "wrong"`, "has no function wrong", 2},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(string(text), c.old, c.new, 1)
			at := write(t, filepath.Join(filepath.Dir(task), name+".json"), changed)
			status, _, errOut := judged(t, at, "mine.c", rounds(16))
			if status != c.status || !strings.Contains(errOut, c.want) {
				t.Errorf("status %d: %s", status, errOut)
			}
			if status, _, errOut := execute(t, t.TempDir(), benchPath, "validate", at); status != 2 || !strings.Contains(errOut, c.want) {
				t.Errorf("validate: status %d: %s", status, errOut)
			}
		})
	}
	write(t, filepath.Join(filepath.Dir(task), "bad.c"), strings.Replace(rounds(16), "i < n", "i < n - 1", 1))
	at := write(t, filepath.Join(filepath.Dir(task), "bad.json"), strings.Replace(string(text), `"name": "sixteen", "c": {"source": "start.c"`, `"name": "sixteen", "c": {"source": "bad.c"`, 1))
	if status, _, errOut := judged(t, at, "mine.c", rounds(16)); status != 1 || !strings.Contains(errOut, "the baseline: ") {
		t.Errorf("a wrong baseline: status %d: %s", status, errOut)
	}
}

// TestJudgeInputs: a candidate that is fitted to the inputs of a task is found out where the task lists another kind,
// of which it is told nothing; a candidate that is not is not.
func TestJudgeInputs(t *testing.T) {
	t.Parallel()
	task := squares(t)
	text, err := os.ReadFile(task)
	if err != nil {
		t.Fatal(err)
	}
	at := write(t, filepath.Join(filepath.Dir(task), "kinds.json"), strings.Replace(string(text), `"repeats": 4`, `"inputs": ["zeros", "constant", "sorted", "huge", "tiny", "nan"], "repeats": 3`, 1))
	for name, line := range map[string]string{
		"zeros": "if (x[i] != 0) y[i] = x[i] * x[i];", "constant": "y[i] = n > 1 && x[0] == x[1] ? -1 : x[i] * x[i];",
		"sorted": "y[i] = i > 0 && i < n - 1 && x[0] < x[n - 1] && x[n - 2] <= x[n - 1] && x[n / 2 - 1] <= x[n / 2] && x[n / 3 - 1] <= x[n / 3] && x[n / 4 - 1] <= x[n / 4] && x[n / 5 - 1] <= x[n / 5] && x[n / 6 - 1] <= x[n / 6] && x[n / 7 - 1] <= x[n / 7] && x[n / 8 - 1] <= x[n / 8] && x[n / 9 - 1] <= x[n / 9] ? 0 : x[i] * x[i];",
		"huge":   "y[i] = x[i] > 1 ? 1 : x[i] * x[i];", "tiny": "y[i] = x[i] * x[i] < 1e-60 ? 0 : x[i] * x[i];", "nan": "y[i] = x[i] == x[i] ? x[i] * x[i] : 0;",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, j, errOut := judged(t, at, "mine.c", "void squares(const double *x, double *y, int n) { for (int i = 0; i < n; i++) "+line+" }\n")
			if status != 10 || !strings.HasPrefix(j.Reason, "at a hidden problem: ") { // in either run
				t.Errorf("status %d: %+v\n%s", status, j, errOut)
			}
		})
	}
	if status, j, errOut := judged(t, at, "mine.c", rounds(1)); status != 0 && status != 4 || j.Verified != 27 { // three repeats may be too few on a busy machine
		t.Errorf("an honest one: status %d: %+v\n%s", status, j, errOut)
	}
}

// TestThreadsThatGoOn: a C function's thread that computes after the return is named with the point.
func TestThreadsThatGoOn(t *testing.T) {
	t.Parallel()
	task := squares(t)
	write(t, filepath.Join(filepath.Dir(task), "start.c"), `#include <pthread.h>
#include <stdlib.h>
static volatile long on;
static void *spin(void *x) { for (;;) on++; return x; }
void squares(const double *x, double *y, int n) {
    pthread_t t;
    if (!getenv("SPINS")) { setenv("SPINS", "1", 1); pthread_create(&t, 0, spin, 0); } // one a process
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}
`)
	text, err := os.ReadFile(task)
	if err != nil {
		t.Fatal(err)
	}
	write(t, task, strings.NewReplacer(`"N": [4000, 5000]`, `"N": [5000]`, `"point_timeout_s": 20`, `"point_timeout_s": 300`).Replace(string(text)))
	dir := t.TempDir()
	status, out, errOut := execute(t, dir, benchPath, "run", task, "--versions", "mine", "--out", "o", "--json")
	tables, _ := filepath.Glob(filepath.Join(dir, "o", "*_time.csv"))
	if len(tables) != 1 {
		t.Fatalf("status %d, tables %q: %s%s", status, tables, out, errOut)
	}
	// The thread's processor time counts with the runs', of which it may make a point wrong.
	if rows, err := os.ReadFile(tables[0]); err != nil || !strings.Contains(string(rows), "goes on after its return") {
		t.Errorf("status %d, %v: %s\n%s", status, err, rows, errOut)
	}
}

// TestJudgeTimeout: a judgement has a limit of its own, whatever takes the time.
func TestJudgeTimeout(t *testing.T) {
	t.Parallel()
	task := squares(t)
	text, err := os.ReadFile(task)
	if err != nil {
		t.Fatal(err)
	}
	at := write(t, filepath.Join(filepath.Dir(task), "short.json"), strings.Replace(string(text), `"repeats": 4`, `"repeats": 1000, "timeout_s": 3`, 1))
	status, j, errOut := judged(t, at, "mine.c", rounds(16))
	if status != 13 || j.Verdict != "timeout" || j.Reason != "no verdict after 3 s (judge.timeout_s)" {
		t.Errorf("status %d: %+v\n%s", status, j, errOut)
	}
}

// TestJudgeText: people get the verdict first, with its reason.
func TestJudgeText(t *testing.T) {
	t.Parallel()
	candidate := write(t, filepath.Join(t.TempDir(), "mine.c"), strings.Replace(rounds(16), "i < n", "i < n - 1", 1))
	status, out, errOut := execute(t, t.TempDir(), benchPath, "judge", squares(t), candidate)
	if status != 10 || !strings.HasPrefix(out, "mine.c on cpu: wrong\n  y: largest error") || !strings.Contains(errOut, "mine.c: verifying\n") {
		t.Errorf("status %d: %s%s", status, out, errOut)
	}
	if status, out, errOut = execute(t, t.TempDir(), benchPath, "judge", squares(t), candidate, "--quiet"); status != 10 || errOut != "" {
		t.Errorf("status %d: %s%s", status, out, errOut)
	}
}
