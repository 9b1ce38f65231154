package search

import (
	"fmt"
	"math"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Gain returns the cost of the defaults divided by that of the best, both measured again, with its interval
// if both have one; nil if the defaults were not measured again.
func (t TaskReport) Gain() *compare.Ratio {
	of := func(e Estimate) compare.Estimate { return compare.EstimateOf(e.Value, e.Low, e.High) }
	if f := t.Front; f != nil && f.Defaults != nil && len(f.Points) > 0 {
		return compare.RatioOf(of(f.Points[0].Time), of(f.Defaults.Time))
	}
	if f := t.Final; f != nil && f.Default != nil {
		return compare.RatioOf(of(f.Best), of(*f.Default))
	}
	return nil
}

// gained reports whether the interval of the gain shows a gain.
func gained(r *compare.Ratio) bool { return r != nil && r.Low != nil && *r.Low > 1 }

// Finding returns what the search gained over the defaults, and how sure it is that nothing better is left.
func (r *Report) Finding() compare.Finding {
	var best *TaskReport
	var most *compare.Ratio
	better, known, valid := 0, 0, 0
	left := math.Inf(-1) // by which share what is left may be better, at most
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Tunables == nil {
			continue
		}
		valid++
		g := t.Gain()
		if g != nil && g.Low != nil {
			known++
		}
		if gained(g) {
			better++
		}
		if g != nil && (most == nil || g.Value > most.Value) {
			best, most = t, g
		}
		if t.Left == nil || t.Left.BetterBy == nil {
			left = math.Inf(1)
		} else {
			left = max(left, *t.Left.BetterBy)
		}
	}
	if valid == 0 {
		return compare.Finding{}
	}
	var f compare.Finding
	switch {
	case most == nil:
		f.Text = fmt.Sprintf("a best was found at %d of %s, and not measured again beside the defaults", valid, terminal.Count(len(r.Tasks), "sweep point"))
	case better == 0 && known > 0:
		f.Text = fmt.Sprintf("no gain over the defaults is shown at any of %s", terminal.Count(known, "sweep point"))
	default:
		gain := most.Text()
		if most.Low != nil {
			gain = digits.Interval(most.Value, *most.Low, *most.High, "")
		}
		f.Told = better > 0
		f.Text = fmt.Sprintf("the defaults take %s times the %s of the best, %s", gain, r.Objective.Cost(), strings.TrimSpace(best.Version+" "+best.Task.nameOr()))
		if valid > 1 {
			f.Text = fmt.Sprintf("better than the defaults at %d of %s; at most %s", better, terminal.Count(valid, "sweep point"), f.Text)
		}
		if !f.Told {
			f.Text += ", without an interval"
		}
	}
	switch {
	case math.IsInf(left, 1):
	case left == 0:
		f.Text += "; nothing better is left"
	default:
		each := ""
		if valid > 1 {
			each = " at each"
		}
		f.Text += fmt.Sprintf("; %s sure%s that nothing left is better by more than %s", digits.Percent(remainingSure), each, digits.Percent(left))
	}
	return f
}

// nameOr returns the name of the sweep point; a report that was read has none.
func (t *Task) nameOr() string {
	if t == nil {
		return ""
	}
	return t.Name
}
