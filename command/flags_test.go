package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/internal/terminal"
	"example.org/bench/sensors"
	"example.org/bench/test/faulty"
	"example.org/bench/test/tree"
)

// runIn runs a command line in this process; what starts a worker cannot be run so.
func runIn(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errOut bytes.Buffer
	a := &app{registry: framework.NewRegistry(append(algorithms.All(), faulty.Factory()), sensors.All()), out: &out, err: &errOut}
	status = a.run(context.Background(), args)
	return status, out.String(), errOut.String()
}

// Printed is runIn as Main prints: what a terminal or a forge would obey is escaped.
func Printed(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	var paths [2]string
	var printers [2]*terminal.Printer
	for i := range paths {
		paths[i] = filepath.Join(dir, []string{"out", "err"}[i])
		file, err := os.Create(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		printers[i] = terminal.NewPrinter(file, nil)
	}
	a := &app{registry: framework.NewRegistry(algorithms.All(), sensors.All()), out: printers[0], err: printers[1]}
	a.run(context.Background(), args)
	var texts [2]string
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts[0], texts[1]
}

func fileIn(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const twoSizes = `{"algorithm": "fft", "versions": ["reference", "stockham"], "static_args": {"batch_elements": 1024}, "sweep_arg": {"N": [64, 128]}}`

// Flags of one name mean the same: what plan shows is what the flags choose.
func TestFlagsChoose(t *testing.T) {
	config := fileIn(t, "fft.json", twoSizes)
	for _, c := range []struct {
		args []string
		want []string // version and N of every point
	}{
		{nil, []string{"reference 64", "stockham 64", "reference 128", "stockham 128"}},
		{[]string{"--versions", "stockham"}, []string{"stockham 64", "stockham 128"}},
		{[]string{"--set", "N=256"}, []string{"reference 256", "stockham 256"}},
		{[]string{"--set", "N=256,512", "--set", "direction=inverse", "--versions", "reference"}, []string{"reference 256", "reference 512"}},
	} {
		for _, where := range [][]string{{"--device", "cpu"}, {"--processor", "CPU"}} {
			args := append(append([]string{"plan", config, "--json"}, where...), c.args...)
			status, out, errOut := runIn(t, args...)
			if status != 0 {
				t.Fatalf("%q: status %d\n%s", args, status, errOut)
			}
			var plans []experiment.Planned
			if err := json.Unmarshal([]byte(out), &plans); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range plans[0].Points {
				if p.Device != "cpu" {
					t.Errorf("%q: a point on %s", args, p.Device)
				}
				got = append(got, p.Version+" "+p.Params["N"].String())
			}
			if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
				t.Errorf("%q: %q, want %q", args, got, c.want)
			}
		}
	}
}

// A described GPU is planned for without being there.
func TestPlanForADescribedGPU(t *testing.T) {
	status, out, errOut := runIn(t, "plan", fileIn(t, "fft.json", twoSizes), "--device", "jetson-tx1", "--processor", "GPU")
	if status != 0 || !strings.Contains(out, ", on jetson-tx1\n") || strings.Contains(out, "cpu") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	// A board whose GPU shares the memory: what a point takes, and a smaller default.
	config := fileIn(t, "fft.json", `{"algorithm": "fft", "versions": ["stockham"], "sweep_arg": {"N": [1024]}}`)
	_, out, errOut = runIn(t, "plan", config, "--device", "jetson-tx1", "--processor", "GPU")
	for _, want := range []string{"batch_elements=4194304", "116 MiB", "a point takes at most 116 MiB of memory beside the tool itself; GPU and CPU of Jetson TX1 share 4 GiB", " on Jetson TX1 with power (a model: "} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
	if want := "batch_elements is 4194304 by default on Jetson TX1, not 67108864: GPU and CPU share 4 GiB"; !strings.Contains(errOut, want) {
		t.Errorf("want %q in\n%s", want, errOut)
	}
	// The first config that a user runs there takes minutes, by the model.
	var plans []experiment.Planned
	_, out, _ = runIn(t, "plan", "../configs/fft.json", "--device", "jetson-tx1", "--json")
	if err := json.Unmarshal([]byte(out), &plans); err != nil || len(plans) != 1 || !(plans[0].Board > 60 && plans[0].Board <= 300) {
		t.Errorf("%v: configs/fft.json takes %v s on a TX1; want at most 300", err, plans)
	}
	_, out, _ = runIn(t, "plan", config, "--device", "jetson-tx1", "--processor", "GPU", "--set", "batch_elements=268435456")
	if want := "[1] needs 6.04 GiB of memory (4 GiB for the GPU), and GPU and CPU of Jetson TX1 share 4 GiB: a smaller problem is needed"; !strings.Contains(out, want) {
		t.Errorf("want %q in\n%s", want, out)
	}
}

// A mistake is one line that names what was probably meant; a flag that does
// not apply is refused.
func TestFlagsRefuse(t *testing.T) {
	config := fileIn(t, "fft.json", twoSizes)
	const ktt, t1 = "../tuning/exchange/testdata/ktt.json", "../tuning/exchange/testdata/t1.json"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"rnu", config}, `"rnu" is not a verb; did you mean "run"?`},
		{[]string{"run", "--devise", "cpu", config}, "unknown flag: --devise; did you mean --device?"},
		{[]string{"plan", config, "--device", "cpi"}, `--device "cpi" is none of cuda:0, cuda:1, …, opencl:0, cuda:all, opencl:all, cpu, sim, `},
		{[]string{"plan", config, "--device", "cpi"}, `did you mean "cpu"?`},
		{[]string{"plan", config, "--device", "cuda:-1"}, `--device "cuda:-1" is none of`},
		{[]string{"run", config, "--device", "jetson-tx1"}, `--device "jetson-tx1" is none of cuda:0, cuda:1, …, opencl:0, cuda:all, opencl:all, cpu, sim`},
		{[]string{"plan", config, "--device", "cuda:0,0"}, `--device "cuda:0,0" is none of`},
		{[]string{"run", config, "--device", "cuda:0,cuda:1"}, `--device "cuda:0,cuda:1" is none of`},
		{[]string{"run", config, "--each"}, "--each goes with --device, which is not given"},
		{[]string{"run", config, "--device", "cuda:1", "--each"}, "--each is for several GPUs, and --device cuda:1 is one"},
		{[]string{"run", config, "--device", "cuda:all", "--power-modes", "all"}, "--power-modes switches one GPU; want one --device, not cuda:all"},
		{[]string{"run", config, "--device", "cuda:0,1", "--processor", "CPU"}, "has no GPU version to run on several GPUs"},
		{[]string{"ab", config, "--device", "cuda:0,1", "--versions", "stockham,stockham"}, "--device cuda:0,1: this verb measures on one GPU at a time; bench run, plan and tune take several"},
		{[]string{"replay", "x.csv", "--pending", "-1"}, "--pending -1: want 0 to 1000"},
		{[]string{"sensors", "--device", "cpu"}, `--device "cpu" is none of cuda:0, cuda:1, …`},
		{[]string{"ab", config, "--device", "sim", "--versions", "stockham,stockham"}, "--device sim checks answers, it times nothing"},
		{[]string{"plan", config, "--device", "cpu", "--processor", "GPU"}, "the CPU has CPU versions only"},
		{[]string{"plan", config, "--versions", "stokham"}, `--versions: "stokham" is not a version of fft; did you mean "stockham"?`},
		{[]string{"plan", config, "--device", "cpu", "--set", "M=4"}, "--set M"},
		{[]string{"plan", config, "--set", "N"}, "want NAME=VALUE"},
		{[]string{"verify", "fft", "--set", "N=64"}, "--set replaces values of a config, and fft is an algorithm's name"},
		{[]string{"verify", "fft", "--counts", "--json"}, "--json does not go with --counts"},
		{[]string{"verify", "fft", "--counts", "--quiet"}, "--quiet does not go with --counts"},
		{[]string{"modes", "--restore", "--root", "."}, "--root does not go with --restore"},
		{[]string{"sensors", "--root", ".", "--device", "cuda:1"}, "--device does not go with --root"},
		{[]string{"transfer", "x", "--reference", "y", "--out", "z"}, "--out does not go with --reference"},
		{[]string{"compare", "x", "--csv", "--markdown"}, "--markdown does not go with --csv"},
		{[]string{"export", "--to", "t4", "space.csv", "--t1", "x.json"}, "space.csv: a T1 file declares the parameters of a T4 file"},
		{[]string{"export", "--to", "t4", "cache.json", "--manifest", "x.json"}, "cache.json: a manifest describes recorded spaces"},
		{[]string{"import", ktt, "--t1", t1}, "a T1 file declares the parameters of a T4 file"},
		{[]string{"why", "../results/h200-fft-peers", "--set", "N=64"}, "--set replaces values of a config, and ../results/h200-fft-peers is a folder"},
		{[]string{"why", t.TempDir()}, "holds no results"},
		{[]string{"validate", config, "--resume"}, "unknown flag: --resume"},
		{[]string{"list", "ftf"}, `no algorithm "ftf"; did you mean "fft"?`},
	} {
		status, out, errOut := runIn(t, c.args...)
		if status != exitUsage || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, want %q:\n%s%s", c.args, status, c.want, out, errOut)
		}
	}
}

// What --json prints is one document, with the fields that the documentation
// names.
func TestJSONDocuments(t *testing.T) {
	config := fileIn(t, "fft.json", twoSizes)
	board := tree.Unpack(t, "../framework/powermode/testdata/jetson-tx2-l4t28.txtar")
	wrong := fileIn(t, "wrong.json", `{"algorithm": "fft", "swep": {}}`)
	for _, c := range []struct {
		args   []string
		status int
		fields []string
	}{
		{[]string{"plan", config, "--device", "cpu"}, 0, []string{`"config":`, `"points":`, `"skipped": 0`}},
		{[]string{"validate", config, wrong}, 2, []string{`"good": true`, `"good": false`, `"mistakes":`, `"points": 6`}},
		{[]string{"list"}, 0, []string{`"name": "fft"`, `"name": "scan"`, `"versions":`}},
		{[]string{"list", "fft"}, 0, []string{`"name": "stockham"`, `"processor": "CPU"`, `"params":`, `"tunables":`}},
		{[]string{"version"}, 0, []string{`"version":`, `"go":`}},
		{[]string{"doctor", "--root", board}, 0, []string{`"findings":`, `"section": "Sensors"`, `"state": "ok"`}},
		{[]string{"modes", "--root", board}, 0, []string{`"control": "nvpmodel"`, `"modes":`}},
	} {
		status, out, errOut := runIn(t, append(c.args, "--json")...)
		if status != c.status || !json.Valid([]byte(out)) {
			t.Errorf("%q: status %d\n%s%s", c.args, status, out, errOut)
		}
		for _, f := range c.fields {
			if !strings.Contains(out, f) {
				t.Errorf("%q: no %s in\n%.2000s", c.args, f, out)
			}
		}
	}
}

// Verbs print JSON, too, unless what they make is files, or a text for a
// program.
func TestVerbsThatPrintFactsHaveJSON(t *testing.T) {
	files := []string{"new", "schema", "plot", "man", "merge", "report", "help", "serve", "boards", "fleet", "history"} // the last two have verbs below them
	a := &app{registry: framework.NewRegistry(algorithms.All(), sensors.All())}
	for _, c := range a.root().Commands() {
		if has := c.Flags().Lookup("json") != nil; !c.Hidden && has == slices.Contains(files, c.Name()) && c.Name() != "completion" {
			t.Errorf("bench %s: --json is there: %v", c.Name(), has)
		}
	}
}

// A config named "-" is read from standard input, by every verb that reads one.
func TestConfigOnStandardInput(t *testing.T) {
	t.Setenv("BENCH_TEST_AS", "faulty") // of the workers
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	config := fileIn(t, "fft.json", `{"algorithm": "fft", "processor": "CPU", "versions": ["reference"], "static_args": {"batch_elements": 64}, "sweep_arg": {"N": [64]},
		"sensors": [], "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.5, "timeout_s": 5, "cooldown_s": 0}}`)
	tuned := fileIn(t, "tuned.json", `{"algorithm": "faulty", "versions": ["tuned"], "tunables": {"A": [1, 2], "B": [2]},
		"sensors": [], "measure": {"ceilings": false, "min_time_s": 0.001, "min_samples": 5, "noise": 0.5, "timeout_s": 5, "cooldown_s": 0}}`)
	read := map[string]bool{}
	for _, c := range []struct {
		config string
		args   []string
	}{
		{config, []string{"plan", "-", "--json"}},
		{config, []string{"validate", "-"}},
		{config, []string{"list", "-"}},
		{config, []string{"verify", "-", "--device", "cpu"}},
		{config, []string{"run", "-", "--quiet", "--out", t.TempDir(), "--set", "batch_elements=128"}},
		{config, []string{"ab", "-", "--versions", "reference,reference", "--device", "cpu", "--repeats", "3"}},
		{tuned, []string{"tune", "-", "--device", "cpu", "--wisdom", "none", "--confirm", "0", "--out", t.TempDir()}},
		{fileIn(t, "gpu.json", twoSizes), []string{"tune", "-", "--strategy", "analytical", "--device", "jetson-tx1"}},
	} {
		in, err := os.Open(c.config)
		if err != nil {
			t.Fatal(err)
		}
		os.Stdin = in
		status, out, errOut := runIn(t, c.args...)
		in.Close()
		if status != 0 {
			t.Errorf("%q: status %d\n%s%s", c.args, status, out, errOut)
		}
		read[c.args[0]] = true
	}
	// A fleet sends its configs, and reads them again when it goes on.
	for _, words := range []string{"--hosts orin1", "--slurm"} {
		status, _, errOut := runIn(t, append([]string{"fleet", "-", "--out", t.TempDir()}, strings.Fields(words)...)...)
		if status != 2 || !strings.Contains(errOut, "must be a file") {
			t.Errorf("bench fleet - %s: status %d\n%s", words, status, errOut)
		}
		read["fleet"] = true
	}
	// Why measures a config on a GPU: one of CPU versions is read, and has nothing for it.
	in, err := os.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdin = in
	status, _, errOut := runIn(t, "why", "-")
	in.Close()
	if status != exitUsage || !strings.Contains(errOut, "standard input:1:") || !strings.Contains(errOut, "reference left out: processor is GPU") {
		t.Errorf("bench why -: status %d\n%s", status, errOut)
	}
	read["why"] = true
	for name, verb := range verbs() {
		if strings.Contains(verb.Use, "CONFIG") && !read[name] {
			t.Errorf("bench %s: no test of a config on standard input", name)
		}
	}
}

// Of tune, all that does not apply is refused before anything starts.
func TestTuneRefuses(t *testing.T) {
	config := fileIn(t, "fft.json", `{"algorithm": "fft", "sensors": []}`)
	damaged := fileIn(t, "wisdom.json", "{")
	for flags, want := range map[string]string{
		"--device sim":                                         "--device",
		"--device jetson-tx9":                                  "--device",
		"--objective speed":                                    `"speed" is none of time; energy; edp; time,energy`,
		"--strategy none":                                      `--strategy "none" is none of`,
		"--strategy best,random":                               "a live search has one strategy",
		"--budget 0":                                           "want at least 1",
		"--budget 60x":                                         "a time such as 60s or 10m, or auto",
		"--budget -5s":                                         "a time such as 60s or 10m, or auto",
		"--device jetson-tx1 --strategy random":                "nothing can be measured on it",
		"--device cpu --strategy analytical":                   "want a --device other than cpu",
		"--device cpu --strategy knn --option k=0":             "k is 0; want",
		"--device cpu --where N=1":                             "--where goes with --train",
		"--device cpu --compilers 2":                           "--compilers: nothing is compiled ahead for the CPU",
		"--device cpu --train x":                               "only --strategy knn learns from runs",
		"--device cpu --strategy knn --train x":                "--train: ",
		"--device cpu --compiled":                              "--compiled: it is for a described --device",
		"--device cpu --versions stokham":                      `did you mean "stockham"?`,
		"--device jetson-tx1 --strategy analytical --budget 3": "--budget: nothing is measured",
		"--device jetson-tx1 --strategy analytical --seed 3":   "--seed: nothing is measured",
		"--device jetson-tx1 --strategy analytical --out x":    "--out: it is for --compiled",
		"--device cpu --objective energy":                      "asks for no sensor",
		"--device cpu --wisdom " + damaged:                     "not a wisdom file",
	} {
		args := append([]string{"tune", config, "--wisdom", "none"}, strings.Fields(flags)...)
		if strings.Contains(flags, "jetson-tx1") {
			args = append([]string{"tune", config}, strings.Fields(flags)...)
		}
		status, out, errOut := runIn(t, args...)
		if status != exitUsage || out != "" || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, want %q:\n%s%s", flags, status, want, out, errOut)
		}
	}
}
