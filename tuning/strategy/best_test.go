package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/recorded/recordedtest"
	"example.org/bench/tuning/replay"
)

// TestBestQuality holds the strategy near what results/tuning-replay/README.md reports; the
// bounds leave room for another seed, none for another algorithm.
func TestBestQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	for _, c := range []struct {
		space    string
		one, two int
	}{
		{space: "coulomb_ktt-RTX_2080_Ti", one: 7, two: 32},
		{space: "convolution_milo_old-A4000", one: 32, two: 70},
	} {
		s := recordedtest.Open(t, c.space)
		r := replayed(t, []*recorded.Space{s}, best, replay.Options{Budget: c.two, Repeats: 10, Seed: 11})
		if r.EvaluationsMedian == 0 || r.EvaluationsMedian > c.one {
			t.Errorf("%s: Standard 1 after %d evaluations, want at most %d", c.space, r.EvaluationsMedian, c.one)
		}
		if r.EvaluationsP05 == 0 || r.EvaluationsP05 > c.two {
			t.Errorf("%s: Standard 2 after %d evaluations, want at most %d", c.space, r.EvaluationsP05, c.two)
		}
	}
}

func TestBestIsDeterministic(t *testing.T) {
	s := recordedtest.Open(t, "convolution_milo_old-A4000")
	run := func(seed uint64, workers int) [][]float64 {
		return replayed(t, []*recorded.Space{s}, best, replay.Options{Budget: 20, Repeats: 3, Seed: seed, Workers: workers}).Runs
	}
	a, b, c := run(1, 1), run(1, 3), run(2, 1)
	equal := func(a, b [][]float64) bool {
		return slices.EqualFunc(a, b, func(x, y []float64) bool { return slices.Equal(x, y) })
	}
	if !equal(a, b) {
		t.Error("the same seed gives another search")
	}
	if equal(a, c) {
		t.Error("another seed gives the same search")
	}
}

// TestBestCarriesOverBetweenSizes wants a second size of a kernel to cost less
// than the first.
func TestBestCarriesOverBetweenSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	s := recordedtest.Open(t, "convolution_milo_old-A4000")
	// The same kernel at a size that takes a thousand times as long.
	larger := &recorded.Space{Name: "larger", Space: s.Space}
	for _, c := range s.Costs {
		larger.Costs = append(larger.Costs, c*1000)
	}
	one := replayed(t, []*recorded.Space{s}, best, replay.Options{Budget: 32, Repeats: 8, Seed: 1})
	both := replayed(t, []*recorded.Space{s, larger}, best, replay.Options{Budget: 48, Repeats: 8, Seed: 1})
	if both.EvaluationsMedian == 0 || float64(both.EvaluationsMedian) > 1.7*float64(one.EvaluationsMedian) {
		t.Errorf("two sizes take %d evaluations to Standard 1, one takes %d", both.EvaluationsMedian, one.EvaluationsMedian)
	}
}

// TestBestGoesRoundTheSizes wants every size to have a point before one has
// three, and three before one has five.
func TestBestGoesRoundTheSizes(t *testing.T) {
	s := recordedtest.Open(t, "coulomb_ktt-RTX_2080_Ti")
	var tasks []tuning.Task
	for i := range 7 {
		tasks = append(tasks, tuning.Task{Space: s.Space, Size: []float64{float64(i)}})
	}
	search := tuning.Search{Tasks: tasks, Budget: 60, Rand: rand.New(rand.NewPCG(1, 1))}
	strategy, err := best.New(search)
	if err != nil {
		t.Fatal(err)
	}
	trials := make([]int, len(tasks))
	for n := 1; n <= 3*len(tasks); n++ {
		task, p, ok := strategy.Next()
		if !ok {
			t.Fatalf("nothing to try after %d trials", n-1)
		}
		trial := s.Trial(task, p)
		trial.Cost *= float64(task + 1)
		strategy.Tell(trial)
		trials[task]++
		if least, most := slices.Min(trials), slices.Max(trials); least == 0 && most > 2 || most > 4 {
			t.Fatalf("trials of the sizes after %d: %v", n, trials)
		}
	}
	if slices.Min(trials) < leastEach {
		t.Errorf("trials of the sizes: %v, want at least %d each", trials, leastEach)
	}
}

// TestProcessMatchesDirectSolution holds the factor that grows row by row
// against the textbook's formulas with a dense inverse.
func TestProcessMatchesDirectSolution(t *testing.T) {
	s := recordedtest.Open(t, "convolution_milo_old-A4000")
	columns := columnsOf([]tuning.Task{{Space: s.Space}})
	kernel := pack(columns)
	var rates []float64
	for _, c := range columns {
		rates = append(rates, c.rate)
	}
	pool := []int{3, 500, 1200, 2000}
	points := []int{10, 11, 400, 900, 1500, 2100}
	y := []float64{0.3, -1, 2, 0.5, -0.2, 1.1}
	m := newProcess(kernel, rates, pool, false)
	for i, p := range points {
		m.condition(p, told(y[i], i == 2, math.NaN()))
	}
	k := func(p, q int) float64 {
		sum, a := 0.0, 0.0
		for i, c := range columns {
			d := rates[i] * float64(c.distance2[int(c.level[p])*c.levels+int(c.level[q])])
			sum += d
			a += math.Exp(-d) / float64(len(columns))
		}
		r := math.Sqrt(5 * sum)
		return (1-additiveShare)*(1+r+r*r/3)*math.Exp(-r) + additiveShare*(a+a*a)/2
	}
	// Gauss–Jordan on the kernel with the noise, the target and the pool's columns.
	n := len(points)
	a := make([][]float64, n)
	for i := range a {
		for j := range n {
			a[i] = append(a[i], k(points[i], points[j]))
		}
		a[i][i] += noise
		a[i] = append(a[i], y[i])
		for _, c := range pool {
			a[i] = append(a[i], k(points[i], c))
		}
	}
	for i := range n {
		for j := range n {
			if j == i {
				continue
			}
			f := a[j][i] / a[i][i]
			for l := range a[j] {
				a[j][l] -= f * a[i][l]
			}
		}
	}
	for c := range pool {
		mean, variance := 0.0, 1.0
		for i := range n {
			kc := k(points[i], pool[c])
			mean += kc * a[i][n] / a[i][i]
			variance -= kc * a[i][n+1+c] / a[i][i]
		}
		if math.Abs(mean-float64(m.mean[c])) > 2e-3 || math.Abs(variance-float64(m.variance[c])) > 2e-3 {
			t.Errorf("candidate %d: mean %v, variance %v; want %v, %v", pool[c], m.mean[c], m.variance[c], mean, variance)
		}
	}
}

// TestEvidenceChanges wants the sums after a change and back to be those of a
// fresh start.
func TestEvidenceChanges(t *testing.T) {
	s := recordedtest.Open(t, "convolution_milo_old-A4000")
	columns := columnsOf([]tuning.Task{{Space: s.Space}})
	points, target := []int{1, 70, 800, 1500, 1600, 2200}, []float64{0.1, 1, -1, 2, 0.4, -0.3}
	rates := make([]float64, len(columns))
	for i, c := range columns {
		rates[i] = c.rate
	}
	e := newEvidence(columns, points, target, slices.Clone(rates))
	before := e.value()
	e.rates[0] *= 3
	e.change(0, rates[0], rates[0]*3)
	changed := e.value()
	rates[0] *= 3
	fresh := newEvidence(columns, points, target, rates).value()
	if math.Abs(changed-fresh) > 1e-4 || math.Abs(changed-before) < 1e-3 {
		t.Errorf("evidence %v before, %v changed, %v afresh", before, changed, fresh)
	}
}

func TestColumns(t *testing.T) {
	var rows [][]uint16
	x := tuning.Parameter{Name: "x", Values: []float64{256, 16, 48, 32, 64}} // need not ascend
	y := tuning.Parameter{Name: "y", Values: []float64{1, 2, 4, 8}}
	z := tuning.Parameter{Name: "z", Values: []float64{7}}
	for i, a := range x.Values {
		for j, b := range y.Values {
			if a*b <= 256 { // large x excludes large y
				rows = append(rows, []uint16{uint16(i), uint16(j), 0})
			}
		}
	}
	s, err := tuning.NewSpace([]tuning.Parameter{x, y, z}, rows)
	if err != nil {
		t.Fatal(err)
	}
	c := columnsOf([]tuning.Task{{Space: s}})
	if len(c) != 4 {
		t.Fatalf("%d columns, want x, its divisibility, y and x·y", len(c))
	}
	at := func(a, b float64) int {
		return s.Find([]uint16{uint16(slices.Index(x.Values, a)), uint16(slices.Index(y.Values, b)), 0})
	}
	d := func(c column, p, q int) float32 {
		return c.distance2[int(c.level[p])*c.levels+int(c.level[q])]
	}
	if near, far := d(c[0], at(16, 1), at(32, 1)), d(c[0], at(16, 1), at(256, 1)); !(near < far && far == 1) {
		t.Errorf("16 is %v from 32 and %v from 256", near, far)
	}
	// 48 = 3·16: less divisible than its neighbours, which are powers of two.
	if odd, power := d(c[1], at(48, 1), at(64, 1)), d(c[1], at(32, 1), at(64, 1)); !(odd > power) {
		t.Errorf("divisibility: 48 is %v from 64, 32 is %v", odd, power)
	}
	if same := d(c[3], at(16, 8), at(64, 2)); same != 0 {
		t.Errorf("16·8 is %v from 64·2", same)
	}
}

// TestColumnsIgnoreRowOrder ties two sizes whose logarithms do not correlate: their
// product is the column, whatever rounding errors the order of the rows makes.
func TestColumnsIgnoreRowOrder(t *testing.T) {
	x := tuning.Parameter{Name: "x", Values: []float64{64, 128, 256, 512, 1024}}
	y := tuning.Parameter{Name: "y", Values: []float64{3, 6, 12}}
	rows := [][]uint16{{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}, {3, 0}, {3, 1}, {4, 0}}
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		rnd.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		s, err := tuning.NewSpace([]tuning.Parameter{x, y}, rows)
		if err != nil {
			t.Fatal(err)
		}
		c := columnsOf([]tuning.Task{{Space: s}})
		if len(c) != 3 {
			t.Fatalf("%d columns, want x, y and x·y", len(c))
		}
		if p := c[2]; p.level[s.Find([]uint16{1, 1})] != p.level[s.Find([]uint16{2, 0})] {
			t.Fatalf("rows %v: 128·6 is not 256·3", rows)
		}
	}
}

// TestColumnsOfTasks gives the second task other values, in another order, and one
// parameter less.
func TestColumnsOfTasks(t *testing.T) {
	one, err := tuning.NewSpace([]tuning.Parameter{{Name: "x", Values: []float64{1, 2, 4}}, {Name: "y", Values: []float64{1, 2}}},
		[][]uint16{{0, 0}, {2, 1}}) // x is never 2
	if err != nil {
		t.Fatal(err)
	}
	two, err := tuning.NewSpace([]tuning.Parameter{{Name: "x", Values: []float64{8, 4}}}, [][]uint16{{0}, {1}})
	if err != nil {
		t.Fatal(err)
	}
	axes := axesOf([]tuning.Task{{Space: one}, {Space: two}})
	for i, want := range [][]float64{{1, 4, 8, 4}, {1, 2, 0, 0}} {
		var got []float64
		for _, l := range axes[i].level {
			got = append(got, axes[i].distinct[l])
		}
		if !slices.Equal(got, want) {
			t.Errorf("parameter %d: values %v, want %v", i, got, want)
		}
	}
	if len(axes[0].distinct) != 3 {
		t.Errorf("values of x: %v, want those that occur", axes[0].distinct)
	}
}

// Of points that promise the same, those that are compiled soon come first, where
// compiling is what takes time.
func TestBestPrefersWhatCompilesSoon(t *testing.T) {
	space := grid(t, 16, 16)
	spent := func(seconds float64) (total float64) {
		for seed := range uint64(5) {
			strategy, err := best.New(seeded(seed, 60, space))
			if err != nil {
				t.Fatal(err)
			}
			for range 60 {
				_, point, _ := strategy.Next()
				compile := 0.1
				if space.Value(point, 0) > space.Value(space.Len()/2, 0) {
					compile = 10
				}
				total += compile
				// What costs little is nowhere in particular.
				trial := tuning.Trial{Point: point, Cost: 2 + math.Sin(float64(point*point)), OK: true}
				if seconds > 0 {
					trial.CompileSeconds, trial.RunSeconds = compile, seconds
				}
				strategy.Tell(trial)
			}
		}
		return total
	}
	unknown, short, long := spent(0), spent(0.1), spent(1000)
	if short > unknown/2 || long < unknown*0.7 {
		t.Errorf("compiling took %v s where it is not known to the search, %v where it is, %v where running takes much longer", unknown, short, long)
	}
}
