package plan

import "cmp"

// InModes repeats the points for each power mode, the mode slowest, so that
// each mode is entered once. skip says why a mode cannot be entered, which skips its
// points; empty if it can.
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
