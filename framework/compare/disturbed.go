package compare

import (
	"fmt"

	"bench/framework"
)

// disturbance is what others had of the machine while one of two CPU points was timed,
// in words; empty for little. A run lasts minutes, and what others take changes more
// slowly than its instances follow each other: they share it, and do not show by their
// scatter how the next run will differ. Several runs of a side do, and so do the versions
// of one run, which take turns by instance.
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

// shared is what shows that others used the GPU at one of two points, of any run; empty
// where nothing does. Unlike a busy machine that may fall on one version of a run, or on some
// runs of a side, alone.
func shared(a, b *entry) string {
	for _, e := range append(a.all(), b.all()...) {
		if s := e.row.Shared(); s != "" {
			return s
		}
	}
	return ""
}

// noteShared says for how many ratios a GPU that others used is why they are not judged.
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

// noteDisturbed says for how many ratios a disturbance is why they are not judged.
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
