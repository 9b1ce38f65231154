package plan

// Repeat makes times instances of each point, in rounds, so that a change in the course of a run
// affects all points alike. Rounds are within a power mode, so that each mode is still entered
// once.
func (p *Plan) Repeat(times int) {
	if times < 2 {
		return
	}
	var points []Point
	for from := 0; from < len(p.Points); {
		to := from + 1
		for to < len(p.Points) && p.Points[to].PowerMode == p.Points[from].PowerMode {
			to++
		}
		for i := range times {
			for _, x := range p.Points[from:to] {
				if i > 0 && x.Skip != "" {
					continue // once is enough
				}
				x.Instance = i
				points = append(points, x)
			}
		}
		from = to
	}
	p.Points = points
}
