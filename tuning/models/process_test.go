package models

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
)

// sampled are inputs in [0, 1]^dims of tasks in turn, with outcomes of f.
func sampled(rnd *rand.Rand, n, tasks, dims int, f func(Input) float64) (x []Input, y []float64) {
	for i := range n {
		p := Input{Task: i % tasks, X: make([]float64, dims)}
		for d := range p.X {
			p.X[d] = rnd.Float64()
		}
		x, y = append(x, p), append(y, f(p))
	}
	return x, y
}

func TestProcessGradient(t *testing.T) {
	for _, tasks := range []int{1, 3} {
		rnd := rand.New(rand.NewPCG(1, 2))
		x, y := sampled(rnd, 12, tasks, 2, func(p Input) float64 { return math.Sin(5*p.X[0]) + float64(p.Task) })
		p := NewProcess(tasks, 2)
		theta := slices.Clone(p.theta)
		for i := range theta {
			theta[i] += rnd.NormFloat64() / 3
		}
		got := make([]float64, len(theta))
		p.cost(theta, x, y, got)
		scratch := make([]float64, len(theta))
		want := fd.Gradient(nil, func(at []float64) float64 { return p.cost(at, x, y, scratch) }, theta, &fd.Settings{Formula: fd.Central})
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-5*(1+math.Abs(want[i])) {
				t.Errorf("%d tasks: the gradient's element %d is %v, by differences %v", tasks, i, got[i], want[i])
			}
		}
	}
}

// TestPosteriorExact compares the updates row by row with the textbook's
// formula, with candidates before and after the observations.
func TestPosteriorExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	x, y := sampled(rnd, 15, 2, 3, func(p Input) float64 { return p.X[0] - p.X[2] + float64(p.Task) })
	candidates, _ := sampled(rnd, 8, 2, 3, func(Input) float64 { return 0 })
	p := NewProcess(2, 3)
	post := p.Posterior()
	for _, c := range candidates[:4] {
		post.Watch(c)
	}
	for i := range x {
		post.Observe(x[i], y[i])
		if i == 7 {
			for _, c := range candidates[4:] {
				post.Watch(c)
			}
		}
	}
	c := p.covariance(p.theta)
	k := mat.NewSymDense(len(x), nil)
	for i := range x {
		for j := range i + 1 {
			k.SetSym(i, j, c.at(x[i], x[j]))
		}
		k.SetSym(i, i, k.At(i, i)+p.noise())
	}
	var inverse mat.Dense
	if err := inverse.Inverse(k); err != nil {
		t.Fatal(err)
	}
	for j, at := range candidates {
		cross := mat.NewVecDense(len(x), nil)
		for i := range x {
			cross.SetVec(i, c.at(x[i], at))
		}
		var w mat.VecDense
		w.MulVec(&inverse, cross)
		mean := mat.Dot(&w, mat.NewVecDense(len(y), y))
		deviation := math.Sqrt(c.at(at, at) - mat.Dot(&w, cross))
		gotMean, gotDeviation := post.At(j)
		if math.Abs(gotMean-mean) > 1e-8 || math.Abs(gotDeviation-deviation) > 1e-6 {
			t.Errorf("candidate %d: %v ± %v, want %v ± %v", j, gotMean, gotDeviation, mean, deviation)
		}
	}
}

// TestProcessLearnsScales: a coordinate that does not matter gets a longer
// scale, and the fit is more likely than the prior.
func TestProcessLearnsScales(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	x, y := sampled(rnd, 40, 1, 2, func(p Input) float64 { return math.Sin(8 * p.X[0]) })
	p := NewProcess(1, 2)
	scratch := make([]float64, len(p.theta))
	before := p.cost(p.theta, x, y, scratch)
	p.Fit(x, y, 60)
	if after := p.cost(p.theta, x, y, scratch); after > before-10 {
		t.Errorf("the fit leaves a cost of %v of %v", after, before)
	}
	if !(p.theta[1] > p.theta[0]+1) {
		t.Errorf("length scales %v and %v; the second should be much longer", math.Exp(p.theta[0]), math.Exp(p.theta[1]))
	}
}

// TestCoregionalization: what one task shows helps to predict another, of
// which only two points are known.
func TestCoregionalization(t *testing.T) {
	f := func(p Input) float64 { return math.Sin(7*p.X[0]) * (1 + 0.3*float64(p.Task)) }
	rnd := rand.New(rand.NewPCG(7, 8))
	x, y := sampled(rnd, 25, 1, 1, f)
	for _, v := range []float64{0.1, 0.9} {
		at := Input{Task: 1, X: []float64{v}}
		x, y = append(x, at), append(y, f(at))
	}
	p := NewProcess(2, 1)
	p.Fit(x, y, 80)
	together := rootMeanSquare(p, x, y, f, 1)

	single := NewProcess(1, 1)
	var x1 []Input
	for _, at := range x[25:] {
		x1 = append(x1, Input{X: at.X})
	}
	single.Fit(x1, y[25:], 80)
	alone := rootMeanSquare(single, x1, y[25:], func(p Input) float64 { return f(Input{Task: 1, X: p.X}) }, 0)
	if !(together < alone/2) {
		t.Errorf("error %v with the other task, %v without", together, alone)
	}
}

func rootMeanSquare(p *Process, x []Input, y []float64, f func(Input) float64, task int) float64 {
	post := p.Posterior()
	for i := range x {
		post.Observe(x[i], y[i])
	}
	const n = 50
	sum := 0.0
	for i := range n {
		at := Input{Task: task, X: []float64{float64(i) / (n - 1)}}
		post.Watch(at)
		mean, _ := post.At(i)
		sum += (mean - f(at)) * (mean - f(at))
	}
	return math.Sqrt(sum / n)
}
