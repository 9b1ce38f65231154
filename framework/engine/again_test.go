package engine

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// Foreign code runs a second time on other inputs, but not where a profiler counts its run.
func TestAgain(t *testing.T) {
	for _, c := range []struct {
		marks *marks
		runs  int32
	}{{nil, 1}, {&marks{}, 0}} {
		code := &shown{standIn: &standIn{}, out: make([]int32, 3)}
		w := &worker{marks: c.marks, factory: &framework.Factory{HostBytes: func(framework.Values) int64 { return 1 }}}
		res := &record.Result{Point: plan.Point{Processor: framework.CPU}}
		if err := w.again(foreign{code}, res, false); err != nil {
			t.Fatal(err)
		}
		if code.runs != c.runs {
			t.Errorf("profiled %v: %d runs more, want %d", c.marks != nil, code.runs, c.runs)
		}
	}
}
