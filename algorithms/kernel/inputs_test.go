package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// kindOf are a config's parameters with a kind of inputs.
func kindOf(kind framework.Inputs) framework.Values {
	return framework.Values{"N": framework.IntValue(300), framework.InputsParam: framework.TextValue(string(kind))}
}

// TestVectorOfEachKind: of each type each kind is what docs/config.md says of it.
func TestVectorOfEachKind(t *testing.T) {
	for _, e := range elements {
		for _, kind := range framework.InputKinds() {
			least, greatest := -1., 1.
			if !e.isFloat() {
				if least, greatest = -100, 90; e.part[0] == 'u' {
					least = 0
				}
			}
			v := newVector(e, 200)
			v.make(kind, least, greatest, 7, 1)
			random := newVector(e, 200)
			random.random(least, greatest, 7, 1)
			list, drawn := v.numbers(), random.numbers()
			if wrong := unlike(kind, e, list, drawn, least, greatest); wrong != "" {
				t.Errorf("%s, %s: %s", e.name, kind, wrong)
			}
			other := newVector(e, 200)
			other.make(kind, least, greatest, 8, 1)
			if slices.Equal(v.data, other.data) != (kind == framework.ZeroInputs) {
				t.Errorf("%s, %s: of two seeds the same is %t", e.name, kind, kind != framework.ZeroInputs)
			}
		}
	}
}

// near is whether x is y, or of floats the multiple of a 32nd to a 64th of the range that is next to it.
func near(e element, x, y, least, greatest float64) bool {
	if !e.isFloat() {
		return x == y
	}
	step := math.Exp2(math.Floor(math.Log2(greatest-least))) / 64
	return math.Mod(x, step) == 0 && x != 0 && math.Abs(x-y) <= 2*step && x >= least && x <= greatest
}

// unlike says how numbers are not of a kind; drawn are the random ones.
func unlike(kind framework.Inputs, e element, list, drawn []float64, least, greatest float64) string {
	every := func(right func(i int) bool) string {
		for i := range list {
			if !right(i) {
				return fmt.Sprintf("number %d is %g, drawn %g", i, list[i], drawn[i])
			}
		}
		return ""
	}
	by := map[string]float64{"f32": 1 << 32, "bf16": 1 << 32, "f64": math.Exp2(256), "f16": 16}[e.part]
	switch kind {
	case framework.RandomInputs:
		return every(func(i int) bool { return list[i] == drawn[i] })
	case framework.ZeroInputs:
		return every(func(i int) bool { return list[i] == 0 })
	case framework.ConstantInputs:
		return every(func(i int) bool { return near(e, list[i], drawn[i%int(e.lanes)], least, greatest) })
	case framework.SortedInputs:
		want := slices.Sorted(slices.Values(drawn))
		if !slices.IsSorted(list) {
			return "not in order"
		}
		return every(func(i int) bool { return near(e, list[i], want[i], least, greatest) })
	case framework.NaNInputs:
		if !e.isFloat() {
			return every(func(i int) bool { return list[i] == drawn[i] })
		}
		special := 0
		for _, x := range list {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				special++
			}
		}
		if want := (len(list) + sprinkledOf - 1) / sprinkledOf; special != want || !slices.ContainsFunc(list, math.IsNaN) {
			return fmt.Sprintf("%d are not finite; want %d", special, want)
		}
		return ""
	}
	if e.isFloat() {
		if kind == framework.TinyInputs {
			by = 1 / by
		}
		off := 0.0
		if e.part == "f16" { // small numbers have few digits
			off = max(1, by) / (1 << 24)
		}
		return every(func(i int) bool { return math.Abs(list[i]-drawn[i]*by) <= off })
	}
	low, high := -105., 95.
	if kind == framework.HugeInputs {
		high = -89 // the sixteenth at -100, which is farther from 0
		if least == 0 {
			low, high = 85, 90
		}
	} else {
		low, high = -5, 6
	}
	return every(func(i int) bool { return list[i] >= max(least, low) && list[i] <= min(greatest, high) })
}

// kindsConfig doubles numbers, and looks up others, whose kinds differ.
func kindsConfig(change ...string) string {
	return strings.NewReplacer(change...).Replace(`{"algorithm": {"cuda": {"name": "twice", "params": [{"name": "N", "default": 300, "min": 1}],
	"arguments": [{"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}},
		{"name": "k", "type": "i32", "size": "N", "fill": {"random": [0, 50]}},
		{"name": "w", "type": "f32", "size": 51, "fill": {"random": [1, 2], "keep": true}},
		{"name": "y", "type": "f32", "size": "N", "use": "output"}, {"name": "n", "type": "i32", "value": "N"}],
	"verify": {"c": {"source": "x.c", "function": "right", "double": true}},
	"versions": [{"name": "mine", "c": {"source": "x.c", "function": "mine"}}]}}}`)
}

const kindsSource = `#include <stdint.h>
void right(const double *x, const int32_t *k, const double *w, double *y, int32_t n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i] * w[k[i]]; }
void mine(const float *x, const int32_t *k, const float *w, float *y, int32_t n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i] * w[k[i]]; }
`

// TestRefusedInputs: kinds that a config cannot have are refused in a line, which names the argument.
func TestRefusedInputs(t *testing.T) {
	for name, c := range map[string]struct {
		kind   framework.Inputs
		change []string
		want   string // empty: taken
	}{
		"zeros":              {framework.ZeroInputs, nil, ""},
		"huge":               {framework.HugeInputs, nil, ""},
		"nan":                {framework.NaNInputs, nil, ""},
		"no zero":            {framework.ZeroInputs, []string{"[0, 50]", "[1, 50]"}, "inputs = zeros: k: whole numbers from 1 to 50; 0 is none of them"},
		"too huge":           {framework.HugeInputs, []string{"[-1, 1]", "[-1, 1e30]"}, "inputs = huge: x: 4.29"},
		"no float":           {framework.NaNInputs, []string{`"fill": {"random": [-1, 1]}`, `"fill": {"constant": 1}`}, "inputs = nan: it changes the random numbers of a fill, of floats"},
		"nothing":            {framework.SortedInputs, []string{`"fill": {"random": [-1, 1]}`, `"fill": {"constant": 1}`, `[0, 50]}`, `[0, 50], "keep": true}`}, "inputs = sorted: it changes the random"},
		"stored":             {framework.TinyInputs, []string{`"c": {"source": "x.c", "function": "right", "double": true}`, `"files": {"y": "y.npy"}`}, "inputs = tiny: the right answer is stored"},
		"of the config's":    {framework.ZeroInputs, []string{`"min": 1}]`, `"min": 1}, {"name": "inputs", "kind": "text", "default": "zeros"}]`, "[0, 50]", "[1, 50]"}, ""},
		"random":             {framework.RandomInputs, []string{"[0, 50]", "[1, 50]"}, ""},
		"in another's range": {framework.ZeroInputs, []string{"[1, 2]", "[2, 3]"}, ""},
	} {
		f := factory(t, files(t, map[string]string{"x.json": kindsConfig(c.change...), "x.c": kindsSource, "y.npy": "none"}))
		err := f.CheckParams(kindOf(c.kind))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// TestOtherInputs: two sets of inputs differ wherever they can, and zeros, which cannot, say so.
func TestOtherInputs(t *testing.T) {
	for name, c := range map[string]struct {
		kind   framework.Inputs
		change []string
		other  bool
		said   string
	}{
		"constant": {framework.ConstantInputs, nil, true, ""},
		"constant bits": {framework.ConstantInputs, []string{`"fill": {"random": [-1, 1]}`, `"fill": {"constant": 1}`, "[0, 50]", "[0, 1]",
			`"fill": {"random": [1, 2], "keep": true}`, `"fill": {"constant": 1}`}, true, ""},
		"sorted":            {framework.SortedInputs, nil, true, ""},
		"tiny":              {framework.TinyInputs, nil, true, ""},
		"nan":               {framework.NaNInputs, nil, true, ""},
		"zeros beside kept": {framework.ZeroInputs, nil, true, ""},
		"zeros":             {framework.ZeroInputs, []string{`[1, 2], "keep": true`, "[1, 2]"}, false, "others would be zeros too"},
		"one number":        {framework.RandomInputs, []string{"[-1, 1]", "[2, 2]", "[0, 50]", "[7, 7]", "[1, 2]", "[3, 3]"}, false, "others were drawn alike"},
	} {
		f := factory(t, files(t, map[string]string{"x.json": kindsConfig(c.change...), "x.c": kindsSource}))
		for seed := range uint64(8) {
			var said []string
			env := framework.Env{Seed: seed, Note: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
			x, err := f.NewProblem(env, kindOf(c.kind))
			if err != nil {
				t.Fatal(err)
			}
			p := x.(*problem)
			second, err := p.alternate(env)
			if err != nil || (second != nil) != c.other {
				t.Fatalf("%s: %v, %v", name, second, err)
			}
			if all := strings.Join(said, ""); (all == "") != (c.said == "") || !strings.Contains(all, c.said) {
				t.Errorf("%s: %q", name, all)
			}
			if second != nil {
				if same, err := p.alike(second); same || err != nil {
					t.Errorf("%s: the second set is the first, %v", name, err)
				}
			}
			p.Close()
		}
	}
}

// TestCandidatesFittedToInputs: what is right for random numbers alone is wrong to a kind, and what is right for
// all numbers is not.
func TestCandidatesFittedToInputs(t *testing.T) {
	body := func(line string) string {
		return kindsSource + "#include <math.h>\nvoid fitted(const float *x, const int32_t *k, const float *w, float *y, int32_t n) { for (int i = 0; i < n; i++) " + line + " }\n"
	}
	const right = "y[i] = 2 * x[i] * w[k[i]];"
	for name, c := range map[string]struct {
		line  string
		wrong []framework.Inputs
	}{
		"right":            {right, nil},
		"leaves the zeros": {"if (x[i] != 0) " + right, []framework.Inputs{framework.ZeroInputs}},
		"from -1 to 1":     {"y[i] = 2 * fmaxf(-1, fminf(1, x[i])) * w[k[i]];", []framework.Inputs{framework.HugeInputs, framework.NaNInputs}},
		"not alike":        {"if (x[0] == x[n-1]) y[i] = 0; else " + right, []framework.Inputs{framework.ConstantInputs}},
		"not in order":     {"y[i] = x[0] < x[n-1] && x[0] <= x[1] && x[1] <= x[2] && x[2] <= x[3] && x[3] <= x[4] && x[4] <= x[5] && x[5] <= x[6] && x[6] <= x[7] ? 0 : 2 * x[i] * w[k[i]];", []framework.Inputs{framework.SortedInputs}},
		"not small":        {"y[i] = fabsf(x[i]) < 1e-8f ? 0 : 2 * x[i] * w[k[i]];", []framework.Inputs{framework.TinyInputs}},
		"finite":           {"y[i] = x[i] - x[i] == 0 ? 2 * x[i] * w[k[i]] : 0;", []framework.Inputs{framework.NaNInputs}},
		"writes nothing":   {";", []framework.Inputs{framework.RandomInputs, framework.ZeroInputs, framework.ConstantInputs, framework.SortedInputs, framework.HugeInputs, framework.TinyInputs, framework.NaNInputs}},
	} {
		text := kindsConfig(`"function": "mine"`, `"function": "fitted"`)
		f := factory(t, files(t, map[string]string{"x.json": text, "x.c": body(c.line)}))
		for _, kind := range framework.InputKinds() {
			checks, _, err := algorithmtest.Try(f, nil, "mine", kindOf(kind), nil)
			if got, want := algorithmtest.Good(checks), !slices.Contains(c.wrong, kind); err != nil || got != want {
				t.Errorf("%s, %s: right is %t, want %t: %+v, %v", name, kind, got, want, checks, err)
			}
		}
	}
}

// TestAlikeNumbersCancel: of constant inputs a difference is what rounding left of it, which is compared with the
// inputs; of random ones with the answer.
func TestAlikeNumbersCancel(t *testing.T) {
	source := `#include <stdint.h>
void right(const double *x, const int32_t *k, const double *w, double *y, int32_t n) { for (int i = 0; i < n; i++) y[i] = (x[i] + x[n-1-i] + x[n/2]) - 3 * x[i] + 1e-9 * x[i]; }
void mine(const float *x, const int32_t *k, const float *w, float *y, int32_t n) { for (int i = 0; i < n; i++) y[i] = (x[i] + x[n-1-i] + x[n/2]) - 3 * x[i] + OFF; }
`
	for off, want := range map[string]bool{"3e-7f": true, "1e-3f": false} {
		f := factory(t, files(t, map[string]string{"x.json": kindsConfig("[-1, 1]", "[0.9, 1]"), "x.c": strings.Replace(source, "OFF", off, 1)}))
		checks, _, err := algorithmtest.Try(f, nil, "mine", kindOf(framework.ConstantInputs), nil)
		if err != nil || algorithmtest.Good(checks) != want {
			t.Errorf("off by %s: %+v, %v", off, checks, err)
		}
	}
}

// TestSumsOfAlikeNumbers: a long sum in single precision is right by the bound that holds for random numbers.
func TestSumsOfAlikeNumbers(t *testing.T) {
	source := `#include <stdint.h>
void right(const double *x, const int32_t *k, const double *w, double *y, int32_t n) { for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < 16384; j++) s += x[j % n] * x[i]; y[i] = s; } }
void mine(const float *x, const int32_t *k, const float *w, float *y, int32_t n) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < 16384; j++) s += x[j % n] * x[i]; y[i] = s * OFF; } }
`
	for off, want := range map[string]bool{"1": true, "1.0001f": false} {
		f := factory(t, files(t, map[string]string{"x.json": kindsConfig(), "x.c": strings.Replace(source, "OFF", off, 1)}))
		for _, kind := range []framework.Inputs{framework.ConstantInputs, framework.SortedInputs} {
			checks, _, err := algorithmtest.Try(f, nil, "mine", kindOf(kind), nil)
			if err != nil || algorithmtest.Good(checks) != want {
				t.Errorf("%s, times %s: %+v, %v", kind, off, checks, err)
			}
		}
	}
}

// TestComplexThatIsNotFinite: which part is not may differ, that one is may not.
func TestComplexThatIsNotFinite(t *testing.T) {
	text := strings.NewReplacer(`"type": "f32", "size": "N", "fill"`, `"type": "c64", "size": "N", "fill"`, `"type": "f32", "size": "N", "use"`, `"type": "c64", "size": "N", "use"`).Replace(kindsConfig())
	for line, want := range map[string]bool{
		"y[2*i] = x[2*i] * 2; y[2*i+1] = x[2*i+1] * 2;": true,
		"float s = x[2*i] + x[2*i+1]; y[2*i] = x[2*i] * 2; y[2*i+1] = x[2*i+1] * 2; if (s - s != 0) y[2*i] = y[2*i+1] = s - s;": true,
		"float s = x[2*i] + x[2*i+1]; y[2*i] = x[2*i] * 2; y[2*i+1] = x[2*i+1] * 2; if (s - s != 0) y[2*i] = y[2*i+1] = 0;":     false,
		"float s = x[2*i] + x[2*i+1]; y[2*i] = x[2*i] * 2; y[2*i+1] = x[2*i+1] * 2; if (s - s == 0) y[2*i] += 1e-3f;":           false,
	} {
		source := "#include <stdint.h>\nvoid right(const double _Complex *x, const int32_t *k, const double *w, double _Complex *y, int32_t n) { for (int i = 0; i < n; i++) y[i] = x[i] * 2; }\n" +
			"void mine(const float _Complex *a, const int32_t *k, const float *w, float _Complex *b, int32_t n) { const float *x = (void *)a; float *y = (void *)b; for (int i = 0; i < n; i++) { " + line + " } }\n"
		f := factory(t, files(t, map[string]string{"x.json": text, "x.c": source}))
		checks, _, err := algorithmtest.Try(f, nil, "mine", kindOf(framework.NaNInputs), nil)
		if err != nil || algorithmtest.Good(checks) != want {
			t.Errorf("%s: %+v, %v", line, checks, err)
		}
	}
}

// TestNaNIsWritten: where the whole right answer is not a number, an output that nothing writes is wrong.
func TestNaNIsWritten(t *testing.T) {
	source := `#include <stdint.h>
void right(const double *x, const int32_t *k, const double *w, double *y, int32_t n) { y[0] = 0; for (int i = 0; i < n; i++) y[0] += x[i]; }
void mine(const float *x, const int32_t *k, const float *w, float *y, int32_t n) { MINE }
`
	text := kindsConfig(`"name": "y", "type": "f32", "size": "N"`, `"name": "y", "type": "f32", "size": 1`)
	for mine, want := range map[string]bool{"": false, "y[0] = 0; for (int i = 0; i < n; i++) y[0] += x[i];": true} {
		f := factory(t, files(t, map[string]string{"x.json": text, "x.c": strings.Replace(source, "MINE", mine, 1)}))
		checks, _, err := algorithmtest.Try(f, nil, "mine", kindOf(framework.NaNInputs), nil)
		if err != nil || algorithmtest.Good(checks) != want {
			t.Errorf("%q: %+v, %v", mine, checks, err)
		}
	}
}
