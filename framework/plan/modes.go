package plan

// InModes repeats the points for each power mode, the mode slowest, so that
// each mode is entered once.
func (p *Plan) InModes(names []string) {
	var points []Point
	for _, name := range names {
		for _, x := range p.Points {
			x.ID, x.PowerMode = len(points), name
			points = append(points, x)
		}
	}
	p.Points = points
}
