package compare

import (
	"errors"
	"math"

	"bench/framework/stats"
)

// LeastRepeats is the fewest repeats that TurnsOf accepts: with fewer,
// Student's interval is too wide to be useful.
const LeastRepeats = 3

// Turns is what repeats of samples taken in turns, A B B A, say about the
// ratio of B's median time to A's. Each repeat has new instances, so that
// differences between them (such as memory placement) count as noise.
type Turns struct {
	// Control is the ratio of A to A. Its distance from 1 is due to the
	// machine.
	Control Mean `json:"control"`
	// Smallest is the smallest relative difference that is called real: the
	// further end of Control's interval, away from 1.
	Smallest float64 `json:"smallest_difference"`
	// Treatment is the ratio of B to A; nil where B is A.
	Treatment *Mean `json:"treatment,omitempty"`
	// P is the probability of a ratio as far from 1 as Treatment's where there is
	// no difference, Adjusted for the number of pairs compared.
	P        float64 `json:"p,omitempty"`
	Adjusted float64 `json:"p_adjusted,omitempty"`
	Verdict  Verdict `json:"verdict,omitempty"`
}

// Mean is a geometric mean with Student's 95 % interval.
type Mean struct {
	Value  float64   `json:"value"`
	Low    float64   `json:"low"`
	High   float64   `json:"high"`
	Ratios []float64 `json:"ratios"` // by repeat
	p      float64   // of a mean as far from 1 where the true one is 1
}

func meanOf(ratios []float64) (Mean, error) {
	if len(ratios) < LeastRepeats {
		return Mean{}, errors.New("too few repeats")
	}
	logs := make([]float64, len(ratios))
	for i, r := range ratios {
		if !(r > 0) || math.IsInf(r, 0) {
			return Mean{}, errors.New("a repeat has no positive ratio")
		}
		logs[i] = math.Log(r)
	}
	mean, half, p := stats.Student(logs, stats.Confidence)
	return Mean{Value: math.Exp(mean), Low: math.Exp(mean - half), High: math.Exp(mean + half), Ratios: ratios, p: p}, nil
}

// TurnsOf summarises the ratios of the repeats; treatment is nil where B is A.
func TurnsOf(control, treatment []float64) (*Turns, error) {
	c, err := meanOf(control)
	if err != nil {
		return nil, err
	}
	t := &Turns{Control: c, Smallest: math.Max(c.High, 1/c.Low) - 1}
	if treatment == nil {
		return t, nil
	}
	m, err := meanOf(treatment)
	if err != nil {
		return nil, err
	}
	t.Treatment, t.P = &m, m.p
	return t, nil
}

// JudgeTurns gives each treatment its verdict: Better or Worse where Student's
// test, adjusted for the number of pairs by Holm's procedure, shows a
// difference and it is larger than the smallest that the control allows.
func JudgeTurns(all []*Turns) {
	var p []float64
	for _, t := range all {
		if t.Treatment != nil {
			p = append(p, t.P)
		}
	}
	adjusted := stats.Holm(p)
	for _, t := range all {
		if t.Treatment == nil {
			continue
		}
		t.Adjusted, adjusted = adjusted[0], adjusted[1:]
		away := math.Max(t.Treatment.Value, 1/t.Treatment.Value) - 1
		switch {
		case t.Adjusted > Alpha || away <= t.Smallest:
			t.Verdict = NotTold
		case t.Treatment.Value < 1:
			t.Verdict = Better
		default:
			t.Verdict = Worse
		}
	}
}

// RatioOfMedians is the median of b divided by that of a.
func RatioOfMedians(a, b []float64) float64 {
	return stats.Median(b) / stats.Median(a)
}
