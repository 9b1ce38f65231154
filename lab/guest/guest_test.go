package guest

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocarina/gocsv"

	// What the guest runs: after a change of it, go test does not show an earlier result.
	_ "example.org/bench/algorithms"
	_ "example.org/bench/command"
	_ "example.org/bench/sensors"
	"example.org/bench/test/program"
)

// variable names the folder of QEMU, the kernel and its modules.
const variable = "BENCH_GUEST"

// limit is how long the guest may take on a loaded machine.
const limit = 12 * time.Minute

// folder is that of the variable.
func folder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		t.Skipf("needs %s, a folder with QEMU, a kernel and the modules ina238, ina2xx and ina3221: "+
			"run tools/fetch-test-env guest (on an x86 machine) and source .cache/env.sh", variable)
	}
	return dir
}

// TestGuest boots once for all: an emulated kernel takes its time.
func TestGuest(t *testing.T) {
	if *boardFile != "" {
		return
	}
	out := boot(t)
	t.Run("power modes as root", func(t *testing.T) { checkModes(t, out) })
	t.Run("power of modes", func(t *testing.T) { checkModePower(t, out) })
	t.Run("polling", func(t *testing.T) { checkPolling(t, out["polling"]) })
	t.Run("energy of a square wave", func(t *testing.T) { checkEnergy(t, out) })
	t.Run("energy at the board's input", func(t *testing.T) { checkInput(t, out) })
	t.Run("energy by a user's file", func(t *testing.T) { checkMonitor(t, out) })
	t.Run("energy of a frame", func(t *testing.T) { checkFrame(t, out) })
	for _, run := range []string{"modes", "energy"} {
		t.Run("times of "+run, func(t *testing.T) { checkTimes(t, out[run+" run.json"], out[run+" journal.jsonl"]) })
	}
}

// boot runs the guest, with words for its init, and returns what it printed, by section.
func boot(t *testing.T, told ...string) map[string]string {
	t.Helper()
	folder, dir, files := folder(t), t.TempDir(), &archive{}
	files.addBoard(t)
	for name, pkg := range map[string]string{"init": "lab/guest/init", "bin/bench": "cmd/bench"} {
		built := filepath.Join(dir, filepath.Base(name))
		if pkg == "cmd/bench" && *boardFile != "" {
			built = "../../bench" // as make build makes it, which says its version
		} else if err := program.Build(pkg, "amd64", built); err != nil {
			t.Fatal(err)
		}
		if err := files.addFile(name, built); err != nil {
			t.Fatal(err)
		}
		if err := files.addLibraries(built); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []string{"i2c-dev", "i2c-stub", "ina238", "ina2xx", "ina3221"} {
		if err := files.addFile("modules/"+m+".ko", filepath.Join(folder, m+".ko")); err != nil {
			t.Fatal(err)
		}
	}
	files.add("bin/wave", linkMode, []byte("/init"))
	files.add("energy.json", programMode, []byte(energyConfig))
	files.add("input.json", programMode, []byte(inputConfig))
	files.add("monitor.json", programMode, []byte(strings.ReplaceAll(inputConfig, `"input"`, `"monitor"`)))
	files.add("frame.json", programMode, []byte(frameConfig))
	files.add("modes.json", programMode, []byte(modesConfig))
	files.add("watts.json", programMode, []byte(wattsConfig))
	initrd := filepath.Join(dir, "initrd")
	if err := os.WriteFile(initrd, files.bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	memory, limit := "512", limit
	if *boardFile != "" {
		memory, limit = "2048", 3*limit // MiB, as a small board has
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	// The vectors of -cpu max hash the program in less time, and a kernel that guards
	// against no one spends less. With icount the guest's clock counts its instructions and jumps over
	// sleep: neither this machine's speed nor its load changes what happens.
	qemu := exec.CommandContext(ctx, filepath.Join(folder, "qemu"),
		"-machine", "pc", "-cpu", "max", "-m", memory, "-icount", "shift=3,sleep=off", "-nographic", "-no-reboot", "-nodefaults", "-serial", "stdio",
		"-kernel", filepath.Join(folder, "vmlinux"), "-initrd", initrd,
		"-append", "console=ttyS0 quiet loglevel=3 panic=-1 cryptomgr.notests tsc=reliable random.trust_cpu=on mitigations=off init_on_alloc=0 -- "+strings.Join(told, " "))
	var out bytes.Buffer
	qemu.Stdout, qemu.Stderr = &out, &out
	began := time.Now()
	if err := qemu.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", qemu, err, out.String())
	}
	t.Logf("the guest took %v", time.Since(began).Round(time.Millisecond))
	text := strings.ReplaceAll(out.String(), "\r", "")
	if !strings.Contains(text, "\n== end\n") {
		t.Fatalf("the guest did not finish:\n%s", text)
	}
	sections := map[string]string{}
	for part := range strings.SplitSeq(text, "\n== ") {
		name, body, _ := strings.Cut(part, "\n")
		sections[name] = body
	}
	return sections
}

// row reads the only row of a CSV.
func row(t *testing.T, text string) map[string]string {
	t.Helper()
	rows, err := gocsv.CSVToMaps(strings.NewReader(text))
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v:\n%s", len(rows), err, text)
	}
	return rows[0]
}

func number(t *testing.T, m map[string]string, column string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(m[column], 64)
	if err != nil {
		t.Fatalf("column %s: %v in %v", column, err, m)
	}
	return x
}

const energyConfig = `{"executable": "/bin/wave", "output_file_prefix": "energy", "processor": "CPU", "sensors": ["ina3221"],
	"run_arg": {"one": ["--seconds", 0], "many": ["--seconds", 3]},
	"measure": {"ceilings": false, "power_window_s": 2.5, "cooldown_s": 0, "timeout_s": 100, "point_timeout_s": 1000}}`

// measured is the row of energies of a run of wave, what the wave took by the guest's
// own account, and how long the window and the wave were. The last execution of the
// program is the window's.
func measured(t *testing.T, out map[string]string, run string) (energy map[string]string, joules, window, seconds float64) {
	t.Helper()
	energy, power := row(t, out[run+"_energy.csv"]), row(t, out[run+"_power.csv"])
	if energy["status"] != "ok" {
		t.Fatalf("the point is %s: %s\n%s", energy["status"], energy["reason"], out[run])
	}
	accounts := strings.Split(strings.TrimSpace(out[run+" accounts"]), "\n")
	var wave struct{ Joules, Seconds float64 }
	if err := json.Unmarshal([]byte(accounts[len(accounts)-1]), &wave); err != nil {
		t.Fatal(err)
	}
	window, runs := number(t, power, "window_s"), number(t, power, "runs")
	if runs != 1 || wave.Seconds < 3 || window < wave.Seconds || window > wave.Seconds+1 {
		t.Fatalf("%v runs in a window of %v s, the wave took %v s", runs, window, wave.Seconds)
	}
	return energy, wave.Joules, window, wave.Seconds
}

func compare(t *testing.T, energy map[string]string, column string, truth float64) {
	t.Helper()
	got := number(t, energy, column)
	t.Logf("%s: %.4f J, by the guest's account %.4f J: off by %+.2f %%", column, got, truth, 100*(got/truth-1))
	if math.Abs(got/truth-1) > 0.02 {
		t.Errorf("%s: %v J, by the guest's account %v J", column, got, truth)
	}
}

const inputConfig = `{"executable": "/bin/wave", "output_file_prefix": "input", "processor": "CPU", "sensors": ["hwmon"],
	"run_arg": {"one": ["--seconds", 0], "many": ["--seconds", 3]},
	"measure": {"ceilings": false, "power_window_s": 2.5, "cooldown_s": 0, "timeout_s": 100, "point_timeout_s": 1000}}`

// checkInput: the board's input takes ten times what the driven channel takes, and is
// the total of a run without the INA3221; beside that it is outside the module.
func checkInput(t *testing.T, out map[string]string) {
	const times, rest = 10, 5.0 // W
	energy, joules, window, seconds := measured(t, out, "input")
	for _, column := range []string{"hwmon_VIN_energy_J", "energy_J"} {
		compare(t, energy, column, times*joules+rest*(window-seconds))
	}
	if text := strings.Join(strings.Fields(out["sensors"]), ""); !strings.Contains(text, `"name":"VIN","unit":"W","role":"carrier","feeds":"board","address":"0-0044","value":5`) {
		t.Errorf("bench sensors shows\n%s", out["sensors"])
	}
}

// checkMonitor: an INA226 without a label, through the kernel's driver ina2xx, is the
// total by the user's file; before, nothing is known of it.
func checkMonitor(t *testing.T, out map[string]string) {
	const times, rest = 5, 2.5 // W
	energy, joules, window, seconds := measured(t, out, "monitor")
	for _, column := range []string{"hwmon_VDD_SOM_energy_J", "energy_J"} {
		compare(t, energy, column, times*joules+rest*(window-seconds))
	}
	for section, want := range map[string]string{
		"sensors":   `"name":"ina226-0-0045","unit":"W","role":"unknown","address":"0-0045","value":2.5`,
		"described": `"name":"VDD_SOM","unit":"W","role":"total","feeds":"module","address":"0-0045","value":2.5`,
	} {
		if text := strings.Join(strings.Fields(out[section]), ""); !strings.Contains(text, want) {
			t.Errorf("bench sensors shows\n%s\nwant %s", out[section], want)
		}
	}
}

// checkEnergy: one rail is driven with 0.5 W and 2.0 W of half a second each for
// 3 s, and the energy that bench measures through the kernel's driver is compared
// with the guest's own account.
func checkEnergy(t *testing.T, out map[string]string) {
	const rest = 0.5 // W of a rail that is not driven
	energy, joules, window, seconds := measured(t, out, "energy")
	driven := joules + rest*(window-seconds)
	for _, c := range []struct {
		column string
		truth  float64
	}{
		{"ina3221_VDD_GPU_SOC_energy_J", driven},
		{"energy_J", driven + 2*rest*window}, // three rails make up the total
		{"ina3221_VDD_CPU_CV_energy_J", rest * window},
		{"ina3221_VDDQ_VDD2_1V8AO_energy_J", rest * window},
	} {
		compare(t, energy, c.column, c.truth)
	}
	// Some 1.25 W on average: a driver that does not show the wave fails.
	if driven < 3.3 || driven > 4.5 {
		t.Errorf("the wave took %v J", driven)
	}

	var sensors struct {
		Sensors []struct {
			Name      string
			Averaging float64 `json:"averaging_s"`
			Channels  []struct {
				Name, Role, Address string
				Value               float64
			}
		}
	}
	if err := json.Unmarshal([]byte(out["sensors"]), &sensors); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, s := range sensors.Sensors {
		if s.Name != "ina3221" {
			continue
		}
		// Three channels of 1.1 ms for shunt and bus each, one sample.
		if len(s.Channels) != 4 || math.Abs(s.Averaging-6.6e-3) > 0.5e-3 {
			t.Errorf("the sensor is %+v", s)
		}
		for _, c := range s.Channels {
			if math.Abs(c.Value-rest) > 1e-9 || !strings.HasSuffix(c.Address, "-0040") && c.Role == "total" {
				t.Errorf("channel %+v, want %v W", c, rest)
			}
		}
	}
}
