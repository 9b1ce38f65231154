package bound

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/internal/terminal/digits"
)

// mostReasons is how many reasons are named.
const mostReasons = 4

// leastPart is the share of the difference of the times that a reason must cost.
const leastPart = 0.05

// ReasonsOf returns why a point takes longer than another, or less long. A count is a reason if it is worse
// at the slower point, and the time that it takes there, by the model, is a part of the difference.
func ReasonsOf(of, from Why) (b compare.Because) {
	slow, fast := of, from
	if of.Time < from.Time {
		slow, fast = from, of
	}
	difference := slow.Time - fast.Time
	switch {
	case !(difference > 0) || !(fast.Time > 0):
		b.Missing = "there are no two times that differ"
		return b
	case len(of.Kernels) == 0 && len(from.Kernels) == 0 && len(of.Uses) > 0 && len(from.Uses) > 0:
		return byUses(of, from, slow, fast)
	case len(of.Kernels) == 0:
		b.Missing = cmp.Or(of.Missing, "its kernels are not known")
		return b
	case len(from.Kernels) == 0:
		b.Missing = "of what it is held against: " + cmp.Or(from.Missing, "its kernels are not known")
		return b
	}
	type reason struct {
		text string
		cost float64
	}
	var all []reason
	add := func(cost float64, text string) {
		if cost >= leastPart*difference {
			all = append(all, reason{text, cost})
		}
	}
	a, c := sumOf(from), sumOf(of)
	told := map[string]string{} // by the part of the GPU, what it does more of
	for _, q := range quantities {
		x, y := q.of(a), q.of(c)
		switch {
		case !differ(x, y), q.worse*(y-x)*(of.Time-from.Time) < 0:
		case q.change != "":
			text := q.text(x, y)
			if q.change == "occupancy" {
				text += limits(a, c)
			}
			add(slow.lost(q.change)-fast.lost(q.change), text)
		case q.use != "":
			told[q.use] = q.text(x, y)
		}
	}
	for class, y := range c.mix {
		if x := a.mix[class]; differ(x, y) {
			told[class] = fmt.Sprintf("%s instructions %s → %s", class, short(x), short(y))
		}
	}
	for class, x := range a.mix {
		if _, both := c.mix[class]; !both {
			told[class] = fmt.Sprintf("%s instructions %s → 0", class, short(x))
		}
	}
	for _, u := range slow.Uses {
		// A part that is busy for little of the time delays the rest little.
		more := (u.Share*slow.Time - fast.busy(u.What)) * min(1, u.Share)
		text, counted := told[u.What]
		if !counted {
			text = fmt.Sprintf("%s busy for %s → %s", u.What, digits.Scaled(from.busy(u.What), "s"), digits.Scaled(of.busy(u.What), "s"))
		}
		add(more, text)
	}
	if slow.Clock > 0 && fast.Clock > 0 && slow.Class != Memory && slow.Class != Launch && differ(slow.Clock, fast.Clock) {
		add(slow.Time*(1-slow.Clock/fast.Clock), fmt.Sprintf("clock %.0f → %.0f MHz", from.Clock/1e6, of.Clock/1e6))
	}
	slices.SortStableFunc(all, func(x, y reason) int { return cmp.Compare(y.cost, x.cost) })
	for _, r := range all[:min(len(all), mostReasons)] {
		b.Reasons = append(b.Reasons, r.text)
	}
	b.Explained = (slow.Model - fast.Model) / difference
	switch {
	case len(b.Reasons) == 0:
		b.Missing = "nothing that is counted differs by enough: the code, its clock and its caches are alike, as far as the model has them"
	case b.Explained < 0.5 || b.Explained > 2:
		b.Missing = fmt.Sprintf("the model has %.0f %% of the difference: not sure", 100*b.Explained)
	}
	return b
}

// byUses is ReasonsOf for two points of which only the needs of their problems are known: a use is a reason
// if it alone takes longer.
func byUses(of, from, slow, fast Why) (b compare.Because) {
	difference := slow.Time - fast.Time
	for _, u := range slow.Uses {
		if cost := u.Share*slow.Time - fast.busy(u.What); cost >= leastPart*difference {
			b.Reasons = append(b.Reasons, fmt.Sprintf("%s takes %s → %s of the time", u.What, digits.Scaled(from.busy(u.What), "s"), digits.Scaled(of.busy(u.What), "s")))
		}
	}
	if b.Missing = of.Missing; len(b.Reasons) == 0 {
		most := slow.Uses[0].What
		b.Missing = fmt.Sprintf("both need as much of what is measured, %s for %s → %s of the time; %s", most,
			digits.Percent(from.busy(most)/from.Time), digits.Percent(of.busy(most)/of.Time), of.Missing)
	}
	return b
}

// lost returns the time that a change would gain.
func (w Why) lost(change string) float64 {
	if g := w.Gains[change]; g > 1 {
		return w.Time * (1 - 1/g)
	}
	return 0
}

// busy returns for how long a part of the GPU is busy.
func (w Why) busy(what string) float64 {
	for _, u := range w.Uses {
		if u.What == what {
			return u.Share * w.Time
		}
	}
	return 0
}

// limits returns what blocks take that limits the occupancy.
func limits(a, b sums) string {
	var list []string
	if differ(a.registers, b.registers) {
		list = append(list, fmt.Sprintf("registers %.0f → %.0f", a.registers, b.registers))
	}
	if differ(a.shared, b.shared) {
		list = append(list, fmt.Sprintf("shared memory a block %.0f → %.0f bytes", a.shared, b.shared))
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}
