package kernel

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// Tunables that are words, fractions and truths: a type in a macro and in a template, a factor, and a branch.
const (
	wordKernels = `template <class T, int ITEMS> __global__ void twice(const float *x, float *y) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    for (int k = 0; k < ITEMS; k++) y[i + k] = (T)(x[i + k] * (REAL)F) / (T)F * (NEGATE ? -2 : 2);
}
`
	wordConfig = `{"algorithm": {"cuda": {"source": "x.cu",
 "arguments": [{"name": "x", "type": "f32", "size": 128, "fill": {"random": [-1, 1]}}, {"name": "y", "type": "f32", "size": 128, "use": "output"}],
 "kernels": [{"name": "twice<TYPE, ITEMS>", "grid": 1, "block": "128 / ITEMS"}],
 "tunables": [{"name": "TYPE", "values": ["float", "double"], "define": false, "default": "ITEMS_OF > 2 ? 'double' : 'float'"}, {"name": "REAL", "values": ["double", "long double"]},
  {"name": "F", "values": [1.5, 2, 0.25], "default": 2}, {"name": "NEGATE", "values": [false, true], "default": false}, {"name": "ITEMS", "values": [4], "define": false}],
 "params": [{"name": "ITEMS_OF", "default": 4}],
 "constraints": ["TYPE == 'double' or F < 1.9", "REAL in ['double', 'long double']"],
 "verify": {"c": {"source": "x.c", "function": "right"}}}}}`
	wordRight = "void right(const float *x, float *y) { for (int i = 0; i < 128; i++) y[i] = 2 * x[i]; }\n"
)

func TestWordsAsTunables(t *testing.T) {
	d := device(t)
	f := factory(t, files(t, map[string]string{"x.json": wordConfig, "x.cu": wordKernels, "x.c": wordRight}))
	v := f.Versions[0]
	defaults := v.Defaults(framework.IntValues("ITEMS_OF", 1), d.Facts())
	if got := defaults["TYPE"].String() + " " + defaults["REAL"].String() + " " + defaults["F"].String() + " " + defaults["NEGATE"].String(); got != "float double 2 0" {
		t.Errorf("defaults %s", got)
	}
	for i, want := range []string{"float double", "double long double", "0.25 1.5 2", "0 1", "4"} {
		if got := strings.Join(v.Tunables[i].Texts(), " "); got != want {
			t.Errorf("%s: %s, want %s", v.Tunables[i].Name, got, want)
		}
	}
	try := func(set framework.Values) bool {
		t.Helper()
		tunables := v.Defaults(params(f, nil), d.Facts())
		for name, x := range set {
			tunables[name] = x
		}
		if err := v.Valid(params(f, nil), tunables, d.Facts()); err != nil {
			t.Fatal(err)
		}
		checks, _, err := algorithmtest.Try(f, d, "twice", nil, tunables)
		if err != nil {
			t.Fatal(err)
		}
		return algorithmtest.Good(checks)
	}
	for _, set := range []framework.Values{nil, {"TYPE": framework.TextValue("float"), "F": framework.FloatValue(1.5)}, {"F": framework.FloatValue(0.25), "REAL": framework.TextValue("long double")}} {
		if !try(set) {
			t.Errorf("%v is wrong", set)
		}
	}
	if try(framework.IntValues("NEGATE", 1)) {
		t.Error("the negative answer is right")
	}
	if err := v.Valid(params(f, nil), framework.Values{"TYPE": framework.TextValue("float"), "REAL": framework.TextValue("double"), "F": framework.FloatValue(2), "NEGATE": framework.IntValue(0), "ITEMS": framework.IntValue(4)}, d.Facts()); err == nil ||
		!strings.Contains(err.Error(), "TYPE == 'double' or F < 1.9 does not hold for TYPE = float, F = 2") {
		t.Error(err)
	}
}

func TestWordsAreRefused(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`["float", "double"]`, `["float", 2]`, "algorithm.cuda.tunables[0].values: 2 is a number and others are words; want one kind"},
		{`'double' : 'float'"`, `'half' : 'float'"`, "algorithm.cuda.tunables[0].default: ITEMS_OF > 2 ? 'half' : 'float' is half for ITEMS_OF = 4; want one of the values, float, double"},
		{`"default": 2}`, `"default": 3}`, "algorithm.cuda.tunables[2].default: this is 3; want one of the values, 0.25, 1.5, 2"},
		{`"TYPE == 'double' or`, `"TYPE > 1 or`, "algorithm.cuda.constraints[0]: at character 6: invalid operation: > (mismatched types string and int)"},
		{`"128 / ITEMS"`, `"128 / TYPE"`, "algorithm.cuda.kernels[0].block: at character 5: invalid operation: / (mismatched types int and string)"},
		{`"algorithm"`, `"tunables": {"TYPE": ["half"]}, "algorithm"`, "tunables.TYPE[0]: half is none of float, double, the values of TYPE"},
		{`"algorithm"`, `"tunables": {"F": [0.5]}, "algorithm"`, "tunables.F[0]: 0.5 is none of 0.25, 1.5, 2, the values of F"},
		{`"algorithm"`, `"tunables": {"ITEMS": ["half"]}, "algorithm"`, "tunables.ITEMS[0]: half is not a whole number; ITEMS takes them"},
		{`[false, true]`, `[false, 0]`, "algorithm.cuda.tunables[3].values[1]: 0 is listed twice"},
	} {
		if !strings.Contains(wordConfig, c.old) {
			t.Fatalf("no %s in the config", c.old)
		}
		err := checkedConfig(t, map[string]string{"x.json": strings.Replace(wordConfig, c.old, c.replacement, 1), "x.cu": wordKernels, "x.c": wordRight})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant %s", c.replacement, err, c.want)
		}
	}
}
