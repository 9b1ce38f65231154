package models

import "math"

// SupportVectors is ε-insensitive support vector regression with a radial
// basis kernel exp(-Gamma·|x-x'|²). The dual problem is solved by sequential
// minimal optimisation; each step moves the most violating coefficient and
// the partner that gains most by a second-order estimate (Fan, Chen, Lin,
// "Working Set Selection Using Second Order Information for Training Support
// Vector Machines").
type SupportVectors struct {
	C       float64 // bound of a coefficient; 0: 1
	Epsilon float64 // half the width of the tube without penalty; 0: 0.1
	Gamma   float64 // 0: 1/features

	x     [][]float64 // support vectors
	beta  []float64
	bias  float64
	gamma float64
}

const (
	svrTolerance = 1e-3
	svrMaxSteps  = 100_000
)

// svrDual is min ½aᵀQa + pᵀa with sᵀa = 0 and 0 ≤ a ≤ C. A sample i has two
// coefficients: number i (sign +1) pulls the function up to it, number n+i
// (sign -1) down; Q[k][l] = s[k]·s[l]·kernel(k mod n, l mod n).
type svrDual struct {
	n        int
	c        float64
	kernel   [][]float64
	a        []float64
	gradient []float64
}

func (d *svrDual) sign(k int) float64 {
	if k < d.n {
		return 1
	}
	return -1
}

// canRise says whether sign·a may grow, canFall whether it may shrink.
func (d *svrDual) canRise(k int) bool {
	if k < d.n {
		return d.a[k] < d.c
	}
	return d.a[k] > 0
}

func (d *svrDual) canFall(k int) bool {
	if k < d.n {
		return d.a[k] > 0
	}
	return d.a[k] < d.c
}

// room is how far sign·a may move: up, or down.
func (d *svrDual) room(k int, up bool) float64 {
	if (k < d.n) == up {
		return d.c - d.a[k]
	}
	return d.a[k]
}

// pair selects the next two coefficients: i is to rise, j to fall. high and
// low enclose the bias where they differ by less than the tolerance.
func (d *svrDual) pair() (i, j int, high, low float64) {
	i, j = -1, -1
	high, low = math.Inf(-1), math.Inf(1)
	for k := range d.a {
		if v := -d.sign(k) * d.gradient[k]; d.canRise(k) && v > high {
			i, high = k, v
		}
	}
	if i < 0 {
		return i, j, high, low
	}
	best := 0.0
	for k := range d.a {
		if !d.canFall(k) {
			continue
		}
		v := -d.sign(k) * d.gradient[k]
		low = min(low, v)
		if v < high {
			if gain := (high - v) * (high - v) / d.curvature(i, k); gain > best {
				best, j = gain, k
			}
		}
	}
	return i, j, high, low
}

func (d *svrDual) curvature(i, j int) float64 {
	i, j = i%d.n, j%d.n
	return max(d.kernel[i][i]+d.kernel[j][j]-2*d.kernel[i][j], 1e-12)
}

func (m *SupportVectors) Fit(x [][]float64, y []float64) {
	c, epsilon := m.C, m.Epsilon
	if c == 0 {
		c = 1
	}
	if epsilon == 0 {
		epsilon = 0.1
	}
	m.gamma = m.Gamma
	if m.gamma == 0 {
		m.gamma = 1 / float64(max(len(x[0]), 1))
	}
	n := len(x)
	d := &svrDual{n: n, c: c, a: make([]float64, 2*n), gradient: make([]float64, 2*n), kernel: make([][]float64, n)}
	for i := range x {
		d.kernel[i] = make([]float64, n)
		for j := range i + 1 {
			k := m.kernel(x[i], x[j])
			d.kernel[i][j], d.kernel[j][i] = k, k
		}
		d.gradient[i], d.gradient[n+i] = epsilon-y[i], epsilon+y[i]
	}
	high, low := 0.0, 0.0
	for range svrMaxSteps {
		var i, j int
		i, j, high, low = d.pair()
		if i < 0 || j < 0 || high-low < svrTolerance {
			break
		}
		si, sj := d.sign(i), d.sign(j)
		step := (high + sj*d.gradient[j]) / d.curvature(i, j)
		step = min(step, d.room(i, true), d.room(j, false))
		d.a[i] += si * step
		d.a[j] -= sj * step
		// Rounding must leave a coefficient exactly on its bound.
		for _, k := range []int{i, j} {
			if d.a[k] < 1e-12*c {
				d.a[k] = 0
			} else if d.a[k] > c*(1-1e-12) {
				d.a[k] = c
			}
		}
		ki, kj := d.kernel[i%n], d.kernel[j%n]
		for k := range n {
			g := step * (ki[k] - kj[k])
			d.gradient[k] += g
			d.gradient[n+k] -= g
		}
	}
	m.bias = d.bias(high, low)
	m.x, m.beta = m.x[:0], m.beta[:0]
	for i := range n {
		if b := d.a[i] - d.a[n+i]; b != 0 {
			m.x, m.beta = append(m.x, x[i]), append(m.beta, b)
		}
	}
}

// bias is what every coefficient between its bounds says; where there is
// none, the middle of what those on the bounds allow.
func (d *svrDual) bias(high, low float64) float64 {
	sum, count := 0.0, 0
	for k, a := range d.a {
		if a > 0 && a < d.c {
			sum -= d.sign(k) * d.gradient[k]
			count++
		}
	}
	if count > 0 {
		return sum / float64(count)
	}
	return (high + low) / 2
}

func (m *SupportVectors) Predict(x []float64) float64 {
	f := m.bias
	for i, v := range m.x {
		f += m.beta[i] * m.kernel(v, x)
	}
	return f
}

func (m *SupportVectors) kernel(a, b []float64) float64 {
	d := 0.0
	for j := range a {
		d += (a[j] - b[j]) * (a[j] - b[j])
	}
	return math.Exp(-m.gamma * d)
}
