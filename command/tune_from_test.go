package command_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTuneFromWisdomAndRuns begins with what they know to be best: at the nearest size, of the
// same version.
func TestTuneFromWisdomAndRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const quick = `"measure": {"ceilings": false, "min_time_s": 0.001, "min_samples": 5, "noise": 0.5, "timeout_s": 5, "cooldown_s": 0}`
	config := tuneConfig(t, dir, `, "sweep_arg": {"ms": [2]}, `+quick)
	entry := func(version string, ms, a, b string) string {
		return `{"algorithm": "faulty", "version": "` + version + `", "processor": "CPU", "device": {"name": "elsewhere", "architecture": "amd64"},
			"params": {"ms": ` + ms + `, "host_bytes": 0}, "objective": "time", "tunables": {"A": ` + a + `, "B": ` + b + `}, "cost": 0.001}`
	}
	wisdom := write(t, filepath.Join(dir, "elsewhere.json"), `{"wisdom_format": 1, "entries": [`+entry("other", "2", "1", "3")+`, `+entry("tuned", "64", "1", "1")+`, `+
		strings.Replace(entry("tuned", "2", "1", "1"), `"cost"`, `"default_cost": 0.0009, "cost"`, 1)+`, `+entry("tuned", "3", "2", "3")+`]}`)
	of := write(t, filepath.Join(dir, "run.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "r", "sensors": [],
		"sweep_arg": {"ms": [40]}, "tunables": {"A": [1, 2, 3], "B": [1, 2]}, `+quick+`}`)
	if status, out, errOut := execute(t, dir, faultyPath, "run", of, "--wisdom", "none"); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	run := filepath.Join("results", "r")
	for from, want := range map[string][2]string{wisdom: {"2", "3"}, run: {"3", "2"}} {
		out := filepath.Join(dir, "out"+strings.ReplaceAll(want[0]+want[1], " ", ""))
		status, text, errOut := execute(t, dir, faultyPath, "tune", config, "--device", "cpu", "--from", from, "--budget", "1", "--confirm", "0", "--wisdom", "none", "--out", out)
		if status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, text, errOut)
		}
		if rows := table(t, filepath.Join(out, "trials.csv")); len(rows) != 1 || rows[0]["A"] != want[0] || rows[0]["B"] != want[1] {
			t.Errorf("from %s: first %v, want A %s, B %s", from, rows, want[0], want[1])
		}
	}
	// In a replay, by the version that the space's name begins with.
	text := "A,B,time_ms,status\n"
	for _, a := range "12345678" {
		for _, b := range "1234" {
			text += string(a) + "," + string(b) + "," + map[bool]string{true: "1", false: "9"}[a == '3' && b == '2'] + ",valid\n"
		}
	}
	space := write(t, filepath.Join(dir, "faulty_tuned_ms_1-elsewhere.csv"), text)
	if status, out, errOut := execute(t, dir, faultyPath, "replay", space, "--from", run, "--budget", "9", "--repeats", "5", "--json"); status != 0 || !strings.Contains(out, `"standard1_evaluations":1,"standard2_evaluations":1,`) {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"nothing in it has tunables and a result for energy", []string{"replay", write(t, filepath.Join(dir, "e.csv"), "A,B,time_ms,status,energy_J\n1,1,1,valid,1\n"), "--objective", "energy", "--from", wisdom}},
		{"knows no version with the parameters of other", []string{"replay", write(t, filepath.Join(dir, "other.csv"), "C,time_ms,status\n1,1,valid\n"), "--from", wisdom}},
		{"not a wisdom file of bench tune", []string{"tune", config, "--device", "cpu", "--from", of}},
		{"no such file", []string{"tune", config, "--device", "cpu", "--from", "nowhere.json"}},
		{"learns nothing from elsewhere; want best", []string{"tune", config, "--device", "cpu", "--strategy", "random", "--from", wisdom}},
	} {
		status, out, errOut := execute(t, dir, faultyPath, c.args...)
		if status != 2 || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, want %q:\n%s%s", c.args, status, c.want, out, errOut)
		}
	}
}
