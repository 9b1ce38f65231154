package compare

import (
	"errors"
	"math"

	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal/digits"
)

// LeastRepeats is the fewest repeats that TurnsOf accepts: with fewer,
// Student's interval is too wide to be useful.
const LeastRepeats = 3

// Turns is what repeats of samples taken in turns, A B B A, say about the
// ratio of B's median time to A's. Each repeat has new instances, so that
// differences between them (such as memory placement) count as noise.
type Turns struct {
	// Control is the time of A divided by that of another instance of A. Its distance from 1 is due to the
	// machine.
	Control Mean `json:"control"`
	// Smallest is the further end of Control's interval, away from 1: about the
	// smallest relative difference that as many repeats can show.
	Smallest float64 `json:"smallest_difference"`
	// Treatment is the time of B divided by that of A; absent if B is A.
	Treatment *Mean `json:"treatment,omitempty"`
	// Effect is Treatment divided by Control, repeat by repeat. The verdict is about it: what the machine
	// does to A as well is not B's.
	Effect *Effect `json:"effect,omitempty"`
	Energy *Effect `json:"energy,omitempty"` // energy of one run of B divided by that of A; absent if there is none
}

// Effect is a ratio, and the verdict whether it differs from 1.
type Effect struct {
	Mean
	// P is the probability of a ratio as far from 1 if there is no difference (the paired t test of the
	// logarithms).
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_adjusted"` // the same for all tests together (Holm)
	Within   float64 `json:"within"`     // further end of the interval, away from 1, as a relative difference
	Verdict  Verdict `json:"verdict"`    // "better", "worse" or "no difference told"
}

// Differs reports whether the control's interval excludes 1: the machine treats
// the first and the second of two equal versions differently.
func (t *Turns) Differs() bool { return t.Control.Low > 1 || t.Control.High < 1 }

// Text returns the mean, to the place to which it is known.
func (m Mean) Text() string { return digits.Known(m.Value, digits.Half(m.Value, m.Low, m.High), "") }

// further returns the end of an interval that is further from 1.
func (m Mean) further() float64 { return math.Max(m.High, 1/m.Low) - 1 }

// Mean is a geometric mean with Student's 95 % interval, without the effects of places if these are known
// (TurnsOf).
type Mean struct {
	Value  float64   `json:"value"`  // geometric mean over the repeats
	Low    float64   `json:"low"`    // lower end of its 95 % interval
	High   float64   `json:"high"`   // upper end of it
	Ratios []float64 `json:"ratios"` // by repeat
	p      float64   // of a mean as far from 1 if the true one is 1
}

// leastInOrder is the number of repeats from which on the effect of a place is told from the rest.
const leastInOrder = 6

// Place returns, for a repeat, by which multiples of the effects of places in an order a ratio differs. It
// returns two or three numbers, as many for each repeat.
type Place = func(repeat int) []float64

// meanOf returns the mean of ratios. From six repeats on it takes the effects of places out of the mean and
// its interval; place is nil if nothing is known of places.
func meanOf(ratios []float64, place Place) (Mean, error) {
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
	if place != nil && len(logs) >= leastInOrder {
		regressors := make([][]float64, len(logs))
		for i := range regressors {
			regressors[i] = place(i)
		}
		mean, half, p = stats.StudentBeside(logs, regressors, stats.Confidence)
	}
	return Mean{Value: math.Exp(mean), Low: math.Exp(mean - half), High: math.Exp(mean + half), Ratios: ratios, p: p}, nil
}

// TurnsOf summarises the ratios of the repeats. treatment is nil if B is A, and energy if none was measured.
// places returns the Place of a ratio of any two of A (0), the second A (1) and B (2), since times may depend
// on the order; nil if the order is unknown.
func TurnsOf(control, treatment, energy []float64, places func(of, to int) Place) (*Turns, error) {
	if places == nil {
		places = func(int, int) Place { return nil }
	}
	c, err := meanOf(control, places(1, 0))
	if err != nil {
		return nil, err
	}
	t := &Turns{Control: c, Smallest: c.further()}
	if treatment != nil {
		m, err := meanOf(treatment, places(2, 0))
		if err != nil {
			return nil, err
		}
		t.Treatment = &m
		net := make([]float64, len(treatment))
		for i, x := range treatment {
			net[i] = x / control[i]
		}
		if t.Effect, err = effectOf(net, places(2, 1)); err != nil {
			return nil, err
		}
	}
	if energy != nil {
		if t.Energy, err = EffectOf(energy); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Bounded reports whether the interval tells how large a difference may be: an end beyond 100 % does not.
func (e *Effect) Bounded() bool { return e.Within <= 1 }

// EffectOf returns the geometric mean of the ratios of at least three repeats, with its interval.
func EffectOf(ratios []float64) (*Effect, error) { return effectOf(ratios, nil) }

func effectOf(ratios []float64, place Place) (*Effect, error) {
	m, err := meanOf(ratios, place)
	if err != nil {
		return nil, err
	}
	return &Effect{Mean: m, P: m.p, Within: m.further()}, nil
}

// JudgeTurns gives each effect its verdict: Better or Worse if the paired t test, adjusted for the number of
// effects by Holm's procedure, shows a difference; Same if it does not and the whole interval is within the
// share same of 1; else NotTold.
func JudgeTurns(all []*Turns, same float64) {
	var effects []*Effect
	var p []float64
	for _, t := range all {
		for _, e := range []*Effect{t.Effect, t.Energy} {
			if e != nil {
				effects, p = append(effects, e), append(p, e.P)
			}
		}
	}
	for i, adjusted := range stats.Holm(p) {
		e := effects[i]
		e.Adjusted = adjusted
		switch {
		case adjusted <= Alpha && e.Value < 1:
			e.Verdict = Better
		case adjusted <= Alpha && e.Value > 1:
			e.Verdict = Worse
		case e.Within <= same:
			e.Verdict = Same
		default:
			e.Verdict = NotTold
		}
	}
}

// RatioOfMedians returns the median of b divided by that of a.
func RatioOfMedians(a, b []float64) float64 {
	return stats.Median(b) / stats.Median(a)
}
