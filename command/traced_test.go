package command_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/framework/compare"
	"example.org/bench/test/faulty"
	"example.org/bench/test/tree"
)

// tracedBoard is a tree of a Jetson's files in which the version traced shows what a run takes.
func tracedBoard(t *testing.T, model string, archives ...string) *jetson {
	t.Helper()
	j := newJetson(t)
	j.root = tree.Unpack(t, archives[0])
	for _, more := range archives[1:] {
		if out, err := exec.Command("cp", "-a", tree.Unpack(t, more)+"/.", j.root).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	write(t, filepath.Join(j.root, "proc/device-tree/model"), model)
	j.env = append(j.env, "BENCH_TREE="+j.root)
	write(t, filepath.Join(j.dir, "traced.json"), `{"algorithm": "faulty", "versions": ["traced"], "output_file_prefix": "traced", "sensors": ["ina3221"],
		"measure": {"ceilings": false, "min_samples": 20, "min_time_s": 0.1, "timeout_s": 1, "cooldown_s": 0, "power_window_s": 0.5}}`)
	return j
}

func tracedTX2(t *testing.T) *jetson {
	t.Helper()
	return tracedBoard(t, "quill\n", "../framework/powermode/testdata/jetson-tx2-l4t32.txtar", "../sensors/ina3221/testdata/jetson-tx2-l4t32.txtar")
}

// measured is the folder of a run of the board.
func (j *jetson) measured(args ...string) (dir, out string) {
	j.t.Helper()
	status, out := j.run(append([]string{"run", "traced.json", "--root", j.root, "--processor", "CPU"}, args...)...)
	if status != 0 {
		j.t.Fatalf("status %d\n%s", status, out)
	}
	return filepath.Join(j.dir, "results/traced"), out
}

func number(t *testing.T, row map[string]string, column string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return x
}

func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= share) {
		t.Errorf("%s: %.5g, want %.5g", what, got, want)
	}
}

// TestPowerModesOfATracedBoard: on a TX2's files whose rail follows the load and the power mode, by the
// figures of the source's Table 5, run --power-modes all finds each mode's power, time and energy, and
// compare shows them in the form of that table; operations and bytes per joule follow from them. Sleep may
// last longer on a busy machine, never shorter.
func TestPowerModesOfATracedBoard(t *testing.T) {
	t.Parallel()
	j := tracedTX2(t)
	dir, out := j.measured("--power-modes", "all")
	// The source's Table 5: a line a mode, with time, power and energy.
	if !regexp.MustCompile(`(?m)^version +power mode +time .* power +energy$`).MatchString(out) {
		t.Errorf("the table has no power mode, time, power and energy\n%s", out)
	}
	names := []string{"MAXN", "MAXQ", "MAXP_CORE_ALL", "MAXP_CORE_ARM", "MAXP_CORE_DENVER"}
	times, powers, energies := table(t, filepath.Join(dir, "traced_time.csv")), table(t, filepath.Join(dir, "traced_power.csv")), table(t, filepath.Join(dir, "traced_energy.csv"))
	if len(times) != len(names) || len(powers) != len(names) || len(energies) != len(names) {
		t.Fatalf("%d, %d and %d rows, want one a mode\n%s", len(times), len(powers), len(energies), out)
	}
	for i, name := range names {
		mode, power, energy := faulty.Modes[strconv.Itoa(i)], powers[i], energies[i]
		if times[i]["power_mode"] != name {
			t.Errorf("row %d is of mode %s, want %s", i, times[i]["power_mode"], name)
		}
		if got := number(t, times[i], "time_s"); got < mode.Seconds {
			t.Errorf("%s: %v s, want %v or more", name, got, mode.Seconds)
		}
		near(t, name+": watts", number(t, power, "power_W"), mode.Watts, 0.01)
		near(t, name+": idle watts", number(t, power, "idle_power_W"), faulty.TracedIdle, 0.01)
		joules := number(t, energy, "energy_J")
		near(t, name+": joules", joules, mode.Watts*number(t, energy, "run_time_s"), 0.01)
		near(t, name+": operations per joule", number(t, power, "gflop_per_s_per_W"), float64(faulty.TracedWork.NominalFLOPs)/1e9/joules, 1e-9)
		near(t, name+": bytes per joule", number(t, power, "gbyte_per_s_per_W"), float64(faulty.TracedWork.NominalBytes)/1e9/joules, 1e-9)
		near(t, name+": executed operations per joule", number(t, power, "executed_gflop_per_s_per_W"), float64(faulty.TracedWork.FLOPs)/1e9/joules, 1e-9)
	}
	if got := j.switches(); got != "0 1 2 3 4 3" {
		t.Errorf("switched to %s, want all and back to 3", got)
	}
	status, out := j.run("compare", dir, "--by", "power_mode")
	for _, want := range append([]string{"time of one run", "mean power", "energy of one run", "operations per energy", "time–energy front"}, names...) {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("compare, status %d: no %q\n%s", status, want, out)
		}
	}
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

// TestFigure9OfTracedBoards: the files of a TX1 and of a TX2 in mode 0, whose rails follow the load, are two devices to
// compare, which finds each one's operations and bytes per joule, the TX2's greater, and draws both, as the source's
// Figure 9 does. Sleep may last longer on a busy machine, so that a fifth more is not sure.
func TestFigure9OfTracedBoards(t *testing.T) {
	t.Parallel()
	tx2 := tracedTX2(t)
	dirs := make([]string, 2)
	dirs[1], _ = tx2.measured("--power-modes", "0")
	tx1 := tracedBoard(t, "jetson_tx1\n", "../sensors/ina3221/testdata/jetson-tx1-l4t28.txtar")
	dirs[0], _ = tx1.measured()
	const metrics = "executed_efficiency,accessed_efficiency"
	status, out := tx1.run("compare", dirs[0], dirs[1], "--by", "device", "--metric", metrics, "--json", "--plots", "figure9")
	var c compare.Comparison
	if start := strings.Index(out, "{"); status != 0 || start < 0 || json.NewDecoder(strings.NewReader(out[start:])).Decode(&c) != nil {
		t.Fatalf("compare: status %d\n%s", status, out)
	}
	boards := []string{"Jetson TX1 (jetson_tx1), copied files", "Jetson TX2 (quill), copied files"}
	if !slices.Equal(c.Levels, boards) || len(c.Tables) != 2 {
		t.Fatalf("levels %q and %d tables, want %q and 2\n%s", c.Levels, len(c.Tables), boards, out)
	}
	work, watts := faulty.TracedWork, []float64{faulty.TX1.Watts, faulty.Modes["0"].Watts}
	for i, count := range []int64{work.FLOPs, work.LoadBytes + work.StoreBytes} {
		name, cells := c.Tables[i].Metric.Name, c.Tables[i].Cells
		if len(cells) != 2 {
			t.Fatalf("%s: %d values\n%s", name, len(cells), out)
		}
		for at, cell := range cells {
			seconds := number(t, table(t, filepath.Join(dirs[at], "traced_energy.csv"))[0], "run_time_s")
			near(t, name+" of "+cell.Level, cell.Value, float64(count)/(watts[at]*seconds), 0.01)
		}
		if r := cells[1].Ratio; r == nil || !(r.Value > 1) {
			t.Errorf("%s: of the TX2 %+v, want more than the TX1's", name, r)
		}
		drawn, err := os.ReadFile(filepath.Join(tx1.dir, "figure9", "compare_"+name+".svg"))
		for _, want := range append([]string{c.Tables[i].Metric.Title}, boards...) {
			if err != nil || !strings.Contains(string(drawn), want) {
				t.Errorf("%s: its figure has no %q (%v)", name, want, err)
			}
		}
	}
}
