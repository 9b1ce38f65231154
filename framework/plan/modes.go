package plan

import (
	"cmp"
	"slices"
)

// InModes repeats the points for each power mode. The mode varies slowest, so that each mode is
// entered once. skip returns why a mode cannot be entered, or "" if it can; the points of such a
// mode are skipped.
func (p *Plan) InModes(names []string, skip func(name string) string) {
	var points []Point
	for _, name := range names {
		why := skip(name)
		for _, x := range p.Points {
			x.ID, x.PowerMode = len(points), name
			x.Skip = cmp.Or(x.Skip, why)
			points = append(points, x)
		}
	}
	p.Points = points
}

// Append adds another device's points of the same config.
func (p *Plan) Append(other *Plan) {
	for _, x := range other.Points {
		x.ID = len(p.Points)
		p.Points = append(p.Points, x)
	}
	for _, list := range []struct {
		to   *[]string
		from []string
	}{{&p.LeftOut, other.LeftOut}, {&p.asked, other.asked}, {&p.Smaller, other.Smaller}, {&p.Assumed, other.Assumed}} {
		for _, line := range list.from {
			if !slices.Contains(*list.to, line) {
				*list.to = append(*list.to, line)
			}
		}
	}
}
