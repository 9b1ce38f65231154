package replay

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/recorded/recordedtest"
	"example.org/bench/tuning/strategy"
)

// ten has the costs 1 to 10 and an invalid point. Random search is expected at 4, 3 and 2
// after one to three evaluations and at the optimum after four; it has come 1 % of the way from
// 5.5 to 1 after one evaluation and 95 % after five.
func ten() *recorded.Space {
	return &recorded.Space{Name: "ten", Costs: []float64{3, 7, 1, 10, 5, math.NaN(), 8, 2, 6, 4, 9}}
}

func TestScoreByHand(t *testing.T) {
	s, err := NewScale(ten(), Evaluations)
	if err != nil {
		t.Fatal(err)
	}
	if s.First != 1 || s.Last != 5 {
		t.Fatalf("evaluations %d to %d, want 1 to 5", s.First, s.Last)
	}
	invalid := math.NaN()
	for name, c := range map[string]struct {
		runs [][]float64
		want float64
	}{
		"optimum":              {[][]float64{{1}}, 1},
		"as random":            {[][]float64{{4, 3, 2, 1}}, 0},
		"worst, invalid, best": {[][]float64{{10, invalid, 1}}, (-2 - 3.5 + 1) / 3.0},
		"the median of three":  {[][]float64{{4, 3, 2}, {1}, {10, 10, 10, 10}}, 0},
		"invalid at first":     {[][]float64{{invalid, 1}, {4, 3, 2}}, (0 + (3-2)/2.0 + 1) / 3}, // ranks 0 and 2, then 0 and 1: half to even
		"fewer digits":         {[][]float64{{1.0000000000001}}, 1},
		"nothing valid":        {[][]float64{{invalid, invalid}}, (-2 - 3.5 - 8) / 3},
	} {
		if got := s.Score(Searches{Runs: c.runs}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	for want, costs := range map[string][]float64{
		"flat: all 4 valid points cost the same, so that every search is as good; a score needs points that differ": {2, 2, 2, 2, invalid},
		"flat: it has 2 valid points; a score needs three or more":                                                  {2, 1, invalid},
	} {
		if _, err := NewScale(&recorded.Space{Name: "flat", Costs: costs}, Evaluations); err == nil || err.Error() != want {
			t.Errorf("%v: %v; want %s", costs, err, want)
		}
	}
}

// Random search scores about 0, and a strategy's own runs as those of another program.
func TestScoreOfSearches(t *testing.T) {
	space := recordedtest.Open(t, "convolution_milo_old-A4000")
	s, err := NewScale(space, Evaluations)
	if err != nil {
		t.Fatal(err)
	}
	cost, _ := space.Optimum()
	r := replayed(t, []*recorded.Space{space}, listed(), Options{Budget: 1, Repeats: 1})
	if len(r.Costs) != 1 || len(r.Costs[0]) != 0 {
		t.Errorf("costs %v of no evaluations", r.Costs)
	}
	if got := s.Score(Searches{Runs: [][]float64{{cost}}}); got != 1 {
		t.Errorf("the optimum at once scores %v", got)
	}
}

// TestSearchesAreReadAgain: what is written of searches is read as them.
func TestSearchesAreReadAgain(t *testing.T) {
	ours := []Searches{{Space: "a", Strategy: "best", Runs: [][]float64{{2e-3, math.NaN(), 1e-3}, {3e-3}}, Ends: [][]float64{{1, 2.5, 4}, {2}}}}
	var b bytes.Buffer
	if err := writeSearches(&b, ours); err != nil {
		t.Fatal(err)
	}
	read, err := readSearches(&b)
	if err != nil || fmt.Sprint(read) != fmt.Sprint(ours) {
		t.Errorf("%v, %v; want %v", read, err, ours)
	}
}

func TestSearchesOfOthers(t *testing.T) {
	const head = "space,strategy,run,evaluation,time_ms\n"
	all, err := readSearches(strings.NewReader(head + "a,x,0,1,2\na,x,0,2,\na,x,1,1,4\na,y,0,1,3\n"))
	if err != nil || len(all) != 2 || len(all[0].Runs) != 2 || all[0].Runs[0][0] != 2e-3 || !math.IsNaN(all[0].Runs[0][1]) || all[1].Strategy != "y" {
		t.Errorf("%v, %v", all, err)
	}
	if all, err := readSearches(strings.NewReader("space,strategy,run,evaluation,time_ms,seconds\na,x,0,1,2,8.5\na,x,0,2,,1\n")); err != nil || all[0].Runs[0][0] != 2e-3 || all[0].Ends[0][1] != 9.5 {
		t.Errorf("with seconds: %v, %v", all, err)
	}
	// Rows that are no better may be left out.
	whole, err := readSearches(strings.NewReader("space,strategy,run,evaluation,time_ms,seconds\na,x,0,1,4,1\na,x,0,2,,1\na,x,0,3,5,1\na,x,0,4,2,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	few, err := readSearches(strings.NewReader("space,strategy,run,evaluation,time_ms,seconds\na,x,0,1,4,1\na,x,0,4,2,3\n"))
	if err != nil || len(few[0].Runs[0]) != 4 || !math.IsNaN(few[0].Runs[0][2]) || few[0].Ends[0][3] != whole[0].Ends[0][3] || len(few[0].Ends[0]) != 4 {
		t.Errorf("%+v, %v; want as %+v", few, err, whole)
	}
	for text, want := range map[string]string{
		"":      "header",
		"a,b\n": "header",
		"space,strategy,run,evaluation,time_ms,hours\n":                 "header",
		"space,strategy,run,evaluation,time_ms,seconds\na,x,0,1,2,-1\n": "line 2: seconds",
		head:                                       "no rows",
		head + "a,x,0,0,3\n":                       `line 2: evaluation "0" of run 0; want 1 or more`,
		head + "a,x,0,1,3\na,x,0,1,2\n":            `line 3: evaluation "1" of run 0; want 2 or more`,
		head + "a,x,0,99999999,3\n":                "more than 16777216 rows are left out",
		head + "a,x,0,1,-3\n":                      "line 2: time_ms",
		head + "a,x,0,1,3\na,y,0,1,3\na,x,0,2,3\n": "together",
	} {
		if _, err := readSearches(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestScoreOverSeconds: each of eleven points takes 2 s, so that the score looks from 2 to 10 s.
func TestScoreOverSeconds(t *testing.T) {
	space := ten()
	for range space.Costs {
		space.Compile, space.Run = append(space.Compile, 1.5), append(space.Run, 0.5)
	}
	space.Costs[5] = 11 // valid too
	s, err := NewScale(space, Seconds)
	if err != nil {
		t.Fatal(err)
	}
	if s.Limit() != 10 || s.First != 1 || s.randomAt(1) != s.random(1) || math.Abs(s.randomAt(3)-(s.random(1)+s.random(2))/2) > 1e-12 {
		t.Fatalf("until %v s from %d, random search at %v after 3 s", s.Limit(), s.First, s.randomAt(3))
	}
	if got := s.Score(Searches{Runs: [][]float64{{1}}, Ends: [][]float64{{0.5}}}); got != 1 {
		t.Errorf("the optimum before the first moment scores %v", got)
	}
	early := s.Score(Searches{Runs: [][]float64{{5, 1}}, Ends: [][]float64{{1, 3}}})
	late := s.Score(Searches{Runs: [][]float64{{5, 1}}, Ends: [][]float64{{1, 4}}})
	if !(0 < late && late < early && early < 1) {
		t.Errorf("the optimum after 3 s scores %v, after 4 s %v", early, late)
	}
	// Two runs, of which one has the optimum and one the third best, are at the second; one with nothing does not count.
	two := s.Score(Searches{Runs: [][]float64{{1}, {3}, {math.NaN()}}, Ends: [][]float64{{0}, {0}, {0}}})
	if want := s.Score(Searches{Runs: [][]float64{{2}}, Ends: [][]float64{{0}}}); two != want {
		t.Errorf("the mean of ranks scores %v, want %v", two, want)
	}
	if _, err := NewScale(ten(), Seconds); err == nil || !strings.Contains(err.Error(), "no compile_s and run_s") {
		t.Errorf("without a clock: %v", err)
	}
	if err := Axis("hours").Check(); err == nil || !strings.Contains(err.Error(), `"hours": want evaluations or seconds`) {
		t.Error(err)
	}
	// What others told without seconds has no score over them.
	_, _, err = ScoreAll(t.Context(), []*recorded.Space{space}, []*Scale{s}, nil, []Searches{{Space: "ten", Strategy: "x", Runs: [][]float64{{1}}}}, Options{})
	if err == nil || !strings.Contains(err.Error(), "x on ten has no column seconds") {
		t.Error(err)
	}
}

// TestScoreEndsWithTheOptimum: a search that is scored goes no further, and has the score of one that does.
func TestScoreEndsWithTheOptimum(t *testing.T) {
	space := recordedtest.Line(t, 60, 40)
	scales, err := NewScales([]*recorded.Space{space}, Evaluations)
	if err != nil {
		t.Fatal(err)
	}
	random := *strategy.Find("random")
	all, ours, err := ScoreAll(context.Background(), []*recorded.Space{space}, scales, []tuning.Info{random}, nil, Options{Repeats: 20, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	optimum, _ := space.Optimum()
	for i, costs := range ours[0].Runs {
		if at := slices.Index(costs, optimum); at >= 0 && at != len(costs)-1 {
			t.Errorf("run %d has its optimum after %d of %d evaluations", i, at+1, len(costs))
		}
	}
	whole := replayed(t, []*recorded.Space{space}, random, Options{Budget: scales[0].Last, Repeats: 20, Seed: 1})
	if want := scales[0].Score(Searches{Space: space.Name, Runs: whole.Costs}); all[0].Score != want {
		t.Errorf("score %v, and %v of whole searches", all[0].Score, want)
	}
	ended := 0
	for i := range whole.Costs {
		if len(ours[0].Runs[i]) < len(whole.Costs[i]) {
			ended++
		}
	}
	if ended == 0 {
		t.Error("no search ended before its budget")
	}
}
