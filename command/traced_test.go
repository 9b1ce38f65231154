package command_test

import (
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/test/faulty"
	"example.org/bench/test/tree"
)

// TestPowerModesOfATracedBoard: on a TX2's files whose rail follows the load and the power mode, by the
// figures of the source's Table 5, run --power-modes all finds each mode's power, time and energy, and
// compare shows them in the form of that table; operations and bytes per joule, as in the source's
// Figure 9, follow from them. Sleep may last longer on a busy machine, never shorter.
func TestPowerModesOfATracedBoard(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	j.root = tree.Unpack(t, "../framework/powermode/testdata/jetson-tx2-l4t32.txtar")
	rails := tree.Unpack(t, "../sensors/ina3221/testdata/jetson-tx2-l4t32.txtar")
	if out, err := exec.Command("cp", "-a", rails+"/.", j.root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	j.env = append(j.env, "BENCH_TREE="+j.root)
	write(t, filepath.Join(j.dir, "traced.json"), `{"algorithm": "faulty", "versions": ["traced"], "output_file_prefix": "traced", "sensors": ["ina3221"],
		"measure": {"ceilings": false, "min_samples": 20, "min_time_s": 0.1, "timeout_s": 1, "cooldown_s": 0, "power_window_s": 0.5}}`)
	status, out := j.run("run", "traced.json", "--root", j.root, "--processor", "CPU", "--power-modes", "all")
	if status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	// The source's Table 5: a line a mode, with time, power and energy.
	if !regexp.MustCompile(`(?m)^version +power mode +time .* power +energy$`).MatchString(out) {
		t.Errorf("the table has no power mode, time, power and energy\n%s", out)
	}
	names := []string{"MAXN", "MAXQ", "MAXP_CORE_ALL", "MAXP_CORE_ARM", "MAXP_CORE_DENVER"}
	dir := filepath.Join(j.dir, "results/traced")
	times, powers, energies := table(t, filepath.Join(dir, "traced_time.csv")), table(t, filepath.Join(dir, "traced_power.csv")), table(t, filepath.Join(dir, "traced_energy.csv"))
	if len(times) != len(names) || len(powers) != len(names) || len(energies) != len(names) {
		t.Fatalf("%d, %d and %d rows, want one a mode\n%s", len(times), len(powers), len(energies), out)
	}
	number := func(row map[string]string, column string) float64 {
		t.Helper()
		x, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			t.Fatalf("%s: %v\n%s", column, err, out)
		}
		return x
	}
	near := func(what string, got, want, share float64) {
		t.Helper()
		if math.Abs(got/want-1) > share {
			t.Errorf("%s: %.5g, want %.5g", what, got, want)
		}
	}
	for i, name := range names {
		mode, power, energy := faulty.Modes[strconv.Itoa(i)], powers[i], energies[i]
		if times[i]["power_mode"] != name {
			t.Errorf("row %d is of mode %s, want %s", i, times[i]["power_mode"], name)
		}
		if got := number(times[i], "time_s"); got < mode.Seconds {
			t.Errorf("%s: %v s, want %v or more", name, got, mode.Seconds)
		}
		near(name+": watts", number(power, "power_W"), mode.Watts, 0.01)
		near(name+": idle watts", number(power, "idle_power_W"), faulty.TracedIdle, 0.01)
		joules := number(energy, "energy_J")
		near(name+": joules", joules, mode.Watts*number(energy, "run_time_s"), 0.01)
		near(name+": operations per joule", number(power, "gflop_per_s_per_W"), float64(faulty.TracedWork.NominalFLOPs)/1e9/joules, 1e-9)
		near(name+": bytes per joule", number(power, "gbyte_per_s_per_W"), float64(faulty.TracedWork.NominalBytes)/1e9/joules, 1e-9)
		near(name+": executed operations per joule", number(power, "executed_gflop_per_s_per_W"), float64(faulty.TracedWork.FLOPs)/1e9/joules, 1e-9)
	}
	if got := j.switches(); got != "0 1 2 3 4 3" {
		t.Errorf("switched to %s, want all and back to 3", got)
	}
	status, out = j.run("compare", dir, "--by", "power_mode")
	for _, want := range append([]string{"time of one run", "mean power", "energy of one run", "operations per energy", "time–energy front"}, names...) {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("compare, status %d: no %q\n%s", status, want, out)
		}
	}
	// The source's Figure 9.
	if status, out := j.run("plot", dir); status != 0 {
		t.Errorf("plot: status %d\n%s", status, out)
	}
	for _, figure := range []string{"flops_per_joule", "bytes_per_joule"} {
		drawn, _ := filepath.Glob(filepath.Join(dir, "figures", "*"+figure+"*.svg"))
		if len(drawn) == 0 {
			t.Errorf("no figure of %s in %s", figure, dir)
		}
	}
}
