package pattern

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// answers returns a match with the reference's best one: pattern, shift, gain and error. A right answer may
// differ from the reference where rounding decides.
func (p *problem) answers(m match, f form) []framework.Answer {
	all := p.reference()
	best := 0
	for k, r := range all {
		if r.squared < all[best].squared {
			best = k
		}
	}
	want := all[best]
	b := p.bounds(f)
	return []framework.Answer{{
		Name: "match",
		Got:  framework.ArrayOf([]float64{float64(m.pattern), float64(m.shift), float64(m.gain), float64(m.squared)}),
		Want: framework.ArrayOf([]float64{float64(best), float64(want.shift), float64(want.gain), want.squared}),
		Most: func(i int) float64 {
			if i == 3 {
				return b.result(want.squared)
			}
			return 0
		},
	}}
}

// Answers implements framework.Answerer.
func (a *sequential) Answers() ([]framework.Answer, error) { return a.p.answers(a.got, direct), nil }

// Answers implements framework.Answerer.
func (a *parallel) Answers() ([]framework.Answer, error) { return a.p.answers(a.got, expanded), nil }

// Answers implements framework.Answerer.
func (g *gpuRun) Answers() ([]framework.Answer, error) {
	var got [1]match
	err := gpu.Download(g.Device, got[:], g.buffers[resultBuffer])
	return g.p.answers(got[0], g.plan.form), err
}
