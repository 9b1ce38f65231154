package models

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// Perceptron is a multilayer perceptron with one hidden layer of rectified
// linear units. It is trained by Adam (Kingma, Ba, "Adam: A Method for
// Stochastic Optimization") on the mean squared error with an L2 penalty,
// until Epochs passes or no progress in ten.
type Perceptron struct {
	Hidden       int     // units; 0: 100
	Epochs       int     // 0: 200
	LearningRate float64 // 0: 0.001
	Penalty      float64 // of weights, not of offsets; 0: 0.0001
	Rand         *rand.Rand

	inputs int
	// weights: Hidden rows of inputs; Hidden offsets; Hidden outputs; the output's offset.
	weights []float64
	hidden  []float64
}

const (
	mlpBatch    = 200
	mlpPatience = 10
	mlpProgress = 1e-4

	adamMean, adamSquare, adamFloor = 0.9, 0.999, 1e-8
)

func (m *Perceptron) Fit(x [][]float64, y []float64) {
	defaults(m)
	m.inputs = len(x[0])
	h, d := m.Hidden, m.inputs
	m.hidden = make([]float64, h)
	m.weights = make([]float64, h*(d+2)+1)
	// Uniform, so that signals keep their scale from layer to layer (Glorot,
	// Bengio, "Understanding the difficulty of training deep feedforward neural networks").
	first, second := math.Sqrt(6/float64(d+h)), math.Sqrt(6/float64(h+1))
	for i := range m.weights {
		bound := first
		if i >= h*(d+1) {
			bound = second
		}
		m.weights[i] = bound * (2*m.Rand.Float64() - 1)
	}
	gradient := make([]float64, len(m.weights))
	mean, square := make([]float64, len(m.weights)), make([]float64, len(m.weights))
	best, stale, step := math.Inf(1), 0, 0
	for range m.Epochs {
		loss := 0.0
		order := shuffled(len(x), m.Rand)
		for from := 0; from < len(order); from += mlpBatch {
			batch := order[from:min(from+mlpBatch, len(order))]
			clear(gradient)
			for _, i := range batch {
				loss += m.backward(x[i], y[i], 1/float64(len(batch)), gradient)
			}
			decayed := h * d
			floats.AddScaled(gradient[:decayed], m.Penalty/float64(len(batch)), m.weights[:decayed])
			outputs := gradient[h*(d+1) : h*(d+2)]
			floats.AddScaled(outputs, m.Penalty/float64(len(batch)), m.weights[h*(d+1):h*(d+2)])
			step++
			rate := m.LearningRate * math.Sqrt(1-math.Pow(adamSquare, float64(step))) / (1 - math.Pow(adamMean, float64(step)))
			for k, g := range gradient {
				mean[k] = adamMean*mean[k] + (1-adamMean)*g
				square[k] = adamSquare*square[k] + (1-adamSquare)*g*g
				m.weights[k] -= rate * mean[k] / (math.Sqrt(square[k]) + adamFloor)
			}
		}
		loss /= float64(len(x))
		if stale++; loss < best-mlpProgress {
			stale = 0
		}
		best = min(best, loss)
		if stale > mlpPatience {
			break
		}
	}
}

func defaults(m *Perceptron) {
	if m.Hidden == 0 {
		m.Hidden = 100
	}
	if m.Epochs == 0 {
		m.Epochs = 200
	}
	if m.LearningRate == 0 {
		m.LearningRate = 1e-3
	}
	if m.Penalty == 0 {
		m.Penalty = 1e-4
	}
}

// backward adds share times the gradient of a sample's loss ½(f(x)-y)², and
// returns the loss.
func (m *Perceptron) backward(x []float64, y, share float64, gradient []float64) float64 {
	h, d := m.Hidden, m.inputs
	e := m.Predict(x) - y
	outputs := m.weights[h*(d+1):]
	for u, a := range m.hidden {
		gradient[h*(d+1)+u] += share * e * a
		if a > 0 {
			g := share * e * outputs[u]
			floats.AddScaled(gradient[u*d:(u+1)*d], g, x)
			gradient[h*d+u] += g
		}
	}
	gradient[h*(d+2)] += share * e
	return e * e / 2
}

func (m *Perceptron) Predict(x []float64) float64 {
	h, d := m.Hidden, m.inputs
	f := m.weights[h*(d+2)]
	for u := range h {
		a := m.weights[h*d+u] + floats.Dot(m.weights[u*d:(u+1)*d], x)
		m.hidden[u] = max(a, 0)
		f += m.weights[h*(d+1)+u] * m.hidden[u]
	}
	return f
}
