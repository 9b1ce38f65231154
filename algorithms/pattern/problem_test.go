package pattern

import (
	"testing"

	"example.org/bench/framework"
)

func failed(checks []framework.Check) (metrics []string) {
	for _, c := range checks {
		if !c.OK() {
			metrics = append(metrics, c.Metric)
		}
	}
	return metrics
}

// best is the reference's match.
func (p *problem) best() match {
	all := p.reference()
	at := 0
	for k, r := range all {
		if r.squared < all[at].squared {
			at = k
		}
	}
	r := all[at]
	return match{int32(at), r.shift, r.gain, float32(r.squared)}
}

// The planted pattern is the match, and its copy is not.
func TestPlantedPatternIsFound(t *testing.T) {
	for seed := range uint64(20) {
		p := makeProblem(shape{50, 32, 101, 50}, seed)
		m := p.best()
		if e := p.reference()[m.pattern].squared; e > noise*noise {
			t.Errorf("seed %d: error %g of the match; want at most that of the noise, %g", seed, e, noise*noise)
		}
		copies := 0
		for k, r := range p.reference() {
			if k > int(m.pattern) && r == p.reference()[m.pattern] {
				copies++
			}
		}
		if m.pattern < 49 && copies != 1 {
			t.Errorf("seed %d: %d copies of the match", seed, copies)
		}
		if bad := failed(p.compare(m, direct)); bad != nil {
			t.Errorf("seed %d: the reference's own match fails: %v", seed, bad)
		}
	}
}

// Every wrong index, and an error beyond rounding, is refused, in either form.
func TestWrongMatchesAreRefused(t *testing.T) {
	p := makeProblem(shape{50, 32, 101, 50}, 3)
	m := p.best()
	copyOf := func() int32 {
		for k := int(m.pattern) + 1; k < p.K; k++ {
			if p.reference()[k] == p.reference()[m.pattern] {
				return int32(k)
			}
		}
		t.Fatal("no copy of the match")
		return 0
	}
	for name, wrong := range map[string]match{
		"next shift":   {m.pattern, m.shift + 1, m.gain, m.squared},
		"shift before": {m.pattern, m.shift - 1, m.gain, m.squared},
		"next gain":    {m.pattern, m.shift, m.gain + 1, float32(p.gainError(int(m.pattern), int(m.shift), int(m.gain)+1))},
		"gain before":  {m.pattern, m.shift, m.gain - 1, float32(p.gainError(int(m.pattern), int(m.shift), int(m.gain)-1))},
		"copy":         {copyOf(), m.shift, m.gain, m.squared},
		"other pattern": func() match {
			k := (m.pattern + 1) % 50
			r := p.reference()[k]
			return match{k, r.shift, r.gain, float32(r.squared)}
		}(),
		"error":        {m.pattern, m.shift, m.gain, m.squared * 1.0001},
		"no pattern":   {-1, -1, -1, 0},
		"beyond":       {50, 0, 0, 0},
		"negative":     {0, 0, -1, 0},
		"beyond gains": {0, 0, 50, 0},
	} {
		for _, f := range []form{direct, expanded} {
			if failed(p.compare(wrong, f)) == nil {
				t.Errorf("%s is accepted in form %d: %v instead of %v", name, f, wrong, m)
			}
		}
	}
}

// Where two shifts lie closer together than rounding can distinguish, either may
// be taken, and the pattern that follows from it; a third may not.
func TestNearShiftsAreBothRight(t *testing.T) {
	p := makeProblem(shape{1, 32, 101, 50}, 5)
	copy(p.template(0)[:32], p.signal)
	copy(p.template(0)[40:72], p.signal)
	p.template(0)[3] += 1e-5
	p.template(0)[44] += 1.1e-5
	for _, x := range []struct {
		shift int32
		right bool
	}{{0, true}, {40, true}, {1, false}, {39, false}} {
		gain, squared := p.bestGain(0, int(x.shift))
		m := match{0, x.shift, int32(gain), float32(squared)}
		if bad := failed(p.compare(m, expanded)); (bad == nil) != x.right {
			t.Errorf("shift %d: failed %v, right %v", x.shift, bad, x.right)
		}
	}
	// To the direct form, whose error is relative, they are far apart.
	gain, squared := p.bestGain(0, 40)
	if failed(p.compare(match{0, 40, int32(gain), float32(squared)}, direct)) == nil {
		t.Error("shift 40 is accepted in the direct form")
	}
}
