package plan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// example is a factory with two CPU and two GPU versions, one name on both.
func example() *framework.Factory {
	integer := func(lo, hi int64) []int64 { return []int64{lo, hi} }
	return &framework.Factory{
		Name: "fft",
		Params: []framework.Param{
			{Name: "N", Doc: "a power of two", Kind: framework.Int, Default: framework.IntValue(64), Min: 64, Max: 8388608},
			{Name: "elements", Unit: "points", Kind: framework.Int, Default: framework.IntValue(1024),
				DefaultGPU: framework.IntValue(1 << 20), Min: 1, Max: 1 << 30},
			{Name: "precision", Kind: framework.Text, Default: framework.TextValue("f32"), Choices: []string{"f32", "f64"}},
			{Name: "scale", Kind: framework.Float, Default: framework.FloatValue(1)},
		},
		Check: func(v framework.Values) error {
			n := v.Int("N")
			if n&(n-1) != 0 {
				return fmt.Errorf("N = %d is not a power of two", n)
			}
			if v.Int("elements") < n {
				return fmt.Errorf("elements = %d is less than N = %d", v.Int("elements"), n)
			}
			return nil
		},
		Versions: []framework.Version{
			{Name: "reference", Processor: framework.CPU},
			{Name: "stockham", Processor: framework.CPU, Supports: func(p framework.Values, f gpu.Facts) error {
				if p.Int("N") > 256 {
					return errors.New("N is above 256")
				}
				return nil
			}},
			{Name: "stockham", Processor: framework.GPU,
				Tunables: []framework.Tunable{{Name: "R", Values: integer(2, 4)}, {Name: "L", Values: integer(32, 64)}},
				Defaults: func(p framework.Values, f gpu.Facts) framework.Values {
					return framework.Values{"R": framework.IntValue(4)}
				},
				Valid: func(p, t framework.Values, f gpu.Facts) error {
					if t.Int("R")*t.Int("L") > int64(f.MaxThreadsBlock) {
						return fmt.Errorf("R·L = %d is more than %d threads", t.Int("R")*t.Int("L"), f.MaxThreadsBlock)
					}
					return nil
				}},
			{Name: "cufft", Processor: framework.GPU, Peer: true,
				Available: func() error { return errors.New("libcufft.so was not found") }},
		},
	}
}

var (
	onGPU = Machine{Device: "cuda:1", GPU: &gpu.Facts{MaxThreadsBlock: 128}}
	noGPU = Machine{NoGPU: "libcuda.so.1 was not found"}
)

func load(t *testing.T, text string) *config.Config {
	t.Helper()
	cfg, err := config.Parse("x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// lines writes points one per line: version, device, what differs from the
// defaults of example, the tunables, and why it is skipped.
func lines(p *Plan) (s []string) {
	for _, x := range p.Points {
		line := x.Version + "@" + x.Device
		for _, n := range x.ParamOrder {
			line += " " + x.Params[n].String()
		}
		for _, n := range x.TunableOrder {
			line += " " + n + x.Tunables[n].String()
		}
		if x.Skip != "" {
			line += " skip: " + x.Skip
		}
		s = append(s, line)
	}
	return s
}

func TestPoints(t *testing.T) {
	for _, c := range []struct {
		name, text string
		machine    Machine
		points     []string
		left       []string
	}{
		{"all versions without a GPU", `{"algorithm": "fft"}`, noGPU,
			[]string{"reference@cpu 64 1024 f32 1", "stockham@cpu 64 1024 f32 1"},
			[]string{"GPU versions stockham, cufft left out: no GPU: libcuda.so.1 was not found"}},
		{"all versions with a GPU", `{"algorithm": "fft"}`, onGPU,
			[]string{"reference@cpu 64 1024 f32 1", "stockham@cpu 64 1024 f32 1",
				"stockham@cuda:1 64 1048576 f32 1 R4 L32", "cufft@cuda:1 64 1048576 f32 1 skip: libcufft.so was not found"}, nil},
		{"processor of the config", `{"algorithm": "fft", "processor": "CPU", "versions": ["stockham"]}`, onGPU,
			[]string{"stockham@cpu 64 1024 f32 1"},
			[]string{"GPU version stockham left out: processor is CPU"}},
		{"processor of the command line goes before", `{"algorithm": "fft", "processor": "CPU", "versions": ["stockham"]}`,
			Machine{Processor: "GPU", GPU: onGPU.GPU},
			[]string{"stockham@cuda:0 64 1048576 f32 1 R4 L32"},
			[]string{"CPU version stockham left out: processor is GPU"}},
		{"first axis slowest, versions of a problem together",
			`{"algorithm": "fft", "static_args": [["--elements", 2048]], "sweep_arg": [["--N", [64, 128]], ["precision", ["f32", "f64"]]]}`,
			Machine{Processor: "CPU"},
			[]string{"reference@cpu 64 2048 f32 1", "stockham@cpu 64 2048 f32 1",
				"reference@cpu 64 2048 f64 1", "stockham@cpu 64 2048 f64 1",
				"reference@cpu 128 2048 f32 1", "stockham@cpu 128 2048 f32 1",
				"reference@cpu 128 2048 f64 1", "stockham@cpu 128 2048 f64 1"},
			[]string{"GPU versions stockham, cufft left out: processor is CPU"}},
		{"unsupported size", `{"algorithm": "fft", "sweep_arg": {"N": [256, 512]}, "versions": ["stockham"]}`, noGPU,
			[]string{"stockham@cpu 256 1024 f32 1", "stockham@cpu 512 1024 f32 1 skip: N is above 256"},
			[]string{"GPU version stockham left out: no GPU: libcuda.so.1 was not found"}},
		{"a size that only the GPU's default holds", `{"algorithm": "fft", "sweep_arg": {"N": [1024, 2048]}, "versions": ["reference", "cufft"]}`, onGPU,
			[]string{"reference@cpu 1024 1024 f32 1",
				"cufft@cuda:1 1024 1048576 f32 1 skip: libcufft.so was not found",
				"reference@cpu 2048 1024 f32 1 skip: elements = 1024 is less than N = 2048",
				"cufft@cuda:1 2048 1048576 f32 1 skip: libcufft.so was not found"}, nil},
		{"tunables multiply, bad ones are skipped", `{"algorithm": "fft", "processor": "GPU", "versions": ["stockham"], "tunables": {"L": [32, 64], "R": [2, 4]}}`, onGPU,
			[]string{"stockham@cuda:1 64 1048576 f32 1 R2 L32", "stockham@cuda:1 64 1048576 f32 1 R4 L32",
				"stockham@cuda:1 64 1048576 f32 1 R2 L64",
				"stockham@cuda:1 64 1048576 f32 1 R4 L64 skip: tunables cannot run: R·L = 256 is more than 128 threads"},
			[]string{"CPU version stockham left out: processor is GPU"}},
		{"tunables of versions that cannot run here", `{"algorithm": "fft", "tunables": {"L": 32}}`, noGPU,
			[]string{"reference@cpu 64 1024 f32 1", "stockham@cpu 64 1024 f32 1"},
			[]string{"GPU versions stockham, cufft left out: no GPU: libcuda.so.1 was not found"}},
		{"kinds are converted", `{"algorithm": "fft", "processor": "CPU", "versions": ["reference"], "static_args": {"N": 128.0, "scale": 2}}`, onGPU,
			[]string{"reference@cpu 128 1024 f32 2"}, nil},
	} {
		p, err := Make(t.Context(), load(t, c.text), example(), c.machine)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := lines(p); !reflect.DeepEqual(got, c.points) {
			t.Errorf("%s: got points\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.points, "\n"))
		}
		told := c.left
		if c.machine.Processor != "" { // the command line asked for it
			told = nil
		}
		for i, line := range told {
			if names, why, found := strings.Cut(line, " left out: no GPU: "); found {
				told = slices.Clone(told)
				_, names, _ = strings.Cut(strings.TrimPrefix(names, "GPU "), " ")
				told[i] = "CPU only, without " + names + ": " + why + " (bench doctor)"
			}
		}
		if got := p.Remarks(); strings.Join(got, "\n") != strings.Join(told, "\n") {
			t.Errorf("%s: told of %q, want %q", c.name, got, told)
		}
		if !reflect.DeepEqual(p.LeftOut, c.left) {
			t.Errorf("%s: left out %q, want %q", c.name, p.LeftOut, c.left)
		}
		for i, x := range p.Points {
			if x.ID != i || x.Algorithm != "fft" || x.Peer != (x.Version == "cufft") {
				t.Errorf("%s: point %d is %+v", c.name, i, x)
			}
			if x.Params["N"].Kind() != framework.Int || x.Params["scale"].Kind() != framework.Float {
				t.Errorf("%s: point %d has params of the wrong kind: %v", c.name, i, x.Params)
			}
		}
	}
}

func TestAxes(t *testing.T) {
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "sweep_arg": {"--elements": {"from": 1024, "to": 4096, "factor": 2}, "N": [64, 128]},
		"tunables": {"L": [32, 64]}}`), example(), onGPU)
	if err != nil {
		t.Fatal(err)
	}
	want := []Axis{{Name: "elements", Unit: "points", Geometric: true, Count: 3}, {Name: "N", Count: 2}, {Name: "L", Tunable: true, Count: 2}}
	if !reflect.DeepEqual(p.Axes, want) {
		t.Errorf("got %+v, want %+v", p.Axes, want)
	}
}

func TestPowerMode(t *testing.T) {
	m := noGPU
	m.PowerMode = "MAXN"
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft"}`), example(), m)
	if err != nil || p.Points[0].PowerMode != "MAXN" {
		t.Errorf("got %+v, %v", p, err)
	}
}

// Version.Available may load a library: it is asked once, not once per point.
func TestAvailableIsAskedOnce(t *testing.T) {
	f, asked := example(), 0
	f.Versions[0].Available = func() error { asked++; return nil }
	if _, err := Make(t.Context(), load(t, `{"algorithm": "fft", "sweep_arg": {"N": [64, 128, 256]}}`), f, noGPU); err != nil || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestPeersDoNotRunInTheSimulator(t *testing.T) {
	f := example()
	for i := range f.Versions {
		f.Versions[i].Available = nil
	}
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "versions": ["stockham", "cufft"], "processor": "GPU"}`), f,
		Machine{Device: "sim", GPU: &gpu.Facts{MaxThreadsBlock: 1024}})
	if err != nil {
		t.Fatal(err)
	}
	for _, pt := range p.Points {
		if skipped := pt.Skip != ""; skipped != (pt.Version == "cufft") {
			t.Errorf("%s: skip is %q", pt.Version, pt.Skip)
		}
	}
	if len(p.Points) != 2 {
		t.Errorf("%d points, want 2", len(p.Points))
	}
}

// A program finds its GPU by itself and its parameters keep their dashes.
func TestExternalProgram(t *testing.T) {
	f := &framework.Factory{Name: "x", External: true,
		Params:   []framework.Param{{Name: "--n", Kind: framework.Int, Default: framework.IntValue(1)}},
		Versions: []framework.Version{{Name: "x", Processor: framework.GPU}}}
	p, err := Make(t.Context(), load(t, `{"executable": "x", "processor": "GPU", "sweep_arg": {"--n": [1, 2]}}`), f, noGPU)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lines(p), []string{"x@cuda:0 1", "x@cuda:0 2"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No two points of a sweep may share a key: keys identify points.
func TestKeysDiffer(t *testing.T) {
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "sweep_arg": {"N": [64, 128], "scale": {"from": 0.1, "to": 1, "step": 0.1}},
		"tunables": {"R": [2, 4]}}`), example(), onGPU)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, x := range p.Points {
		if seen[x.Key()] {
			t.Errorf("two points with the key %s", x.Key())
		}
		seen[x.Key()] = true
	}
	if want := 2 * 10 * (1 + 1 + 2 + 1); len(p.Points) != want {
		t.Errorf("%d points, want %d", len(p.Points), want)
	}
}

// What is known of a version's tunables replaces its defaults, unless the config
// sets one of them.
func TestTuned(t *testing.T) {
	m := onGPU
	m.Tuned = func(v *framework.Version, p framework.Values, f gpu.Facts) (framework.Values, string) {
		if v.Name != "stockham" || v.Processor != framework.GPU || f.MaxThreadsBlock != 128 || p.Int("N") == 128 {
			return nil, "nowhere"
		}
		return framework.Values{"L": framework.IntValue(64), "R": framework.IntValue(2)}, "a search"
	}
	for _, c := range []struct{ text, line, from, changed string }{
		{`{"algorithm": "fft", "versions": ["stockham"], "processor": "GPU"}`, "stockham@cuda:1 64 1048576 f32 1 R2 L64", "a search", "R L"},
		{`{"algorithm": "fft", "versions": ["stockham"], "processor": "GPU", "static_args": {"N": 128}}`, "stockham@cuda:1 128 1048576 f32 1 R4 L32", "", ""},
		{`{"algorithm": "fft", "versions": ["stockham"], "processor": "GPU", "tunables": {"R": 2}}`, "stockham@cuda:1 64 1048576 f32 1 R2 L32", "", "R"},
	} {
		p, err := Make(t.Context(), load(t, c.text), example(), m)
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(p); len(got) != 1 || got[0] != c.line || p.Points[0].Tuned != c.from || strings.Join(p.Points[0].Changed, " ") != c.changed {
			t.Errorf("%s: %q from %q, changed %q; want %q from %q, changed %q", c.text, got, p.Points[0].Tuned, p.Points[0].Changed, c.line, c.from, c.changed)
		}
	}
}

// Points are the same where their keys are, in order.
func TestHash(t *testing.T) {
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "sweep_arg": {"N": [64, 128]}}`), example(), noGPU)
	if err != nil {
		t.Fatal(err)
	}
	same := slices.Clone(p.Points)
	same[0].ID, same[0].Tuned = 7, "elsewhere"
	if Hash(same) != Hash(p.Points) {
		t.Error("points of equal keys differ")
	}
	slices.Reverse(same)
	if Hash(same) == Hash(p.Points) || Hash(same[1:]) == Hash(same) || Hash(nil) == "" {
		t.Error("other points, or another order, are the same")
	}
}

// A fault that names nothing of the config is put at the last argument, else at the
// algorithm.
func TestBlameWithoutSweep(t *testing.T) {
	f := example()
	f.Check = func(framework.Values) error { return errors.New("it does not fit") }
	for text, want := range map[string]string{
		`{"algorithm": "fft", "static_args": {"N": 64, "scale": 2}, "versions": ["reference"]}`: "x.json:1:56: static_args.scale: it does not fit",
		`{"algorithm": "fft", "versions": ["reference"]}`:                                       "x.json:1:15: algorithm: it does not fit",
	} {
		if _, err := Make(t.Context(), load(t, text), f, noGPU); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// As many points as a run may have are planned.
func TestMostPoints(t *testing.T) {
	p, err := Make(t.Context(), load(t, `{"algorithm": "fft", "versions": ["reference"], "sweep_arg": {"scale": {"from": 1, "to": 1000, "step": 1}, "elements": {"from": 101, "to": 200, "step": 1}}}`), example(), noGPU)
	if err != nil || len(p.Points) != maxPoints {
		t.Errorf("%v", err)
	}
}
