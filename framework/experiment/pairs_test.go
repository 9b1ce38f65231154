package experiment_test

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
)

func at(version string, p framework.Processor, n, tile int64) plan.Point {
	return plan.Point{Algorithm: "toy", Version: version, Processor: p, Params: framework.Values{"N": framework.IntValue(n), "batch": framework.IntValue(1)},
		ParamOrder: []string{"N", "batch"}, Tunables: framework.Values{"TILE": framework.IntValue(tile)}, TunableOrder: []string{"TILE"}}
}

// Points of equal problems are pairs, named by what differs among them.
func TestPairUp(t *testing.T) {
	one := &plan.Plan{Points: []plan.Point{at("a", framework.CPU, 1, 8), at("b", framework.CPU, 1, 8), at("a", framework.CPU, 2, 8), at("b", framework.CPU, 2, 8)}}
	two := &plan.Plan{Points: []plan.Point{at("b", framework.CPU, 2, 4), at("b", framework.CPU, 3, 4)}}
	for _, c := range []struct {
		with *plan.Plan
		want string
	}{{one, "toy N 1, toy N 2"}, {two, "toy N 2"}} {
		pairs, err := experiment.PairUp([2]*plan.Plan{one, c.with}, [2]string{"a", "b"})
		var names []string
		for _, p := range pairs {
			if names = append(names, p.Name); p.A.Version != "a" || p.B.Version != "b" || p.A.Problem() != p.B.Problem() {
				t.Errorf("%+v", p)
			}
		}
		if got := strings.Join(names, ", "); err != nil || got != c.want {
			t.Errorf("%q, %v; want %q", got, err, c.want)
		}
	}
	skipped := *two
	skipped.Points = []plan.Point{two.Points[0]}
	skipped.Points[0].Skip = "no room"
	if pairs, err := experiment.PairUp([2]*plan.Plan{one, &skipped}, [2]string{"a", "b"}); err != nil || pairs[0].Failure != "b skipped: no room" {
		t.Errorf("%+v, %v", pairs, err)
	}
}

func TestPairUpRefuses(t *testing.T) {
	a := at("a", framework.CPU, 1, 8)
	for want, points := range map[string][]plan.Point{
		"no point of b to run: b needs a GPU":       {a},
		"b runs on CPU and GPU":                     {a, at("b", framework.CPU, 1, 8), at("b", framework.GPU, 1, 8)},
		"b has several tunings at":                  {a, at("b", framework.CPU, 1, 8), at("b", framework.CPU, 1, 4)},
		"a is a CPU version and b a GPU one":        {a, at("b", framework.GPU, 1, 8)},
		"the two configs have no problem in common": {a, at("b", framework.CPU, 2, 8)},
	} {
		p := &plan.Plan{Points: points, LeftOut: []string{"b needs a GPU"}}
		if _, err := experiment.PairUp([2]*plan.Plan{p, p}, [2]string{"a", "b"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
