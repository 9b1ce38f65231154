package compare

import (
	"fmt"
	"math"

	"example.org/bench/framework/stats"
)

// Verdict is what a ratio shows.
type Verdict string

// The verdicts about a difference (Same only of Turns), and those about a gate,
// for which Worse is also one.
const (
	Better       Verdict = "better"
	Worse        Verdict = "worse"
	Same         Verdict = "the same"
	NotTold      Verdict = "no difference told"
	NoWorse      Verdict = "no worse"
	Inconclusive Verdict = "inconclusive"
)

// ratios calls f for every ratio in every table.
func (c *Comparison) ratios(f func(Metric, Cell, *Ratio)) {
	for _, t := range c.Tables {
		for _, cell := range t.Cells {
			if cell.Ratio != nil {
				f(t.Metric, cell, cell.Ratio)
			}
		}
	}
}

// judge gives every ratio its verdict, with all tables as one family.
func (c *Comparison) judge() {
	var p []float64
	c.ratios(func(_ Metric, _ Cell, r *Ratio) {
		if r.P != nil {
			p = append(p, *r.P)
		}
	})
	adjusted := stats.Holm(p)
	c.ratios(func(m Metric, _ Cell, r *Ratio) {
		if r.P == nil {
			return
		}
		a := adjusted[0]
		adjusted = adjusted[1:]
		r.Adjusted = &a
		switch {
		case a > Alpha || r.Value == 1:
			r.Verdict = NotTold
		case r.open(1):
			r.Verdict = Inconclusive
		case (r.Value > 1) == m.Higher:
			r.Verdict = Better
		default:
			r.Verdict = Worse
		}
	})
}

// Gate is the answer to whether anything became worse.
type Gate struct {
	Tolerance    float64 `json:"tolerance"`    // relative worsening that is tolerated
	Verdict      Verdict `json:"verdict"`      // "worse", "inconclusive" or "no worse"
	Worse        int     `json:"worse"`        // ratios
	Inconclusive int     `json:"inconclusive"` // ratios
	NoWorse      int     `json:"no_worse"`     // ratios
	Lost         int     `json:"lost"`         // points that were ok in the baseline and are not
	// Unpaired are baseline points that a level lacks.
	Unpaired int `json:"unpaired"`
}

// gate judges every ratio. A ratio is Worse if it is worse than the tolerance allows, by Holm's procedure for
// the number of ratios, and no doubt leaves another verdict possible. It is NoWorse if the one-sided test at
// Alpha shows that it is within the tolerance, nothing disturbed a side of one run, and no others used its
// GPU. The whole is NoWorse only if all ratios are, which needs no accounting for their number (an
// intersection-union test).
func (c *Comparison) gate(tolerance float64, lost lost) *Gate {
	g := &Gate{Tolerance: tolerance, Lost: lost.broken, Unpaired: lost.absent}
	var p []float64
	c.ratios(func(m Metric, _ Cell, r *Ratio) {
		if worse, _, ok := r.beyond(m, tolerance); ok {
			p = append(p, worse)
		}
	})
	adjusted := stats.Holm(p)
	c.ratios(func(m Metric, _ Cell, r *Ratio) {
		_, within, ok := r.beyond(m, tolerance)
		r.Gate = Inconclusive
		if ok {
			switch {
			case adjusted[0] <= Alpha && !r.open(m.tolerated(tolerance)):
				r.Gate = Worse
			case within <= Alpha && r.disturbance == "" && r.shared == "":
				r.Gate = NoWorse
			}
			adjusted = adjusted[1:]
		}
		switch r.Gate {
		case Worse:
			g.Worse++
		case NoWorse:
			g.NoWorse++
		default:
			g.Inconclusive++
		}
	})
	switch {
	case g.Worse+g.Lost > 0:
		g.Verdict = Worse
	case g.Inconclusive+g.Unpaired > 0:
		g.Verdict = Inconclusive
	default:
		g.Verdict = NoWorse
	}
	return g
}

// beyond returns the p values for "worse than the tolerance" and for "within it". If more is better, a
// worsening of 5 % is a ratio of 1/1.05.
func (r *Ratio) beyond(m Metric, tolerance float64) (worse, within float64, ok bool) {
	t, ok := r.tails(m.tolerated(tolerance))
	if m.Higher {
		return t.Less, t.More, ok
	}
	return t.More, t.Less, ok
}

// tolerated returns the worst ratio that a tolerance allows.
func (m Metric) tolerated(tolerance float64) float64 {
	if m.Higher {
		return 1 / (1 + tolerance)
	}
	return 1 + tolerance
}

// String returns the gate in one line.
func (g Gate) String() string {
	s := fmt.Sprintf("gate %.3g %%: %s (%d worse, %d inconclusive, %d no worse", 100*g.Tolerance, g.Verdict, g.Worse, g.Inconclusive, g.NoWorse)
	if g.Lost > 0 {
		s += fmt.Sprintf("; %d no longer ok", g.Lost)
	}
	if g.Unpaired > 0 {
		s += fmt.Sprintf("; %d of the baseline without partner", g.Unpaired)
	}
	return s + ")"
}

// means returns the geometric means of the ratios by level.
func (t Table) means() map[string]float64 {
	sum, n := map[string]float64{}, map[string]int{}
	for _, c := range t.Cells {
		if c.Ratio != nil {
			sum[c.Level] += math.Log(c.Ratio.Value)
			n[c.Level]++
		}
	}
	means := map[string]float64{}
	for l, s := range sum {
		if n[l] > 1 {
			means[l] = math.Exp(s / float64(n[l]))
		}
	}
	if len(means) == 0 {
		return nil
	}
	return means
}
