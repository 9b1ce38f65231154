package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTuneFindsTheFront with a meter of about 20 W: what is fastest takes the least energy, so
// the front is one point.
func TestTuneFindsTheFront(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "front.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "t",
		"sensors": [{"external": {"command": ["`+meterPath+`"]}}],
		"sweep_arg": {"ms": [5]}, "tunables": {"A": [1, 3], "B": [2]}, "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05, "timeout_s": 5, "power_window_s": 0.3}}`)
	status, out, errOut := executeWith(t, dir, drawing, faultyPath, "tune", config, "--device", "cpu", "--objective", "time,energy", "--wisdom", "none")
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	for _, want := range []string{"front of time and energy, 1 point, measured again; hypervolume ", "  TIME", "(the defaults)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "results", "tune-t", "tune.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Objective string
		Tasks     []struct {
			Front struct {
				Points []struct {
					Tunables map[string]int
					Time     struct{ Value float64 } `json:"time_s"`
					Energy   struct{ Value float64 } `json:"energy_J"`
				}
				Hypervolume float64 `json:"hypervolume_Js"`
				Again       bool    `json:"measured_again"`
			}
		}
	}
	if err := json.Unmarshal(text, &r); err != nil || r.Objective != "time,energy" || len(r.Tasks) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	const leastTime = 500e-6 // of a run with A = 3 and B = 2, in s
	f := r.Tasks[0].Front
	if len(f.Points) != 1 || f.Points[0].Tunables["A"] != 3 || !f.Again || !(f.Hypervolume > 0) || f.Points[0].Energy.Value < 19*leastTime {
		t.Errorf("%+v", f)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "results", "tune-t", "figures", "front-*.svg")); len(found) != 1 {
		t.Error("no picture of the front")
	}
	spaces, _ := filepath.Glob(filepath.Join(dir, "results", "tune-t", "spaces", "*"))
	if status, out, errOut := execute(t, dir, faultyPath, "replay", spaces[0], "--objective", "time,energy", "--json", "--repeats", "2"); status != 0 || !strings.Contains(out, `"objective":"time,energy"`) || !strings.Contains(out, `"median":1`) {
		t.Errorf("replay: status %d\n%s\n%s", status, out, errOut)
	}
	if status, _, errOut := execute(t, dir, faultyPath, "report", filepath.Join("results", "tune-t"), "--out", filepath.Join(dir, "report.html")); status != 0 {
		t.Errorf("report: status %d\n%s", status, errOut)
	} else if page, err := os.ReadFile(filepath.Join(dir, "report.html")); err != nil || !strings.Contains(string(page), "fronts of time and energy") {
		t.Errorf("no front in the report: %v", err)
	}
}

// TestFrontRefuses what does not go with it, before anything runs.
func TestFrontRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := tuneConfig(t, dir, "")
	space := write(t, filepath.Join(dir, "s.csv"), "a,time_ms,status\n1,2,valid\n2,1,valid\n")
	half := write(t, filepath.Join(dir, "h.csv"), "a,time_ms,status,energy_J\n1,2,valid,3\n2,1,valid,\n")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--strategy bo looks for the least cost; want best, random or exhaustive", []string{"tune", config, "--objective", "time,energy", "--strategy", "bo"}},
		{"--from: it teaches a search for the least cost", []string{"tune", config, "--objective", "time,energy", "--from", space}},
		{"asks for no sensor", []string{"tune", config, "--objective", "time,energy"}},
		{`"energy,time" is none of time; energy; edp; time,energy`, []string{"tune", config, "--objective", "energy,time"}},
		{"s has no column energy_J", []string{"replay", space, "--objective", "time,energy"}},
		{"s has no column energy_J", []string{"replay", space, "--objective", "energy"}},
		{`line 3: energy_J of a valid point is "", not a positive number`, []string{"replay", half}},
		{"--strategy knn looks for the least cost", []string{"replay", space, "--objective", "time,energy", "--strategy", "best,knn"}},
		{"--from: it teaches a search for the least cost", []string{"replay", space, "--objective", "time,energy", "--from", half}},
	} {
		status, out, errOut := execute(t, dir, faultyPath, c.args...)
		if status != 2 || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, want %q:\n%s%s", c.args, status, c.want, out, errOut)
		}
	}
}
