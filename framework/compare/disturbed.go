package compare

import (
	"fmt"

	"example.org/bench/framework"
)

// disturbance returns in words how much of the machine others had while one of two CPU points was timed;
// empty for little. The use by others changes more slowly than a run's instances follow each other: it
// affects all instances alike, and their scatter does not show how the next run will differ. The scatter of
// several runs of a side shows it, and so does that of the versions of one run, which take turns by instance.
func (c *Comparison) disturbance(a, b *entry) string {
	if c.By == ByVersion || c.By.usage() {
		return ""
	}
	for _, e := range []*entry{a, b} {
		if e.row.Processor != framework.CPU || len(e.also) > 0 {
			continue
		}
		if d := e.row.Disturbance(e.run.Info.Machine); d != "" {
			return d
		}
	}
	return ""
}

// shared returns the signs that others used the GPU at one of two points, of any run; empty if
// there are none. Unlike the load of a machine, such use may affect only one version of a run, or
// some runs of a side.
func shared(a, b *entry) string {
	for _, e := range append(a.all(), b.all()...) {
		if s := e.row.Shared(); s != "" {
			return s
		}
	}
	return ""
}

// noteShared notes how many ratios are not judged because others used the GPU.
func (c *Comparison) noteShared() {
	n, first := 0, ""
	c.ratios(func(_ Metric, _ Cell, r *Ratio) {
		if r.shared != "" && r.open(1) {
			if n++; n == 1 {
				first = r.shared
			}
		}
	})
	if n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d ratios are not judged: others used the GPU (at the first: %s); measure again when it is free", n, first))
	}
}

// noteDisturbed notes how many ratios are not judged because of a disturbance.
func (c *Comparison) noteDisturbed() {
	n, first := 0, ""
	c.ratios(func(_ Metric, _ Cell, r *Ratio) {
		if r.disturbance != "" && r.open(1) {
			if n++; n == 1 {
				first = r.disturbance
			}
		}
	})
	if n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d ratios are not judged: others used the machine (%s at the first), and one run of a side cannot know how that changes from run to run; "+
			"rerun when quiet, give several runs of each side (--), or use bench ab", n, first))
	}
}
