package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/driver/drivertest"
)

// gpus makes a folder with a config of a kernel whose time depends on its tunables, and
// the environment of two stand-in GPUs.
func gpus(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), `extern "C" __global__ void work_by_grid(long long cycles, float *y) { if (cycles < 0) y[blockIdx.x] = 1; }`)
	write(t, filepath.Join(dir, "y.bin"), strings.Repeat("\x00", 8192))
	write(t, filepath.Join(dir, "toy.json"), `{"algorithm": {"cuda": {"name": "toy", "source": "k.cu", "params": [{"name": "N", "default": 2048}],
		"arguments": [{"name": "cycles", "type": "i64", "value": 100}, {"name": "y", "type": "f32", "size": "N", "use": "output", "fill": {"constant": 0}}],
		"kernels": [{"name": "work_by_grid", "grid": "200 + 30*(A - 5)*(A - 5) + 20*(B - 3)*(B - 3)", "block": 256}],
		"tunables": [{"name": "A", "values": [0, 1, 2, 3, 4, 5, 6, 7], "default": 5, "define": false}, {"name": "B", "values": [0, 1, 2, 3, 4, 5], "default": 0, "define": false}],
		"verify": {"files": {"y": "y.bin"}}}}, "tunables": {"A": [1, 2, 3, 4, 5, 6]}, "output_file_prefix": "toy",
		"sensors": [], "measure": {"ceilings": false, "min_time_s": 0.001, "min_samples": 7, "timeout_s": 0.05, "cooldown_s": 0}}`)
	stub := filepath.Dir(drivertest.Build(t, "ACROSS_PROCESSES", "NO_PARAM_INFO", "DEVICES=2", "PACED").Path)
	return dir, []string{"LD_LIBRARY_PATH=" + stub + ":" + os.Getenv("LD_LIBRARY_PATH")}
}

// Several GPUs share the points, or run each; a run that was cut off goes on; plan says
// what will run.
func TestRunOnSeveralGPUs(t *testing.T) {
	t.Parallel()
	dir, env := gpus(t)
	do := func(want int, args ...string) (string, string) {
		t.Helper()
		status, out, errOut := executeWith(t, dir, env, benchPath, args...)
		if status != want {
			t.Fatalf("%q: status %d, want %d\n%s%s", args, status, want, out, errOut)
		}
		return out, errOut
	}
	devices := func(folder string) (list []string) {
		for _, row := range table(t, filepath.Join(dir, folder, "toy_time.csv")) {
			if row["status"] != "ok" {
				t.Errorf("%s: %v", folder, row)
			}
			list = append(list, row["device"])
		}
		return list
	}
	if out, _ := do(0, "plan", "toy.json", "--device", "cuda:all"); strings.Count(out, "on cuda:0,1\n") != 1 || !strings.Contains(out, "\n5 ") {
		t.Error(out)
	}
	do(0, "run", "toy.json", "--device", "cuda:all", "--out", "shared")
	if got := devices("shared"); len(got) != 6 || !slices.Contains(got, "cuda:0") || !slices.Contains(got, "cuda:1") {
		t.Errorf("shared: %q", got)
	}
	var run struct {
		Devices []struct {
			ID    string
			Facts struct{ UUID string }
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "shared", "run.json"))
	if err != nil || json.Unmarshal(text, &run) != nil || len(run.Devices) != 2 || run.Devices[0].ID != "cuda:0" || run.Devices[0].Facts.UUID == run.Devices[1].Facts.UUID {
		t.Errorf("%v, %+v", err, run)
	}
	// As after a kill: the last two results are not there.
	journal := filepath.Join(dir, "shared", "journal.jsonl")
	text, err = os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	var kept []string
	results := 0
	for _, l := range lines {
		if strings.Contains(l, `"result":`) {
			if results++; results > 4 {
				continue
			}
		}
		kept = append(kept, l)
	}
	write(t, journal, strings.Join(kept, ""))
	if _, errOut := do(2, "run", "toy.json", "--device", "cuda:all", "--each", "--out", "shared", "--resume", "--processor", "CPU"); !strings.Contains(errOut, "no GPU version") {
		t.Error(errOut)
	}
	out, _ := do(0, "run", "toy.json", "--device", "cuda:all", "--out", "shared", "--resume")
	if got := devices("shared"); len(got) != 6 || !strings.Contains(out, "2 of 6 points to go") {
		t.Errorf("%q\n%s", got, out)
	}

	env = append(env, "STUB_SLOW=1:30")
	do(0, "run", "toy.json", "--device", "cuda:0,1", "--each", "--out", "each")
	if got := strings.Join(devices("each"), " "); got != strings.Repeat("cuda:0 ", 6)+"cuda:1 cuda:1 cuda:1 cuda:1 cuda:1 cuda:1" {
		t.Errorf("each: %s", got)
	}
	if out, _ := do(0, "compare", "each", "--by", "device"); !strings.Contains(out, "1.030") {
		t.Errorf("a GPU that is 3 %% slower:\n%s", out)
	}
	if _, errOut := do(1, "run", "toy.json", "--device", "cuda:1,2"); !strings.Contains(errOut, "there is no cuda:2: the last of the 2 here is cuda:1") || strings.Count(errOut, "\n") != 1 {
		t.Error(errOut)
	}
}

// A search on two GPUs names the slower one and corrects its costs, finds what one GPU
// finds, and goes on after it was cut off.
func TestTuneOnSeveralGPUs(t *testing.T) {
	t.Parallel()
	dir, env := gpus(t)
	tune := func(env []string, args ...string) (string, string) {
		t.Helper()
		status, out, errOut := executeWith(t, dir, env, benchPath, append([]string{"tune", "toy.json", "--budget", "24", "--wisdom", "none"}, args...)...)
		if status != 0 {
			t.Fatalf("%q: status %d\n%s%s", args, status, out, errOut)
		}
		return out, errOut
	}
	slow := append(slices.Clone(env), "STUB_SLOW=1:30", "STUB_NOISE=2000")
	out, errOut := tune(slow, "--device", "cuda:all", "--out", "two")
	if !strings.Contains(errOut, "work_by_grid: cuda:1 is ") || !strings.Contains(errOut, " % slower than cuda:0 (") || !strings.Contains(out, "% slower)") {
		t.Errorf("the slower GPU is not named:\n%s%s", out, errOut)
	}
	rows := table(t, filepath.Join(dir, "two", "trials.csv"))
	var report struct {
		Shared []struct {
			Devices []struct {
				Device    string
				Slower    float64
				Corrected bool
				Trials    int
			}
		}
		Tasks []struct{ Tunables map[string]int }
	}
	text, err := os.ReadFile(filepath.Join(dir, "two", "tune.json"))
	if err != nil || json.Unmarshal(text, &report) != nil || len(rows) != 24 || len(report.Shared) != 1 || len(report.Shared[0].Devices) != 2 {
		t.Fatalf("%v, %d trials, %+v", err, len(rows), report)
	}
	a, b := report.Shared[0].Devices[0], report.Shared[0].Devices[1]
	if a.Corrected || !b.Corrected || b.Slower < 0.02 || b.Slower > 0.04 || a.Trials+b.Trials != 24 || a.Trials == 0 || b.Trials == 0 {
		t.Errorf("%+v", report.Shared)
	}
	if best := report.Tasks[0].Tunables; best["A"] != 5 || best["B"] != 3 {
		t.Errorf("best %v", best)
	}
	// As after a kill: the journal ends after some trials.
	journal := filepath.Join(dir, "two", "journal.jsonl")
	if text, err = os.ReadFile(journal); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	write(t, journal, strings.Join(lines[:len(lines)*3/4], ""))
	out, _ = tune(slow, "--device", "cuda:0,1", "--out", "two", "--resume")
	again := table(t, filepath.Join(dir, "two", "trials.csv"))
	if strings.Contains(out, ", 0 of them in the journal") || len(again) != 24 {
		t.Errorf("%d trials\n%s", len(again), out)
	}
	for i := range 8 { // the journal has these
		if x, y := rows[i], again[i]; x["A"] != y["A"] || x["B"] != y["B"] || x["device"] != y["device"] || x["cost"] != y["cost"] || y["ended_s"] != "" {
			t.Errorf("trial %d: %v, before %v", i, y, x)
		}
	}
	_, errOut = tune(env, "--device", "cuda:all", "--out", "equal")
	if strings.Contains(errOut, "slower") {
		t.Errorf("equal GPUs: %s", errOut)
	}
}
