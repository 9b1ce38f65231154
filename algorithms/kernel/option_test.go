package kernel

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
)

// tunedOptions is a config whose options are tunables.
const tunedOptions = `{"algorithm": {"cuda": {
	"source": "x.cu",
	"params": [{"name": "N", "default": 1000}],
	"arguments": [{"name": "x", "type": "f32", "size": "N", "fill": {"random": [0, 9]}}, {"name": "y", "type": "f32", "size": "N", "use": "output"}],
	"versions": [
		{"name": "gpu", "kernels": [{"name": "work", "grid": "ceildiv(N, 128)", "block": 128}],
		 "tunables": [{"name": "REGISTERS", "values": [0, 32, 64], "define": false}, {"name": "FAST", "values": [0, 1], "define": false}],
		 "options": ["-DN={N}", {"option": "--maxrregcount={REGISTERS}", "when": "REGISTERS > 0"}, {"option": "--use_fast_math", "when": "FAST == 1"}]},
		{"name": "c", "c": {"source": "x.c", "function": "work", "options": ["-DN={N}", {"option": "-DWRONG={WRONG}", "when": "WRONG != 0"}]},
		 "tunables": [{"name": "WRONG", "values": [0, 1], "define": false}]}],
	"verify": {"c": {"source": "x.c", "function": "work", "options": ["-DN={N}"]}}
}}}`

// A thread's 48 values are live at once.
var tunedFiles = map[string]string{
	"x.cu": `extern "C" __global__ void work(const float* x, float* y) {
	int i = blockIdx.x * 128 + threadIdx.x;
	if (i >= N) return;
	float v[48], s = 0;
	for (int k = 0; k < 48; k++) v[k] = x[(i + k * k) % N];
	for (int j = 0; j < 3; j++) {
		float all = 0;
		for (int k = 0; k < 48; k++) all += v[k];
		for (int k = 0; k < 48; k++) v[k] = v[k] * all + v[(k + 7) % 48];
	}
	for (int k = 0; k < 48; k++) s += sinf(v[k]);
	y[i] = s;
}`,
	"x.c": `#ifndef WRONG
#define WRONG 0
#endif
void work(const float* x, float* y) { for (int i = 0; i < N; i++) y[i] = x[i] + WRONG; }
`}

// TestOptionsOfTunables: a compiler is given what the settings say.
func TestOptionsOfTunables(t *testing.T) {
	all := map[string]string{"x.json": tunedOptions}
	for name, text := range tunedFiles {
		all[name] = text
	}
	path := files(t, all)
	a := built(t, path)
	v, n := a.versions[0], framework.IntValues("N", 1000)
	made := func(want []string, tunables framework.Values) (registers, bytes int) {
		t.Helper()
		s, err := v.unit.source(a, v, n, tunables, gpu.Facts{}, v.launches)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Options, want) {
			t.Errorf("%v gives %q, want %q", tunables, s.Options, want)
		}
		image, err := compiler(t).Compile(s, "sm_53")
		if err != nil {
			t.Fatal(err)
		}
		kernels, err := cubin.Kernels(image.Code)
		if err != nil {
			t.Fatal(err)
		}
		return kernels["work"].Registers, len(image.Code)
	}
	free, exact := made([]string{"-DN=1000"}, framework.IntValues("REGISTERS", 0, "FAST", 0))
	bounded, _ := made([]string{"-DN=1000", "--maxrregcount=32"}, framework.IntValues("REGISTERS", 32, "FAST", 0))
	if free <= 32 || bounded > 32 {
		t.Errorf("%d registers, with at most 32 allowed %d", free, bounded)
	}
	if _, fast := made([]string{"-DN=1000", "--use_fast_math"}, framework.IntValues("REGISTERS", 0, "FAST", 1)); fast >= exact {
		t.Errorf("%d bytes of code with fast sines, %d with exact ones", fast, exact)
	}

	f := factory(t, path)
	params := framework.IntValues("N", 1000)
	algorithmtest.Solve(t, f, nil, "c", params, framework.IntValues("WRONG", 0))
	checks, _, err := algorithmtest.Try(f, nil, "c", params, framework.IntValues("WRONG", 1))
	if err != nil || !slices.ContainsFunc(checks, func(c framework.Check) bool { return !c.OK() }) {
		t.Errorf("an option that makes the answer wrong was not given: %v, %v", checks, err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, c := range []struct{ old, bad, want string }{
		{`--maxrregcount={REGISTERS}`, `--maxrregcount={REGISTER}`, `options[1]: {REGISTER} is neither a parameter nor a tunable; did you mean "REGISTERS"?`},
		{`"FAST == 1"`, `"FAS == 1"`, `options[2].when`},
		{`"-DN={N}"]}}`, `"-DN={FAST}"]}}`, `verify.c.options[0]: {FAST} is neither a parameter nor a tunable`},
		{`"FAST == 1"`, `"device.multiprocessors == 1"`, `options[2].when`},
		{`, "when": "FAST == 1"`, ``, `options[2]`},
	} {
		all := map[string]string{"x.json": strings.Replace(tunedOptions, c.old, c.bad, 1)}
		for name, text := range tunedFiles {
			all[name] = text
		}
		cfg, err := config.Load(files(t, all))
		if err == nil {
			_, err = New(cfg)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.bad, err, c.want)
		}
	}
}
