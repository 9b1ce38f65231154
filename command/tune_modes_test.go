package command_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/test/tree"
)

// clocked is a config whose version is the faster the higher the mode lets the GPU's clock be.
const clocked = `{"algorithm": "faulty", "versions": ["clocked"], "output_file_prefix": "t", "sweep_arg": {"ms": [5]}, "sensors": [],
	"tunables": {"A": [1, 2, 3]}, "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05, "timeout_s": 5}}`

// newTuner is a TX2 with a config to tune.
func newTuner(t *testing.T) *jetson {
	j := newJetson(t)
	write(t, filepath.Join(j.dir, "t.json"), clocked)
	j.env = append(j.env, "XDG_CONFIG_HOME="+filepath.Join(j.dir, "config"))
	return j
}

// tune searches modes of the config t.json.
func (j *jetson) tune(modes string, args ...string) (int, string) {
	j.t.Helper()
	return j.run(append([]string{"tune", "t.json", "--device", "cpu", "--root", j.root, "--power-modes", modes}, args...)...)
}

// trials are those of trials.csv in words.
func (j *jetson) trials() (list []string) {
	for _, r := range table(j.t, filepath.Join(j.dir, "results/tune-t/trials.csv")) {
		list = append(list, r["power_mode"]+" A="+r["A"]+" "+r["status"])
	}
	return list
}

type modesReport struct {
	Tasks []struct {
		Space []struct {
			Name   string
			Values []float64
			Words  []string
		}
		Tunables     map[string]int
		PowerMode    string `json:"power_mode"`
		DefaultsMode string `json:"defaults_power_mode"`
		Final        struct {
			Best    struct{ Value float64 }
			Default struct{ Value float64 }
		}
		Recorded string
	}
	Modes []struct {
		Name     string
		Number   float64
		Present  bool
		Switches int
		Trials   int
		LeftOut  string `json:"left_out"`
	} `json:"power_modes"`
}

func (j *jetson) report() (r modesReport) {
	j.t.Helper()
	b, err := os.ReadFile(filepath.Join(j.dir, "results/tune-t/tune.json"))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil || len(r.Tasks) != 1 {
		j.t.Fatalf("%v: %s", err, b)
	}
	return r
}

// A search finds the tunables and the mode that are the fastest together, and says so in all
// that it leaves; then the board is as it was.
func TestTuneSearchesPowerModes(t *testing.T) {
	t.Parallel()
	j := newTuner(t)
	status, out := j.tune("3,0,1", "--strategy", "exhaustive")
	if status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	j.restored()
	for _, want := range []string{"to switch between 3 power modes", "power_mode=MAXN A=3", "in power mode MAXN; the defaults in power mode MAXP_CORE_ARM take"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if got := j.switches(); got != "3 0 1 0 3 3" {
		t.Errorf("switched to %s: want the first before the GPU is opened, each mode once in the search, then those of the best that are not on, the defaults' last, and back to 3", got)
	}
	want := []string{"MAXP_CORE_ARM A=1 ok", "MAXP_CORE_ARM A=2 ok", "MAXP_CORE_ARM A=3 ok", "MAXN A=1 ok", "MAXN A=2 ok", "MAXN A=3 ok", "MAXQ A=1 ok", "MAXQ A=2 ok", "MAXQ A=3 ok"}
	if got := j.trials(); !slices.Equal(got, want) {
		t.Errorf("trials %v", got)
	}
	r := j.report()
	x := r.Tasks[0]
	if x.PowerMode != "MAXN" || x.Tunables["A"] != 3 || len(x.Tunables) != 1 || x.DefaultsMode != "MAXP_CORE_ARM" ||
		x.Space[0].Name != "power_mode" || !slices.Equal(x.Space[0].Words, []string{"MAXN", "MAXQ", "MAXP_CORE_ARM"}) || !slices.Equal(x.Space[0].Values, []float64{0, 1, 3}) {
		t.Errorf("%+v", x)
	}
	// 5·(1+4) ms at 1122 MHz to 5 ms at 1300.5 MHz: 5.8 times.
	if ratio := x.Final.Default.Value / x.Final.Best.Value; math.Abs(ratio-5.8) > 0.1 {
		t.Errorf("the defaults take %.3g times as long", ratio)
	}
	for i, name := range []string{"MAXP_CORE_ARM", "MAXN", "MAXQ"} {
		if m := r.Modes[i]; m.Name != name || m.Trials != 3 || m.Switches != 1 || m.LeftOut != "" || m.Present != (i == 0) {
			t.Errorf("%+v", m)
		}
	}
	j.usesWhatIsLeft(x.Recorded)
}

// usesWhatIsLeft has other verbs use what a search left.
func (j *jetson) usesWhatIsLeft(recorded string) {
	t := j.t
	space := filepath.Join("results/tune-t/spaces", recorded+".csv.gz")
	for _, c := range []struct {
		want string
		args []string
	}{
		{`"mean_evaluations":9`, []string{"replay", space, "--json", "--repeats", "2"}},
		{"power_mode", []string{"export", "--to", "t4", "results/tune-t", "--out", "exported"}},
		{"1.000", []string{"transfer", space, copied(t, j.dir, space)}},
		{"", []string{"report", "results/tune-t", "--out", "report.html"}},
	} {
		status, out := j.run(c.args...)
		if c.args[0] == "export" {
			files, _ := filepath.Glob(filepath.Join(j.dir, "exported", "*"))
			text, _ := os.ReadFile(files[0])
			out = string(text)
		}
		if status != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%v: status %d\n%s", c.args, status, out)
		}
	}
	if status, out := j.run("replay", space, "--switch", "3"); status != 2 || !strings.Contains(out, "want seconds, up to 3600, and recorded spaces with power_mode, compile_s and run_s") {
		t.Errorf("replay --switch without a clock: status %d\n%s", status, out)
	}
	// A run takes what was found for the mode that is on.
	write(t, filepath.Join(j.dir, "run.json"), strings.Replace(strings.Replace(clocked, `"tunables": {"A": [1, 2, 3]}, `, "", 1), `"t"`, `"run"`, 1))
	for mode, want := range map[string]string{"3": "wisdom, exact size", "1": "wisdom, exact size in power mode MAXQ", "2": "wisdom, exact size"} {
		write(t, filepath.Join(j.root, "var/lib/nvpmodel/status"), "pmode:000"+mode)
		status, out := j.run("run", "run.json", "--root", j.root, "--processor", "CPU")
		rows := table(t, filepath.Join(j.dir, "results/run/run_time.csv"))
		if status != 0 || rows[0]["A"] != "3" || !strings.Contains(rows[0]["notes"]+";", want+";") {
			t.Errorf("in mode %s: status %d, A=%s, notes %q, want %q\n%s", mode, status, rows[0]["A"], rows[0]["notes"], want, out)
		}
	}
	// In several modes it takes what is for whichever is on, so that they compare.
	status, out := j.run("run", "run.json", "--root", j.root, "--processor", "CPU", "--power-modes", "1,0")
	for _, r := range table(t, filepath.Join(j.dir, "results/run/run_time.csv")) {
		if status != 0 || r["A"] != "3" || !strings.Contains(r["notes"]+";", "wisdom, exact size;") {
			t.Errorf("%s: status %d, A=%s, notes %q\n%s", r["power_mode"], status, r["A"], r["notes"], out)
		}
	}
}

// copied is the file again, by another name.
func copied(t *testing.T, dir, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return write(t, filepath.Join(dir, "other-board.csv.gz"), string(b))
}

// The mode of the least energy is found: a meter shows 10 W in MAXQ and 40 W in all others.
func TestTuneFindsTheFrugalMode(t *testing.T) {
	t.Parallel()
	j := newTuner(t)
	write(t, filepath.Join(j.dir, "t.json"), `{"algorithm": "faulty", "versions": ["tuned"], "output_file_prefix": "t", "sweep_arg": {"ms": [5]}, "tunables": {"A": [1, 3], "B": [2]},
		"sensors": [{"external": {"command": ["`+meterPath+`", "modes"]}}],
		"measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.05, "timeout_s": 5, "power_window_s": 0.3}}`)
	status, out := j.tune("0,1", "--objective", "energy", "--confirm", "1", "--wisdom", "none")
	r := j.report()
	if x := r.Tasks[0]; status != 0 || x.PowerMode != "MAXQ" || x.Tunables["A"] != 3 || x.DefaultsMode != "MAXN" || !(x.Final.Default.Value > 4*x.Final.Best.Value) {
		t.Errorf("status %d, %+v\n%s", status, x, out)
	}
	j.restored()
}

// A mode that cannot be entered costs a trial, is said once, and the search goes on; one that is
// resumed does not ask for it again.
func TestTuneWithAModeThatDoesNotTake(t *testing.T) {
	t.Parallel()
	j := newTuner(t)
	j.env = append(j.env, "BENCH_TREE_LAZY=1")
	status, out := j.tune("0,1", "--strategy", "random", "--wisdom", "none")
	if status != 0 || strings.Count(out, "the search goes on without power mode MAXQ: power mode 1 (MAXQ) did not take: CPU 1 online is 1") != 1 || !strings.Contains(out, "failed in power mode MAXQ") {
		t.Errorf("status %d\n%s", status, out)
	}
	check := func() {
		t.Helper()
		failed := 0
		trials := j.trials()
		for _, x := range trials {
			if strings.HasPrefix(x, "MAXQ") {
				failed++
			}
			if strings.HasSuffix(x, " ok") != strings.HasPrefix(x, "MAXN") {
				t.Errorf("trial %s", x)
			}
		}
		r := j.report()
		if failed != 1 || len(trials) != 4 || r.Tasks[0].PowerMode != "MAXN" || !strings.Contains(r.Modes[1].LeftOut, "did not take") {
			t.Errorf("trials %v, %+v", trials, r)
		}
		j.restored()
	}
	check()
	before := j.switches()
	if status, out := j.tune("0,1", "--strategy", "random", "--wisdom", "none", "--confirm", "0", "--resume"); status != 0 || strings.Count(out, "goes on without power mode MAXQ") != 1 {
		t.Errorf("resumed: status %d\n%s", status, out)
	}
	check()
	if now := strings.TrimPrefix(j.switches(), before); now != " 0 3" { // the first is entered before the GPU is opened
		t.Errorf("resumed, it switched to %s", now)
	}
}

// Modes that need a boot are left out, and others searched.
func TestTuneLeavesOutModesThatNeedABoot(t *testing.T) {
	t.Parallel()
	j := newTuner(t)
	j.root = tree.Unpack(t, "../framework/powermode/testdata/jetson-orin-l4t36.txtar")
	j.env = append(j.env, "BENCH_TREE="+j.root)
	write(t, filepath.Join(j.dir, "t.json"), strings.Replace(clocked, `"clocked"`, `"tuned"`, 1))
	status, out := j.tune("all", "--wisdom", "none")
	if status != 0 || !strings.Contains(out, "power mode MAXN is left out: other units of the GPU are on") || !strings.Contains(out, "boot into it") || strings.Contains(out, "MODE_30W is left out") {
		t.Errorf("status %d\n%s", status, out)
	}
	if got := strings.Trim(j.switches(), "2 "); got != "" {
		t.Errorf("switched to %s", j.switches())
	}
}

// startTuning starts a long search, and waits for its second trial.
func (j *jetson) startTuning(to *os.File) (wait func(syscall.Signal) (int, string)) {
	t := j.t
	t.Helper()
	write(t, filepath.Join(j.dir, "t.json"), strings.Replace(clocked, `"A": [1, 2, 3]`, `"A": [1, 2, 3, 4, 5, 6]`, 1))
	cmd, out := j.command("tune", "t.json", "--device", "cpu", "--root", j.root, "--power-modes", "0,1", "--strategy", "exhaustive", "--wisdom", "none")
	if to != nil {
		cmd.Stdout = to
	}
	cmd.Env = append(cmd.Env, "BENCH_TREE_PAUSE=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if b, _ := os.ReadFile(filepath.Join(j.dir, "results/tune-t/journal.jsonl")); strings.Count(string(b), `"status":"ok"`) > 1 {
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("no trial after %v\n%s", patience, out)
		}
	}
	return func(sig syscall.Signal) (int, string) {
		cmd.Process.Signal(sig)
		cmd.Wait()
		return cmd.ProcessState.ExitCode(), out.String()
	}
}

func TestInterruptedTuningRestoresThePowerMode(t *testing.T) {
	t.Parallel()
	j := newTuner(t)
	if status, out := j.startTuning(nil)(syscall.SIGINT); status != 130 {
		t.Errorf("status %d\n%s", status, out)
	}
	j.restored()
	before := len(j.trials())
	if before < 2 || before > 11 {
		t.Fatalf("%d trials before the interrupt", before)
	}
	// It goes on where it was, in the same modes only.
	if status, out := j.tune("1", "--strategy", "exhaustive", "--resume", "--wisdom", "none"); status != 1 || !strings.Contains(out, "--power-modes MAXN,MAXQ in MAXP_CORE_ARM, this run is of") {
		t.Errorf("in other modes: status %d\n%s", status, out)
	}
	status, out := j.tune("0,1", "--strategy", "exhaustive", "--resume", "--wisdom", "none")
	if status != 0 || len(j.trials()) != 12 || strings.Contains(out, " 0 of them in the journal") {
		t.Errorf("resumed: status %d, %d trials\n%s", status, len(j.trials()), out)
	}
	j.restored()
}

func TestKilledTuningLeavesAPowerModeToRestore(t *testing.T) {
	t.Parallel()
	j := newTuner(t)
	j.startTuning(nil)(syscall.SIGKILL)
	if j.gpuMax() == "1122000000" {
		t.Fatal("killed, and yet restored")
	}
	// The next search restores it, whether it switches or not.
	status, out := j.run("tune", "t.json", "--device", "cpu", "--root", j.root, "--budget", "1", "--confirm", "0", "--wisdom", "none")
	if status != 0 || !strings.Contains(out, "restored the power mode 3 that a killed run had left") {
		t.Errorf("status %d\n%s", status, out)
	}
	j.restored()
}

func TestTunePowerModesThatCannotBe(t *testing.T) {
	t.Parallel()
	j := newTuner(t)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--power-modes names no mode", []string{"--power-modes", ""}},
		{`--power-modes: no power mode "9"; there are 0, 1, 2, 3, 4`, []string{"--power-modes", "9", "--root", j.root}},
		{"--power-modes: no power modes here: there is no nvpmodel.conf below " + j.dir + ", and a GPU's modes are for GPU versions", []string{"--power-modes", "all", "--root", j.dir}},
		{"--power-modes switches one GPU; want one --device, not cuda:0,1", []string{"--power-modes", "all", "--device", "cuda:0,1"}},
		{"--power-modes: --strategy analytical chooses by what is known of the tunables alone", []string{"--power-modes", "all", "--device", "cuda:0", "--strategy", "analytical"}},
		{"--power-modes: nothing is measured on a described device", []string{"--power-modes", "all", "--device", "jetson-tx1", "--strategy", "analytical"}},
	} {
		args := append([]string{"tune", "t.json"}, c.args...)
		if !slices.Contains(args, "--device") {
			args = append(args, "--device", "cpu")
		}
		if status, out := j.run(args...); status != 2 || !strings.Contains(out, c.want) {
			t.Errorf("%v: status %d, want %q in\n%s", c.args, status, c.want, out)
		}
	}
	// A version's own tunable of that name.
	write(t, filepath.Join(j.dir, "own.json"), `{"executable": "/bin/true", "output_file_prefix": "own", "tunables": {"power_mode": [1, 2]}, "sensors": []}`)
	if status, out := j.run("tune", "own.json", "--root", j.root, "--power-modes", "3"); status != 2 || !strings.Contains(out, "power_mode is its own, and cannot be the machine's power mode") {
		t.Errorf("a tunable of that name: status %d\n%s", status, out)
	}
	if got := strings.Trim(j.switches(), "3 "); got != "" {
		t.Errorf("switched to %s", j.switches())
	}
	os.Remove(filepath.Join(j.root, "switches"))
	if j.switches() != "" {
		t.Errorf("switched to %s", j.switches())
	}
}

// A server GPU's power limit and locked clock are searched as modes of a board are, and restored.
func TestTuneSearchesGPUModes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), `extern "C" __global__ void work_by_grid(long long cycles, float *y) { if (cycles < 0) y[blockIdx.x] = 1; }`)
	write(t, filepath.Join(dir, "y.bin"), strings.Repeat("\x00", 8192))
	write(t, filepath.Join(dir, "toy.json"), `{"algorithm": {"cuda": {"name": "toy", "source": "k.cu", "params": [{"name": "N", "default": 2048}],
		"arguments": [{"name": "cycles", "type": "i64", "value": 100}, {"name": "y", "type": "f32", "size": "N", "use": "output", "fill": {"constant": 0}}],
		"kernels": [{"name": "work_by_grid", "grid": "200*A", "block": 256}], "tunables": [{"name": "A", "values": [1, 4], "default": 4, "define": false}],
		"verify": {"files": {"y": "y.bin"}}}}, "output_file_prefix": "t", "sensors": ["nvml"],
		"measure": {"ceilings": false, "min_time_s": 0.001, "min_samples": 7, "timeout_s": 0.05, "cooldown_s": 0, "power_window_s": 0.3}}`)
	folder := filepath.Dir(drivertest.Build(t, "ACROSS_PROCESSES", "NO_PARAM_INFO", "PACED").Path)
	nvml := exec.Command("gcc", "-shared", "-fPIC", "-w", "-DCOUNTS", "-o", filepath.Join(folder, "libnvidia-ml.so.1"), "../gpu/cuda/nvml/testdata/libnvml.c")
	if text, err := nvml.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	state := write(t, filepath.Join(dir, "state"), "500000 0\n")
	env := []string{"LD_LIBRARY_PATH=" + folder + ":" + os.Getenv("LD_LIBRARY_PATH"), "NVML_STATE=" + state, "STATE_DIRECTORY=" + filepath.Join(dir, "notes")}
	status, out, errOut := executeWith(t, dir, env, benchPath, "tune", "toy.json", "--objective", "energy", "--power-modes", "default,200W,1200MHz", "--confirm", "1", "--wisdom", "none")
	if status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	j := &jetson{t: t, dir: dir}
	r := j.report()
	if x := r.Tasks[0]; x.PowerMode != "200W" || x.DefaultsMode != "default" || !(x.Final.Default.Value > 5*x.Final.Best.Value) {
		t.Errorf("%+v\n%s", x, out)
	}
	for i, number := range []float64{700, 200, 1200} {
		if m := r.Modes[i]; m.Number != number || m.Trials != 2 || m.Present {
			t.Errorf("%+v", m)
		}
	}
	text, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	sets := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, want := range []string{"700000 0", "200000 0", "700000 1200"} {
		if !slices.Contains(sets, want) {
			t.Errorf("%s was never set: %v", want, sets)
		}
	}
	if last := sets[len(sets)-1]; last != "500000 0" {
		t.Errorf("left at %s, want the limit of 500 W and no lock; %v", last, sets)
	}
}
