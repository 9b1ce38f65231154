package executable

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// program writes a shell script and returns its path.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// start makes the algorithm of the config's first point, as the runner does.
func start(t *testing.T, cfg *config.Config) (framework.SelfTimed, plan.Point) {
	t.Helper()
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Make(t.Context(), cfg, f, plan.Machine{NoGPU: "none"})
	if err != nil {
		t.Fatal(err)
	}
	return algorithmOf(t, f, p.Points[0]), p.Points[0]
}

func algorithmOf(t *testing.T, f *framework.Factory, p plan.Point) framework.SelfTimed {
	t.Helper()
	problem, err := f.NewProblem(framework.Env{}, p.Params)
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.VersionOn(p.Version, p.Processor).New(framework.Env{}, problem, p.Tunables)
	if err != nil {
		t.Fatal(err)
	}
	return a.(framework.SelfTimed)
}

func parse1(t *testing.T, text string) *config.Config {
	t.Helper()
	cfg, err := config.Parse("x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestExampleInC builds the example in C with the system's compiler and runs it from its own config.
func TestExampleInC(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("needs a C compiler, cc")
	}
	folder := t.TempDir()
	out, err := exec.Command(cc, "-O2", "-Wall", "-Wextra", "-Werror", "-o", filepath.Join(folder, "triad"), "example/triad.c").CombinedOutput()
	if err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	text, err := os.ReadFile("example/triad.json")
	if err != nil {
		t.Fatal(err)
	}
	// Beside the config, not in the working directory.
	cfg, err := config.Parse(filepath.Join(folder, "triad.json"), text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Make(t.Context(), cfg, f, plan.Machine{NoGPU: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Points) != 4 || !p.Axes[0].Geometric {
		t.Fatalf("got %d points on %+v", len(p.Points), p.Axes)
	}
	for _, point := range p.Points[:3] {
		n := point.Params.Int("--length")
		if point.Skip != "" || point.Algorithm != "triad" || point.Version != "triad" || point.Processor != framework.CPU {
			t.Fatalf("got %+v", point)
		}
		a := algorithmOf(t, f, point)
		if err := a.PreRun(); err != nil {
			t.Fatal(err)
		}
		if err := a.Run(); err != nil {
			t.Fatal(err)
		}
		checks, err := a.Verify()
		if err != nil || len(checks) != 1 || !checks[0].OK() || checks[0].Error == 0 || checks[0].Bound != 0x1p-52 {
			t.Errorf("verify: %+v, %v", checks, err)
		}
		want := framework.Work{NominalFLOPs: 2 * n, NominalBytes: 24 * n, FLOPs: 2 * n, LoadBytes: 16 * n, StoreBytes: 8 * n}
		if a.Work() != want {
			t.Errorf("work: got %+v, want %+v", a.Work(), want)
		}
		times, err := a.Times()
		if err != nil || len(times) != 50 {
			t.Fatalf("%d times, %v; want run_arg.many's 50", len(times), err)
		}
		for _, s := range times {
			// No memory writes 8·n bytes faster than 10 TB/s; 5 s is a hang.
			if s < 8*float64(n)/1e13 || s > 5 {
				t.Errorf("a run of %d elements took %g s", n, s)
			}
		}
		if runs := a.(framework.RunCounter).Runs(); runs != 50 {
			t.Errorf("%d runs", runs)
		}
		if err := a.PostRun(); err != nil {
			t.Error(err)
		}
	}
	algorithmtest.Run(t, f)
	// The program's own complaint is the reason.
	p.Points[0].Params["--length"] = framework.IntValue(0)
	a := algorithmOf(t, f, p.Points[0])
	if err := a.PreRun(); err != nil {
		t.Fatal(err)
	}
	if err, want := a.Run(), "program ./triad: exit status 1: triad: --length: want a whole number from 1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestArguments checks that static arguments come first, then the swept one, then run_arg.one or
// run_arg.many, all as written.
func TestArguments(t *testing.T) {
	folder := t.TempDir()
	log := filepath.Join(folder, "log")
	path := program(t, `echo "$@" >>`+log+`; echo '{"time_s": 1e-3, "flops": 1, "load_bytes": 2, "store_bytes": 3}'`)
	cfg := parse1(t, `{"executable": "`+path+`", "kernel_name": "functionName", "processor": "GPU",
		"static_args": [["--length", 32], ["--version", 4], ["mode", "a b"], ["-s", 1e-3]],
		"run_arg": {"one": ["--runs", 1], "many": ["--runs", 150]},
		"tunables": {"--threads": [3]}, "sweep_arg": {"name": "--inputsize", "values": [10, 20.5]}}`)
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Make(t.Context(), cfg, f, plan.Machine{NoGPU: "none"})
	if err != nil {
		t.Fatal(err)
	}
	for _, point := range p.Points {
		if point.Version != "functionName" || point.Processor != framework.GPU || point.Device != "cuda:0" || point.Skip != "" {
			t.Errorf("got %+v", point)
		}
		a := algorithmOf(t, f, point)
		if err := a.PreRun(); err != nil {
			t.Fatal(err)
		}
		if err := a.Run(); err != nil {
			t.Fatal(err)
		}
		if times, err := a.Times(); err != nil || !reflect.DeepEqual(times, []float64{1e-3}) {
			t.Errorf("times %v, %v", times, err)
		}
		if runs := a.(framework.RunCounter).Runs(); runs != 150 {
			t.Errorf("%d runs", runs)
		}
	}
	got, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	const same = "--length 32 --version 4 mode a b -s 0.001 --inputsize "
	want := same + "10 --threads 3 --runs 1\n" + same + "10 --threads 3 --runs 150\n" + same + "20.5 --threads 3 --runs 1\n" + same + "20.5 --threads 3 --runs 150\n"
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReports(t *testing.T) {
	const counts = `"flops": 4, "load_bytes": 5, "store_bytes": 6`
	for _, c := range []struct {
		output string
		times  []float64
		runs   int64
		work   framework.Work
		checks []framework.Check
	}{
		{`{"time_s": 0.5, ` + counts + `}`, []float64{0.5}, 7, framework.Work{NominalFLOPs: 4, NominalBytes: 11, FLOPs: 4, LoadBytes: 5, StoreBytes: 6}, nil},
		{`{"times_s": [0.5, 0.25], ` + counts + `}`, []float64{0.5, 0.25}, 2, framework.Work{NominalFLOPs: 4, NominalBytes: 11, FLOPs: 4, LoadBytes: 5, StoreBytes: 6}, nil},
		{`{"time_s": 0.5, "runs": 9, "flops": 2e9, "load_bytes": 0, "store_bytes": 0, "nominal_flops": 1, "nominal_bytes": 2}`, []float64{0.5}, 9, framework.Work{NominalFLOPs: 1, NominalBytes: 2, FLOPs: 2000000000}, nil},
		{`{"time_s": 0.5, "error": 1e-7, "error_bound": 1e-6, ` + counts + `}`, []float64{0.5}, 7, framework.Work{NominalFLOPs: 4, NominalBytes: 11, FLOPs: 4, LoadBytes: 5, StoreBytes: 6},
			[]framework.Check{{Metric: "error that the program reports", Error: 1e-7, Bound: 1e-6}}},
		{`{"time_s": 0.5, "error": null, "error_bound": 1e-6, ` + counts + `}`, []float64{0.5}, 7, framework.Work{NominalFLOPs: 4, NominalBytes: 11, FLOPs: 4, LoadBytes: 5, StoreBytes: 6},
			[]framework.Check{{Metric: "error that the program reports", Error: math.NaN(), Bound: 1e-6}}},
		// Other output is ignored.
		{"device 0 [ok]\n\n  {\"time_s\": 0.5, " + counts + "} \r\nbye", []float64{0.5}, 7, framework.Work{NominalFLOPs: 4, NominalBytes: 11, FLOPs: 4, LoadBytes: 5, StoreBytes: 6}, nil},
	} {
		cfg := parse1(t, `{"executable": "`+program(t, "cat <<'END'\n"+c.output+"\nEND")+`", "run_arg": {"many": ["--runs", 7]}}`)
		a, _ := start(t, cfg)
		if err := a.PreRun(); err != nil {
			t.Fatal(err)
		}
		if err := a.Run(); err != nil {
			t.Errorf("%s: %v", c.output, err)
			continue
		}
		checks, err := a.Verify()
		if err != nil || fmt.Sprint(checks) != fmt.Sprint(c.checks) { // NaN is none of its equals
			t.Errorf("%s: checks %+v, %v", c.output, checks, err)
		}
		times, err := a.Times()
		if err != nil || !reflect.DeepEqual(times, c.times) {
			t.Errorf("%s: times %v, %v", c.output, times, err)
		}
		if runs := a.(framework.RunCounter).Runs(); runs != c.runs {
			t.Errorf("%s: %d runs, want %d", c.output, runs, c.runs)
		}
		if a.Work() != c.work {
			t.Errorf("%s: work %+v, want %+v", c.output, a.Work(), c.work)
		}
	}
}

func TestFaults(t *testing.T) {
	const counts = `"flops": 1, "load_bytes": 1, "store_bytes": 1`
	line := func(s string) string { return "echo '" + s + "'" }
	for _, c := range []struct{ script, want string }{
		{"exit 3", "exit status 3, and nothing on stderr"},
		{"echo first >&2; printf 'out of \\033memory\\n\\n' >&2; exit 1", "exit status 1: out of  memory"},
		{"kill -SEGV $$", "signal: segmentation fault, and nothing on stderr"},
		{"echo hello", "prints no line of JSON; want one such as " + sample},
		{"", "prints no line of JSON; want one such as " + sample},
		{line(`{"flops": 1`), `prints a line that is not JSON at byte 11 (unexpected end of JSON input): {"flops": 1`},
		{line(`{"flops": nan}`), `prints a line that is not JSON at byte 12 (invalid character 'a' in literal null (expecting 'u')): {"flops": nan}`},
		{line(`{`+counts+`}`) + ";" + line(`{`+counts+`}`), "prints more than one line that starts with a brace; want one line of JSON"},
		{line(`{"flop": 1}`), `prints an unknown field "flop"; did you mean "flops"? fields: answer, error, error_bound, flops, load_bytes, nominal_bytes, nominal_flops, right_answer, runs, store_bytes, time_s, times_s`},
		{line(`{"flops": 1, "load_bytes": 1}`), "prints no store_bytes; want one line such as " + sample},
		{line(`{"flops": "1"}`), `prints a wrong flops: it is "1"; want a number`},
		{line(`{"flops": null}`), `prints a wrong flops: it is null; want a number`},
		{line(`{"flops": 1.5}`), `prints a wrong flops: it is 1.5; want a whole number below 2^63`},
		{line(`{"flops": 1e19}`), `prints a wrong flops: it is 1e+19; want a whole number below 2^63`},
		{line(`{"load_bytes": -1}`), `prints a wrong load_bytes: it is -1; want 0 or more`},
		{line(`{"time_s": -1}`), `prints a wrong time_s: it is -1; want seconds above 0`},
		{line(`{"time_s": 0}`), `prints a wrong time_s: it is 0; want seconds above 0`},
		{line(`{"time_s": 5e-324}`), `prints a wrong time_s: it is 5e-324 s, which no clock gives; want 1e-15 to 1e+09 s`},
		{line(`{"time_s": 1.7e308}`), `prints a wrong time_s: it is 1.7e+308 s, which no clock gives; want 1e-15 to 1e+09 s`},
		{line(`{"times_s": [1, 1e-16]}`), `prints a wrong times_s: it is 1e-16 s, which no clock gives; want 1e-15 to 1e+09 s`},
		{line(`{"time_s": 1, "flops": 2, "time_s": 2}`), `prints time_s twice; want it once`},
		{line(`{"flops": 1, "load_bytes": 9223372036854775807, "store_bytes": 1}`), `prints load_bytes 9223372036854775807 and store_bytes 1; want a sum below 2^63`},
		{line(`{"load_bytes": 5e18, "store_bytes": 5e18}`), `prints load_bytes 5000000000000000000 and store_bytes 5000000000000000000; want a sum below 2^63`},
		{line(`{"time_s": true}`), `prints a wrong time_s: it is true; want seconds as a number`},
		{line(`{"time_s": 1e999}`), `prints a wrong time_s: it is 1e999; want seconds as a number`},
		{line(`{"times_s": 1}`), `prints a wrong times_s: it is 1; want a list of seconds, one per run`},
		{line(`{"times_s": []}`), `prints a wrong times_s: it is []; want a list of seconds, one per run`},
		{line(`{"times_s": [1, "2"]}`), `prints a wrong times_s: it is "2"; want seconds as a number`},
		{line(`{"time_s": 1, "times_s": [1]}`), `prints time_s and times_s; want one of them`},
		{line(`{"runs": 0}`), `prints a wrong runs: it is 0; want at least 1`},
		{line(`{"error": 1}`), `prints one of error and error_bound; want both or none`},
		{line(`{"error": 1, "error_bound": null}`), `prints a wrong error_bound: it is null; want a number`},
		{line(`{"error": -1, "error_bound": 1}`), `prints a wrong error: it is -1; want 0 or more`},
		{"sleep 600", "ran longer than 0.5 s (timeout_s) and was ended"},
		{"sleep 600 & echo started; wait", "ran longer than 0.5 s (timeout_s) and was ended"},
		{"while :; do echo endless; done", "ran longer than 0.5 s (timeout_s) and was ended"},
	} {
		cfg := parse1(t, `{"executable": "`+program(t, c.script)+`", "measure": {"timeout_s": 0.5}}`)
		if !strings.HasPrefix(c.want, "ran longer") {
			cfg.Measure.Timeout = 550 // the machine may be busy
		}
		a, _ := start(t, cfg)
		if err := a.PreRun(); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		err := a.Run()
		if want := "program " + cfg.Executable + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", c.script, err, want)
		}
		if timeout := strings.HasPrefix(c.want, "ran longer"); errors.Is(err, framework.ErrTimeout) != timeout {
			t.Errorf("%s: a timeout: %v, want %v", c.script, !timeout, timeout)
		}
		if took := time.Since(began); took > 5*time.Minute { // half the program's sleep
			t.Errorf("%s: waited for what hangs, %s", c.script, took)
		}
		if a.Work() != (framework.Work{}) {
			t.Errorf("%s: counts %+v of a failed run", c.script, a.Work())
		}
	}
	// The timed execution needs a time, the counting one does not.
	cfg := parse1(t, `{"executable": "`+program(t, line(`{`+counts+`}`))+`"}`)
	a, _ := start(t, cfg)
	if err := a.PreRun(); err != nil {
		t.Fatal(err)
	}
	if err := a.Run(); err != nil {
		t.Error(err)
	}
	if _, err := a.Times(); err == nil || err.Error() != "program "+cfg.Executable+": prints no time_s; want one line such as "+sample {
		t.Errorf("got %v", err)
	}
}

// TestTimeoutEndsChildren checks that a timeout ends the program's children too.
func TestTimeoutEndsChildren(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// The child holds the pipe open until it ends. On a busy machine the time
	// limit may come before the child.
	script := program(t, "(exec >"+pipe+"; echo started; sleep 600) & wait")
	for timeout, said := 0.3, ""; said == ""; timeout *= 2 {
		cfg := parse1(t, `{"executable": "`+script+`"}`)
		cfg.Measure.Timeout = timeout
		a, _ := start(t, cfg)
		if err := a.PreRun(); err != nil {
			t.Fatal(err)
		}
		if err := a.Run(); err == nil {
			t.Fatal("no timeout")
		}
		if err := f.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err != nil {
			t.Fatalf("a child outlived the time limit: %v", err)
		}
		said = string(b)
	}
}

func TestMissingProgram(t *testing.T) {
	folder := t.TempDir()
	plain := filepath.Join(folder, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte("\x00not a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(folder, "none")
	for path, want := range map[string]string{
		none:   "program " + none + ` does not exist, neither from the working directory nor beside the config; build it or correct "executable"`,
		folder: "program " + folder + " is a folder; want an executable file",
		plain:  "program " + plain + " is not executable; chmod +x makes it",
	} {
		cfg := parse1(t, `{"executable": "`+path+`"}`)
		a, p := start(t, cfg)
		if p.Skip != want {
			t.Errorf("skip: got %s, want %s", p.Skip, want)
		}
		if err := a.PreRun(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	a, _ := start(t, parse1(t, `{"executable": "`+text+`"}`))
	if err := a.PreRun(); err != nil {
		t.Fatal(err)
	}
	if err := a.Run(); err == nil || !strings.HasPrefix(err.Error(), "program "+text+": cannot be started: exec format error; want a program for ") {
		t.Errorf("got %v", err)
	}
	if _, err := New(&config.Config{Path: "x.json"}); err == nil || err.Error() != "x.json: no executable; want the path of a program" {
		t.Errorf("got %v", err)
	}
}
