package models

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Input is where a Gaussian process is observed: a point of a task.
type Input struct {
	Task int
	X    []float64
}

// Process is a Gaussian process over several tasks, of mean 0, by the linear
// model of coregionalisation (Goovaerts, "Geostatistics for Natural Resources
// Evaluation"; in tuning: Liu et al., "GPTune: Multitask Learning for
// Autotuning Exascale Applications"):
//
//	cov(f(t,x), f(u,z)) = Σ_q (a_qt·a_qu + δ_tu·κ_qt)·k_q(x, z)
//
// with Matérn 5/2 kernels k_q, each with a length scale for every coordinate.
// With one task there is one kernel and no κ. Coordinates are best within
// [0, 1] and outcomes of variance about 1: the priors expect it.
type Process struct {
	tasks, dims, kernels int
	// theta: for each kernel the logarithms of its length scales, a of every
	// task, and with several tasks log κ; then the logarithm of the noise's variance.
	theta []float64
	prior []normal
}

type normal struct{ mean, deviation float64 }

const (
	coregionKernels = 2
	// A kernel k is 0 beyond this power, so that length scales stay finite.
	thetaBound = 12
)

// NewProcess returns a process whose hyperparameters are those of the prior.
func NewProcess(tasks, dims int) *Process {
	p := &Process{tasks: tasks, dims: dims, kernels: 1}
	if tasks > 1 {
		p.kernels = coregionKernels
	}
	for q := range p.kernels {
		for range dims {
			// Length scales grow with the root of the dimension (Hvarfner,
			// Hellsten, Nardi, "Vanilla Bayesian Optimization Performs Great in
			// High Dimensions"); narrower than theirs, as tunables have few values.
			p.prior = append(p.prior, normal{math.Log(float64(dims)) / 2, 1})
		}
		for range tasks {
			// The first kernel is what all tasks have in common.
			a := normal{1, 0.5}
			if q > 0 {
				a = normal{0, 0.5}
			}
			p.prior = append(p.prior, a)
		}
		if tasks > 1 {
			for range tasks {
				p.prior = append(p.prior, normal{math.Log(0.05), 1})
			}
		}
	}
	p.prior = append(p.prior, normal{math.Log(1e-3), 1})
	for _, n := range p.prior {
		p.theta = append(p.theta, n.mean)
	}
	if tasks > 1 {
		// A gradient would leave a = 0 in place, its kernel unused.
		second := p.stride() + dims
		for t := range tasks {
			p.theta[second+t] = 0.3 * (1 - 2*float64(t%2))
		}
	}
	return p
}

func (p *Process) stride() int { return (len(p.prior) - 1) / p.kernels }

// noise is the variance of an observation around the function.
func (p *Process) noise() float64 { return math.Exp(p.theta[len(p.theta)-1]) }

// covariance calculates many covariances with one set of hyperparameters.
type covariance struct {
	tasks, kernels int
	inverse        [][]float64 // of squared length scales, by kernel
	weight         [][]float64 // by kernel, tasks×tasks
}

func (p *Process) covariance(theta []float64) *covariance {
	c := &covariance{tasks: p.tasks, kernels: p.kernels}
	for q := range p.kernels {
		at := theta[q*p.stride():]
		inverse := make([]float64, p.dims)
		for d := range inverse {
			inverse[d] = math.Exp(-2 * at[d])
		}
		a := at[p.dims : p.dims+p.tasks]
		weight := make([]float64, p.tasks*p.tasks)
		for t := range a {
			for u := range a {
				weight[t*p.tasks+u] = a[t] * a[u]
			}
			if p.tasks > 1 {
				weight[t*p.tasks+t] += math.Exp(at[p.dims+p.tasks+t])
			}
		}
		c.inverse, c.weight = append(c.inverse, inverse), append(c.weight, weight)
	}
	return c
}

// at is the covariance of the function at two inputs.
func (c *covariance) at(a, b Input) float64 {
	sum := 0.0
	for q := range c.kernels {
		r2 := 0.0
		for d, w := range c.inverse[q] {
			e := a.X[d] - b.X[d]
			r2 += w * e * e
		}
		k, _ := matern(r2)
		sum += c.weight[q][a.Task*c.tasks+b.Task] * k
	}
	return sum
}

func (c *covariance) variance(task int) float64 {
	sum := 0.0
	for q := range c.kernels {
		sum += c.weight[q][task*c.tasks+task]
	}
	return sum
}

// matern is the Matérn kernel of smoothness 5/2 by the squared distance, and
// its derivative by the logarithm of a length scale divided by that
// coordinate's share of the squared distance.
func matern(r2 float64) (k, slope float64) {
	r := math.Sqrt(5 * r2)
	e := math.Exp(-r)
	return (1 + r + r*r/3) * e, 5.0 / 3 * (1 + r) * e
}

// Fit moves the hyperparameters to the most likely ones under the prior, by
// at most so many evaluations of the likelihood and its gradient. It begins
// at the present ones.
func (p *Process) Fit(x []Input, y []float64, evaluations int) {
	if len(x) < 2 {
		return
	}
	var last []float64
	var value float64
	gradient := make([]float64, len(p.theta))
	evaluate := func(theta []float64) {
		if last == nil || !equal(last, theta) {
			last = append(last[:0], theta...)
			value = p.cost(theta, x, y, gradient)
		}
	}
	problem := optimize.Problem{
		Func: func(theta []float64) float64 { evaluate(theta); return value },
		Grad: func(to, theta []float64) { evaluate(theta); copy(to, gradient) },
	}
	start := append([]float64(nil), p.theta...)
	// The method's own stopping rules, its failure to step further included,
	// all leave the best point in the result.
	result, _ := optimize.Minimize(problem, start, &optimize.Settings{
		FuncEvaluations: evaluations,
		GradEvaluations: evaluations,
		Converger:       &optimize.FunctionConverge{Absolute: 1e-2, Iterations: 3},
	}, &optimize.LBFGS{})
	if result != nil && !math.IsInf(result.F, 0) && !math.IsNaN(result.F) {
		copy(p.theta, result.X)
	}
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// cost is the negative logarithm of likelihood and prior, up to a constant,
// with its gradient by theta.
func (p *Process) cost(theta []float64, x []Input, y []float64, gradient []float64) float64 {
	for _, v := range theta {
		if math.IsNaN(v) || math.Abs(v) > thetaBound {
			return math.Inf(1)
		}
	}
	n := len(x)
	c := p.covariance(theta)
	noise := math.Exp(theta[len(theta)-1])
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := c.at(x[i], x[j])
			if i == j {
				v += noise
			}
			k.SetSym(i, j, v)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		return math.Inf(1)
	}
	alpha := mat.NewVecDense(n, nil)
	target := mat.NewVecDense(n, y)
	if chol.SolveVecTo(alpha, target) != nil {
		return math.Inf(1)
	}
	value := mat.Dot(alpha, target)/2 + chol.LogDet()/2
	// The gradient is ½·tr((K⁻¹ - ααᵀ)·∂K).
	w := mat.NewSymDense(n, nil)
	if chol.InverseTo(w) != nil {
		return math.Inf(1)
	}
	w.SymRankOne(w, -1, alpha)
	clear(gradient)
	trace := 0.0
	for i := range n {
		trace += w.At(i, i)
		for j := i; j < n; j++ {
			share := w.At(i, j) // twice a half, above the diagonal
			if i == j {
				share /= 2
			}
			p.accumulate(theta, c, x[i], x[j], share, gradient)
		}
	}
	last := len(theta) - 1
	gradient[last] += noise * trace / 2
	for i, m := range p.prior {
		e := (theta[i] - m.mean) / m.deviation
		value += e * e / 2
		gradient[i] += e / m.deviation
	}
	return value
}

// accumulate adds share·∂cov(a, b)/∂theta.
func (p *Process) accumulate(theta []float64, c *covariance, a, b Input, share float64, gradient []float64) {
	t, u := a.Task, b.Task
	for q := range p.kernels {
		from := q * p.stride()
		g := gradient[from:]
		r2 := 0.0
		for d, w := range c.inverse[q] {
			e := a.X[d] - b.X[d]
			r2 += w * e * e
		}
		k, slope := matern(r2)
		slope *= share * c.weight[q][t*p.tasks+u]
		for d, w := range c.inverse[q] {
			e := a.X[d] - b.X[d]
			g[d] += slope * w * e * e
		}
		amplitude := theta[from+p.dims:]
		g[p.dims+t] += share * k * amplitude[u]
		g[p.dims+u] += share * k * amplitude[t]
		if p.tasks > 1 && t == u {
			g[p.dims+p.tasks+t] += share * k * math.Exp(amplitude[p.tasks+t])
		}
	}
}
