package algorithms

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// larger are problems of which sums are long enough that bounds for random numbers would refuse others.
var larger = map[string][]framework.Values{
	"fft": {
		{"N": framework.IntValue(1 << 16), "batch_elements": framework.IntValue(3 << 16)},
		{"N": framework.IntValue(1 << 9), "batch_elements": framework.IntValue(300 << 9), "precision": framework.TextValue("f64")},
	},
	"scan": {
		{"N": framework.IntValue(1 << 18), "batch_elements": framework.IntValue(3 << 18)},
		{"N": framework.IntValue(1000), "batch_elements": framework.IntValue(300_000), "mode": framework.TextValue("exclusive")},
		{"N": framework.IntValue(70_001), "batch_elements": framework.IntValue(70_001), "type": framework.TextValue("f64")},
		{"N": framework.IntValue(70_001), "batch_elements": framework.IntValue(70_001), "type": framework.TextValue("i32")},
	},
	"tridiagonal": {
		{"N": framework.IntValue(20_000), "batch": framework.IntValue(3), "dominance": framework.FloatValue(1.05)},
		{"N": framework.IntValue(100), "batch": framework.IntValue(3000), "layout": framework.TextValue("interleaved"), "precision": framework.TextValue("f64")},
		{"N": framework.IntValue(300), "batch": framework.IntValue(3), "dominance": framework.FloatValue(0.5)},
	},
	"qr": {
		{"m": framework.IntValue(256), "n": framework.IntValue(64), "condition": framework.FloatValue(1e4)},
		{"m": framework.IntValue(50), "n": framework.IntValue(50), "batch": framework.IntValue(7), "precision": framework.TextValue("f64")},
	},
	"bicubic": {
		{"rows": framework.IntValue(100), "cols": framework.IntValue(131)},
		{"rows": framework.IntValue(100), "cols": framework.IntValue(131), "basis": framework.TextValue("bspline")},
	},
	"pattern": {{"K": framework.IntValue(100)}, {"K": framework.IntValue(3)}},
}

// refused are the kinds of inputs that an algorithm does not take, with a word of why.
var refused = map[string]map[framework.Inputs]string{
	"bicubic":     {framework.NaNInputs: "weight 0"},
	"tridiagonal": {framework.NaNInputs: "no solution"},
	"pattern":     {framework.NaNInputs: "least error"},
	"qr": {framework.ZeroInputs: "condition", framework.ConstantInputs: "condition", framework.SortedInputs: "condition",
		framework.NaNInputs: "condition"},
}

// TestInputs: every CPU version is right to each kind of inputs that its algorithm takes, and the others are
// refused in a line. GPU versions are in the contract's tests.
func TestInputs(t *testing.T) {
	for _, f := range All() {
		for _, kind := range framework.InputKinds() {
			params := framework.Values{framework.InputsParam: framework.TextValue(string(kind))}
			for _, p := range f.Params {
				params[p.Name] = p.Default
			}
			err := f.CheckParams(params)
			if why := refused[f.Name][kind]; why != "" {
				if err == nil || !strings.HasPrefix(err.Error(), "inputs = "+string(kind)+": ") || !strings.Contains(err.Error(), why) {
					t.Errorf("%s, %s: %v", f.Name, kind, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", f.Name, kind, err)
			}
			for _, problem := range larger[f.Name] {
				if kind == framework.NaNInputs && problem.Text("type") == "i32" || kind == framework.RandomInputs {
					continue
				}
				problem = problem.Clone()
				problem[framework.InputsParam] = framework.TextValue(string(kind))
				for _, v := range f.Versions {
					if v.Processor != framework.CPU || v.Peer || v.Available != nil && v.Available() != nil {
						continue
					}
					checks, _, err := algorithmtest.Try(f, nil, v.Name, problem, nil)
					if bad := slices.IndexFunc(checks, func(c framework.Check) bool { return !c.OK() }); err != nil || bad >= 0 {
						// Whatever the inputs, a version may not support the problem, or not be stable without pivoting.
						random := problem.Clone()
						delete(random, framework.InputsParam)
						if known, _, err := algorithmtest.Try(f, nil, v.Name, random, nil); err != nil || !algorithmtest.Good(known) {
							continue
						}
						t.Errorf("%s %s at %v: %+v, %v", f.Name, v.Name, problem, checks, err)
					}
				}
			}
		}
	}
}
