package strategy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// covariance is the kernel of the points and others, by its definition.
func covariance(columns []column, rates []float64, p, q int) float64 {
	s, a := 0.0, 0.0
	for i, c := range columns {
		d := rates[i] * float64(c.distance2[int(c.level[p])*c.levels+int(c.level[q])])
		s += d
		a += math.Exp(-d) / float64(len(columns))
	}
	r := math.Sqrt(5 * s)
	return 0.7*(1+r+r*r/3)*math.Exp(-r) + 0.3*(a+a*a)/2
}

// dense is a process solved by the textbook: what the inverse of the kernel of points makes
// of targets.
type dense struct {
	columns []column
	rates   []float64
	points  []int
	kernel  mat.Cholesky
}

func newDense(columns []column, rates []float64, points []int) *dense {
	d := &dense{columns: columns, rates: rates, points: points}
	k := mat.NewSymDense(len(points), nil)
	for i, p := range points {
		for j, q := range points[:i+1] {
			k.SetSym(i, j, covariance(columns, rates, p, q))
		}
		k.SetSym(i, i, 1+noise)
	}
	if !d.kernel.Factorize(k) {
		panic("not positive definite")
	}
	return d
}

// form is xᵀ·kernel⁻¹·y.
func (d *dense) form(x, y []float64) float64 {
	var z mat.VecDense
	if err := d.kernel.SolveVecTo(&z, mat.NewVecDense(len(y), y)); err != nil {
		panic(err)
	}
	return mat.Dot(mat.NewVecDense(len(x), x), &z)
}

func (d *dense) to(candidate int) []float64 {
	var k []float64
	for _, p := range d.points {
		k = append(k, covariance(d.columns, d.rates, p, candidate))
	}
	return k
}

// each is f of each.
func each[T any](from []T, f func(T) float64) (all []float64) {
	for _, x := range from {
		all = append(all, f(x))
	}
	return all
}

func ones(n int) []float64 {
	return each(make([]int, n), func(int) float64 { return 1 })
}

func minus(a []float64, b float64) []float64 {
	return each(a, func(x float64) float64 { return x - b })
}

// near complains of a number that is farther from what it should be.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within*max(1, math.Abs(want))) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// mixed is a searcher without trials, and points of it that are far from each other.
func mixed(t *testing.T) (b *searcher, points, pool []int) {
	t.Helper()
	b = newSearcher(seeded(1, 50, grid(t, 6, 5, 3)))
	return b, []int{0, 14, 33, 41, 56, 70, 88}, []int{3, 20, 47, 61, 80, 85}
}

// TestProcessIsDense holds means, variances, prior means and signals of a search for a front
// against the textbook's formulas, before and after the profile and with a later point.
func TestProcessIsDense(t *testing.T) {
	b, points, pool := mixed(t)
	target, second := []float64{0.3, -1, 2, 0.5, -0.2, 1.1, -0.7}, []float64{1, 0.2, -0.6, -0.1, 1.4, -1.2, 0.9}
	effort, faults := []float64{0.4, -0.3, 1, 0.2, -1.1, 0.6, 0.1}, []float64{0, 0, 1, 0, 1, 0, 0}
	m := newProcess(b.kernel, b.rates, pool, true)
	tell := func(i int) {
		m.condition(points[i], outcome{target: target[i], second: second[i], effort: effort[i], fault: faults[i]})
	}
	for i := range 5 {
		tell(i)
	}
	var offset, otherOffset float64
	compare := func(n int) {
		t.Helper()
		d := newDense(b.kernel.columns, b.rates, points[:n])
		for i, c := range pool {
			k := d.to(c)
			near(t, "mean", float64(m.mean[i]), d.form(k, minus(target[:n], offset)), 1e-4)
			near(t, "second mean", float64(m.other[i]), d.form(k, minus(second[:n], otherOffset)), 1e-4)
			near(t, "effort", float64(m.dear[i]), d.form(k, effort[:n]), 1e-4)
			near(t, "fault", float64(m.faulty[i]), d.form(k, faults[:n]), 1e-4)
			near(t, "variance", float64(m.variance[i]), 1-d.form(k, k), 1e-4)
		}
	}
	compare(5)
	if m.offset != 0 || m.signal != 1 || m.otherOffset != 0 || m.otherSignal != 1 {
		t.Errorf("prior %v, %v, %v, %v, want 0 and 1", m.offset, m.signal, m.otherOffset, m.otherSignal)
	}
	level := func(n int, y []float64) (offset, signal float64) {
		d := newDense(b.kernel.columns, b.rates, points[:n])
		offset = d.form(ones(n), y[:n]) / d.form(ones(n), ones(n))
		beyond := minus(y[:n], offset)
		return offset, (d.form(beyond, beyond) + 2) / float64(n+2)
	}
	profiled := func(n int) {
		t.Helper()
		var signal, otherSignal float64
		offset, signal = level(n, target)
		otherOffset, otherSignal = level(n, second)
		near(t, "offset", m.offset, offset, 1e-4)
		near(t, "signal", m.signal, signal, 1e-4)
		near(t, "second offset", m.otherOffset, otherOffset, 1e-4)
		near(t, "second signal", m.otherSignal, otherSignal, 1e-4)
		compare(n)
		for i, o := range m.outcomes {
			near(t, "kept target", o.target, target[i]-offset, 1e-4)
			near(t, "kept second", o.second, second[i]-otherOffset, 1e-4)
		}
	}
	m.profile()
	profiled(5)
	tell(5)
	compare(6)
	m.profile() // of what has an offset already
	profiled(6)
}

// TestEvidenceIsDense holds the evidence, and what a fit makes of the rates, against the
// formula with a dense inverse.
func TestEvidenceIsDense(t *testing.T) {
	b, points, _ := mixed(t)
	columns := b.kernel.columns
	value := func(target, rates []float64) float64 {
		n := len(points)
		d := newDense(columns, rates, points)
		with := d.form(ones(n), target)
		squares := d.form(target, target) - with*with/d.form(ones(n), ones(n))
		v := -d.kernel.LogDet()/2 - float64(n+2)/2*math.Log((squares+2)/float64(n+2))
		for i, r := range rates {
			v -= math.Pow(math.Log(r/columns[i].rate)/1.2, 2) / 2
		}
		return v
	}
	rnd := rand.New(rand.NewPCG(2, 2))
	moved := map[float64]bool{}
	for range 12 {
		target := each(points, func(int) float64 { return 2 * rnd.NormFloat64() })
		rates := each(columns, func(c column) float64 { return c.rate * math.Exp(rnd.NormFloat64()) })
		start := append([]float64(nil), rates...)
		near(t, "evidence", newEvidence(columns, points, target, rates).value(), value(target, rates), 3e-4)
		got := fitRates(columns, points, target, rates)
		best := value(target, rates)
		for i := range rates {
			for _, step := range []float64{3, 1. / 3} {
				rates[i] *= step
				if v := value(target, rates); v > best {
					best = v
					break
				}
				rates[i] /= step
			}
			near(t, "rate", got[i], rates[i], 1e-6)
			moved[math.Round(math.Log(got[i]/start[i]))] = true
		}
	}
	if len(moved) != 3 {
		t.Errorf("rates moved by %v", moved)
	}
}

// TestRegression holds the lessons' slopes, the offset and the signal against the formulas of
// a regression with a normal prior: slopes below 0 become 0.
func TestRegression(t *testing.T) {
	b, points, pool := mixed(t)
	n := len(points)
	lesson := func(of func(c int) float64) (s []float32) {
		for c := range b.done {
			s = append(s, float32(of(c)))
		}
		return s
	}
	told := &taught{slopes: []float64{0.5, 0.5}, score: [][]float32{
		lesson(func(c int) float64 { return math.Sin(float64(c)) }),
		lesson(func(c int) float64 { return math.Cos(float64(2 * c)) }),
	}}
	target := each(points, func(p int) float64 {
		return 0.7 + 1.3*math.Sin(float64(p)) - 0.9*math.Cos(float64(2*p)) + 0.1*float64(p%3)
	})
	m := newProcess(b.kernel, b.rates, pool, false)
	m.taught, m.offset = told, 0.25
	for i, p := range points {
		m.condition(p, outcome{target: target[i], effort: math.NaN()})
	}
	m.profile()
	d := newDense(b.kernel.columns, b.rates, points)
	basis := [][]float64{ones(n)}
	for _, s := range told.score {
		basis = append(basis, each(points, func(p int) float64 { return float64(s[p]) }))
	}
	signal := 0.3
	var x mat.VecDense
	for range 3 {
		a, y := mat.NewDense(3, 3, nil), mat.NewVecDense(3, nil)
		for i := range basis {
			for j := range basis {
				a.Set(i, j, d.form(basis[i], basis[j])/signal)
			}
			y.SetVec(i, d.form(basis[i], target)/signal)
			if i > 0 { // a slope is 1/2 by the lessons' number, give or take 1/2
				a.Set(i, i, a.At(i, i)+4)
				y.SetVec(i, y.AtVec(i)+4*0.5)
			}
		}
		if err := x.SolveVec(a, y); err != nil {
			t.Fatal(err)
		}
		rest := make([]float64, n)
		for i := range rest {
			rest[i] = target[i] - x.AtVec(0) - x.AtVec(1)*basis[1][i] - x.AtVec(2)*basis[2][i]
		}
		signal = (d.form(rest, rest) + 0.6) / float64(n+2)
	}
	if x.AtVec(1) < 0.5 || x.AtVec(2) > 0 {
		t.Fatalf("slopes %v and %v; one should be below 0", x.AtVec(1), x.AtVec(2))
	}
	near(t, "offset", m.offset, x.AtVec(0), 1e-4)
	near(t, "slope", told.slopes[0], x.AtVec(1), 1e-4)
	near(t, "slope", told.slopes[1], 0, 0)
	near(t, "signal", m.signal, signal, 1e-4)
	var rest []float64
	for i := range points {
		rest = append(rest, target[i]-x.AtVec(0)-x.AtVec(1)*basis[1][i])
	}
	for i, c := range pool {
		near(t, "mean", float64(m.mean[i]), x.AtVec(1)*float64(told.score[0][c])+d.form(d.to(c), rest), 1e-4)
	}
}

// TestTerms holds the look-ups of packed columns against sums over them, and functions by
// table against themselves.
func TestTerms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var columns []column
	var rates []float64
	for _, levels := range []int{32, 32, 2, 600, 3, 5} { // 32·32 and 600 codes leave room for no more than 2·3·5
		c := column{levels: levels}
		for range 40 {
			c.level = append(c.level, uint16(rnd.IntN(levels)))
		}
		c.fill(func(int, int) float64 { return rnd.Float64() })
		columns, rates = append(columns, c), append(rates, 0.2+rnd.Float64())
	}
	p := pack(columns)
	var codes [][]uint16
	var sizes []int
	for _, g := range p.groups {
		codes, sizes = append(codes, g.code), append(sizes, g.codes)
	}
	if len(sizes) != 3 || sizes[0] != 1024 || sizes[1] != 30 || sizes[2] != 600 {
		t.Errorf("groups of %v codes", sizes)
	}
	k := make([]float32, 40)
	for point := range 40 {
		p.terms(rates, point).fill(codes, k, make([]float32, 40))
		for q := range k {
			near(t, "kernel", float64(k[q]), covariance(columns, rates, point, q), 1e-5)
		}
	}
	square := newTabled(func(x float64) float64 { return x * x })
	const step = 16. / 4096
	for x, want := range map[float32]float64{0: 0, 3 * step: 9 * step * step, 3.25 * step: 0.75*9*step*step + 0.25*16*step*step, 2: 4, 15.5: 240.25, 16: 256, 17: 256, 1e9: 256} {
		near(t, "table", float64(square.at(x)), want, 1e-9)
	}
	for x := range 170 {
		u := float64(x)/10 - 8.5
		want := 0.0
		if u > -8 {
			want = expectedImprovement(u, 1)
		}
		near(t, "improvement", float64(improves(float32(u))), want, 1e-6)
	}
	for _, u := range []float32{7, 7.5, 8.5, 100} {
		if improves(u) != u {
			t.Errorf("improvement %v at %v", improves(u), u)
		}
	}
}

// TestSolve a positive definite system.
func TestSolve(t *testing.T) {
	for i, x := range solve([][]float64{{4, 2, 1, 11}, {2, 5, 3, 21}, {1, 3, 6, 25}}) { // of 1, 2, 3
		near(t, "solution", x, float64(i+1), 1e-12)
	}
}
