package experiment

import (
	"slices"
	"testing"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

type phases []string

func (*phases) Started(plan.Point)                 {}
func (p *phases) Phase(_ plan.Point, phase string) { *p = append(*p, phase) }
func (*phases) Done(*record.Result)                {}

// Compiling ahead begins, once, when a point is first timed, and is of those behind it;
// the end waits for it.
func TestCompilingBeginsWithTheFirstTiming(t *testing.T) {
	points := []plan.Point{{Version: "a"}, {Version: "b"}, {Version: "c"}, {Version: "d"}}
	var told phases
	var begun [][]plan.Point
	ended := 0
	a := &aheadObserver{Observer: &told, toGo: points, begin: func(behind []plan.Point) func() {
		begun = append(begun, behind)
		return func() { ended++ }
	}}
	a.close()
	for _, step := range []struct {
		point, begun int
		phase        string
	}{{0, 0, engine.PhasePrepare}, {0, 0, engine.PhaseVerify}, {1, 0, engine.PhasePrepare}, {1, 1, engine.PhaseCold}, {1, 1, engine.PhaseHot}, {2, 1, engine.PhaseCold}} {
		a.Phase(points[step.point], step.phase)
		if len(begun) != step.begun {
			t.Errorf("begun %d times at %s of point %d", len(begun), step.phase, step.point)
		}
	}
	if len(begun) != 1 || len(begun[0]) != 2 || begun[0][0].Version != "c" || ended != 0 {
		t.Errorf("%v, ended %d times", begun, ended)
	}
	a.close()
	if want := (phases{engine.PhasePrepare, engine.PhaseVerify, engine.PhasePrepare, engine.PhaseCold, engine.PhaseHot, engine.PhaseCold}); ended != 1 || !slices.Equal(told, want) {
		t.Errorf("ended %d times, told of %q", ended, told)
	}
}
