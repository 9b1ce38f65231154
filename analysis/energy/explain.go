package energy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/analysis/bound"
	"example.org/bench/internal/terminal/digits"
)

// Why says what the energy of a point goes to.
type Why struct {
	Measured            float64 `json:"energy_J,omitempty"`                // of one run; absent: not measured
	MeasuredUncertainty float64 `json:"energy_uncertainty_J,omitempty"`    // as the run has it
	Predicted           float64 `json:"predicted_J,omitempty"`             // by the GPU's calibration, which has not seen the point's energy
	Uncertainty         float64 `json:"predicted_uncertainty_J,omitempty"` // half its 95 % interval
	Time                float64 `json:"run_time_s,omitempty"`              // of one run, where runs follow each other
	Clock               float64 `json:"clock_Hz,omitempty"`                // of the multiprocessors meanwhile; absent: not known
	// Sure is set if the measured energy is within both uncertainties, so that the shares are those of the
	// measured energy.
	Sure    bool     `json:"sure"`
	Shares  []Part   `json:"shares"`            // what the predicted energy goes to, most first
	Groups  []Part   `json:"groups"`            // the same in four: idle power, time, memory, compute
	Changes []Change `json:"changes"`           // at most three that save most
	Limited bool     `json:"clock_lower"`       // the clock was below the highest of the calibration, as under a power limit
	Missing string   `json:"missing,omitempty"` // why something is unknown
}

// Change is what would make a point take less energy.
type Change struct {
	Name        string  `json:"name"`              // one word of the list in docs/why.md#changes, or lower-clock
	Text        string  `json:"text"`              // the finding, with numbers, and what to do
	Saves       float64 `json:"saves"`             // the share of the energy; less than 0: it takes more
	Uncertainty float64 `json:"saves_uncertainty"` // half its 95 % interval, by that of the costs
}

// The groups of parts. Time is power that is taken for as long as a run lasts, whatever the run does.
const (
	OfTime    = "time"
	OfMemory  = "memory"
	OfCompute = "compute"
)

func groupOf(part string) string {
	switch part {
	case IdlePower:
		return IdlePower
	case Running, Active, bound.LaunchOf:
		return OfTime
	case bound.DRAMBytes, bound.L2Bytes, bound.L2Lines, bound.L1Bytes, bound.SharedOf, bound.Accesses, bound.AtomicsOf:
		return OfMemory
	}
	return OfCompute
}

const (
	leastSaved  = 0.03
	mostChanges = 3
)

// Explain says what the energy of a point goes to. w is what is known of the point, and o its measurement.
func (m Model) Explain(o Observation, uncertainty float64, w bound.Why) Why {
	y := Why{Measured: o.Energy, MeasuredUncertainty: uncertainty, Time: o.Time, Clock: o.Clock, Shares: []Part{}, Groups: []Part{}, Changes: []Change{}}
	if len(w.Work.Amounts) == 0 {
		y.Missing = cmp.Or(w.Missing, "what its kernels do is not known")
		return y
	}
	var unknown []string
	y.Predicted, y.Uncertainty, y.Shares, unknown = m.Predict(o)
	if len(unknown) > 0 {
		y.Missing = "the calibration has no cost of " + strings.Join(unknown, ", ")
	}
	for _, p := range y.Shares {
		name := groupOf(p.Of)
		n := slices.IndexFunc(y.Groups, func(g Part) bool { return g.Of == name })
		if n < 0 {
			n, y.Groups = len(y.Groups), append(y.Groups, Part{Of: name})
		}
		y.Groups[n].Energy += p.Energy
		y.Groups[n].Share += p.Share
	}
	slices.SortStableFunc(y.Groups, func(a, b Part) int { return cmp.Compare(b.Energy, a.Energy) })
	y.Sure = o.Energy > 0 && math.Abs(o.Energy-y.Predicted) <= math.Hypot(y.Uncertainty, uncertainty) && y.Missing == ""
	y.Limited = m.lowered(o)
	for name, after := range w.After {
		if after.Clock != 1 && m.ExponentHigh == 0 {
			continue // the effect of the clock was not measured
		}
		if c := m.change(o, name, after); c.Saves >= leastSaved {
			y.Changes = append(y.Changes, c)
		}
	}
	slices.SortFunc(y.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(math.Round(100*b.Saves), math.Round(100*a.Saves)), strings.Compare(a.Name, b.Name))
	})
	y.Changes = y.Changes[:min(len(y.Changes), mostChanges)]
	return y
}

// change returns what a change saves.
func (m Model) change(o Observation, name string, after bound.Changed) Change {
	changed := o
	changed.Time = o.Time / after.Gain
	changed.Work = after.Work.Within(changed.Time)
	if after.Clock != 1 {
		changed.Clock = after.Clock * cmp.Or(o.Clock, m.Clock)
	}
	before, now := m.row(o, m.Exponent), m.row(changed, m.Exponent)
	less := make([]float64, len(before))
	saved := m.Idle * (o.Time - changed.Time)
	for k := range less {
		less[k] = before[k] - now[k]
		saved += m.Costs[k].Each * less[k]
	}
	all := m.total(o, m.Exponent)
	idle := m.Spread * (o.Time - changed.Time)
	return Change{name, after.Text, saved / all, 2 * math.Sqrt(m.variance(less)+idle*idle) / all}
}

// Saves returns what a change saves, be it one of those that save most or not; ok is false if nothing
// suggests the change.
func (m Model) Saves(o Observation, name string, w bound.Why) (c Change, ok bool) {
	after, ok := w.After[name]
	if !ok {
		return c, false
	}
	return m.change(o, name, after), true
}

// Known reports whether the energy is predicted.
func (y Why) Known() bool { return y.Predicted > 0 }

// mostShares is how many shares of each group are named.
const mostShares = 3

// Text returns some lines: what the energy goes to, and what would save.
func (y Why) Text() string {
	var b strings.Builder
	var head []string
	if y.Measured > 0 {
		head = append(head, energy(y.Measured, y.MeasuredUncertainty))
	}
	if y.Predicted > 0 {
		head = append(head, energy(y.Predicted, y.Uncertainty)+" predicted")
	}
	if y.Measured > 0 && y.Predicted > 0 && !y.Sure {
		head = append(head, fmt.Sprintf("%+.0f %%, not sure", 100*(y.Predicted/y.Measured-1)))
	}
	if y.Limited {
		head = append(head, "at a lowered clock")
	}
	fmt.Fprintf(&b, "  energy: %s\n", strings.Join(head, "; "))
	if y.Missing != "" {
		fmt.Fprintf(&b, "    missing: %s\n", y.Missing)
	}
	if goes := y.Goes(); goes != "" {
		fmt.Fprintf(&b, "    goes to: %s\n", goes)
	}
	for i, c := range y.Changes {
		fmt.Fprintf(&b, "    %d. %s: %s, saves about %.0f %% of the energy (± %.0f)\n", i+1, c.Name, c.Text, 100*c.Saves, 100*c.Uncertainty)
	}
	return b.String()
}

// Goes returns what the predicted energy goes to.
func (y Why) Goes() string {
	var groups []string
	for _, g := range y.Groups {
		text := fmt.Sprintf("%s %.0f %%", g.Of, 100*g.Share)
		var parts []string
		for _, p := range y.Shares {
			if groupOf(p.Of) == g.Of && p.Of != g.Of && p.Share >= 0.01 && len(parts) < mostShares {
				parts = append(parts, fmt.Sprintf("%s %.0f %%", p.Of, 100*p.Share))
			}
		}
		if len(parts) > 0 {
			text += " (" + strings.Join(parts, ", ") + ")"
		}
		groups = append(groups, text)
	}
	return strings.Join(groups, ", ")
}

func energy(x, half float64) string {
	switch {
	case half >= x: // no digit of it is known
		return digits.Scaled(x, "J") + " ± " + digits.Stated(half, "J")
	case half > 0:
		return digits.PlusMinus(x, half, "J")
	}
	return digits.Scaled(x, "J")
}

// Text returns the calibration as a table: each cost, with half its 95 % interval.
func (m Model) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d loads, within %.1f %% of the model (%.1f %% of one fitted to the others), condition %.0f; idle power %.4g W (± %.2g)\n", m.Device, m.Points, 100*m.Scatter, 100*m.Unseen, m.Condition, m.Idle, 2*m.Spread)
	if m.Limit > 0 {
		fmt.Fprintf(&b, "  power was at its limit, %.4g W\n", m.Limit)
	}
	switch {
	case m.Clock == 0:
		b.WriteString("  no clock is known\n")
	case m.ExponentHigh == 0:
		fmt.Fprintf(&b, "  clock %.0f MHz, not lowered enough to tell what that saves\n", m.Clock/1e6)
	default:
		fmt.Fprintf(&b, "  clock %.0f to %.0f MHz, lowered by a limit: operations take energy by its power %.2g (%.2g to %.2g)\n", m.Least/1e6, m.Clock/1e6, m.Exponent, m.ExponentLow, m.ExponentHigh)
	}
	for _, c := range m.Costs {
		text := energy(c.Each, c.Uncertainty)
		if c.Uncertainty == 0 {
			text += ", with what cannot be told from it"
		}
		if c.Each == 0 {
			text = "not told from others"
			if c.Uncertainty > 0 {
				text = "at most " + digits.Stated(c.Uncertainty, "J")
			}
		}
		if c.Of == Running || c.Of == Active {
			text = strings.ReplaceAll(text, "J", "W")
		}
		fmt.Fprintf(&b, "  %-22s %s\n", c.Of, text)
	}
	return b.String()
}
