package compare

import (
	"cmp"
	"math"
	"slices"

	"example.org/bench/framework/record"
)

// Side is one of two points that are compared; the first of several instances.
type Side struct {
	Run *record.Run
	Row *record.Row
}

// Difference is a ratio of times that is judged better or worse.
type Difference struct {
	Base, Level Side
	Ratio       *Ratio
}

// Different returns the ratios of times that are judged better or worse, the largest change first.
func (c *Comparison) Different() (list []Difference) {
	c.ratios(func(m Metric, cell Cell, r *Ratio) {
		p := c.Points[cell.Point]
		if m.Name != "time" || r.Verdict != Better && r.Verdict != Worse {
			return
		}
		base, level := p.rows[p.Baseline], p.rows[cell.Level]
		list = append(list, Difference{Side{base.run.Run, base.row}, Side{level.run.Run, level.row}, r})
	})
	slices.SortStableFunc(list, func(a, b Difference) int {
		return cmp.Compare(math.Abs(math.Log(b.Ratio.Value)), math.Abs(math.Log(a.Ratio.Value)))
	})
	return list
}
