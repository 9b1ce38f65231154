package pattern

import (
	"math"
	"slices"

	"example.org/bench/framework"
)

// roundoff is the unit roundoff of float32.
const roundoff = 1.0 / (1 << 24)

// form is how a version computes errors, which determines how far they may be from the exact ones.
type form int

const (
	// direct sums w·(a-t)² and w·(a-t·v)², with products and sums rounded.
	direct form = iota
	// expanded computes at a shift Σ w·t² - 2·w·a·t, which differs from the error by a constant. It finds the
	// gain by the parabola E - 2·(v-1)·B + (v-1)²·C from the sums E = Σ w·d², B = Σ w·d·t, C = Σ w·t², d =
	// a-t, and computes the error of the chosen gain directly.
	expanded
)

// bounds limits the rounding errors of one version's sums for one problem, after Higham, Accuracy and
// Stability of Numerical Algorithms, section 3.1: the largest number of roundings on the way from an input to
// the sum, times u, times the sum of magnitudes. Weights add up to 1.
type bounds struct {
	form      form
	n         float64
	template  float64 // largest magnitude of a template's element
	deviation float64 // largest |v-1|
	gain      float64 // largest |v|
	signal    float64 // Σ w·|a|
}

func (p *problem) bounds(f form) bounds {
	b := bounds{form: f, n: float64(p.N)}
	for _, x := range p.templates {
		b.template = max(b.template, math.Abs(float64(x)))
	}
	for _, v := range p.gains {
		b.gain = max(b.gain, math.Abs(float64(v)))
		b.deviation = max(b.deviation, math.Abs(float64(v)-1))
	}
	for n, a := range p.signal {
		b.signal += float64(p.weights[n]) * math.Abs(float64(a))
	}
	return b
}

// atShift bounds the error of a sum at a shift whose exact value is e. In w·d², d is rounded once and counts
// twice; two products and N-1 additions follow. In w·t² - 2·w·a·t, t² and w·a are rounded; 2·N multiply-adds
// follow.
func (b bounds) atShift(e float64) float64 {
	if b.form == direct {
		return (b.n + 3) * roundoff * e
	}
	return (2*b.n + 2) * roundoff * (b.template*b.template + 2*b.template*b.signal)
}

// result bounds the error of Σ w·(a-t·v)² with exact value e. To the bound at a shift it adds the rounding of
// the product t·v, which moves d by up to u·|t·v|: 2·u·Σ w·|d|·|t·v| ≤ 2·u·√(e·Σ w·(t·v)²).
func (b bounds) result(e float64) float64 {
	return roundoff * ((b.n+4)*e + 2.01*math.Sqrt(e)*b.template*b.gain)
}

// atGain bounds the error of what a version compares gains by. e and unit are the exact errors with the gain
// and with a gain of 1. Each coefficient of the parabola has at most N+3 roundings, v-1 counts twice, and
// three operations follow; its magnitudes are at most (√E + |v-1|·√C)².
func (b bounds) atGain(e, unit float64) float64 {
	if b.form == direct {
		return b.result(e)
	}
	m := math.Sqrt(unit) + b.deviation*b.template
	return (b.n + 8) * roundoff * m * m
}

// compare checks a match against the reference. Shift, gain and pattern may differ from the reference's only
// where the exact errors lie closer together than rounding moves them. Among equals, bit by bit, the answer
// must have the lowest index.
func (p *problem) compare(m match, f form) []framework.Check {
	k, j, g := int(m.pattern), int(m.shift), int(m.gain)
	if k < 0 || k >= p.K || j < 0 || j >= p.S || g < 0 || g >= p.G {
		return []framework.Check{{Metric: "indices out of range", Error: 1}}
	}
	b := p.bounds(f)
	all := p.reference()
	unit, squared := p.shiftError(k, j), p.gainError(k, j, g)
	_, least := p.bestGain(k, j)
	forGain := b.atGain(squared, unit) + b.atGain(least, unit)

	// reach is the error that every version must reach: the least over patterns of the worst error at the
	// shifts that rounding may make the best.
	reach := math.Inf(1)
	for i, r := range all {
		worst := r.squared
		if near := 2.01 * b.atShift(r.shiftSum); r.gap <= near {
			for s := range p.S {
				if p.shiftError(i, s) <= r.shiftSum+near {
					_, e := p.bestGain(i, s)
					worst = max(worst, e)
				}
			}
		}
		reach = min(reach, worst)
	}
	forPattern := forGain
	if f == expanded {
		forPattern += b.result(squared) + b.result(least)
	}
	return []framework.Check{
		{Metric: "shift's error above the best", Error: unit - all[k].shiftSum, Bound: b.atShift(unit) + b.atShift(all[k].shiftSum)},
		{Metric: "gain's error above the best", Error: squared - least, Bound: forGain},
		{Metric: "pattern's error above the best", Error: max(0, squared-reach), Bound: forPattern},
		{Metric: "error of the match", Error: math.Abs(float64(m.squared) - squared), Bound: b.result(squared)},
		{Metric: "equals of lower index", Error: float64(p.equalsBelow(k, j, g))},
	}
}

// equalsBelow counts patterns, shifts and gains of lower index that equal the chosen ones.
func (p *problem) equalsBelow(k, j, g int) (n int) {
	t := p.template(k)
	for i := range k {
		if slices.Equal(p.template(i), t) {
			n++
		}
	}
	for s := range j {
		if slices.Equal(t[s:s+p.N], t[j:j+p.N]) {
			n++
		}
	}
	for i := range g {
		if p.gains[i] == p.gains[g] {
			n++
		}
	}
	return n
}
