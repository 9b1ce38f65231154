package models

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func source() *rand.Rand { return rand.New(rand.NewPCG(11, 12)) }

// all are the models by name, each new.
func all() map[string]func() Regressor {
	return map[string]func() Regressor{
		"tree":            func() Regressor { return &Tree{} },
		"forest":          func() Regressor { return &Forest{Rand: source()} },
		"neighbours":      func() Regressor { return &Standardized{Model: &Neighbours{}} },
		"support vectors": func() Regressor { return &Standardized{Model: &SupportVectors{}} },
		"perceptron":      func() Regressor { return &Standardized{Model: &Perceptron{Rand: source()}} },
	}
}

// surface are samples of a function of two features of very different scale;
// a third does not matter.
func surface(rnd *rand.Rand, n int) (x [][]float64, y []float64) {
	for range n {
		a, b, c := rnd.Float64(), 1000*rnd.Float64(), rnd.Float64()
		x = append(x, []float64{a, b, c})
		y = append(y, 50+10*math.Sin(4*a)+b/100)
	}
	return x, y
}

// explained is the share of the variance that the predictions explain.
func explained(m Regressor, x [][]float64, y []float64) float64 {
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	residual, total := 0.0, 0.0
	for i := range x {
		e := y[i] - m.Predict(x[i])
		residual += e * e
		total += (y[i] - mean) * (y[i] - mean)
	}
	return 1 - residual/total
}

func TestTreeLearns(t *testing.T)          { learns(t, "tree", 0.93) }
func TestForestLearns(t *testing.T)        { learns(t, "forest", 0.96) }
func TestNeighboursLearn(t *testing.T)     { learns(t, "neighbours", 0.8) }
func TestSupportVectorsLearn(t *testing.T) { learns(t, "support vectors", 0.97) }
func TestPerceptronLearns(t *testing.T)    { learns(t, "perceptron", 0.93) }

// learns: the model explains at least that share of the variance of new samples, its
// seed repeats it, and a second fit forgets the first.
func learns(t *testing.T, name string, least float64) {
	x, y := surface(source(), 300)
	tx, ty := surface(rand.New(rand.NewPCG(21, 22)), 200)
	make := all()[name]
	m := make()
	m.Fit(x, y)
	if r := explained(m, tx, ty); !(r > least) {
		t.Errorf("explains %.3f of the variance, want %v", r, least)
	}
	again := make()
	again.Fit(x, y)
	if a, b := m.Predict(tx[0]), again.Predict(tx[0]); a != b {
		t.Errorf("predicts %v and then %v from the same samples", a, b)
	}
	m.Fit(x[:1], y[:1])
	if got := m.Predict(x[0]); math.Abs(got-y[0]) > 0.2 {
		t.Errorf("predicts %v from one sample of %v", got, y[0])
	}
}

func TestRegressorsOnDegenerateSamples(t *testing.T) {
	for name, make := range all() {
		for _, c := range []struct {
			x    [][]float64
			y    []float64
			want float64
		}{
			{[][]float64{{1, 2}, {3, 4}, {5, 6}}, []float64{7, 7, 7}, 7},
			{[][]float64{{1, 2}, {1, 2}}, []float64{6, 8}, 7},
			{[][]float64{{}, {}}, []float64{6, 8}, 7},
		} {
			tolerance := 0.2
			if name == "forest" {
				tolerance = 1 // a bootstrap sample may hold one of the two only
			}
			m := make()
			m.Fit(c.x, c.y)
			got := m.Predict(c.x[0])
			if math.IsNaN(got) || math.Abs(got-c.want) > tolerance {
				t.Errorf("%s predicts %v from %v of %v", name, got, c.y, c.x)
			}
		}
	}
}

func TestTreeSplits(t *testing.T) {
	// The second feature separates best, between 2 and 5; then nothing is left.
	x := [][]float64{{1, 1}, {2, 5}, {3, 2}, {4, 6}}
	m := &Tree{}
	m.Fit(x, []float64{10, 20, 10, 20})
	if len(m.nodes) != 3 || m.nodes[0].feature != 1 || m.nodes[0].threshold != 3.5 {
		t.Errorf("%d nodes, the root splits feature %d at %v; want 3, 1, 3.5", len(m.nodes), m.nodes[0].feature, m.nodes[0].threshold)
	}
	if a, b := m.Predict([]float64{9, 3.5}), m.Predict([]float64{0, 3.6}); a != 10 || b != 20 {
		t.Errorf("%v and %v, want 10 and 20", a, b)
	}
	// A full tree repeats its samples.
	x, y := surface(source(), 100)
	m.Fit(x, y)
	if r := explained(m, x, y); r != 1 {
		t.Errorf("explains %v of its own samples", r)
	}
}

func TestNeighboursMean(t *testing.T) {
	m := &Neighbours{K: 2}
	m.Fit([][]float64{{0}, {10}, {3}, {20}}, []float64{1, 2, 4, 8})
	for at, want := range map[float64]float64{1: 2.5, 8: 3, 100: 5} {
		if got := m.Predict([]float64{at}); got != want {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
}

// TestSupportVectorsOptimal checks the conditions of Karush, Kuhn and Tucker:
// coefficients sum to 0; a sample within the tube has none, one beyond it the
// bound, one on its edge something between.
func TestSupportVectorsOptimal(t *testing.T) {
	rnd := source()
	x, y := surface(rnd, 60)
	for i := range x {
		x[i][1] /= 1000
		y[i] = (y[i]-50)/5 + rnd.NormFloat64()/4
	}
	const c, epsilon, slack = 0.5, 0.2, 5e-3
	m := &SupportVectors{C: c, Epsilon: epsilon, Gamma: 2}
	m.Fit(x, y)
	sum, inside, edge, bound := 0.0, 0, 0, 0
	for i := range x {
		beta := 0.0
		if at := slices.IndexFunc(m.x, func(v []float64) bool { return slices.Equal(v, x[i]) }); at >= 0 {
			beta = m.beta[at]
		}
		sum += beta
		e := y[i] - m.Predict(x[i])
		switch {
		case beta == 0:
			inside++
			if math.Abs(e) > epsilon+slack {
				t.Errorf("sample %d: no coefficient at a deviation of %v", i, e)
			}
		case math.Abs(beta) == c:
			bound++
			if e*math.Copysign(1, beta) < epsilon-slack {
				t.Errorf("sample %d: coefficient %v at a deviation of %v", i, beta, e)
			}
		default:
			edge++
			if math.Abs(e-math.Copysign(epsilon, beta)) > slack {
				t.Errorf("sample %d: coefficient %v at a deviation of %v", i, beta, e)
			}
		}
	}
	if math.Abs(sum) > 1e-9 {
		t.Errorf("the coefficients sum to %v", sum)
	}
	if inside == 0 || edge == 0 || bound == 0 {
		t.Errorf("%d samples within, %d on the edge, %d beyond; the data should have all", inside, edge, bound)
	}
}

// TestPerceptronGradient compares back propagation with differences.
func TestPerceptronGradient(t *testing.T) {
	m := &Perceptron{Hidden: 6, Epochs: 1, Rand: source()}
	x, y := [][]float64{{0.3, -0.8, 0.5}}, []float64{0.7}
	m.Fit(x, y)
	got := make([]float64, len(m.weights))
	m.backward(x[0], y[0], 1, got)
	for i := range m.weights {
		const h = 1e-6
		loss := func(w float64) float64 {
			old := m.weights[i]
			defer func() { m.weights[i] = old }()
			m.weights[i] = w
			e := m.Predict(x[0]) - y[0]
			return e * e / 2
		}
		want := (loss(m.weights[i]+h) - loss(m.weights[i]-h)) / (2 * h)
		if math.Abs(got[i]-want) > 1e-7 {
			t.Errorf("weight %d: %v, by differences %v", i, got[i], want)
		}
	}
}
