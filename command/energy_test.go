package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// counting is a tree with a RAPL counter of 20 W.
func counting(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	zone := filepath.Join(root, "sys/class/powercap/intel-rapl:0")
	write(t, filepath.Join(zone, "name"), "package-0\n")
	write(t, filepath.Join(zone, "max_energy_range_uj"), "262143328850\n")
	f, err := os.OpenFile(write(t, filepath.Join(zone, "energy_uj"), "000000001000\n"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	start, stop, ended := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer f.Close()
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				f.WriteAt(fmt.Appendf(nil, "%012d\n", 1000+int64(20e6*time.Since(start).Seconds())), 0)
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-ended })
	return root
}

// energyReport is what bench energy --json prints.
type energyReport struct {
	Device, Folder, Status string
	Time                   float64  `json:"time_s"`
	Power                  *float64 `json:"power_W"`
	Idle                   *float64 `json:"idle_power_W"`
	Energy                 *float64 `json:"energy_J"`
	Uncertainty            *float64 `json:"energy_uncertainty_J"`
	Combined               *float64 `json:"energy_combined_uncertainty_J"`
	AboveIdle              *float64 `json:"energy_above_idle_J"`
	Calibration            string
	Window                 float64 `json:"window_s"`
	Runs                   int64
	Sensors                []string
}

// energyOf measures a command, with more in the environment.
func energyOf(t *testing.T, dir string, environment []string, args ...string) (e energyReport, out string) {
	t.Helper()
	cmd := exec.Command(benchPath, append([]string{"energy", "--json", "--limit", "30"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	var errors strings.Builder
	cmd.Stderr = &errors
	printed, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(printed, &e)
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, printed, errors.String())
	}
	return e, string(printed)
}

// TestEnergyOfACommand: what it prints is what the files hold, and as the counter
// has it.
func TestEnergyOfACommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// The counter is written late where the machine is busy: such a measurement is
	// made again.
	var e energyReport
	for attempt := 0; ; attempt++ {
		var out string
		e, out = energyOf(t, dir, drawing, "--root", counting(t), "--out", "e", "--", "sleep", "0.02")
		if e.Status != "ok" || e.Device != "cpu" || e.Folder != "e" || strings.Join(e.Sensors, " ") != "rapl" || e.Time < 0.02 || e.Runs < 1 {
			t.Errorf("%+v", e)
		}
		if e.Power == nil || e.Energy == nil || e.Uncertainty == nil || e.Combined != nil || e.Calibration != "unknown" || *e.Uncertainty <= 0 {
			t.Fatalf("%s", out)
		}
		if each := e.Window / float64(e.Runs); *e.Power > 15 && *e.Power < 25 && *e.Energy > 15*each && *e.Energy < 25*each {
			break
		}
		if attempt == 20 {
			t.Fatalf("%s", out)
		}
		if err := os.RemoveAll(filepath.Join(dir, "e")); err != nil {
			t.Fatal(err)
		}
	}
	row := table(t, filepath.Join(dir, "e", "sleep_energy.csv"))[0]
	if written, err := strconv.ParseFloat(row["energy_J"], 64); err != nil || written != *e.Energy {
		t.Errorf("energy.csv has %q J, printed are %v", row["energy_J"], *e.Energy)
	}
	for _, name := range []string{"sleep_power_samples.csv.gz", "figures/sleep_time.svg", "run.json"} {
		if _, err := os.Stat(filepath.Join(dir, "e", name)); err != nil {
			t.Error(err)
		}
	}
}

// TestEnergyRefuses: a command that fails is named with its status, and so is what
// cannot be measured.
func TestEnergyRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{1, "command sh: exit status 3: bad", []string{"--", "sh", "-c", "echo worse >&2; echo bad >&2; exit 3"}},
		{1, "command sh: signal: terminated", []string{"sh", "-c", "kill $$"}},
		{1, `exec: "no-such-command": executable file not found in $PATH`, []string{"no-such-command"}},
		{1, `exec: "sleep 0.1": executable file not found in $PATH; a line for a shell goes so: -- sh -c '…'`, []string{"sleep 0.1"}},
		{2, "COMMAND is missing: want bench energy [flags] -- COMMAND [ARG...]", nil},
		{2, "COMMAND is missing: want bench energy [flags] -- COMMAND [ARG...]", []string{"--"}},
		{2, "--limit 0: want seconds above 0", []string{"--limit", "0", "true"}},
		{2, `"rapll" is not a sensor; did you mean "rapl"?`, []string{"--sensors", "rapll", "true"}},
		{2, "--device sim checks answers, it times nothing", []string{"--device", "sim", "true"}},
	} {
		status, out, errOut := execute(t, dir, benchPath, append([]string{"energy", "--quiet", "--root", dir, "--out", "e"}, c.args...)...)
		if status != c.status || !strings.Contains(errOut, c.want) || out != "" {
			t.Errorf("%q: status %d, want %d and %s\n%s%s", c.args, status, c.status, c.want, out, errOut)
		}
	}
}

// TestEnergyInterrupted: neither the command nor what it started is left.
func TestEnergyInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.Command(benchPath, "energy", "--root", dir, "--out", "e", "--", "sh", "-c", "sleep 1000 & echo $$ $! > "+dir+"/pids; wait")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []string
	for deadline := time.Now().Add(patience); len(pids) < 2; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(dir, "pids"))
		if pids = strings.Fields(string(text)); time.Now().After(deadline) {
			t.Fatal("the command did not begin")
		}
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 130 {
		t.Errorf("status %d", status)
	}
	for _, p := range pids {
		pid, _ := strconv.Atoi(p)
		for deadline := time.Now().Add(patience); syscall.Kill(pid, 0) == nil && !zombie(p); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d is left", pid)
			}
		}
	}
}

// zombie is whether a process has ended, and nobody has asked for its status.
func zombie(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(state, "Z")
}
