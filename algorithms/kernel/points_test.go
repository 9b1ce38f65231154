package kernel

import (
	"strings"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// checkedPoints is what CheckPoints says of a config's points.
func checkedPoints(t *testing.T, text string) error {
	t.Helper()
	return checkedConfig(t, map[string]string{"x.json": text, "x.cu": axpyKernel, "x.c": axpyRight})
}

// checkedConfig is what is wrong with the config x.json of these files.
func checkedConfig(t *testing.T, texts map[string]string) error {
	t.Helper()
	cfg, err := config.Load(files(t, texts))
	if err != nil {
		return err
	}
	f, err := New(cfg)
	if err != nil {
		return err
	}
	p, err := plan.Make(t.Context(), cfg, f, plan.Machine{GPU: plan.AnyGPU()})
	if err != nil {
		return err
	}
	return CheckPoints(cfg, p.Points, *plan.AnyGPU())
}

// swept is a config of axpy that sweeps N from 64 to 100, with one text
// replaced.
func swept(t *testing.T, old, replacement string) string {
	t.Helper()
	good := axpy("", `,
 "constraints": ["BLOCK <= 64"], "flops": "2*N"`)
	good = strings.TrimSuffix(good, "}") + ",\n" + ` "sweep_arg": {"N": [64, 96, 100]}}`
	if !strings.Contains(good, old) {
		t.Fatalf("no %s in the good config", old)
	}
	return strings.Replace(good, old, replacement, 1)
}

// What an expression gives at the points is refused at the expression.
func TestPointsAreChecked(t *testing.T) {
	const none = ", and no point of version axpy runs; want defaults or tunables that do"
	for _, c := range []struct{ old, replacement, want string }{
		{`"flops": "2*N"`, `"load_bytes": ^"1/3"`, "algorithm.cuda.load_bytes: 1/3 is 0.3333333333333333; want a whole number, as ceil gives"},
		{`"flops": "2*N"`, `"flops": ^"N/0"`, "algorithm.cuda.flops: N/0 for N = 64: division by 0"},
		{`"flops": "2*N"`, `"store_bytes": ^"N - 70"`, "algorithm.cuda.store_bytes: N - 70 is -6 for N = 64; want 0 or more"},
		{`"ceildiv(N, BLOCK)"`, `^"0"`, "algorithm.cuda.kernels[0].grid: this is 0; want 1 to 2^31-1"},
		{`"ceildiv(N, BLOCK)"`, `[1, ^"N/BLOCK"]`, "algorithm.cuda.kernels[0].grid[1]: N/BLOCK is 1.5 for N = 96, BLOCK = 64; want a whole number"},
		{`"block": "BLOCK"`, `"block": ^"BLOCK - 64"`, "algorithm.cuda.kernels[0].block: BLOCK - 64 is 0 for BLOCK = 64; want 1 to 2^31-1"},
		{`"block": "BLOCK"`, `"block": [^"BLOCK", 32]`, "algorithm.cuda.kernels[0].block[0]: 64·32·1 threads per block; the device allows 1024" + none},
		{`"block": "BLOCK"`, `"block": "BLOCK", "shared_bytes": ^"-N"`, "algorithm.cuda.kernels[0].shared_bytes: -N is -64 for N = 64; want 0 or more"},
		{`"N > 50 ? 64 : 32"`, `^"N/0"`, "algorithm.cuda.tunables[0].default: N/0 for N = 64: division by 0"},
		{`"BLOCK <= 64"`, `^"BLOCK > 64"`, "algorithm.cuda.constraints[0]: BLOCK > 64 does not hold for BLOCK = 64" + none},
		{`"BLOCK <= 64"`, `^"BLOCK"`, "algorithm.cuda.constraints[0]: BLOCK is 64 for BLOCK = 64; want a comparison"},
		{`"arguments": [`, `"arguments": [{"name": "s", "type": "f32", "size": ^"BLOCK - 64", "use": "scratch"},`, "algorithm.cuda.arguments[0].size: s has BLOCK - 64 = 0 elements for BLOCK = 64; want 1 to 2^40"},
		{`"flops": "2*N"`, `"versions": [{"name": "axpy"}, {"name": "c", "c": {"source": "x.c", "function": "same"}, "flops": ^"N/7"}]`, "algorithm.cuda.versions[1].flops: N/7 is 9.142857142857142 for N = 64"},
		{`{"c": {"source": "x.c", "function": "right", "double": true}}`, `{"kernels": [{"name": "again", "grid": ^"N - 100", "block": 32}]}`, "algorithm.cuda.verify.kernels[0].grid: N - 100 is -36 for N = 64"},
	} {
		place, text := marked(t, swept(t, c.old, c.replacement))
		if c.old == `"arguments": [` {
			text = strings.Replace(text, `"axpy", "grid"`, `"axpy", "arguments": ["a", "s", "y", "n"], "grid"`, 1)
		}
		err := checkedPoints(t, text)
		if want := place + ": " + c.want; err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v; want the one line %s", c.replacement, err, want)
		}
	}
	place, text := marked(t, strings.Replace(swept(t, `"BLOCK <= 64"`, `^"BLOCK >= 64"`), `"sweep_arg"`, `"tunables": {"BLOCK": [16, 32]}, "sweep_arg"`, 1))
	if err := checkedPoints(t, text); err == nil || !strings.Contains(err.Error(), place+": algorithm.cuda.constraints[0]: BLOCK >= 64 does not hold for BLOCK = 16"+none) {
		t.Errorf("tunables of which none runs: %v", err)
	}
}

// Points that a constraint skips, and what depends on the device, are good.
func TestGoodPoints(t *testing.T) {
	for _, c := range []struct{ old, replacement string }{
		{`"BLOCK <= 64"`, `"BLOCK <= 64"`},
		{`"BLOCK <= 64"`, `"N > 99"`},                                         // one point runs
		{`"BLOCK <= 64"`, `"N % BLOCK == 0"`},                                 // one too
		{`"BLOCK <= 64"], "flops": "2*N"`, `"N == 64"], "flops": "128/N"`},    // at the points that run
		{`"BLOCK <= 64"`, `"device.compute >= 100"`},                          // on later GPUs
		{`"ceildiv(N, BLOCK)"`, `"device.multiprocessors/16"`},                // on a GPU with 16
		{`"N > 50 ? 64 : 32"`, `"device.multiprocessors*16"`},                 // likewise, in what uses it
		{`"sweep_arg"`, `"tunables": {"BLOCK": [16, 64, 2048]}, "sweep_arg"`}, // a search's: two run
	} {
		if err := checkedPoints(t, swept(t, c.old, c.replacement)); err != nil {
			t.Errorf("%s: %v", c.replacement, err)
		}
	}
}

// TestProblemsToVerify: on a GPU the defaults are verified beside verify.at, but not a task's.
func TestProblemsToVerify(t *testing.T) {
	task, err := load("../../configs/judge/transpose.json")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(files(t, map[string]string{"x.cu": axpyKernel, "x.c": axpyRight,
		"x.json": axpy(`{"c": {"source": "x.c", "function": "right", "double": true}, "at": [{"N": 1}, {"N": 100}]}`, "")}))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for device, want := range map[string][2]int{"sim": {3, 2}, "cuda:0": {3, 3}} {
		if got := [2]int{len(task.Verification(device)), len(plain.Verification(device))}; got != want {
			t.Errorf("on %s %v problems of a task and of a config, want %v", device, got, want)
		}
	}
}
