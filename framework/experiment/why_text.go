package experiment

import (
	"fmt"
	"strings"

	"bench/framework/bound"
	"bench/framework/record"
	"bench/terminal"
)

// GPUsText says of what GPUs a run's points are, a line each after the run's name, and which
// of their ceilings it did not measure.
func GPUsText(name string, run *record.Run) string {
	var b strings.Builder
	for _, d := range run.Info.Devices {
		if d.Facts == nil {
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %s\n", name, d.ID, d.Facts.Name)
		if m := bound.MachineOf(*d.Facts, d.Ceilings, 0); len(m.Estimated) > 0 {
			fmt.Fprintf(&b, "  not measured by this run, so from tables: %s\n", strings.Join(m.Estimated, ", "))
		}
	}
	return b.String()
}

// Text says of the point what bounds it, by what, and what would gain.
func (e Explained) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s %s: %s\n", e.Point.Version, e.Point.Settings(), e.Why.Verdict())
	if e.Why.Missing != "" {
		fmt.Fprintf(&b, "  missing: %s\n", e.Why.Missing)
	}
	var busy []string
	for _, u := range e.Why.Uses[:min(4, len(e.Why.Uses))] {
		busy = append(busy, fmt.Sprintf("%s %.0f %%", u.What, 100*u.Share))
	}
	if len(busy) > 0 {
		fmt.Fprintf(&b, "  busy: %s\n", strings.Join(busy, ", "))
	}
	if c := e.Counted; c != nil {
		var texts []string
		for _, u := range c.Uses {
			texts = append(texts, fmt.Sprintf("%s %.0f %%", u.What, 100*u.Share))
		}
		for _, x := range c.Counters {
			texts = append(texts, x.Text())
		}
		fmt.Fprintf(&b, "  counted: %s\n", strings.Join(texts, ", "))
	}
	for _, k := range e.Why.Kernels[:min(4, len(e.Why.Kernels))] {
		fmt.Fprintf(&b, "  %s ×%d: %s of %s, %s, %s, occupancy %.0f %% by %s, %.2f waves\n", k.Name, k.Launches,
			terminal.Count(k.Grid[0]*k.Grid[1]*k.Grid[2], "block"), terminal.Count(k.Block[0]*k.Block[1]*k.Block[2], "thread"), terminal.Count(k.Registers, "register"), spilled(k.SpillBytes), 100*k.Occupancy, k.Limit, k.Waves)
	}
	if n := len(e.Why.Kernels); n > 4 {
		fmt.Fprintf(&b, "  and %d more (--json has all)\n", n-4)
	}
	for i, c := range e.Why.Changes {
		fmt.Fprintf(&b, "  %d. %s: about %.2f×\n", i+1, c.Text, c.Gain)
	}
	if x := e.Against; x != nil {
		fmt.Fprintf(&b, "  from %s %s:\n", x.Point.Version, x.Point.TunablesText())
		for _, d := range x.Differences {
			fmt.Fprintf(&b, "    %s\n", d)
		}
	}
	return b.String()
}

func spilled(n int) string {
	if n == 0 {
		return "no spills"
	}
	return fmt.Sprintf("%d bytes spilled a thread", n)
}
