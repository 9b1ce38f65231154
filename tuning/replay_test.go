package tuning

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func open(t *testing.T, name string) *Recorded {
	t.Helper()
	r, err := OpenRecorded("testdata/"+name+".csv.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func replayed(t *testing.T, spaces []*Recorded, strategy Info, o ReplayOptions) *Replay {
	t.Helper()
	r, err := NewReplay(context.Background(), spaces, strategy, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// line is a space of n points that cost 1, 2, …, of which the first are
// invalid.
func line(t *testing.T, n, invalid int) *Recorded {
	t.Helper()
	p := Parameter{Name: "x"}
	var rows [][]uint16
	r := &Recorded{Name: "line"}
	for i := range n {
		p.Values = append(p.Values, float64(i+1))
		rows = append(rows, []uint16{uint16(i)})
		r.Costs = append(r.Costs, float64(i+1))
		if i < invalid {
			r.Costs[i] = math.NaN()
		}
	}
	var err error
	if r.Space, err = NewSpace([]Parameter{p}, rows); err != nil {
		t.Fatal(err)
	}
	return r
}

// listed proposes given points of a line by their values, in turn.
func listed(values ...float64) Info {
	return Info{Name: "listed", New: func(s Search) (Strategy, error) {
		q := &queue{}
		for _, v := range values {
			at := slices.Index(s.Tasks[0].Space.Parameters[0].Values, v)
			q.trials = append(q.trials, Trial{Point: s.Tasks[0].Space.Find([]uint16{uint16(at)})})
		}
		return q, nil
	}}
}

func TestReplayCountsUniquePointsAndInvalidOnes(t *testing.T) {
	r := replayed(t, []*Recorded{line(t, 40, 1)}, listed(40, 40, 1, 4, 40, 4, 2), ReplayOptions{Budget: 6, Repeats: 3})
	// Value 1 is invalid; the optimum costs 2.
	want := []float64{2.0 / 40, 2.0 / 40, 0.5, 1, 1, 1}
	if !slices.Equal(r.Median, want) || !slices.Equal(r.P05, want) {
		t.Errorf("fractions %v and %v, want %v", r.Median, r.P05, want)
	}
	if r.Standard1 != 4 || r.Standard2 != 4 || r.Evaluations != 4 || r.Invalid != 1 || r.Phi() != 1 {
		t.Errorf("standards %d and %d, %v evaluations, %v invalid, Φ %v; want 4, 4, 4, 1, 1", r.Standard1, r.Standard2, r.Evaluations, r.Invalid, r.Phi())
	}
}

func TestReplayStopsStuckStrategies(t *testing.T) {
	stuck := Info{Name: "stuck", New: func(Search) (Strategy, error) { return constant(0), nil }}
	_, err := NewReplay(context.Background(), []*Recorded{line(t, 3, 0)}, stuck, ReplayOptions{Budget: 2, Repeats: 1})
	if err == nil || !strings.Contains(err.Error(), "known points") {
		t.Errorf("always the same point: %v", err)
	}
	outside := Info{Name: "outside", New: func(Search) (Strategy, error) { return constant(3), nil }}
	if _, err = NewReplay(context.Background(), []*Recorded{line(t, 3, 0)}, outside, ReplayOptions{Budget: 2, Repeats: 1}); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("a point outside: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = NewReplay(ctx, []*Recorded{line(t, 3, 0)}, random, ReplayOptions{Budget: 2, Repeats: 1}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

type constant int

func (c constant) Next() (task, point int, ok bool) { return 0, int(c), true }
func (constant) Tell(Trial)                         {}

// TestRandomAgreesWithHypergeometric holds the replay against what chance
// gives exactly.
func TestRandomAgreesWithHypergeometric(t *testing.T) {
	s := open(t, "convolution_milo_old-A4000")
	const repeats = 1000
	exact := RandomStandard(s, 0.5)
	r := replayed(t, []*Recorded{s}, random, ReplayOptions{Budget: 200, Repeats: repeats, Seed: 3})
	if r.Standard1 == 0 || math.Abs(float64(r.Standard1-exact)) > 0.2*float64(exact) {
		t.Errorf("Standard 1 of random is %d over %d repeats, exactly %d", r.Standard1, repeats, exact)
	}
	if one := RandomStandard(line(t, 1, 0), 0.95); one != 1 {
		t.Errorf("a space of one point needs %d evaluations, want 1", one)
	}
	// One good point of 40: after 20 evaluations the chance is a half.
	if n := RandomStandard(line(t, 40, 0), 0.5); n != 20 {
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
	r := replayed(t, []*Recorded{line(t, 10, 0), line(t, 10, 0)}, exhaustive, ReplayOptions{Budget: 20, Repeats: 4, Seed: 1})
	if r.Median[0] != 0 || r.Median[19] != 1 || r.Space != "line+line" {
		t.Errorf("%s: fraction %v after one evaluation, %v at the end; want 0 without the second size, then 1", r.Space, r.Median[0], r.Median[19])
	}
}

// TestStrategiesEndCleanly runs the strategies that need nothing but a space on
// degenerate ones.
func TestStrategiesEndCleanly(t *testing.T) {
	for _, strategy := range []Info{best, random, exhaustive} {
		for name, spaces := range map[string][]*Recorded{
			"one point":           {line(t, 1, 0)},
			"two points":          {line(t, 2, 0)},
			"two points, one bad": {line(t, 2, 1)},
			"all invalid":         {line(t, 30, 30)},
			"one valid of 30":     {line(t, 30, 29)},
			"exhausted":           {line(t, 30, 3)},
			"sizes":               {line(t, 3, 0), line(t, 40, 40), line(t, 1, 0)},
		} {
			total := 0
			for _, s := range spaces {
				total += s.Space.Len()
			}
			r := replayed(t, spaces, strategy, ReplayOptions{Budget: total + 20, Repeats: 3, Seed: 5})
			if r.Evaluations != float64(total) {
				t.Errorf("%s, %s: %v of %d points evaluated", strategy.Name, name, r.Evaluations, total)
			}
			_, ok := spaces[0].Optimum()
			want := 1.0
			if !ok || len(spaces) > 1 {
				want = 0
			}
			if m, _ := r.Final(); m != want {
				t.Errorf("%s, %s: fraction %v, want %v", strategy.Name, name, m, want)
			}
		}
		empty, err := NewSpace([]Parameter{{Name: "x", Values: []float64{1}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := strategy.New(Search{Tasks: []Task{{Space: empty}}, Budget: 5, Rand: rand.New(rand.NewPCG(1, 1))})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := s.Next(); ok {
			t.Errorf("%s proposes a point of an empty space", strategy.Name)
		}
	}
}

// Sizes of one search may have their columns in different orders.
func TestReplayOfOneKernel(t *testing.T) {
	read := func(name, text string) *Recorded {
		r, err := ReadRecorded(strings.NewReader(text), name, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := read("one", "a,b,time_ms,status\n1,2,1,valid\n")
	for want, other := range map[string]string{
		"":                         "b,time_ms,a,status\n2,1,1,valid\n",
		"one has the parameters":   "a,c,time_ms,status\n1,2,1,valid\n",
		"other: no point is valid": "a,b,time_ms,status\n1,2,,invalid\n",
	} {
		err := CheckReplay([]*Recorded{one, read("other", other)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
