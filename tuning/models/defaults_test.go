package models

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// counted counts what is drawn of a source.
type counted struct {
	rand.Source
	draws int
}

func (c *counted) Uint64() uint64 { c.draws++; return c.Source.Uint64() }

// TestPerceptronStops after ten passes without progress, and at the latest after
// Epochs: each pass draws an order.
func TestPerceptronStops(t *testing.T) {
	x, y := surface(source(), 20)
	draws := func(epochs int, rate float64) int {
		c := &counted{Source: rand.NewPCG(1, 2)}
		(&Perceptron{Hidden: 3, Epochs: epochs, LearningRate: rate, Rand: rand.New(c)}).Fit(x, y)
		return c.draws
	}
	const still = 1e-300 // nothing moves
	if a, b, c := draws(11, still), draws(12, still), draws(200, still); a >= b || b != c {
		t.Errorf("%d, %d and %d draws of at most 11, 12 and 200 passes, of which 12 are to be made", a, b, c)
	}
	if a, b := draws(20, 1e-3), draws(21, 1e-3); a >= b {
		t.Errorf("%d and %d draws of 20 and 21 passes with progress", a, b)
	}
}

// TestPerceptronSteps: Adam's first step moves every weight by the learning rate
// against its gradient, whatever the gradient's size; the penalty is of weights only.
func TestPerceptronSteps(t *testing.T) {
	x, y := [][]float64{{0.3, -0.8}, {0.5, 0.9}}, []float64{0.7, -2}
	fitted := func(rate, penalty float64) *Perceptron {
		m := &Perceptron{Hidden: 6, Epochs: 1, LearningRate: rate, Penalty: penalty, Rand: source()}
		m.Fit(x, y)
		return m
	}
	const h, d, rate = 6, 2, 1e-3
	first := fitted(1e-300, 1e-300)
	gradient := make([]float64, len(first.weights))
	loss := 0.0
	for i := range x {
		loss += first.backward(x[i], y[i], 0.5, gradient)
	}
	if want := (math.Pow(first.Predict(x[0])-y[0], 2) + math.Pow(first.Predict(x[1])-y[1], 2)) / 2; math.Abs(loss-want) > 1e-12 {
		t.Errorf("loss %v, want %v", loss, want)
	}
	bounds := map[bool]float64{true: math.Sqrt(6. / (d + h)), false: math.Sqrt(6. / (h + 1))}
	low, high := 0.0, 0.0
	for i, w := range first.weights {
		if math.Abs(w) > bounds[i < h*(d+1)] {
			t.Errorf("weight %d begins at %v", i, w)
		}
		low, high = min(low, w), max(high, w)
	}
	if low > -0.4 || high < 0.4 {
		t.Errorf("weights begin between %v and %v", low, high)
	}
	plain, penalized := fitted(rate, 1e-300), fitted(rate, 1e6)
	for i, w := range first.weights {
		want := w
		if gradient[i] != 0 { // else its unit is at rest
			want = w - math.Copysign(rate, gradient[i])
		}
		if math.Abs(plain.weights[i]-want) > 1e-7 {
			t.Errorf("weight %d goes from %v by %v to %v, want %v", i, w, gradient[i], plain.weights[i], want)
		}
		if i < h*d || i >= h*(d+1) && i < h*(d+2) {
			want = w - math.Copysign(rate, w)
		}
		if math.Abs(penalized.weights[i]-want) > 1e-6 {
			t.Errorf("under a penalty weight %d goes from %v to %v, want %v", i, w, penalized.weights[i], want)
		}
	}
}

// TestDefaults are scikit-learn's of 2019.
func TestDefaults(t *testing.T) {
	x, y := surface(source(), 30)
	for i := range x {
		x[i][1] /= 1000
		y[i] = (y[i] - 50) / 5
	}
	for name, m := range map[string][2]Regressor{
		"forest":          {&Forest{Rand: source()}, &Forest{Rand: source(), Trees: 10}},
		"neighbours":      {&Neighbours{}, &Neighbours{K: 5}},
		"support vectors": {&SupportVectors{}, &SupportVectors{C: 1, Epsilon: 0.1, Gamma: 1. / 3}},
		"perceptron":      {&Perceptron{Rand: source(), Epochs: 5}, &Perceptron{Rand: source(), Epochs: 5, Hidden: 100, LearningRate: 1e-3, Penalty: 1e-4}},
	} {
		m[0].Fit(x, y)
		m[1].Fit(x, y)
		for i := range x {
			if a, b := m[0].Predict(x[i]), m[1].Predict(x[i]); a != b {
				t.Errorf("%s: %v by default, %v by what the default is", name, a, b)
				break
			}
		}
	}
	p := &Perceptron{Rand: source()}
	if defaults(p); p.Epochs != 200 {
		t.Errorf("%d passes, want 200", p.Epochs)
	}
}

// TestForestIsTheMeanOfItsTrees, each of its own sample; a forest of another size
// forgets the trees it had.
func TestForestIsTheMeanOfItsTrees(t *testing.T) {
	x, y := surface(source(), 50)
	f := &Forest{Trees: 3, Rand: source()}
	f.Fit(x, y)
	sum, first := 0.0, f.trees[0].Predict([]float64{0.5, 500, 0.5})
	differ := false
	for i := range f.trees {
		p := f.trees[i].Predict([]float64{0.5, 500, 0.5})
		sum += p
		differ = differ || p != first
	}
	if got := f.Predict([]float64{0.5, 500, 0.5}); len(f.trees) != 3 || math.Abs(got-sum/3) > 1e-12 || !differ {
		t.Errorf("%d trees predict %v, want %v; they differ: %v", len(f.trees), got, sum/3, differ)
	}
	f.Trees = 2
	f.Fit(x, y)
	if len(f.trees) != 2 {
		t.Errorf("%d trees, want 2", len(f.trees))
	}
}

// TestNeighboursTies: of samples equally far the earlier counts.
func TestNeighboursTies(t *testing.T) {
	for _, c := range []struct {
		k    int
		want float64
	}{{1, 1}, {2, 1.5}, {3, 7. / 3}, {4, 15. / 4}, {9, 15. / 4}} {
		m := &Neighbours{K: c.k}
		m.Fit([][]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, []float64{1, 2, 4, 8})
		if got := m.Predict([]float64{0, 0}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d of four equally far: %v, want %v", c.k, got, c.want)
		}
	}
	m := &Neighbours{K: 1}
	m.Fit([][]float64{{3, 4}, {6, 0}}, []float64{1, 2})
	if got := m.Predict([]float64{0, 0}); got != 1 { // 5 against 6
		t.Errorf("the nearest of two is %v", got)
	}
}

// TestSupportVectorsOnTheirBounds: where every coefficient is at its bound, the bias is
// the middle of what they allow.
func TestSupportVectorsOnTheirBounds(t *testing.T) {
	m := &SupportVectors{C: 1, Epsilon: 0.1, Gamma: 1}
	m.Fit([][]float64{{0}, {100}}, []float64{12, -10})
	// At most 12 - 1 - 0.1, at least -10 + 1 + 0.1.
	if !slices.Equal(m.beta, []float64{1, -1}) || math.Abs(m.bias-1) > 1e-9 {
		t.Errorf("coefficients %v, bias %v; want 1, -1 and 1", m.beta, m.bias)
	}
	if got := m.Predict([]float64{1}); math.Abs(got-(1+math.Exp(-1))) > 1e-9 {
		t.Errorf("at a distance of 1: %v", got)
	}
	// All within the tube: no support vector.
	m.Fit([][]float64{{0}, {1}, {2}}, []float64{5, 5.1, 4.95})
	if len(m.beta) != 0 || math.Abs(m.Predict([]float64{1})-5) > 0.1 {
		t.Errorf("coefficients %v, %v at 1", m.beta, m.Predict([]float64{1}))
	}
}

// TestStandardized: the model sees features and outcomes of mean 0 and deviation 1;
// what is the same throughout stays as it is.
func TestStandardized(t *testing.T) {
	var seen recorder
	s := &Standardized{Model: &seen}
	s.Fit([][]float64{{1, 7}, {3, 7}}, []float64{10, 30})
	if !slices.Equal(seen.x[0], []float64{-1, 0}) || !slices.Equal(seen.x[1], []float64{1, 0}) || !slices.Equal(seen.y, []float64{-1, 1}) {
		t.Errorf("%v of %v", seen.y, seen.x)
	}
	if got := s.Predict([]float64{5, 8}); got != 20+10*(3+1) {
		t.Errorf("%v, want 60", got)
	}
}

// recorder keeps what it is fitted to and predicts the sum of the features.
type recorder struct {
	x [][]float64
	y []float64
}

func (r *recorder) Fit(x [][]float64, y []float64) { r.x, r.y = x, y }
func (r *recorder) Predict(x []float64) float64    { return x[0] + x[1] }

// TestMatern against the closed form and differences, by logarithms of a length.
func TestMatern(t *testing.T) {
	if k, _ := matern(0); k != 1 {
		t.Errorf("%v at no distance", k)
	}
	if k, _ := matern(1); math.Abs(k-0.52399410883182) > 1e-12 {
		t.Errorf("%v at a distance of 1", k)
	}
	at := func(log float64) float64 { k, _ := matern(math.Exp(-2 * log)); return k }
	_, slope := matern(1)
	if want := (at(1e-5) - at(-1e-5)) / 2e-5; math.Abs(slope-want) > 1e-8 {
		t.Errorf("slope %v, by differences %v", slope, want)
	}
}

// TestProcessBeginsAtItsPrior, where a fit of fewer than two points leaves it.
func TestProcessBeginsAtItsPrior(t *testing.T) {
	one := NewProcess(1, 4)
	want := []float64{math.Log(2), math.Log(2), math.Log(2), math.Log(2), 1, math.Log(1e-3)}
	if !slices.EqualFunc(one.theta, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("%v, want %v", one.theta, want)
	}
	one.Fit([]Input{{X: make([]float64, 4)}}, []float64{3}, 50)
	if !slices.EqualFunc(one.theta, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("%v after one point", one.theta)
	}
	if math.Abs(one.noise()-1e-3) > 1e-15 {
		t.Errorf("noise %v", one.noise())
	}
	two := NewProcess(2, 1)
	want = []float64{0, 1, 1, math.Log(0.05), math.Log(0.05), 0, 0.3, -0.3, math.Log(0.05), math.Log(0.05), math.Log(1e-3)}
	if !slices.EqualFunc(two.theta, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("%v, want %v", two.theta, want)
	}
	c := two.covariance(two.theta)
	// 1·1 + 0.05 + 0.3² + 0.05 of a task with itself, 1·1 - 0.3·0.3 of two.
	at := Input{Task: 0, X: []float64{0.4}}
	if got := c.at(at, at); math.Abs(got-1.19) > 1e-12 || math.Abs(c.variance(0)-1.19) > 1e-12 {
		t.Errorf("variance %v and %v, want 1.19", got, c.variance(0))
	}
	if got := c.at(at, Input{Task: 1, X: []float64{0.4}}); math.Abs(got-0.91) > 1e-12 {
		t.Errorf("covariance %v, want 0.91", got)
	}
	scratch := make([]float64, len(two.theta))
	for _, bad := range []float64{math.NaN(), 12.5, -12.5} {
		theta := slices.Clone(two.theta)
		theta[3] = bad
		if got := two.cost(theta, []Input{at}, []float64{1}, scratch); !math.IsInf(got, 1) {
			t.Errorf("a parameter of %v costs %v", bad, got)
		}
	}
	theta := slices.Clone(two.theta)
	theta[3] = thetaBound
	if got := two.cost(theta, []Input{at}, []float64{1}, scratch); math.IsInf(got, 1) {
		t.Error("the bound itself is not allowed")
	}
}

// TestCost is ½yᵀK⁻¹y + ½·log det K and the prior's.
func TestCost(t *testing.T) {
	p := NewProcess(1, 1)
	x := []Input{{X: []float64{0}}, {X: []float64{1}}}
	k, _ := matern(1)
	a, b := 1+1e-3, k
	determinant := a*a - b*b
	quadratic := (a*4 - 2*b*2*3 + a*9) / determinant
	scratch := make([]float64, len(p.theta))
	want := quadratic/2 + math.Log(determinant)/2
	if got := p.cost(p.theta, x, []float64{2, 3}, scratch); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	theta := slices.Clone(p.theta)
	theta[1] += 0.5 // one deviation of the prior, and 1.5² of the variance
	determinant = math.Pow(2.25+1e-3, 2) - math.Pow(2.25*k, 2)
	quadratic = ((2.25+1e-3)*13 - 2*2.25*k*6) / determinant
	want = quadratic/2 + math.Log(determinant)/2 + 0.5
	if got := p.cost(theta, x, []float64{2, 3}, scratch); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}
