package command_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/test/tree"
)

// jetson is a board's files with a stand-in for nvpmodel, and the environment
// of a program that switches there.
type jetson struct {
	t    *testing.T
	root string
	dir  string // of the config and the results
	env  []string
}

func newJetson(t *testing.T) *jetson {
	t.Helper()
	j := &jetson{t: t, root: tree.Unpack(t, "../framework/powermode/testdata/jetson-tx2-l4t28.txtar"), dir: t.TempDir()}
	j.env = append(os.Environ(), "PATH="+tree.Bin(t)+":"+os.Getenv("PATH"), "BENCH_TREE="+j.root, "STATE_DIRECTORY="+filepath.Join(j.dir, "state/bench"))
	write(t, filepath.Join(j.dir, "modes.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "modes",
		"sweep_arg": {"ms": [1, 2]}, "sensors": [], "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.5, "timeout_s": 0.2, "point_timeout_s": 120}}`)
	return j
}

func (j *jetson) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command(faultyPath, args...)
	cmd.Dir, cmd.Env = j.dir, j.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

func (j *jetson) run(args ...string) (status int, out string) {
	j.t.Helper()
	cmd, text := j.command(args...)
	cmd.Run() //nolint:errcheck // the status says it
	return cmd.ProcessState.ExitCode(), text.String()
}

// switches are the modes that nvpmodel was told, in order.
func (j *jetson) switches() string {
	b, _ := os.ReadFile(filepath.Join(j.root, "switches"))
	return strings.Join(strings.Fields(string(b)), " ")
}

func (j *jetson) gpuMax() string {
	b, err := os.ReadFile(filepath.Join(j.root, "sys/class/devfreq/17000000.gp10b/max_freq"))
	if err != nil {
		j.t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// restored fails unless the board is as its files say at first: mode 3.
func (j *jetson) restored() {
	j.t.Helper()
	if got := j.gpuMax(); got != "1122000000" {
		j.t.Errorf("the GPU's highest frequency is %s, want the original 1122000000", got)
	}
	if b, _ := os.ReadFile(filepath.Join(j.root, "var/lib/nvpmodel/status")); !bytes.HasPrefix(b, []byte("pmode:0003")) {
		j.t.Errorf("status %s, want mode 3", b)
	}
	if _, err := os.Stat(j.journal()); err == nil {
		j.t.Error("the journal is still there")
	}
}

func (j *jetson) journal() string { return filepath.Join(j.dir, "state/bench/power-mode.json") }

func TestPowerModesAreAnAxis(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	status, out := j.run("run", "modes.json", "--power-modes", "0,MAXQ", "--root", j.root)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	j.restored()
	if got := j.switches(); got != "0 1 3" {
		t.Errorf("switched to %s, want 0 1 and back to 3", got)
	}
	var got []string
	for _, r := range table(t, filepath.Join(j.dir, "results/modes/modes_time.csv")) {
		got = append(got, r["power_mode"]+" "+r["ms"]+" "+r["status"])
	}
	if want := []string{"MAXN 1 ok", "MAXN 2 ok", "MAXQ 1 ok", "MAXQ 2 ok"}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	var info struct {
		Devices []struct {
			ID   string `json:"id"`
			Mode string `json:"power_mode"`
		} `json:"devices"`
	}
	b, _ := os.ReadFile(filepath.Join(j.dir, "results/modes/run.json"))
	if err := json.Unmarshal(b, &info); err != nil || len(info.Devices) != 2 || info.Devices[0].Mode != "MAXN" || info.Devices[1].Mode != "MAXQ" {
		t.Errorf("ceilings of %+v, %v; want the CPU in both modes", info.Devices, err)
	}
	// Without the flag nothing is switched, and the mode that is on is named.
	if status, out = j.run("run", "modes.json", "--root", j.root); status != 0 || j.switches() != "0 1 3" {
		t.Errorf("status %d, switched to %s\n%s", status, j.switches(), out)
	}
	if r := table(t, filepath.Join(j.dir, "results/modes/modes_time.csv")); r[0]["power_mode"] != "MAXP_CORE_ARM" {
		t.Errorf("the mode that is on is %q", r[0]["power_mode"])
	}
}

// TestModesThatNeedABoot: modes whose mask of the GPU's units is another are skipped,
// and never switched to; the others are entered before a worker opens the GPU.
func TestModesThatNeedABoot(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	j.root = tree.Unpack(t, "../framework/powermode/testdata/jetson-orin-l4t36.txtar")
	worker := filepath.Join(j.dir, "worker")
	write(t, worker, "#!/bin/sh\necho worker >>"+filepath.Join(j.root, "switches")+"\nexec \"$@\"\n")
	if err := os.Chmod(worker, 0o755); err != nil {
		t.Fatal(err)
	}
	j.env = append(j.env, "BENCH_TREE="+j.root, "BENCH_WORKER_PREFIX="+worker)
	write(t, filepath.Join(j.dir, "modes.json"), `{"algorithm": "fft", "versions": ["reference", "stockham"], "output_file_prefix": "modes", "static_args": {"N": 64, "batch_elements": 64},
		"sensors": [], "measure": {"ceilings": false, "min_time_s": 0.01, "timeout_s": 0.1, "cooldown_s": 0}}`)
	cmd, out := j.command("run", "modes.json", "--power-modes", "all", "--root", j.root)
	cmd.Path = benchPath
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := j.switches(); !strings.HasPrefix(got, "2 worker") || !strings.HasSuffix(got, " 2") || strings.Trim(got, "2 worke") != "" {
		t.Errorf("switched in the order %q, want mode 2, then workers, then back to 2", got)
	}
	for _, r := range table(t, filepath.Join(j.dir, "results/modes/modes_time.csv")) {
		want, reason := "skipped", "boot into it"
		if r["power_mode"] == "MODE_30W" {
			want, reason = "ok", ""
		}
		if r["status"] != want || !strings.Contains(r["reason"], reason) {
			t.Errorf("%s of %s is %s: %s; want %s", r["version"], r["power_mode"], r["status"], r["reason"], want)
		}
	}
	for _, want := range []string{"MAXN      ", "TPC_PG_MASK 0    boot into it", "TPC_PG_MASK 240  at once"} {
		if status, out := j.run("modes", "--root", j.root); status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
}

func TestPowerModeThatDoesNotTake(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	j.env = append(j.env, "BENCH_TREE_LAZY=1")
	status, out := j.run("run", "modes.json", "--power-modes", "1,0", "--root", j.root)
	if status != 1 {
		t.Errorf("status %d, want 1\n%s", status, out)
	}
	for _, r := range table(t, filepath.Join(j.dir, "results/modes/modes_time.csv")) {
		want := map[string]string{"MAXQ": "failed", "MAXN": "ok"}[r["power_mode"]]
		if r["status"] != want {
			t.Errorf("%s is %s, want %s", r["power_mode"], r["status"], want)
		}
		if want == "failed" && !strings.Contains(r["reason"], "power mode 1 (MAXQ) did not take: the highest frequency of CPU A57 is 2035.2 MHz") {
			t.Errorf("reason %q", r["reason"])
		}
	}
	j.restored()
}

// startModes starts a long run, which prints to a file if one is given, and
// waits until mode 0 is on.
func (j *jetson) startModes(to *os.File) (*exec.Cmd, *bytes.Buffer) {
	j.t.Helper()
	write(j.t, filepath.Join(j.dir, "long.json"), `{"algorithm": "faulty", "versions": ["good"], "output_file_prefix": "long",
		"sweep_arg": {"ms": {"from": 1, "to": 100, "step": 1}}, "sensors": [], "measure": {"ceilings": false, "min_time_s": 0.3, "timeout_s": 0.5}}`)
	root, err := filepath.Rel(j.dir, j.root)
	if err != nil {
		j.t.Fatal(err)
	}
	cmd, out := j.command("run", "long.json", "--power-modes", "0,1", "--root", root)
	if to != nil {
		cmd.Stdout = to
	}
	if err := cmd.Start(); err != nil {
		j.t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); j.gpuMax() != "1300500000"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			j.t.Fatalf("mode 0 is not on after %v\n%s", patience, out)
		}
	}
	return cmd, out
}

func TestInterruptRestoresThePowerMode(t *testing.T) {
	t.Parallel()
	// What nohup starts ignores SIGHUP, and so do the programs that it starts in
	// turn, unless it takes the signal itself.
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			j := newJetson(t)
			cmd, out := j.startModes(nil)
			cmd.Process.Signal(sig)
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != 130 {
				t.Errorf("status %d, want 130\n%s", got, out)
			}
			j.restored()
		})
	}
}

// The reader of a pipe, such as head, may leave before the run ends.
func TestClosedPipeRestoresThePowerMode(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd, out := j.startModes(w)
	w.Close()
	r.Close()
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("status %d, want 130\n%s", got, out)
	}
	j.restored()
}

// What was measured in one mode must not go when another is resumed.
func TestResumeInOtherModesIsRefused(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	if status, out := j.run("run", "modes.json", "--power-modes", "0", "--root", j.root); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	rows := table(t, filepath.Join(j.dir, "results", "modes", "modes_time.csv"))
	status, out := j.run("run", "modes.json", "--power-modes", "1", "--root", j.root, "--resume")
	if want := "the journal is of selection --processor auto --device cuda:0 --power-modes 0, this run is of"; status != 1 || !strings.Contains(out, want) {
		t.Errorf("status %d, want %q in\n%s", status, want, out)
	}
	if now := table(t, filepath.Join(j.dir, "results", "modes", "modes_time.csv")); len(now) != len(rows) {
		t.Errorf("%d rows are left of %d", len(now), len(rows))
	}
	j.restored()
}

func TestKillLeavesAPowerModeToRestore(t *testing.T) {
	t.Parallel()
	for name, next := range map[string][]string{
		"bench modes --restore": {"modes", "--restore"},
		"the next run":          {"run", "modes.json"},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJetson(t)
			cmd, _ := j.startModes(nil)
			// Beside a live run nothing is restored.
			if status, out := j.run("modes", "--restore"); status != 1 || !strings.Contains(out, "another run") || j.gpuMax() != "1300500000" {
				t.Errorf("beside a live run: status %d, %s", status, out)
			}
			cmd.Process.Kill()
			cmd.Wait()
			if j.gpuMax() != "1300500000" {
				t.Fatal("killed, and yet restored")
			}
			status, out := j.run(next...)
			if status != 0 || !strings.Contains(out, "restored the power mode 3 that a killed run had left") {
				t.Errorf("status %d\n%s", status, out)
			}
			j.restored()
			if status, out := j.run("modes", "--restore"); status != 0 || out != "nothing to restore\n" {
				t.Errorf("a second time: status %d, %s", status, out)
			}
		})
	}
}

func TestPowerModesThatCannotBe(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	for _, c := range []struct{ modes, root, want string }{
		{"", j.root, "--power-modes names no mode"},
		{"9", j.root, `no power mode "9"; there are 0, 1, 2, 3, 4`},
		{"0", t.TempDir(), "no power modes here: there is no nvpmodel.conf"},
	} {
		status, out := j.run("run", "modes.json", "--power-modes", c.modes, "--root", c.root)
		if status != 2 || !strings.Contains(out, c.want) {
			t.Errorf("--power-modes %s: status %d, %s; want %s", c.modes, status, out, c.want)
		}
	}
	if j.switches() != "" {
		t.Errorf("switched to %s", j.switches())
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	j := newJetson(t)
	status, out := j.run("modes", "--root", j.root)
	for _, want := range []string{"*  3   MAXP_CORE_ARM (default)  0,3-5  CPU A57 2000 MHz, GPU 1120 MHz, EMC 1600 MHz", "GPU        140.25 MHz  1122 MHz"} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
	// The status file is not proof.
	write(t, filepath.Join(j.root, "var/lib/nvpmodel/status"), "pmode:0001")
	if _, out = j.run("modes", "--root", j.root); !strings.Contains(out, "nvpmodel says mode 1 (MAXQ), but the highest frequency of CPU A57 is 2035.2 MHz") {
		t.Errorf("clocks of another mode:\n%s", out)
	}
	var s struct {
		Current string
		Modes   []struct{ ID string }
		Clocks  []struct{ Name string }
	}
	if _, out = j.run("modes", "--json", "--root", j.root); json.Unmarshal([]byte(out), &s) != nil || s.Current != "1" || len(s.Modes) != 5 || len(s.Clocks) != 3 {
		t.Errorf("JSON %+v of\n%s", s, out)
	}
	// No nvpmodel is normal.
	if status, out = j.run("modes", "--root", t.TempDir()); status != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "no power modes here") {
		t.Errorf("without nvpmodel: status %d\n%s", status, out)
	}
}

// Where it cannot be told whether a mode is left to restore, a run that switches
// none goes on with a warning.
func TestNoteThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(j *jetson) error{
		"no folder can be there": func(j *jetson) error { return os.WriteFile(filepath.Join(j.dir, "state"), nil, 0o644) },
		"a pipe": func(j *jetson) error {
			if err := os.MkdirAll(filepath.Dir(j.journal()), 0o755); err != nil {
				return err
			}
			return syscall.Mkfifo(j.journal(), 0o644)
		},
	} {
		j := newJetson(t)
		if err := make(j); err != nil {
			t.Fatal(err)
		}
		const want = "it is not known whether an earlier run left a power mode to restore: "
		if status, out := j.run("run", "modes.json", "--root", j.root); status != 0 || !strings.Contains(out, "warning: "+want) {
			t.Errorf("%s: status %d\n%s", name, status, out)
		}
		if status, out := j.run("run", "modes.json", "--root", j.root, "--power-modes", "0"); status != 1 || !strings.Contains(out, "bench: "+want) {
			t.Errorf("%s: status %d where modes are to be switched\n%s", name, status, out)
		}
		if status, out := j.run("modes", "--restore"); status != 1 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d of modes --restore\n%s", name, status, out)
		}
		if j.switches() != "" {
			t.Errorf("%s: switched to %s", name, j.switches())
		}
	}
}
