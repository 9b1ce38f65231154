package experiment

import (
	"bytes"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

// coloured has red, yellow and green words as {Rword}, {Yword} and {Gword}.
var coloured = strings.NewReplacer("{R", "\x1b[31m", "{Y", "\x1b[33m", "{G", "\x1b[32m", "}", "\x1b[m")

func tried(version string, status record.Status, reason string) *record.Result {
	return &record.Result{Point: plan.Point{Algorithm: "toy", Version: version, Processor: framework.CPU, Device: "cpu", PowerMode: "low", Instance: 1,
		Params: framework.Values{"N": framework.IntValue(8)}}, Status: status, Reason: reason}
}

// A point's line has what tells it from the others, and a long reason is said once.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	long := strings.Repeat("a long reason ", 5)
	results := []*record.Result{tried("a", record.Wrong, long), tried("b", record.Failed, long), tried("c", record.Skipped, "no GPU"), tried("d", record.OK, "")}
	timed := tried("e", record.OK, "")
	timed.Hot = &measure.Series{Samples: []float64{2e-3}}
	timed.Work.NominalFLOPs = 4e6
	results = append(results, timed)
	var points []plan.Point
	for _, r := range results {
		points = append(points, r.Point)
	}
	p := newProgress(&out, points, func(pt plan.Point) bool { return pt.Version == "a" }, []string{"N", "M", deviceAxis, modeAxis})
	p.colours = true
	if p.Total != 5 || p.Finished != 1 || p.ToGo != 4 {
		t.Errorf("%d of %d, %d to go", p.Finished, p.Total, p.ToGo)
	}
	p.Finished = 0
	for _, r := range results {
		p.Started(r.Point)
		p.Phase(r.Point, "time")
		p.Done(r)
	}
	p.Close()
	want := coloured.Replace(`[1/5] a          CPU N=8        on cpu     low      instance 2  {Rwrong}: ` + long + `
[2/5] b          CPU N=8        on cpu     low      instance 2  {Rfailed}: as [1/5]
[3/5] c          CPU N=8        on cpu     low      instance 2  {Yskipped}: no GPU
[4/5] d          CPU N=8        on cpu     low      instance 2  verified
[5/5] e          CPU N=8        on cpu     low      instance 2  2.000 ms  2.000 GFLOP/s
`)
	if out.String() != want {
		t.Errorf("%q, want\n%q", out.String(), want)
	}
}

// What is bad is said at once; the table has the rest.
func TestTallyText(t *testing.T) {
	var out bytes.Buffer
	sum := &Tally{Algorithm: "toy", Device: "cpu"}
	unchecked := tried("v", record.OK, "")
	unchecked.Notes = []string{framework.NotVerified + "nobody knows", engine.Warned + "k.cu:3: 1 of 64 threads returned"}
	checked := tried("w", record.OK, "")
	checked.Checks = []framework.Check{{Metric: "relative", Error: 0.5, Bound: 2}}
	for _, r := range []*record.Result{unchecked, tried("v", record.Wrong, "1 is not 2"), tried("v", record.Skipped, "no GPU"), tried("v", record.Skipped, "too large"), checked} {
		BadPoints{&out, terminal.Sayings{}}.Done(r)
		sum.Add(*r)
	}
	if want := "toy/v@cpu#low instance=1: warning: k.cu:3: 1 of 64 threads returned\ntoy/v@cpu#low instance=1: wrong: 1 is not 2\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	want := coloured.Replace(`toy on cpu  OK  BAD  SKIPPED  LARGEST ERROR BY BOUND
v           1   1    2        1 point has nothing to compare with: nobody knows; {Yskipped}: no GPU (and 1 more reason)
w           1   0    0        0.5 of 2 (relative)
`)
	if got := sum.Text(true); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	sum.Versions[0].WhyUnchecked, sum.Versions[0].Unchecked = "", 2
	if got := sum.Text(false); !strings.Contains(got, "2 points have nothing to compare with: the version reports no error; skipped: no GPU") {
		t.Error(got)
	}
}

// Points that are skipped refer to the reason, which is said once, below them.
func TestPlannedText(t *testing.T) {
	long := strings.Repeat("because of this and that ", 4)
	first, second, good := tried("v", "", "").Point, tried("v", "", "").Point, tried("v", "", "").Point
	second.ID, good.ID = 1, 2
	first.Skip, second.Skip = long, long
	good.Tuned = "by wisdom"
	for i, pt := range []*plan.Point{&first, &second, &good} {
		pt.ParamOrder, pt.Params = []string{"N", "M"}, framework.Values{"N": framework.IntValue(int64(8 + i/2)), "M": framework.IntValue(2)}
	}
	p := Planned{Config: "toy.json", Points: []plan.Point{first, second, good}, Skipped: 2, Seconds: 61, PowerSeconds: 5,
		Memory: []PointMemory{{2, framework.Memory{Host: 3 << 20}}}, remarks: []string{"left out", "smaller"}}
	want := coloured.Replace(`toy, M=2, on cpu
0  v  N=8            {Yskipped} [1]
1  v  N=8            {Yskipped} [1]
2  v  N=9   3 MiB    by wisdom
[1] ` + long + `
toy.json: 3 points, 2 of them skipped
a point takes at most 3 MiB of memory beside the tool itself
about 1:01 to measure, and 0:05 more where power is (by the measure settings; long kernels take longer)
`)
	if got := p.Text(true); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	if got := strings.Join(p.Remarks(), "\n"); got != "left out\nsmaller" {
		t.Errorf("%q", got)
	}
}
