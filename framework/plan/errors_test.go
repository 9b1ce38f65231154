package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text    string
		machine Machine
		want    string
	}{
		{`{"algorithm": "fft", "sweep_arg": {"N": [64, -5]}}`, noGPU,
			`x.json:1:46: sweep_arg.N[1]: -5 is less than 64; want a whole number from 64 to 8388608 (a power of two)`},
		{`{"algorithm": "fft", "sweep_arg": {"N": [64, 96, 100]}}`, noGPU,
			"x.json:1:46: sweep_arg.N[1]: N = 96 is not a power of two\nx.json:1:50: sweep_arg.N[2]: N = 100 is not a power of two"},
		{`{"algorithm": "fft", "sweep_arg": {"N": {"from": 64, "to": 256, "step": 32}}}`, noGPU,
			"x.json:1:41: sweep_arg.N: N = 96 is not a power of two (and 3 more here)"},
		{`{"algorithm": "fft", "sweep_arg": {"N": [64, 65.5, "a", 99999999]}}`, noGPU,
			`x.json:1:46: sweep_arg.N[1]: 65.5 is not a whole number; want a whole number from 64 to 8388608 (a power of two)` + "\n" +
				`x.json:1:52: sweep_arg.N[2]: "a" is a word; want a whole number from 64 to 8388608 (a power of two)` + "\n" +
				`x.json:1:57: sweep_arg.N[3]: 99999999 is more than 8388608; want a whole number from 64 to 8388608 (a power of two)`},
		{`{"algorithm": "fft", "static_args": [["--precison", "f32"]]}`, noGPU,
			`x.json:1:39: static_args[0][0]: "precison" is not a parameter of fft; did you mean "precision"? parameters: N, elements, precision, scale`},
		{`{"algorithm": "fft", "sweep_arg": {"foo": [1]}}`, noGPU,
			`x.json:1:36: sweep_arg.foo: "foo" is not a parameter of fft; parameters: N, elements, precision, scale`},
		{`{"algorithm": "fft", "static_args": {"precision": "f23", "scale": "big"}}`, noGPU,
			`x.json:1:51: static_args.precision: "f23" is not a choice; did you mean "f32"? want one of f32, f64` + "\n" +
				`x.json:1:67: static_args.scale: "big" is a word; want a number`},
		{`{"algorithm": "fft", "static_args": {"precision": 32}}`, noGPU,
			`x.json:1:51: static_args.precision: 32 is a number; want one of f32, f64`},
		{`{"algorithm": "fft", "static_args": {"precision": "single"}}`, noGPU,
			`x.json:1:51: static_args.precision: "single" is not a choice; want one of f32, f64`},
		{`{"algorithm": "fft", "versions": ["stokham", "reference"], "tunables": {"L": 32}}`, noGPU,
			`x.json:1:35: versions[0]: "stokham" is not a version of fft; did you mean "stockham"? versions: reference, stockham, cufft`},
		{`{"algorithm": "fft", "versions": ["reference"], "tunables": {"L": 32}}`, noGPU,
			`x.json:1:62: tunables.L: "L" is not a tunable of the versions chosen; there are no tunables`},
		{`{"algorithm": "fft", "tunables": {"LL": [32], "R": [2.5, 4.0]}}`, noGPU,
			`x.json:1:35: tunables.LL: "LL" is not a tunable of the versions chosen; did you mean "L"? tunables: R, L` + "\n" +
				`x.json:1:53: tunables.R[0]: 2.5 is not a whole number; R takes them`},
		// Combinations: the swept setting that is named, else the static one.
		{`{"algorithm": "fft", "static_args": {"elements": 64}, "sweep_arg": {"N": [64, 128]}}`, noGPU,
			`x.json:1:79: sweep_arg.N[1]: elements = 64 is less than N = 128`},
		{`{"algorithm": "fft", "static_args": {"N": 96}, "sweep_arg": {"elements": [128, 256]}}`, noGPU,
			`x.json:1:43: static_args.N: N = 96 is not a power of two`},
		{`{"algorithm": "fft", "sweep_arg": {"N": [1024, 4096], "elements": [512, 2048]}}`, noGPU,
			`x.json:1:68: sweep_arg.elements[0]: elements = 512 is less than N = 1024 (and 1 more here)` + "\n" +
				`x.json:1:73: sweep_arg.elements[1]: elements = 2048 is less than N = 4096`},
		// Processors.
		{`{"algorithm": "fft", "processor": "GPU"}`, noGPU,
			`x.json:1:35: processor: there is no GPU: libcuda.so.1 was not found; want CPU or auto, or a machine with a GPU`},
		{`{"algorithm": "fft"}`, Machine{Processor: "GPU", NoGPU: "why"},
			`x.json: processor GPU is asked for, but there is no GPU: why; want CPU or auto, or a machine with a GPU`},
		{`{"algorithm": "fft", "versions": ["reference"]}`, Machine{Processor: "GPU"}, // no GPU was asked for
			`x.json:1:34: versions: no version is left to run: CPU version reference left out: processor is GPU`},
		{`{"algorithm": "fft"}`, Machine{Processor: "TPU"}, `"TPU" is not a processor; want auto, CPU or GPU`},
		{`{"algorithm": "fft", "versions": ["cufft"]}`, noGPU,
			`x.json:1:34: versions: no version is left to run: GPU version cufft left out: no GPU: libcuda.so.1 was not found`},
		{`{"algorithm": "fft", "versions": ["reference"], "processor": "GPU"}`, onGPU,
			`x.json:1:34: versions: no version is left to run: CPU version reference left out: processor is GPU`},
		{`{"algorithm": "fft", "sweep_arg": {"scale": {"from": 1, "to": 1000, "step": 1}, "elements": {"from": 1001, "to": 1100, "step": 1}}}`, noGPU,
			`x.json:1:35: sweep_arg: versions, sweep and tunables make 200000 points; want at most 100000`},
		{`{"algorithm": "fft", "tunables": {"R": {"from": 1, "to": 1000, "step": 1}, "L": {"from": 1, "to": 1000, "step": 1}}}`, onGPU,
			`x.json:1:34: tunables: versions, sweep and tunables make 1000003 points; want at most 100000 (bench tune searches larger spaces)`},
		{`{"algorithm": "fft", "tunables": {"R": {"from": 1, "to": 1000, "step": 1}, "L": {"from": 1, "to": 1000, "step": 1}, "S": 1}}`, Machine{GPU: AnyGPU(), Search: true},
			`x.json:1:117: tunables.S: "S" is not a tunable of the versions chosen; did you mean "R"? tunables: R, L`},
	} {
		p, err := Make(t.Context(), load(t, c.text), example(), c.machine)
		if err == nil {
			t.Errorf("%s: accepted with %d points, want %s", c.text, len(p.Points), c.want)
		} else if err.Error() != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, err, c.want)
		}
		var list *config.Errors
		if fault := strings.HasPrefix(c.want, "x.json:1"); errors.As(err, &list) != fault {
			t.Errorf("%s: got a %T", c.text, err)
		}
	}
}

// A check's error that knows its position, as a wrong expression does, is
// reported there once, not at every value at which it fails.
func TestErrorWithItsPlace(t *testing.T) {
	f := example()
	f.Check = func(v framework.Values) error {
		return fmt.Errorf("size: %w", there{fmt.Errorf("a is -1 for N = %v", v.Int("N"))})
	}
	cfg, err := config.Parse("x.json", []byte(`{"algorithm": "fft", "versions": ["reference"], "sweep_arg": {"N": [64, 128, 256]}}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = "x.json:7:3: algorithm.a: a is -1 for N = 64 (and 2 more here)"
	if _, err := Make(t.Context(), cfg, f, Machine{}); err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// If the config does not have the position, the value is blamed.
func TestErrorWithoutItsPlace(t *testing.T) {
	f := example()
	f.Check = func(framework.Values) error { return nowhere{there{errors.New("a is -1")}} }
	cfg, err := config.Parse("x.json", []byte(`{"algorithm": "fft", "versions": ["reference"], "sweep_arg": {"N": [64]}}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = "x.json:1:69: sweep_arg.N[0]: a is -1"
	if _, err := Make(t.Context(), cfg, f, Machine{}); err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// Values on the command line are checked like those in the file.
func TestSetIsChecked(t *testing.T) {
	for assignment, want := range map[string]string{
		"N=abc":         `x.json: --set N: "abc" is a word; want a whole number from 64 to 8388608 (a power of two)`,
		"N=1":           "x.json: --set N: 1 is less than 64; want a whole number from 64 to 8388608 (a power of two)",
		"N=65":          "x.json: --set N: N = 65 is not a power of two",
		"precision=f65": `x.json: --set precision: "f65" is not a choice; did you mean "f64"? want one of f32, f64`,
		"elemnts=3":     `x.json: --set elemnts: "elemnts" is not a parameter of fft; did you mean "elements"? parameters: N, elements, precision, scale`,
	} {
		cfg, err := config.Parse("x.json", []byte(`{"algorithm": "fft", "versions": ["reference"], "sweep_arg": {"N": [64, 128]}}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := cfg.Set([]string{assignment}, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := Make(t.Context(), cfg, example(), Machine{}); err == nil || err.Error() != want {
			t.Errorf("--set %s:\n got %v\nwant %s", assignment, err, want)
		}
	}
}

type nowhere struct{ there }

func (nowhere) Position() config.Position { return config.Position{Path: "algorithm.a"} }

type there struct{ error }

func (there) Position() config.Position {
	return config.Position{Line: 7, Column: 3, Path: "algorithm.a"}
}
