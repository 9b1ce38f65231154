package config

import "example.org/bench/framework"

// Judge is what a candidate, which replaces the source of a version, is held against.
type Judge struct {
	Version  string `json:"version"`
	Baseline string `json:"baseline"`
	// Hidden are problems that are timed beside those of the sweep, and HiddenAt those that are
	// verified beside those of verify.at. The candidate's author is not told them.
	Hidden   []framework.Values `json:"hidden,omitempty"`
	HiddenAt []framework.Values `json:"hidden_at,omitempty"`
	// Inputs are kinds of inputs that are verified in addition, at the problems of verify.at and
	// HiddenAt. The author is not told these either.
	Inputs  []string `json:"inputs,omitempty"`
	Repeats int      `json:"repeats"` // default 10
	// EnergyRepeats is how many energies of a candidate are measured if it is faster or the same;
	// 0: none. Default 3.
	EnergyRepeats int     `json:"energy_repeats"`
	Same          float64 `json:"same"`      // default 0.01
	Timeout       float64 `json:"timeout_s"` // of a whole judgement; default 600
}

// judge reads what the schema accepted.
func (d *decoder) judge(n *node) {
	if n == nil || n.kind != object {
		return
	}
	for _, m := range n.members {
		d.c.positions[m.value.pos.Path] = m.value.pos
	}
	j := &Judge{Version: word(n.get("version")), Baseline: word(n.get("baseline")), Repeats: 10, EnergyRepeats: 3, Same: 0.01, Timeout: 600,
		Hidden: d.problems(n.get("hidden")), HiddenAt: d.problems(n.get("hidden_at")), Inputs: d.words(n.get("inputs"))}
	real := func(key string, v float64) float64 {
		if x := n.get(key); x != nil && x.kind == number {
			return x.value.Float()
		}
		return v
	}
	j.Repeats = int(real("repeats", float64(j.Repeats)))
	j.EnergyRepeats = int(real("energy_repeats", float64(j.EnergyRepeats)))
	j.Same, j.Timeout = real("same", j.Same), real("timeout_s", j.Timeout)
	d.c.Judge = j
}

// problems reads a list of objects of parameters.
func (d *decoder) problems(n *node) (list []framework.Values) {
	if n == nil || n.kind != array {
		return nil
	}
	for _, x := range n.items {
		values := framework.Values{}
		for _, m := range x.members {
			if m.value.kind == number || m.value.kind == text {
				values[m.key] = m.value.value
				d.c.positions[m.value.pos.Path] = m.value.pos
			}
		}
		d.c.positions[x.pos.Path] = x.pos
		list = append(list, values)
	}
	return list
}
