package strategy

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

// tell evaluates points of a searcher that did not propose them.
func tell(b *searcher, trials ...tuning.Trial) {
	for _, x := range trials {
		b.take(tuning.Proposal{Task: x.Task, Point: x.Point})
		b.Tell(x)
	}
}

// TestTrialsAreKept: logarithms, and what is no cost or no time as such.
func TestTrialsAreKept(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 3), grid(t, 5)))
	tell(b, tuning.Trial{Point: 2, Cost: math.E, OK: true, CompileSeconds: math.E, RunSeconds: 2}, tuning.Trial{Task: 1, Point: 3, Cost: 4, RunSeconds: 5},
		tuning.Trial{Task: 1, Point: 1, OK: true}, tuning.Trial{Task: 1, Point: 2, Cost: math.Inf(1), OK: true}, tuning.Trial{Point: 1, Cost: 1, OK: true})
	if want := []int{2, 6, 4, 5, 1}; !slices.Equal(b.points, want) || len(b.pending) != 0 || b.left != 3 || !slices.Equal(b.trials, []int{2, 3}) {
		t.Errorf("points %v, want %v; pending %v, %d left, trials %v", b.points, want, b.pending, b.left, b.trials)
	}
	nan := math.NaN()
	for i, want := range []struct{ cost, effort float64 }{{1, 1}, {nan, nan}, {nan, nan}, {nan, nan}, {0, nan}} {
		if got := b.costs[i]; got != want.cost && !(math.IsNaN(got) && math.IsNaN(want.cost)) {
			t.Errorf("trial %d: cost %v, want %v", i, got, want.cost)
		}
		if got := b.efforts[i]; got != want.effort && !(math.IsNaN(got) && math.IsNaN(want.effort)) {
			t.Errorf("trial %d: effort %v, want %v", i, got, want.effort)
		}
	}
	if !slices.Equal(b.ran, []float64{2, 5}) || b.least[0] != 0 || !math.IsInf(b.least[1], 1) {
		t.Errorf("ran %v, least %v", b.ran, b.least)
	}
}

// TestTasksOfCandidates, of which some tasks have none.
func TestTasksOfCandidates(t *testing.T) {
	b := &searcher{first: []int{0, 0, 2, 2, 2, 5, 5}}
	for c, want := range []int{1, 1, 4, 4, 4} {
		if got := b.task(c); got != want {
			t.Errorf("candidate %d is of task %d, want %d", c, got, want)
		}
	}
}

// TestBehind is the task with the fewest trials while that has fewer than three, of several.
func TestBehind(t *testing.T) {
	for _, c := range []struct {
		trials []int
		want   int
	}{{[]int{3, 2, 1}, 2}, {[]int{3, 2, 3}, 1}, {[]int{3, 3, 3}, -1}, {[]int{9, 3, 4}, -1}, {[]int{1}, -1}, {[]int{0, 9}, 0}} {
		b := &searcher{first: []int{0, 9, 18, 27}[:len(c.trials)+1], trials: c.trials}
		if got := b.behind(); got != c.want {
			t.Errorf("%v: %d, want %d", c.trials, got, c.want)
		}
	}
}

// TestFitStandardises costs: what is beyond the least of each task has mean 0 and variance 1, and
// what lessons say counts as four trials; the model has every point, and is due again after an
// eighth more.
func TestFitStandardises(t *testing.T) {
	two, five := grid(t, 6, 3), grid(t, 5, 4)
	for name, told := range map[string]*taught{"alone": nil, "taught": {mean: 0.8, variance: 0.3}} {
		for _, n := range []int{4, 5, 24} {
			b := newSearcher(seeded(1, 50, two, five))
			if b.taught = told; told != nil {
				told.score, told.slopes = [][]float32{make([]float32, len(b.done))}, []float64{1}
			}
			var relative []float64
			least := []float64{math.Inf(1), math.Inf(1)}
			var trials []tuning.Trial
			for i := range n {
				x := tuning.Trial{Task: i % 2, Point: i / 2, Cost: math.Exp(math.Sin(float64(3*i)) + float64(i%2)), OK: i != 3}
				if x.OK {
					least[x.Task] = min(least[x.Task], math.Log(x.Cost))
				}
				trials = append(trials, x)
			}
			tell(b, trials...)
			b.take(tuning.Proposal{Task: 1, Point: 19})
			prior := slices.Clone(b.rates)
			b.fit()
			for _, x := range trials {
				if x.OK {
					relative = append(relative, math.Log(x.Cost)-least[x.Task])
				}
			}
			of := relative
			count, sum, squares := float64(len(of)), 0.0, 0.0
			for _, r := range relative {
				sum += r
			}
			if told != nil {
				count, sum = count+4, sum+4*0.8
			}
			shift := sum / count
			for _, r := range relative {
				squares += (r - shift) * (r - shift)
			}
			if told != nil {
				squares += 4 * (0.3 + (0.8-shift)*(0.8-shift))
			}
			scale := math.Sqrt(squares / count)
			near(t, name+": shift", b.shift, shift, 1e-12)
			near(t, name+": scale", b.scale, scale, 1e-12)
			target := func(y float64) float64 {
				if y = (y - shift) / scale; y > 0.5 {
					return 0.5 + 0.3*(y-0.5)
				}
				return y
			}
			for i, at := 0, 0; i < n; i++ {
				o := b.outcome(i)
				if i == 3 {
					if o.fault != 1 || o.target != 1 || o.second != 1 {
						t.Errorf("%s: %+v of an invalid trial", name, o)
					}
					continue
				}
				near(t, name+": target", o.target, target(relative[at]), 1e-12)
				at++
			}
			near(t, name+": lowest", b.lowest[0], target(0), 1e-12)
			near(t, name+": lowest", b.lowest[1], target(0), 1e-12)
			if want := append(slices.Clone(b.points), b.pending...); !slices.Equal(b.model.points, want) || b.model.outcomes[n].known || !b.model.outcomes[n-1].known {
				t.Errorf("%s: the model has %v, want %v", name, b.model.points, want)
			}
			due := n + max(2, n/8)
			if told != nil && n < 5 {
				due = n + 1
			}
			if b.refit != due {
				t.Errorf("%s: due at %d points, want %d", name, b.refit, due)
			}
			if moved := !slices.Equal(prior, b.rates); moved != (told == nil || n >= 5) {
				t.Errorf("%s: %d points moved the rates: %v", name, n, moved)
			}
		}
	}
	b := newSearcher(seeded(1, 50, two))
	tell(b, tuning.Trial{Point: 1, Cost: 2, OK: true}, tuning.Trial{Point: 4, Cost: 2, OK: true})
	if b.fit(); b.scale != 1 || b.shift != 0 {
		t.Errorf("of costs that are alike: scale %v, shift %v", b.scale, b.shift)
	}
}

// TestInformative are all trials, or the better fifty and as many others, in their order.
func TestInformative(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 5, 5, 8)))
	for _, n := range []int{3, fitPoints, 170} {
		b.points = nil
		var targets []float64
		for i := range n {
			b.points, targets = append(b.points, 199-i), append(targets, float64((i*37)%n))
		}
		points, fitted := b.informative(targets)
		if len(points) != min(n, 100) || len(fitted) != len(points) || !slices.IsSortedFunc(points, func(p, q int) int { return q - p }) {
			t.Fatalf("%d of %d points: %v", len(points), n, points)
		}
		better := 0
		for i, p := range points {
			if fitted[i] != targets[199-p] {
				t.Errorf("point %d: %v, want %v", p, fitted[i], targets[199-p])
			}
			if fitted[i] < 50 {
				better++
			}
		}
		if n > 100 && (better != 50 || slices.Max(fitted) < 150) {
			t.Errorf("%d of the better 50, and none above %v", better, slices.Max(fitted))
		}
	}
}

// wide is a searcher of 4001 candidates, with a first and a second task's number of points.
func wide(t *testing.T) *searcher {
	t.Helper()
	p := []tuning.Parameter{{Name: "a"}, {Name: "b"}}
	var rows [][]uint16
	for i := range 64 {
		for d := range p {
			p[d].Values = append(p[d].Values, float64(i))
		}
		for j := range 64 {
			rows = append(rows, []uint16{uint16(i), uint16(j)})
		}
	}
	s, err := tuning.NewSpace(p, rows[:4001])
	if err != nil {
		t.Fatal(err)
	}
	return newSearcher(seeded(1, 2, s))
}

// TestPool is everything while that is little, and then a share of the last model's best, the
// neighbours of the best points, the foremost of the lessons and others at random.
func TestPool(t *testing.T) {
	b := wide(t)
	tell(b, tuning.Trial{Point: 1, Cost: 1, OK: true})
	if all := b.pool(); len(all) != 4000 || all[0] != 0 || all[1] != 2 || all[3999] != 4000 {
		t.Errorf("%d candidates of 4000", len(all))
	}
	for p := 100; p < 2100; p++ {
		b.take(tuning.Proposal{Point: p})
		b.Tell(tuning.Trial{Point: p})
	}
	m := &process{signal: 4}
	for c := 2200; c < 2600; c++ {
		m.pool = append(m.pool, c)
		m.mean, m.variance = append(m.mean, float32(c%7)+float32(c)/1000), append(m.variance, float32(c%5))
	}
	for _, c := range b.around()[3:] {
		if !b.done[c] {
			b.done[c] = true
			b.left--
		}
	}
	b.model, b.taught = m, &taught{foremost: []int{2200, 9, 3999, 1, 8}}
	all := b.pool() // 200,000 / 2001 are 99, of which the last model's are 69
	best := slices.Clone(m.pool)
	slices.SortFunc(best, func(c, d int) int {
		bound := func(c int) float64 { return float64(c%7) + float64(c)/1000 - 4*math.Sqrt(float64(c%5)) }
		return cmp.Compare(bound(c), bound(d))
	})
	if len(all) != 99 {
		t.Errorf("%d candidates, want 99", len(all))
	}
	known := slices.Clone(best[:69])
	slices.Sort(known)
	for _, c := range append(b.around(), 2200, 9, 3999, 8) {
		if !b.done[c] && !slices.Contains(known, c) {
			known = append(known, c)
		}
	}
	if n := len(known); n > 80 || !slices.Equal(all[:n], known) {
		t.Errorf("%v first, want %v", all[:n], known)
	}
	for i, c := range all {
		if b.done[c] || slices.Contains(all[:i], c) {
			t.Errorf("%d is done, or twice a candidate", c)
		}
	}
}

// TestAround is what differs in one parameter from the five best points, by what is best of their
// tasks.
func TestAround(t *testing.T) {
	b := newSearcher(seeded(1, 50, grid(t, 4, 3, 3), grid(t, 4, 3, 3)))
	var costs []float64
	for i, p := range []int{0, 7, 13, 22, 30, 35, 9, 17} {
		cost := []float64{5, 50, 6, 70, 9, 60, 4, 500}[i]
		tell(b, tuning.Trial{Task: i % 2, Point: p, Cost: cost, OK: i != 6})
		costs = append(costs, cost/[]float64{5, 50}[i%2])
	}
	best := map[int]bool{0: true, 1: true, 2: true, 5: true, 3: true} // 1, 1, 1.2, 1.2 and 1.4; then 1.8
	var want []int
	for c := range b.done {
		row := b.search.Tasks[b.task(c)].Space.Indexes(c % 36)
		for i, p := range b.points {
			other := b.search.Tasks[b.task(p)].Space.Indexes(p % 36)
			differ := 0
			for d := range row {
				if row[d] != other[d] {
					differ++
				}
			}
			if best[i] && b.task(p) == b.task(c) && differ == 1 && !b.done[c] {
				want = append(want, c)
				break
			}
		}
	}
	got := b.around()
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("%v, want %v; costs %v", got, want, costs)
	}
}
