package command_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"example.org/bench/framework/plan"
)

// TestOneProgramOfAConfig: run, ab and plan take the same tunables, say where from and show
// them; a file's entry that is slower than the defaults is not used, which is said.
func TestOneProgramOfAConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "c.json"), `{"algorithm": "faulty", "versions": ["good", "tuned"], "output_file_prefix": "c", "sensors": [], "static_args": {"ms": 1},
		"measure": {"ceilings": false, "min_samples": 6, "min_time_s": 0.001, "timeout_s": 1}}`)
	entry := func(costs string) string {
		return fmt.Sprintf(`{"algorithm": "faulty", "version": "tuned", "processor": "CPU", "device": {"name": "elsewhere", "architecture": %q},
			"params": {"ms": 1, "host_bytes": 0}, "objective": "time", "tunables": {"A": 3, "B": 2}, %s}`, runtime.GOARCH, costs)
	}
	faster := write(t, filepath.Join(dir, "faster.json"), `{"wisdom_format": 1, "entries": [`+entry(`"cost": 1, "default_cost": 2`)+`]}`)
	slower := write(t, filepath.Join(dir, "slower.json"), `{"wisdom_format": 1, "entries": [`+entry(`"cost": 2, "default_cost": 1`)+`]}`)
	const from = "wisdom, same architecture (elsewhere)"
	for _, c := range []struct{ wisdom, said, tunables, from string }{
		{faster, "tunables by " + faster + ": 1 same architecture", "A=3 B=2", from},
		{slower, "not used: 1 that cost more than the defaults", "A=1 B=1", ""},
		{"none", "", "A=1 B=1", ""},
	} {
		for _, verb := range [][]string{{"plan", "--json"}, {"run", "--processor", "CPU", "--out", "run"}, {"ab", "--versions", "good,tuned", "--repeats", "3", "--json"}, {"ab", "--versions", "good,tuned", "--repeats", "3"}} {
			status, out, errOut := execute(t, dir, faultyPath, append([]string{verb[0], config, "--wisdom", c.wisdom}, verb[1:]...)...)
			if status != 0 || strings.Count(errOut, "tunables by ") != min(1, len(c.said)) || !strings.Contains(errOut, c.said) {
				t.Errorf("%s with %s: status %d, want %q\n%s\n%s", verb, c.wisdom, status, c.said, out, errOut)
				continue
			}
			var point plan.Point
			var err error
			switch {
			case verb[0] == "plan":
				var p []struct{ Points []plan.Point }
				if err = json.Unmarshal([]byte(out), &p); err == nil {
					point = p[0].Points[1]
				}
			case verb[0] == "run":
				row := table(t, filepath.Join(dir, "run", "c_time.csv"))[1]
				if got := "A=" + row["A"] + " B=" + row["B"]; got != c.tunables {
					t.Errorf("%s with %s: %s, want %s", verb, c.wisdom, got, c.tunables)
				}
				if head := regexp.MustCompile(`(?m)^version.* A +B `); head.MatchString(out) != (c.from != "") {
					t.Errorf("%s with %s: columns of tunables that are not the defaults:\n%s", verb, c.wisdom, out)
				}
				continue
			case verb[len(verb)-1] == "--json":
				var p struct{ Pairs []struct{ B plan.Point } }
				if err = json.Unmarshal([]byte(out), &p); err == nil {
					point = p.Pairs[0].B
				}
			default:
				if line := "tunables of B, tuned: " + c.tunables + " (" + from + ")\n"; strings.Contains(out, line) != (c.from != "") {
					t.Errorf("%s with %s: %q?\n%s", verb, c.wisdom, line, out)
				}
				continue
			}
			if err != nil || point.TunablesText() != c.tunables || point.Tuned != c.from {
				t.Errorf("%s with %s: %+v, %v", verb, c.wisdom, point, err)
			}
		}
	}
}
