package bound

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// A point of OpenCL is judged by the problem's bytes and operations, by measured ceilings alone, and by the event floor.
func TestExplainOpenCL(t *testing.T) {
	ceilings := record.Ceilings{Copy: 1e9, FMA: 1e10, FMA64: 1e9}
	for _, c := range []struct {
		name     string
		work     framework.Work
		seconds  float64
		floor    float64
		double   bool
		ceilings record.Ceilings
		class    Class
		share    float64
		missing  string
	}{
		{"memory", framework.Work{NominalBytes: 8e5, NominalFLOPs: 1e5}, 1e-3, 1e-5, false, ceilings, Memory, 0.8, ""},
		{"compute", framework.Work{NominalBytes: 1e5, NominalFLOPs: 9e6}, 1e-3, 1e-5, false, ceilings, Compute, 0.9, ""},
		{"double", framework.Work{NominalBytes: 1e5, NominalFLOPs: 9e5}, 1e-3, 1e-5, true, ceilings, Compute, 0.9, ""},
		{"launch", framework.Work{NominalBytes: 1000}, 1e-5, 7e-6, false, ceilings, Launch, 0.7, ""},
		{"neither", framework.Work{NominalBytes: 3e5, NominalFLOPs: 2e6}, 1e-3, 1e-5, false, ceilings, Unknown, 0.3, ""},
		{"caches", framework.Work{NominalBytes: 5e6, NominalFLOPs: 1e6}, 1e-3, 1e-5, false, ceilings, Unknown, 0.1, "its bytes are 5.0 times what a copy moves in that time, so caches serve them"},
		{"no floor", framework.Work{NominalBytes: 7e5}, 1e-3, math.NaN(), false, ceilings, Memory, 0.7, ""},
		{"no doubles", framework.Work{NominalBytes: 1e5, NominalFLOPs: 9e5}, 1e-3, 0, true, record.Ceilings{Copy: 1e9, FMA: 1e10}, Unknown, 0.1, ""},
		{"no ceilings", framework.Work{NominalBytes: 8e5}, 1e-3, 1e-5, false, record.Ceilings{}, Unknown, 0, "no ceilings"},
	} {
		w := ExplainOpenCL(Input{Time: c.seconds, Work: c.work, Double: c.double, Ceilings: c.ceilings}, c.floor)
		if w.Class != c.class || math.Abs(w.Share-c.share) > 1e-9 || w.Sure != (c.class != Unknown) || !strings.Contains(w.Missing, c.missing) || w.Missing == "" {
			t.Errorf("%s: %s, %v, sure: %v, missing: %s", c.name, w.Class, w.Share, w.Sure, w.Missing)
		}
	}
}
