package tridiagonal

import (
	"math"
	"math/bits"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// answers are a solution beside the reference. An unknown may be off as far as the bound
// of its system lets it, by the system's largest unknown.
func answers[T real](p *problem, got []T, levels int) ([]framework.Answer, error) {
	want, err := p.answer()
	if err != nil {
		return nil, err
	}
	most := make([]float64, p.Batch)
	for s := range most {
		at := p.start(s)
		for range p.N {
			most[s] = max(most[s], math.Abs(want.x[at]))
			at += p.stride()
		}
		most[s] *= p.forwardBound(levels, want.condition)
	}
	a := framework.Answer{Name: "x", Shape: []int64{int64(p.Batch), int64(p.N)}, Got: framework.ArrayOf(got), Want: framework.ArrayOf(want.x)}
	a.Most = func(i int) float64 { return most[i/p.N] }
	if p.Interleaved {
		a.Shape[0], a.Shape[1] = a.Shape[1], a.Shape[0]
		a.Most = func(i int) float64 { return most[i%p.Batch] }
	}
	return []framework.Answer{a}, nil
}

// answers are those of the solution at x.
func (g *gpuRun) answers(x gpu.Pointer, levels int) ([]framework.Answer, error) {
	if g.p.Double {
		return answersOn[float64](g, x, levels)
	}
	return answersOn[float32](g, x, levels)
}

func answersOn[T real](g *gpuRun, x gpu.Pointer, levels int) ([]framework.Answer, error) {
	got := make([]T, g.p.elements())
	if err := gpu.Download(g.Device, got, x); err != nil {
		return nil, err
	}
	return answers(g.p, got, levels)
}

// Answers implements framework.Answerer.
func (a *cpuRun[T]) Answers() ([]framework.Answer, error) { return answers(a.Problem, a.x, 1) }

// Overwrite implements framework.Overwriter.
func (a *cpuRun[T]) Overwrite(value byte) error {
	framework.Overwrite(a.x, value)
	return nil
}

// Answers implements framework.Answerer.
func (s *batched) Answers() ([]framework.Answer, error) {
	return s.answers(s.data.x, bits.Len(uint(s.shape.threads())))
}

// Answers implements framework.Answerer.
func (s *interleavedThomas) Answers() ([]framework.Answer, error) {
	return s.answers(s.data.x, s.levels())
}

// Answers implements framework.Answerer.
func (s *partition) Answers() ([]framework.Answer, error) {
	return s.answers(s.data.x, s.eliminations())
}

// Answers implements framework.Answerer.
func (c *cusparse) Answers() ([]framework.Answer, error) {
	return c.answers(c.own.x, bits.Len(uint(c.p.N)))
}
