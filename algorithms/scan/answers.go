package scan

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// answers returns an answer with the right one, which compare computes too. chain is the number of roundings
// on the longest way from an input to an output.
func (p *problem[T]) answers(got []T, chain float64) []framework.Answer {
	a := framework.Answer{Name: "out", Shape: []int64{int64(p.Batch), int64(p.N)}, Got: framework.ArrayOf(got)}
	if in, whole := any(p.in).([]int32); whole {
		want := make([]int32, len(in))
		for i := 0; i < len(in); i += p.N {
			scanInto[int32, int32](want[i:i+p.N], in[i:i+p.N], 0, p.Exclusive)
		}
		a.Want = framework.ArrayOf(want)
		return []framework.Answer{a}
	}
	u := roundoff64
	if p.Type == "f32" {
		u = roundoff32
	}
	want, most := make([]float64, len(p.in)), make([]float64, len(p.in))
	var s sums
	at := func(i int) {
		want[i] = s.sum + s.rest
		if most[i] = chain * u * s.magnitudes; !p.Inputs.Even() {
			most[i] = min(most[i], tail*u*math.Sqrt(chain*s.squares))
		}
	}
	for i, x := range p.in {
		if i%p.N == 0 {
			s = sums{}
		}
		if p.Exclusive {
			at(i)
		}
		s.add(float64(x))
		if !p.Exclusive {
			at(i)
		}
	}
	a.Want, a.Most = framework.ArrayOf(want), func(i int) float64 { return most[i] }
	return []framework.Answer{a}
}

func (p *problem[T]) answersOn(d gpu.Device, out gpu.Pointer, chain float64) ([]framework.Answer, error) {
	got := make([]T, p.elements())
	if err := gpu.Download(d, got, out); err != nil {
		return nil, err
	}
	return p.answers(got, chain), nil
}

// Answers implements framework.Answerer.
func (a *cpuRun[T]) Answers() ([]framework.Answer, error) {
	return a.Problem.answers(a.out, a.Prepared.chain()), nil
}

// Overwrite implements framework.Overwriter.
func (a *cpuRun[T]) Overwrite(value byte) error {
	framework.Overwrite(a.out, value)
	return nil
}

// Answers implements framework.Answerer.
func (g *gpuRun) Answers() ([]framework.Answer, error) {
	return g.p.answersOn(g.Device, g.out, g.plan.chain)
}

// Answers implements framework.Answerer.
func (c *cubRun) Answers() ([]framework.Answer, error) {
	return c.p.answersOn(c.Device, c.out, c.chain())
}
