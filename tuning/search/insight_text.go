package search

import (
	"fmt"
	"strings"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// mostInsights bounds how many insights of a kind are listed.
const mostInsights = 3

// Insights returns what the trials of each sweep point show in addition to the best; --json has all of it.
func (r *Report) Insights() string {
	var b strings.Builder
	for _, t := range r.Tasks {
		if t.Evaluations == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(t.Version+" "+t.Task.Name))
		var parts []string
		for _, x := range t.Importance[:min(mostInsights, len(t.Importance))] {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", x.Name, 100*x.Share))
		}
		for _, x := range t.Interactions[:min(mostInsights, len(t.Interactions))] {
			parts = append(parts, fmt.Sprintf("%s with %s %.0f %% more", x.A, x.B, 100*x.Share))
		}
		if len(parts) > 0 {
			fmt.Fprintf(&b, "  what matters, of the variance of log %s: %s\n", r.Objective.Cost(), strings.Join(parts, ", "))
		}
		parts = nil
		for _, x := range t.Reasons[:min(mostInsights, len(t.Reasons))] {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", x.Points, x.Status, brief(x.Reason)))
		}
		if more := len(t.Reasons) - mostInsights; more > 0 {
			parts = append(parts, fmt.Sprintf("and for %s", terminal.Count(more, "more reason")))
		}
		if len(parts) > 0 {
			fmt.Fprintf(&b, "  %d of %d invalid: %s\n", t.Invalid, t.Evaluations, strings.Join(parts, ", "))
		}
		if t.EndedEarly > 0 {
			fmt.Fprintf(&b, "  %d of %s ended early: slower than the best by then\n", t.EndedEarly, terminal.Count(t.Evaluations-t.Invalid, "trial"))
		}
		if l := t.DefaultsLoss; l != nil && *l > 0 && t.Gain() == nil {
			fmt.Fprintf(&b, "  the defaults cost %s more than the best\n", digits.Percent(*l))
		}
		if t.Left != nil {
			fmt.Fprintf(&b, "  %s\n", t.Left)
		}
	}
	return b.String()
}

// brief returns the beginning of a reason: a compiler's has many words.
func brief(reason string) string {
	const most = 80
	if len(reason) <= most {
		return reason
	}
	return strings.ToValidUTF8(reason[:most], "") + "…"
}
