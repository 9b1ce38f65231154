package search

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.org/bench/internal/lazy"
)

// Insight is what a search's trials at one sweep point show in addition to the best of them.
type Insight struct {
	// Importance is of each tunable that differs, the largest first (docs/tuning.md#what-a-search-tells).
	Importance   []Share       `json:"importance,omitempty"`
	Interactions []Interaction `json:"interactions,omitempty"` // of two tunables, the largest first; those of 1 % and more
	// Reasons are why points were invalid, the most frequent first. Reasons that differ only in numbers count
	// as one.
	Reasons []InvalidReason `json:"invalid_reasons,omitempty"`
	// Left is how sure it is that nothing better is left; absent if nothing is measured.
	Left *Remaining `json:"left,omitempty"`
	// DefaultsLoss is the cost of the defaults divided by that of the best, minus 1: measured again, or else
	// of their trials; absent if they were not measured.
	DefaultsLoss *float64 `json:"defaults_loss,omitempty"`
}

// Share is the importance of a tunable.
type Share struct {
	Name  string  `json:"name"`  // the tunable's
	Share float64 `json:"share"` // of the variance of the costs' logarithms
}

// InvalidReason is a reason of several points. Reasons that differ only in numbers are one, with the text of
// the first.
type InvalidReason struct {
	Status string `json:"status"` // "wrong", "impossible", "failed", "timeout" or "skipped"
	Reason string `json:"reason"` // in words
	Points int    `json:"points"` // how many
}

func (s *Search) insight(t *Task) (n Insight) {
	trials := s.trialsOf(t)
	if len(trials) == 0 {
		return n
	}
	var points []int // valid ones
	var costs []float64
	tried := map[int]bool{}
	defaults := math.NaN()
	for _, x := range trials {
		tried[x.Point] = true
		if x.OK {
			points, costs = append(points, x.Point), append(costs, x.Cost)
		}
		switch {
		case !x.OK:
			n.invalid(string(x.Result.Status), strings.Join(strings.Fields(x.Result.Reason), " "))
		case x.Point == t.Defaults:
			defaults = x.Cost
		}
	}
	for p := range t.Space.Len() {
		if t.modes != nil && t.modes.leftOut[t.mode(p)] != "" {
			tried[p] = true // and cannot be
		}
	}
	slices.SortStableFunc(n.Reasons, func(a, b InvalidReason) int { return cmp.Compare(b.Points, a.Points) })
	for d, share := range Importance(t.Space, points, costs) {
		if len(t.Space.Occurring(d)) > 1 && len(points) > 2 {
			n.Importance = append(n.Importance, Share{t.Space.Parameters[d].Name, share})
		}
	}
	slices.SortStableFunc(n.Importance, func(a, b Share) int { return cmp.Compare(b.Share, a.Share) })
	n.Interactions = Interactions(t.Space, points, costs)
	if s.Objective != Front { // whose trials are not about the least cost
		left := Left(t.Space, tried, points, costs)
		n.Left = &left
	}
	switch {
	case t.Final != nil && t.Final.Default != nil:
		n.lost(t.Final.Default.Value / t.Final.Best.Value)
	case s.Objective != Front && len(costs) > 0 && !math.IsNaN(defaults):
		n.lost(defaults / slices.Min(costs))
	}
	return n
}

func (n *Insight) lost(ratio float64) {
	loss := ratio - 1
	n.DefaultsLoss = &loss
}

var numbers = lazy.Regexp(`[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)

func (n *Insight) invalid(status, reason string) {
	kind := numbers().ReplaceAllString(reason, "#")
	at := slices.IndexFunc(n.Reasons, func(r InvalidReason) bool {
		return r.Status == status && numbers().ReplaceAllString(r.Reason, "#") == kind
	})
	if at < 0 {
		at = len(n.Reasons)
		n.Reasons = append(n.Reasons, InvalidReason{Status: status, Reason: reason})
	}
	n.Reasons[at].Points++
}
