package replay

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/recorded/recordedtest"
	"example.org/bench/tuning/strategy"
)

func replayed(t *testing.T, spaces []*recorded.Space, strategy tuning.Info, o Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), spaces, strategy, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// listed proposes given points of a line by their values, in turn.
func listed(values ...float64) tuning.Info {
	return tuning.Info{Name: "listed", New: func(s tuning.Search) (tuning.Strategy, error) {
		l := &list{}
		for _, v := range values {
			at := slices.Index(s.Tasks[0].Space.Parameters[0].Values, v)
			l.points = append(l.points, s.Tasks[0].Space.Find([]uint16{uint16(at)}))
		}
		return l, nil
	}}
}

type list struct{ points []int }

func (l *list) Next() (task, point int, ok bool) {
	if len(l.points) == 0 {
		return 0, 0, false
	}
	point, l.points = l.points[0], l.points[1:]
	return 0, point, true
}

func (l *list) Tell(tuning.Trial) {}

func TestReplayCountsInvalidPoints(t *testing.T) {
	r := replayed(t, []*recorded.Space{recordedtest.Line(t, 40, 1)}, listed(40, 1, 4, 2), Options{Budget: 6, Repeats: 3})
	// Value 1 is invalid; the optimum costs 2.
	want := []float64{2.0 / 40, 2.0 / 40, 0.5, 1, 1, 1}
	if !slices.Equal(r.Median, want) || !slices.Equal(r.P05, want) {
		t.Errorf("fractions %v and %v, want %v", r.Median, r.P05, want)
	}
	if r.EvaluationsMedian != 4 || r.EvaluationsP05 != 4 || r.Evaluations != 4 || r.Invalid != 1 || r.Phi() != 1 {
		t.Errorf("standards %d and %d, %v evaluations, %v invalid, Φ %v; want 4, 4, 4, 1, 1", r.EvaluationsMedian, r.EvaluationsP05, r.Evaluations, r.Invalid, r.Phi())
	}
}

// TestStandardsCountFromTheTarget: 0.95 itself is enough.
func TestStandardsCountFromTheTarget(t *testing.T) {
	// The optimum costs 19; 19/20 is the target.
	r := replayed(t, []*recorded.Space{recordedtest.Line(t, 21, 18)}, listed(21, 20), Options{Budget: 2, Repeats: 1})
	if r.EvaluationsMedian != 2 || r.EvaluationsP05 != 2 {
		t.Errorf("fractions %v reach the target after %d and %d evaluations, want 2", r.Median, r.EvaluationsMedian, r.EvaluationsP05)
	}
}

func TestReplayWithoutAnyProposal(t *testing.T) {
	r := replayed(t, []*recorded.Space{recordedtest.Line(t, 3, 0)}, listed(), Options{Budget: 1, Repeats: 2})
	if r.Phi() != 0 || !slices.Equal(r.Median, []float64{0}) || r.Evaluations != 0 || r.OwnSeconds < 0 {
		t.Errorf("Φ %v, fractions %v, %v evaluations of %v s; want 0, 0 and 0", r.Phi(), r.Median, r.Evaluations, r.OwnSeconds)
	}
}

// TestOwnTimeIsOfOneEvaluation: each takes a tenth of a millisecond here.
func TestOwnTimeIsOfOneEvaluation(t *testing.T) {
	busy := tuning.Info{Name: "busy", New: func(s tuning.Search) (tuning.Strategy, error) { return &spinning{s.Tasks[0].Space.Len()}, nil }}
	r := replayed(t, []*recorded.Space{recordedtest.Line(t, 40, 0)}, busy, Options{Budget: 40, Repeats: 4})
	if r.Evaluations != 40 || r.OwnSeconds < 1e-4 || r.OwnSeconds > 1e-2 {
		t.Errorf("%v evaluations of %v s, want 40 of about 1e-4 s", r.Evaluations, r.OwnSeconds)
	}
}

type spinning struct{ left int }

func (s *spinning) Next() (task, point int, ok bool) {
	for begin := threadTime(); threadTime()-begin < 100*time.Microsecond; {
	}
	s.left--
	return 0, s.left, s.left >= 0
}

func (*spinning) Tell(tuning.Trial) {}

// TestWorkers: with one, no two searches run at once.
func TestWorkers(t *testing.T) {
	var running, most atomic.Int32
	counted := tuning.Info{Name: "counted", New: func(tuning.Search) (tuning.Strategy, error) { return counting{&running, &most}, nil }}
	replayed(t, []*recorded.Space{recordedtest.Line(t, 3, 0)}, counted, Options{Budget: 1, Repeats: 50, Workers: 1})
	if most.Load() != 1 {
		t.Errorf("%d searches at once, want 1", most.Load())
	}
}

// counting counts the searches that are between the first and the last proposal.
type counting struct{ running, most *atomic.Int32 }

func (c counting) Next() (task, point int, ok bool) {
	if n := c.running.Add(1); n > c.most.Load() {
		c.most.Store(n)
	}
	time.Sleep(10 * time.Microsecond)
	c.running.Add(-1)
	return 0, 0, true
}

func (counting) Tell(tuning.Trial) {}

func TestReplayRefusesWhatIsNoNewPoint(t *testing.T) {
	stuck := tuning.Info{Name: "stuck", New: func(tuning.Search) (tuning.Strategy, error) { return constant(0), nil }}
	_, err := Run(context.Background(), []*recorded.Space{recordedtest.Line(t, 3, 0)}, stuck, Options{Budget: 2, Repeats: 1})
	if err == nil || !strings.Contains(err.Error(), "again") {
		t.Errorf("always the same point: %v", err)
	}
	outside := tuning.Info{Name: "not there", New: func(tuning.Search) (tuning.Strategy, error) { return constant(3), nil }}
	if _, err = Run(context.Background(), []*recorded.Space{recordedtest.Line(t, 3, 0)}, outside, Options{Budget: 2, Repeats: 1}); err == nil || !strings.Contains(err.Error(), "not there") {
		t.Errorf("a point outside: %v", err)
	}
	for _, o := range []Options{{Budget: -1, Repeats: 1}, {Budget: 1}} {
		if _, err = Run(context.Background(), []*recorded.Space{recordedtest.Line(t, 3, 0)}, *strategy.Find("random"), o); err == nil || !strings.Contains(err.Error(), "at least 1") {
			t.Errorf("budget %d, repeats %d: %v", o.Budget, o.Repeats, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Run(ctx, []*recorded.Space{recordedtest.Line(t, 3, 0)}, *strategy.Find("random"), Options{Budget: 2, Repeats: 1}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

type constant int

func (c constant) Next() (task, point int, ok bool) { return 0, int(c), true }
func (constant) Tell(tuning.Trial)                  {}

// evaluationsOfRandom is the exact number of evaluations after which random
// search without repetition has found a point within the standard's fraction
// of the optimum with the given probability: 0.5 for Standard 1, 0.95 for Standard 2. 0
// where every point is invalid.
func evaluationsOfRandom(r *recorded.Space, probability float64) int {
	optimum, ok := r.Optimum()
	if !ok {
		return 0
	}
	good := 0
	for _, c := range r.Costs {
		if optimum/c >= targetFraction {
			good++
		}
	}
	// The chance that none of the first n is good, a hypergeometric term.
	none := 1.0
	total := r.Space.Len()
	for n := 1; n <= total; n++ {
		none *= math.Max(0, 1-float64(good)/float64(total-n+1))
		if 1-none >= probability {
			return n
		}
	}
	return total
}

// TestRandomAgreesWithHypergeometric compares the replay with what chance
// gives exactly.
func TestRandomAgreesWithHypergeometric(t *testing.T) {
	s := recordedtest.Open(t, "convolution_milo_old-A4000")
	const repeats = 1000
	exact := evaluationsOfRandom(s, 0.5)
	r := replayed(t, []*recorded.Space{s}, *strategy.Find("random"), Options{Budget: 200, Repeats: repeats, Seed: 3})
	if r.EvaluationsMedian == 0 || math.Abs(float64(r.EvaluationsMedian-exact)) > 0.2*float64(exact) {
		t.Errorf("Standard 1 of random is %d over %d repeats, exactly %d", r.EvaluationsMedian, repeats, exact)
	}
	if one := evaluationsOfRandom(recordedtest.Line(t, 1, 0), 0.95); one != 1 {
		t.Errorf("a space of one point needs %d evaluations, want 1", one)
	}
	// One good point of 40: after 20 evaluations the chance is a half.
	if n := evaluationsOfRandom(recordedtest.Line(t, 40, 0), 0.5); n != 20 {
		t.Errorf("one point of 40: %d, want 20", n)
	}
}

func TestReplayOfSeveralSizes(t *testing.T) {
	if got := HarmonicMean([]float64{1, 0.5}); math.Abs(got-2.0/3) > 1e-12 {
		t.Errorf("harmonic mean of 1 and 0.5 is %v, want 2/3", got)
	}
	if got := HarmonicMean([]float64{1, 0}); got != 0 {
		t.Errorf("harmonic mean with 0 is %v, want 0", got)
	}
	r := replayed(t, []*recorded.Space{recordedtest.Line(t, 10, 0), recordedtest.Line(t, 10, 0)}, *strategy.Find("exhaustive"), Options{Budget: 20, Repeats: 4, Seed: 1})
	if r.Median[0] != 0 || r.Median[19] != 1 || r.Space != "line+line" {
		t.Errorf("%s: fraction %v after one evaluation, %v at the end; want 0 without the second size, then 1", r.Space, r.Median[0], r.Median[19])
	}
}

// Of a space that says what its points took, standards have seconds too, and a time
// ends a search.
func TestReplayByTheClock(t *testing.T) {
	line := recordedtest.Line(t, 40, 1)
	for range line.Costs {
		line.Compile, line.Run = append(line.Compile, 4), append(line.Run, 1)
	}
	line.Run[0] = 0 // invalid: it does not compile
	spaces := []*recorded.Space{line}
	for _, x := range []struct {
		compilers      int
		standard, mean float64
	}{{0, 19, 24}, {1, 17, 21}, {4, 7, 9}} {
		r := replayed(t, spaces, listed(40, 1, 4, 2, 3), Options{Budget: 6, Repeats: 3, Compilers: x.compilers})
		if !r.Clocked || r.SecondsMedian != x.standard || r.SecondsP05 != x.standard || r.TotalSeconds != x.mean {
			t.Errorf("%d compilers: %v, %v and %v s, want %v and %v", x.compilers, r.SecondsMedian, r.SecondsP05, r.TotalSeconds, x.standard, x.mean)
		}
		if s := r.Summary(); s.Standard1Seconds == nil || *s.Standard1Seconds != x.standard || *s.Compilers != x.compilers {
			t.Errorf("%+v", s)
		}
	}
	r := replayed(t, spaces, listed(40, 1, 4, 2, 3), Options{Repeats: 3, Compilers: 1, Limit: 14 * time.Second})
	if r.Evaluations != 3 || r.SecondsMedian != 0 || r.Summary().Standard1Seconds != nil {
		t.Errorf("%v evaluations in 14 s, %v s", r.Evaluations, r.SecondsMedian)
	}
}

// A change of the power mode takes its seconds by the clock, and no evaluations.
func TestReplayCountsSwitches(t *testing.T) {
	plain := recordedtest.Line(t, 4, 0)
	under, err := plain.Space.Under(tuning.Parameter{Name: tuning.PowerMode, Values: []float64{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	s := &recorded.Space{Name: "modes", Space: under}
	for i := range under.Len() {
		s.Costs = append(s.Costs, float64(10-i))
		s.Compile, s.Run = append(s.Compile, 0), append(s.Run, 1)
	}
	for _, c := range []struct {
		options Options
		space   *recorded.Space
		refused string
	}{
		{Options{Switch: 5, Limit: time.Minute}, s, ""},
		{Options{}, plain, ""},
		{Options{Switch: 5}, plain, "--switch 5: want seconds, up to 3600, and recorded spaces with power_mode"},
		{Options{Switch: -1}, s, "--switch -1: want seconds"},
		{Options{Switch: 3600}, s, "--switch 3600: want seconds"},
		{Options{Limit: time.Minute}, plain, "--budget 60s: a recorded space without compile_s and run_s has no clock"},
	} {
		if err := c.options.CheckClock([]*recorded.Space{c.space}, "60s"); (err == nil) != (c.refused == "") || err != nil && !strings.HasPrefix(err.Error(), c.refused) {
			t.Errorf("%+v: %v, want %q", c.options, err, c.refused)
		}
	}
	all := listed(0) // points in their order
	all.New = func(search tuning.Search) (tuning.Strategy, error) {
		space, l := search.Tasks[0].Space, &list{}
		for _, row := range [][]uint16{{0, 0}, {1, 0}, {0, 1}, {1, 3}} {
			l.points = append(l.points, space.Find(row))
		}
		return l, nil
	}
	all.Weighs = true // so that nothing waits
	for seconds, want := range map[float64]float64{0: 4, 5: 4 + 3*5} {
		r := replayed(t, []*recorded.Space{s}, all, Options{Budget: 4, Repeats: 2, Switch: seconds})
		if r.SecondsMedian != want || r.EvaluationsMedian != 4 {
			t.Errorf("%v s to switch: %v s and %d evaluations, want %v s and 4", seconds, r.SecondsMedian, r.EvaluationsMedian, want)
		}
	}
}
