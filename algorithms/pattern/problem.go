package pattern

import (
	"math"
	"math/rand/v2"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
	"example.org/bench/internal/workers"
)

// problem is the input of one sweep point and, once it is needed, the reference for every pattern.
type problem struct {
	shape
	signal, weights, gains []float32
	templates              []float32 // K rows of N+S-1

	once     sync.Once
	patterns []patternReference
}

const (
	// noise is how far the signal lies from its template.
	noise = 0.05
	// Gains lie evenly from leastGain to mostGain.
	leastGain, mostGain = 0.5, 1.5
)

func newProblem(env framework.Env, p framework.Values) (framework.Problem, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	q := makeProblem(shapeOf(p), env.Seed)
	kind := framework.InputsOf(p)
	inputs.Make(kind, q.templates, q.length(), 1, env.Seed)
	inputs.Make(kind, q.signal, q.N, 1, env.Seed)
	return q, nil
}

// planted is the fewest patterns for which the signal is made from one of them. With fewer patterns it is
// made from none: small differences then decide on each of the shifts and gains, and show an error in any of
// them.
const planted = 4

// makeProblem draws templates in [-1, 1) and makes the signal from one of them, at a random shift and gain,
// with noise. If there is a later place, a copy of that template takes a random one, so that the match must
// be the lower of two equals.
func makeProblem(s shape, seed uint64) *problem {
	p := &problem{
		shape:  s,
		signal: make([]float32, s.N), weights: make([]float32, s.N), gains: make([]float32, s.G),
		templates: make([]float32, s.K*s.length()),
	}
	row := s.length()
	workers.Split(workers.All(), s.K, func(k int) {
		// Each pattern has a generator, so that the numbers do not depend on who draws them.
		g := rand.NewPCG(seed, uint64(k)+1)
		for i := range row {
			p.templates[k*row+i] = symmetric(g)
		}
	})
	g := rand.New(rand.NewPCG(seed, 0))
	var total float64
	for n := range p.weights {
		p.weights[n] = 0.5 + 0.5*g.Float32()
		total += float64(p.weights[n])
	}
	for n := range p.weights {
		p.weights[n] = float32(float64(p.weights[n]) / total)
	}
	for i := range p.gains {
		p.gains[i] = 1
		if s.G > 1 {
			p.gains[i] = leastGain + (mostGain-leastGain)*float32(i)/float32(s.G-1)
		}
	}
	if s.K < planted {
		for n := range p.signal {
			p.signal[n] = 2*g.Float32() - 1
		}
		return p
	}
	k, shift, gain := g.IntN(s.K), g.IntN(s.S), p.gains[g.IntN(s.G)]
	for n := range p.signal {
		p.signal[n] = p.templates[k*row+shift+n]*gain + noise*(2*g.Float32()-1)
	}
	if k < s.K-1 {
		copy(p.template(k+1+g.IntN(s.K-1-k)), p.template(k))
	}
	return p
}

// symmetric returns a number uniform in [-1, 1), in steps of 2^-23.
func symmetric(g *rand.PCG) float32 { return float32(int64(g.Uint64())>>40) / (1 << 23) }

func (p *problem) template(k int) []float32 {
	row := p.length()
	return p.templates[k*row : (k+1)*row]
}

// Close drops the memory.
func (p *problem) Close() { *p = problem{shape: p.shape} }

// shiftError returns the error of pattern k at a shift, in double precision.
func (p *problem) shiftError(k, shift int) (sum float64) {
	t := p.template(k)[shift : shift+p.N]
	for n, x := range t {
		d := float64(p.signal[n]) - float64(x)
		sum += float64(p.weights[n]) * d * d
	}
	return sum
}

// gainError returns the error of pattern k at a shift with a gain, in double precision.
func (p *problem) gainError(k, shift, gain int) (sum float64) {
	t := p.template(k)[shift : shift+p.N]
	v := float64(p.gains[gain])
	for n, x := range t {
		d := float64(p.signal[n]) - float64(x)*v
		sum += float64(p.weights[n]) * d * d
	}
	return sum
}

// patternReference is the answer for one pattern in double precision.
type patternReference struct {
	shift    int32
	gain     int32
	squared  float64 // error at that shift and gain
	shiftSum float64 // error at that shift without gain
	gap      float64 // how much larger the second-best shift's error is; infinite if S = 1
}

// bestGain returns the gain with the least error at a shift.
func (p *problem) bestGain(k, shift int) (gain int, squared float64) {
	squared = math.Inf(1)
	for g := range p.G {
		if e := p.gainError(k, shift, g); e < squared {
			gain, squared = g, e
		}
	}
	return gain, squared
}

// reference computes the answers for every pattern, once.
func (p *problem) reference() []patternReference {
	p.once.Do(func() {
		p.patterns = make([]patternReference, p.K)
		workers.Split(workers.All(), p.K, func(k int) {
			r := patternReference{shiftSum: math.Inf(1)}
			second := math.Inf(1)
			for j := range p.S {
				switch e := p.shiftError(k, j); {
				case e < r.shiftSum:
					second, r.shiftSum, r.shift = r.shiftSum, e, int32(j)
				case e < second:
					second = e
				}
			}
			r.gap = second - r.shiftSum
			gain, squared := p.bestGain(k, int(r.shift))
			r.gain, r.squared = int32(gain), squared
			p.patterns[k] = r
		})
	})
	return p.patterns
}
