package opencl

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/record"
)

// Three kernels, of which heavy takes most of the time, and listed goes on counting when it is repeated alone.
const (
	stagesCL = `__kernel void scaled(__global const float *x, __global float *t, __global int *count, int n) {
    int i = get_global_id(0);
    if (i == 0) count[0] = 0;
    if (i < n) t[i] = 2 * x[i];
}
__kernel void heavy(__global const float *t, __global float *u, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    float v = t[i];
    for (int k = 0; k < 300; k++) v = v * 0.999f + 1e-3f;
    u[i] = t[i] + 0 * v;
}
__kernel void listed(__global const float *u, __global float *y, __global int *count, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = u[i];
    if (i == 0) atomic_inc(count);
}
`
	stagesC    = "void right(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n"
	stagesJSON = `{"algorithm": {"opencl": {"source": "k.cl", "params": [{"name": "N", "default": 65536}],
 "arguments": [{"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}}, {"name": "y", "type": "f32", "size": "N", "use": "output"},
  {"name": "t", "type": "f32", "size": "N", "use": "scratch"}, {"name": "u", "type": "f32", "size": "N", "use": "scratch"}, {"name": "count", "type": "i32", "size": 1, "use": "scratch"},
  {"name": "n", "type": "i32", "value": "N"}],
 "kernels": [{"name": "scaled", "grid": "ceildiv(N, 64)", "block": 64, "arguments": ["x", "t", "count", "n"]},
  {"for": {"i": 3}, "kernels": [{"name": "heavy", "grid": "ceildiv(N, 64)", "block": 64, "arguments": ["t", "u", "n"]}]},
  {"name": "listed", "grid": "ceildiv(N, 64)", "block": 64, "arguments": ["u", "y", "count", "n"]}],
 "verify": {"c": {"source": "k.c", "function": "right"}}}},
 "sensors": [{"external": {"file": "watts"}}],
 "measure": {"ceilings": false, "min_time_s": 0.1, "timeout_s": 1, "power_window_s": 0.5}}`
)

// Each kernel's share of a run in time and energy, on PoCL and by a file that says watts: they add up to 1, and what is
// recorded goes through the verbs that read results.
func TestStages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"k.cl": stagesCL, "k.c": stagesC, "k.json": strings.Replace(stagesJSON, "watts", filepath.Join(dir, "watts"), 1), "watts": "40\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	end := make(chan struct{})
	defer close(end)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-end:
				return
			case <-time.After(20 * time.Millisecond):
			}
			next := filepath.Join(dir, "next")
			if os.WriteFile(next, fmt.Appendf(nil, "%g\n", 40+0.1*float64(n%3)), 0o644) == nil {
				os.Rename(next, filepath.Join(dir, "watts")) //nolint:errcheck // the next one comes
			}
		}
	}()
	said, status := bench(t, dir, "run", "k.json", "--set", "stages=true", "--out", "run")
	if status != 0 || !strings.Contains(said, "share of each kernel in time (energy), measured alone\n") && !strings.Contains(said, "share of each kernel in time, measured alone\n") {
		t.Fatalf("status %d\n%s", status, said)
	}
	for _, args := range []string{"merge run --out merged", "compare run merged", "export merged --to csv --long --out long", "plot merged", "report merged --out r.html"} {
		if said, status := bench(t, dir, strings.Fields(args)...); status != 0 {
			t.Errorf("bench %s: status %d\n%s", args, status, said)
		}
	}
	for _, name := range []string{"run", "merged"} {
		run, err := record.Read(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		stages, sum := run.Rows[0].Stages, 0.0
		if len(stages) != 3 {
			t.Fatalf("%s: %+v\n%s", name, stages, run.Rows[0].Notes)
		}
		for i, want := range []struct {
			name     string
			launches int64
			timing   record.StageTiming
		}{{"scaled", 1, record.StageAlone}, {"heavy", 3, record.StageAlone}, {"listed", 1, record.StageBehind}} {
			s := stages[i]
			if s.Name != want.name || s.Launches.Int() != want.launches || s.Timing != want.timing || !(s.Time.Float() > 0) {
				t.Errorf("%s: %+v", name, s)
			}
			sum += s.Share.Float()
		}
		if math.Abs(sum-1) > 1e-9 || stages[1].Share.Float() < stages[0].Share.Float() || !(stages[0].Energy.Float() > 0) || !(stages[1].Energy.Float() > stages[0].Energy.Float()) {
			t.Errorf("%s: %+v", name, stages)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "long", "*.csv"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), ",stage_heavy_time,s,") {
		t.Errorf("%v\n%s", err, text)
	}
}
