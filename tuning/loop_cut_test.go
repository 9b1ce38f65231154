package tuning_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

// doubter proposes points in their order, and doubts point 1 once it knows a trial.
type doubter struct {
	next, points, told int
	forgotten          []int
}

func (d *doubter) Next() (task, point int, ok bool) {
	d.next++
	return 0, d.next - 1, d.next <= d.points
}
func (d *doubter) Tell(tuning.Trial)             { d.told++ }
func (d *doubter) Doubts(p tuning.Proposal) bool { return p.Point == 1 && d.told > 0 }
func (d *doubter) Forget(p tuning.Proposal)      { d.forgotten = append(d.forgotten, p.Point) }

// What the strategy doubts while it is compiled is no trial, and another takes its place.
func TestCompilingIsCutShort(t *testing.T) {
	compile, run := []float64{1, 100, 1, 1, 1}, []float64{1, 1, 1, 1, 1}
	for _, recorded := range []bool{true, false} {
		l, at := recordedSearch(t, 2, compile, run)
		d := &doubter{points: 5}
		l.Strategy = tuning.Info{Name: "doubter", New: func(tuning.Search) (tuning.Strategy, error) { return d, nil }}
		l.Search.Budget = 3
		if !recorded {
			l = search(t, "random", 3, 5)
			l.Strategy = tuning.Info{Name: "doubter", New: func(tuning.Search) (tuning.Strategy, error) { return d, nil }}
			inOrder(&l)
			inner := l.Evaluate
			l.Evaluate = func(ctx context.Context, worker, n int, p tuning.Proposal) (tuning.Trial, int, error) {
				trial, order, err := inner(ctx, worker, n, p)
				trial.Cut = worker == tuning.NoWorker
				return trial, order, err
			}
			begun := make(chan struct{})
			compiles(&l, 2, func(ctx context.Context, p tuning.Proposal) bool {
				if p.Point == 1 {
					close(begun)
					<-ctx.Done()
				}
				<-begun // no trial is known before
				return ctx.Err() == nil
			})
		}
		o, err := l.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var tried []int
		for _, x := range o.Trials {
			tried = append(tried, x.Point)
		}
		slices.Sort(tried)
		if !slices.Equal(tried, []int{0, 2, 3}) || o.Cut != 1 || !slices.Equal(d.forgotten, []int{1}) || o.Stopped != "the budget is spent" {
			t.Errorf("recorded %v: points %v tried, %d cut, %v forgotten, %q", recorded, tried, o.Cut, d.forgotten, o.Stopped)
		}
		if want := []string{"0 at 2s", "2 at 3s", "3 at 4s"}; recorded && !slices.Equal(*at, want) {
			t.Errorf("%v, want %v", *at, want)
		}
	}
}

// square is a space of two parameters of 16 values.
func square(t *testing.T) *tuning.Space {
	t.Helper()
	parameters := []tuning.Parameter{{Name: "a"}, {Name: "b"}}
	var rows [][]uint16
	for i := range uint16(256) {
		if rows = append(rows, []uint16{i % 16, i / 16}); i < 16 {
			parameters[0].Values = append(parameters[0].Values, float64(i))
			parameters[1].Values = append(parameters[1].Values, float64(i))
		}
	}
	s, err := tuning.NewSpace(parameters, rows)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// best cuts short what it expects nothing of, where compiling is dear; the best is not among that.
func TestBestCutsShort(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		cuts    bool
	}{{10, true}, {0.01, false}} {
		l := search(t, "best", 60, 256)
		l.Search.Tasks = []tuning.Task{{Space: square(t)}}
		l.Recorded, l.Compilers = true, 8
		l.Evaluate = func(_ context.Context, _, n int, p tuning.Proposal) (tuning.Trial, int, error) {
			cost := 1 + math.Pow(float64(p.Point%16-5), 2) + math.Pow(float64(p.Point/16-7), 2)
			return tuning.Trial{Point: p.Point, Cost: cost, OK: true, CompileSeconds: c.seconds * math.Sqrt(cost), RunSeconds: 0.01}, n, nil
		}
		o, err := l.Run(t.Context())
		if err != nil || o.Cut > 0 != c.cuts || len(o.Trials) != 60 || o.Best[0].Cost != 1 {
			t.Errorf("compiling takes %v s and more: %d cut, %d trials, best %v, %v", c.seconds, o.Cut, len(o.Trials), o.Best[0].Cost, err)
		}
	}
}
