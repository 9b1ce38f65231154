package bicubic

import (
	"math"
	"math/rand/v2"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
	"example.org/bench/internal/workers"
)

// problem is the input of one sweep point. Every check computes the reference answer anew while it compares.
type problem struct {
	shape
	in []float32
}

func newProblem(env framework.Env, p framework.Values) (framework.Problem, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	s := shapeOf(p)
	q := &problem{shape: s, in: make([]float32, s.Rows*s.Cols)}
	// Each row has a generator of its own, so that the numbers do not depend on
	// how many workers draw them.
	workers.Split(workers.All(), s.Rows, func(y int) {
		g := rand.NewPCG(env.Seed, uint64(y))
		row := q.in[y*s.Cols : (y+1)*s.Cols]
		for i := range row {
			row[i] = random(g)
		}
	})
	inputs.Make(framework.InputsOf(p), q.in, len(q.in), 1, env.Seed)
	return q, nil
}

// random returns a number uniform in ±[0.5, 1). It is never small, so that a missing or exchanged control
// point shows.
func random(g *rand.PCG) float32 {
	const half = 126 << 23 // the exponent of [0.5, 1)
	u := uint32(g.Uint64() >> 32)
	return math.Float32frombits(u&(1<<31) | half | u&(1<<23-1))
}

// Close drops the memory.
func (p *problem) Close() { p.in = nil }

// row returns input row y, or the edge row if y lies beyond the edge.
func (p *problem) row(y int) []float32 {
	y = min(max(y, 0), p.Rows-1)
	return p.in[y*p.Cols : (y+1)*p.Cols]
}

// around returns the four control rows of the input rows y and y+1.
func (p *problem) around(y int) [4][]float32 {
	return [4][]float32{p.row(y - 1), p.row(y), p.row(y + 1), p.row(y + 2)}
}
