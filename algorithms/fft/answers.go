package fft

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// answers are an answer beside the reference. An element may be off as far as the
// check of the largest element error lets it, by the root mean square, or the largest element, of its transform.
func answers[T element](p *problem, got []T) []framework.Answer {
	want := p.answer()
	most := make([]float64, p.Batch)
	for t := range most {
		norm, peak := 0.0, 0.0
		for _, w := range want[t*p.N : (t+1)*p.N] {
			size := real(w)*real(w) + imag(w)*imag(w)
			norm, peak = norm+size, max(peak, size)
		}
		if norm /= float64(p.N); p.Inputs.Even() {
			norm = peak
		}
		most[t] = 4 * p.bound() * math.Sqrt(norm)
	}
	return []framework.Answer{{
		Name: "out", Shape: []int64{int64(p.Batch), int64(p.N)},
		Got: framework.ArrayOf(got), Want: framework.ArrayOf(want),
		Most: func(i int) float64 { return most[i/p.N] },
	}}
}

// Answers implements framework.Answerer.
func (a *cpuRun[T]) Answers() ([]framework.Answer, error) { return answers(a.Problem, a.out), nil }

// Overwrite implements framework.Overwriter.
func (a *cpuRun[T]) Overwrite(value byte) error {
	framework.Overwrite(a.out, value)
	return nil
}

// answersOn returns the answers of an output on the device.
func answersOn(d gpu.Device, p *problem, out gpu.Pointer) ([]framework.Answer, error) {
	if p.Double {
		return downloadedAnswers[complex128](d, p, out)
	}
	return downloadedAnswers[complex64](d, p, out)
}

func downloadedAnswers[T element](d gpu.Device, p *problem, out gpu.Pointer) ([]framework.Answer, error) {
	got := make([]T, p.elements())
	if err := gpu.Download(d, got, out); err != nil {
		return nil, err
	}
	return answers(p, got), nil
}

// Answers implements framework.Answerer.
func (s *stockham) Answers() ([]framework.Answer, error) { return answersOn(s.Device, s.p, s.out) }

// Answers implements framework.Answerer.
func (c *cufftRun) Answers() ([]framework.Answer, error) { return answersOn(c.Device, c.p, c.out) }
