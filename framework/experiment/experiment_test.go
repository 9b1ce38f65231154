package experiment_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

func toy() *framework.Factory {
	return &framework.Factory{Name: "toy",
		Params: []framework.Param{{Name: "N", Kind: framework.Int, Default: framework.IntValue(8), DefaultGPU: framework.IntValue(80)}},
		Verification: func(device string) []framework.Values {
			if device == "cpu" {
				return []framework.Values{{"N": framework.IntValue(1)}}
			}
			return []framework.Values{{"N": framework.IntValue(2)}, {"N": framework.IntValue(3)}}
		},
		Versions: []framework.Version{{Name: "slow", Processor: framework.CPU}, {Name: "fast", Processor: framework.GPU}, {Name: "theirs", Processor: framework.GPU, Peer: true}},
	}
}

func keys(p *plan.Plan) string {
	var list []string
	for _, x := range p.Points {
		list = append(list, strings.TrimPrefix(x.Key(), "toy/"))
	}
	return strings.Join(list, ", ")
}

// The points are those of the purpose, on the device, of the versions chosen.
func TestOpenPlans(t *testing.T) {
	gpu := plan.AnyGPU()
	for _, c := range []struct {
		name string
		opt  experiment.Options
		of   []string
		want string
	}{
		{"cpu", experiment.Options{Device: "cpu"}, nil, "slow@cpu N=8"},
		{"all", experiment.Options{Facts: gpu}, nil, "slow@cpu N=8, fast@cuda:0 N=80, theirs@cuda:0 N=80"},
		{"a described GPU", experiment.Options{Facts: gpu, Device: "tx1", Processor: "GPU", PowerMode: "low"}, nil, "fast@tx1#low N=80, theirs@tx1#low N=80"},
		{"chosen", experiment.Options{Facts: gpu}, []string{"fast"}, "fast@cuda:0 N=80"},
		{"verify on the CPU", experiment.Options{Device: "cpu", For: experiment.Verification}, nil, "slow@cpu N=1"},
		{"verify on a GPU", experiment.Options{Facts: gpu, Processor: "GPU", For: experiment.Verification}, []string{"fast"}, "fast@cuda:0 N=2, fast@cuda:0 N=3"},
		{"profile", experiment.Options{Facts: gpu, Processor: "GPU", For: experiment.Profile}, nil, "fast@cuda:0 N=8"},
	} {
		x, err := experiment.Open(t.Context(), experiment.Named(toy()).Choose(c.of...), c.opt)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		x.Close()
		if got := keys(x.Plan); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	if _, err := experiment.Open(t.Context(), experiment.Named(toy()), experiment.Options{Device: "cpu", Processor: "GPU"}); err == nil {
		t.Error("GPU versions on the CPU")
	}
	bare := toy()
	bare.Verification = nil
	_, err := experiment.Open(t.Context(), experiment.Named(bare), experiment.Options{Device: "cpu", For: experiment.Verification})
	if !errors.Is(err, experiment.ErrNoProblems) || !strings.Contains(err.Error(), "toy has no verification problems: set Factory.Verification") {
		t.Error(err)
	}
}

func TestWisdomIsOpenedForTheDevice(t *testing.T) {
	g := plan.AnyGPU()
	unreadable := errors.New("unreadable")
	_, err := experiment.Open(t.Context(), experiment.Named(toy()), experiment.Options{Facts: g,
		Wisdom: func(f *framework.Factory, facts *gpu.Facts) (plan.Tuned, error) {
			if f.Name != "toy" || facts != g {
				t.Errorf("asked of %s on %v", f.Name, facts)
			}
			return nil, unreadable
		}})
	if !errors.Is(err, unreadable) {
		t.Error(err)
	}
}

// TestPurposes: what only verifies takes no times, a search's trials are short, and the
// machine's root is where none is named.
func TestPurposes(t *testing.T) {
	for _, c := range []struct {
		opt           experiment.Options
		verify, trial bool
		full          bool
		root          string
	}{
		{experiment.Options{}, false, false, false, "/"},
		{experiment.Options{Verify: framework.FullVerification}, false, false, true, "/"},
		{experiment.Options{For: experiment.Verification}, true, false, true, "/"},
		{experiment.Options{For: experiment.Verification, Verify: framework.FastVerification}, true, false, false, "/"},
		{experiment.Options{For: experiment.Profile}, true, false, true, "/"},
		{experiment.Options{For: experiment.Search, Choices: engine.Choices{Root: "/elsewhere"}}, false, true, false, "/elsewhere"},
	} {
		c.opt.Facts = plan.AnyGPU()
		x, err := experiment.Open(t.Context(), experiment.Named(toy()), c.opt)
		if err != nil {
			t.Fatal(err)
		}
		x.Close()
		if got := x.EngineOptions(x.Config); got.VerifyOnly != c.verify || got.Trial != c.trial || got.FullVerification != c.full || got.Root != c.root {
			t.Errorf("%+v: verifies only %v, in full %v, trial %v, root %s", c.opt, got.VerifyOnly, got.FullVerification, got.Trial, got.Root)
		}
	}
}

// TestChoicesReachTheEngine: what engines have in common reaches each as it was chosen.
func TestChoicesReachTheEngine(t *testing.T) {
	want := engine.Choices{Seed: 7, Root: "/elsewhere", Dump: "wrong", Checks: true, Sanitizer: []string{"memcheck"}, Apart: "candidate", Spare: &engine.Spare{}, Series: true, Local: &engine.Plugins{}}
	for v, i := reflect.ValueOf(want), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not tried", v.Type().Field(i).Name)
		}
	}
	x, err := experiment.Open(t.Context(), experiment.Named(toy()), experiment.Options{Choices: want, Facts: plan.AnyGPU(), Device: "tx1"})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if got := x.EngineOptions(x.Config); !reflect.DeepEqual(got.Choices, want) || got.SpareFor != "tx1" {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestDuration(t *testing.T) {
	c := &config.Config{Measure: config.Measure{MinTime: 0.5, Timeout: 15, PowerWindow: 3}}
	points := []plan.Point{{Processor: framework.CPU}, {Processor: framework.GPU}, {Processor: framework.GPU, Skip: "no"}, {Processor: framework.GPU, Device: "sim"}}
	for want, got := range map[time.Duration]time.Duration{
		6200 * time.Millisecond:  experiment.Duration(c, points, false),
		12200 * time.Millisecond: experiment.Duration(c, points, true),
	} {
		if got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	c.Measure.CPUCaches = config.Cold
	if got := experiment.Duration(c, points[:1], false); got != 4100*time.Millisecond {
		t.Errorf("%v with cold caches on a CPU too", got)
	}
	c.Measure.CPUCaches, c.Measure.Timeout = config.Hot, 1
	if got := experiment.Duration(c, points[:1], false); got != 1100*time.Millisecond {
		t.Errorf("%v with a time limit of 1 s", got)
	}
}

// TestCopiedFilesNameNoTimes: with a copied tree of a board the machine of the run is
// this one, and a warning names the board; the live files in another folder are this
// machine's.
func TestCopiedFilesNameNoTimes(t *testing.T) {
	const board = "NVIDIA Jetson Nano Developer Kit"
	copied, container := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(copied, "proc/device-tree/model"):               board + "\x00",
		filepath.Join(copied, "proc/sys/kernel/random/boot_id"):       "another",
		filepath.Join(container, "proc/sys/kernel/random/boot_id"):    machine.Live.Text("proc/sys/kernel/random/boot_id") + "\n",
		filepath.Join(container, "sys/class/thermal/thermal_zone0/a"): "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	live, _ := machine.Live.Facts()
	for _, c := range []struct{ root, of string }{{"/", ""}, {copied, board}, {container, ""}, {t.TempDir(), "a board that they do not name"}} {
		x, err := experiment.Open(t.Context(), experiment.Named(toy()), experiment.Options{Processor: "CPU", Choices: engine.Choices{Root: c.root}})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		info := x.RunInfo()
		if len(info.Command) != len(os.Args) || info.Command[0] != filepath.Base(os.Args[0]) || !filepath.IsAbs(os.Args[0]) {
			t.Errorf("command %q", info.Command)
		}
		if info.CopiedFiles != c.of || info.Machine.Board == board || c.root != container && info.Machine.Board != live.Board {
			t.Errorf("%s: files of %q, times of %q; want %q and %q", c.root, info.CopiedFiles, info.Machine.Board, c.of, live.Board)
		}
		warned := strings.Contains(strings.Join(info.Warnings, "\n"), "copied files of "+c.of)
		if warned != (c.of != "") {
			t.Errorf("%s: warnings %q", c.root, info.Warnings)
		}
	}
}
