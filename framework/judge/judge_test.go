package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// effect is that of repeats whose ratios have this mean and scatter.
func effect(t *testing.T, mean, scatter float64, r *rand.Rand) *compare.Effect {
	t.Helper()
	var control, treatment []float64
	for range 10 {
		control = append(control, math.Exp(scatter*r.NormFloat64()))
		treatment = append(treatment, mean*math.Exp(scatter*r.NormFloat64()))
	}
	turns, err := compare.TurnsOf(control, treatment, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return turns.Effect
}

// TestVerdictOf: the verdict follows the ratio, and of equal versions at most about 1 % are
// called different.
func TestVerdictOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		mean, scatter float64
		want          Verdict
	}{{0.5, 0.001, Faster}, {1.5, 0.001, Slower}, {1, 0.0001, Equal}, {1.002, 0.0001, Equal}, {1.02, 0.0001, Slower}, {1, 0.2, Unknown}} {
		if got := verdictOf(effect(t, c.mean, c.scatter, r), 0.01); got != c.want {
			t.Errorf("a ratio of %g ± %g is %s; want %s", c.mean, c.scatter, got, c.want)
		}
	}
	const judgements = 5000
	different := 0
	for range judgements {
		if v := verdictOf(effect(t, 1, 0.02, r), 0.001); v == Faster || v == Slower {
			different++
		}
	}
	if share := float64(different) / judgements; share < 0.005 || share > 0.015 {
		t.Errorf("of equal versions %.2g %% are called different; want 1 %%", 100*share)
	}
}

// TestTogether: the geometric mean over problems, by repeat.
func TestTogether(t *testing.T) {
	got := together([][]float64{{0.5, 1}, {2, 4}})
	if len(got) != 2 || math.Abs(got[0]-1) > 1e-12 || math.Abs(got[1]-2) > 1e-12 {
		t.Errorf("got %v; want 1 and 2", got)
	}
	if together(nil) != nil {
		t.Error("the mean of nothing is not nothing")
	}
}

// TestFaultOf: what a result says of a candidate; of a hidden problem no numbers.
func TestFaultOf(t *testing.T) {
	k := &referee{Case: &Case{task: &Task{Subject: experiment.Subject{Config: &config.Config{Judge: &config.Judge{}}}}, folder: "/tmp/x", candidate: Candidate{Name: "c.cu"}}}
	for _, c := range []struct {
		status record.Status
		cause  record.Cause
		want   Verdict
		kind   record.Cause
	}{
		{record.Wrong, "", Wrong, ""}, {record.Failed, "", Wrong, ""}, {record.Failed, record.Mistake, Wrong, ""},
		{record.Failed, record.NotCompiled, DoesNotCompile, ""}, {record.Timeout, "", TimedOut, ""}, {record.Skipped, "", Refused, ""},
		{record.Failed, record.LeftBehind, Cheats, record.LeftBehind}, {record.Wrong, record.SecondRun, Wrong, ""},
		{record.Wrong, record.TimedRun, Cheats, record.TimedRun}, {record.Wrong, record.IdleRun, Cheats, record.IdleRun},
	} {
		for _, hidden := range []bool{false, true} {
			f := k.faultOf(c.status, "y of more.cu:3 (called in /tmp/x/work/c.cu:7): 137 elements wrong", c.cause, hidden).(*fault)
			if f.verdict != c.want || f.kind != c.kind || f.line != "work/c.cu:7" {
				t.Errorf("%s, %s: %+v; want %s", c.status, c.cause, f, c.want)
			}
			if told := strings.HasSuffix(f.reason, "y of more.cu:3 (called in work/c.cu:7): 137 elements wrong"); told == (hidden && c.cause != record.NotCompiled) {
				t.Errorf("%s, %s, hidden %t: %q", c.status, c.cause, hidden, f.reason)
			}
		}
	}
}

// TestIsHidden: a point is one of the hidden problems by the parameters that these name.
func TestIsHidden(t *testing.T) {
	hidden := []experiment.Further{{Values: framework.Values{"N": framework.IntValue(7)}}}
	r := &referee{}
	for n, want := range map[int64]bool{7: true, 8: false} {
		p := plan.Point{Params: framework.Values{"N": framework.IntValue(n), "M": framework.IntValue(1)}}
		if r.isHidden(p, hidden) != want {
			t.Errorf("N %d: hidden is %t", n, !want)
		}
	}
}

// Every verdict has an exit status that the help names, and no two that say different things of a candidate share one.
func TestStatuses(t *testing.T) {
	seen := map[int]Verdict{}
	for _, v := range Verdicts {
		status, ok := Statuses[v]
		if had := seen[status]; !ok || had != "" && status != 0 || status == 1 || status == 2 || status > 125 {
			t.Errorf("%s: status %d, %t, of %s too", v, status, ok, had)
		}
		seen[status] = v
		if line := fmt.Sprintf("\n  %-4d ", status); !strings.Contains(Help, line) || !strings.Contains(Help, string(v)) {
			t.Errorf("the help does not have status %d, %s", status, v)
		}
	}
	if len(Statuses) != len(Verdicts) {
		t.Errorf("%d statuses of %d verdicts", len(Statuses), len(Verdicts))
	}
}

// TestInOrder: what the order does to times, by several times what differs from one repeat to the
// next, leaves judgements of two equals right as often as their interval says, and the interval is
// no wider than the rest's. It may do so by the places where instances are prepared, or by all of
// the order. If it does nothing, they are right as often.
func TestInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		places, order float64 // how much places, and the whole order, decide
		repeats       int
		within        float64 // the median distance of an interval's ends from 1
	}{{0.05, 0, 6, 0.017}, {0.05, 0, 7, 0.012}, {0.05, 0, 10, 0.0075}, {0.05, 0, 40, 0.0035}, {0, 0, 10, 0.0075}, {0, 0.05, 6, 0.017}, {0, 0.05, 10, 0.0075}, {0, 0.05, 40, 0.0035}} {
		const trials = 2000
		right, told, controls := 0, 0, 0
		widths := make([]float64, trials)
		for i := range widths {
			by := [2]float64{c.places * random.NormFloat64(), c.places * random.NormFloat64()}
			var order [6]float64
			for k := range order {
				order[k] = c.order * random.NormFloat64()
			}
			// An odd round is the even one before it with B in the place of the second A.
			noisy := func(place compare.Place, odd int) (ratios []float64) {
				for k := range c.repeats {
					at := place(k)
					ratios = append(ratios, math.Exp(by[0]*at[0]+by[1]*at[1]+order[k%6^odd]+0.005*random.NormFloat64()))
				}
				return ratios
			}
			turns, err := compare.TurnsOf(noisy(engine.Places(1, 0), 0), noisy(engine.Places(2, 0), 1), nil, engine.Places)
			if err != nil {
				t.Fatal(err)
			}
			e := turns.Effect
			if e.Low <= 1 && e.High >= 1 {
				right++
			}
			if e.P <= shown {
				told++
			}
			if turns.Control.Low <= 1 && turns.Control.High >= 1 {
				controls++
			}
			widths[i] = e.Within
		}
		// Three standard deviations of so many trials are 1.5 and 0.7 %.
		if share := float64(right) / trials; share < 0.935 || share > 0.965 {
			t.Errorf("%+v: %.1f %% of the intervals hold 1, want 95", c, 100*share)
		}
		if share := float64(controls) / trials; c.order == 0 && (share < 0.935 || share > 0.965) {
			t.Errorf("%+v: %.1f %% of the controls' intervals hold 1, want 95", c, 100*share)
		}
		if share := float64(told) / trials; share > 0.017 || share < 0.004 {
			t.Errorf("%+v: %.1f %% are told, want 1", c, 100*share)
		}
		slices.Sort(widths)
		if widths[trials/2] > c.within {
			t.Errorf("%+v: within %.4f", c, widths[trials/2])
		}
	}
}

// Lines whose races a task takes for no mistake are of its own source, and not of a candidate.
func TestCandidateHasNoBenignLines(t *testing.T) {
	const cuda = `{"source": "a.cu", "benign": [{"line": "a.cu:1", "reason": "one value"}], "versions": [{"name": "base"}, {"name": "open"}]}`
	task := &Task{Subject: experiment.Subject{Config: &config.Config{Path: "t.json", CUDA: json.RawMessage(cuda), Judge: &config.Judge{Version: "open"}}}}
	made, _, err := task.replaced("b.cu")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"benign":[{"line":"a.cu:1","reason":"one value"}],"source":"a.cu","versions":[{"name":"base"},{"benign":[],"name":"open","source":["b.cu"]}]}`
	if string(made) != want {
		t.Errorf("got %s\nwant %s", made, want)
	}
}

// The right answer's kernels stay those of the task, also where they were in the file that a candidate replaces.
func TestCandidateBringsNoRightAnswer(t *testing.T) {
	for cuda, want := range map[string]string{
		`{"verify": {"kernels": [{"name": "right"}]}, "versions": [{"name": "open", "source": ["w.cu", "a.cu"]}, {"name": "base", "source": "c.cu"}]}`: `"verify":{"kernels":[{"name":"right"}],"source":["w.cu","a.cu"]}`,
		`{"source": "a.cu", "verify": {"kernels": [{"name": "right"}]}, "versions": [{"name": "open"}, {"name": "base"}]}`:                             `"verify":{"kernels":[{"name":"right"}],"source":"a.cu"}`,
		`{"source": "a.cu", "verify": {"kernels": [{"name": "right"}], "source": "r.cu"}, "versions": [{"name": "open"}, {"name": "base"}]}`:           `"verify":{"kernels":[{"name":"right"}],"source":"r.cu"}`,
	} {
		task := &Task{Subject: experiment.Subject{Config: &config.Config{Path: "t.json", CUDA: json.RawMessage(cuda), Judge: &config.Judge{Version: "open"}}}}
		made, _, err := task.replaced("b.cu")
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, made); err != nil || !strings.Contains(compact.String(), want) {
			t.Errorf("got %s, %v\nwant %s", compact.String(), err, want)
		}
	}
}

// A baseline that is slower beside a candidate than beside itself, surely and by much, is disturbed.
func TestDisturbedBaseline(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		mean, scatter float64
		want          bool
	}{{1, 0.05, false}, {1.15, 0.02, false}, {2, 0.1, true}, {1.4, 0.02, true}, {1.4, 0.8, false}, {0.5, 0.01, false}} {
		var ratios []float64
		for range 10 {
			ratios = append(ratios, c.mean*math.Exp(c.scatter*r.NormFloat64()))
		}
		e, err := compare.EffectOf(ratios)
		if err != nil {
			t.Fatal(err)
		}
		var f *fault
		if is := errors.As(disturbed(e), &f); is != c.want || is && (f.verdict != Cheats || f.kind != record.DisturbedBaseline) {
			t.Errorf("%g ± %g: %+v", c.mean, c.scatter, f)
		}
	}
}

// A candidate that is faster beside the baseline alone slows it down, or is unknown.
func TestFasterBesideAlone(t *testing.T) {
	effect := func(ratios ...float64) *compare.Effect {
		e, err := compare.EffectOf(ratios)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	even := effect(0.99, 1.01, 1, 1.01, 0.99)
	for name, c := range map[string]struct {
		baseline *compare.Effect
		cheats   bool
	}{
		"slowed":   {effect(1.2, 1.25, 1.22, 1.21, 1.24), true},
		"as alone": {effect(1.01, 0.99, 1, 1.02, 0.98), false},
		"faster":   {effect(0.8, 0.82, 0.81, 0.79, 0.8), false},
	} {
		r := &referee{out: &Judgement{Verdict: Faster}}
		err := r.slowed(even, c.baseline)
		var f *fault
		if got := errors.As(err, &f); got != c.cheats || got && (f.verdict != Cheats || f.kind != record.DisturbedBaseline) {
			t.Errorf("%s: %v", name, err)
		}
		if !c.cheats && (r.out.Verdict != Unknown || !strings.Contains(r.out.Reason, "1.000 of the time of the baseline")) {
			t.Errorf("%s: %s, %s", name, r.out.Verdict, r.out.Reason)
		}
	}
}

// What a candidate writes before its process ends is not told where a size is hidden.
func TestLastWords(t *testing.T) {
	const reason = "the worker process ended with status 3: sizes 61 193"
	for _, c := range []struct {
		hidden []framework.Values
		want   string
	}{{nil, reason}, {[]framework.Values{{}}, "the worker process ended with status 3"}} {
		r := &referee{Case: &Case{task: &Task{Subject: experiment.Subject{Config: &config.Config{Judge: &config.Judge{HiddenAt: c.hidden}}}}}}
		if f := r.faultOf(record.Failed, reason, "", false).(*fault); f.reason != c.want || f.verdict != Wrong {
			t.Errorf("%v: %s", c.hidden, f.reason)
		}
	}
}
