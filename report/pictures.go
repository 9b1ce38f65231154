package report

import (
	"math"
	"strings"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/pareto"
	"example.org/bench/plots/picture"
)

// pictureFigure returns a picture's title, note and axes. The page's readouts of an axis lack the prefix of
// the label.
func pictureFigure(title, note string, x, y axis.Axis, xUnit, yUnit string) Figure {
	return Figure{Title: title, Note: sentence(note), X: axisOf(x, readout(x.Label), xUnit), Y: axisOf(y, readout(y.Label), yUnit)}
}

// readout returns a label without its unit.
func readout(label string) string {
	if name, _, ok := strings.Cut(label, " ("); ok {
		return name
	}
	return label
}

// sentence ends a note, which may begin with the name of an algorithm.
func sentence(note string) string {
	if note == "" {
		return ""
	}
	return note + "."
}

func convergenceFigure(c *picture.Convergence) Figure {
	f := pictureFigure("convergence: "+c.Title, c.Note, c.X, c.Y, "", "")
	for i, l := range c.Curves {
		s := Series{Name: l.Name, Mark: MarkStep, Colour: i}
		for _, at := range l.Places() {
			s.X, s.Y, s.Low = append(s.X, float64(at+1)), append(s.Y, l.Median[at]), append(s.Low, l.Low[at])
		}
		f.Series = append(f.Series, s)
	}
	f.Series = append(f.Series, Series{Name: c.Limit.Name, Mark: MarkLimit, Colour: -1, X: Reals{c.X.Min, c.X.Max}, Y: Reals{c.Limit.Value, c.Limit.Value}})
	return f
}

func heatFigure(c *picture.Cells) Figure {
	f := Figure{Title: c.Title, Note: sentence(c.Note), X: Axis{Title: c.X.Label, Names: c.X.Texts}, Y: Axis{Title: c.Y.Label, Names: c.Y.Texts}, Unit: c.Unit, Empty: c.Empty}
	if c.Has(func(share float64) bool { return share == 0 }) {
		f.Note += " Empty: " + c.Empty + "."
	}
	if c.Has(math.IsNaN) {
		f.Note += " A cross: none valid."
	}
	for i := range c.Share {
		f.Cells, f.Shares = append(f.Cells, c.Cost[i]), append(f.Shares, c.Share[i])
	}
	return f
}

func timeEnergyFigure(e *picture.TimeEnergy) Figure {
	f := pictureFigure(e.Title, e.Note, e.X, e.Y, "s", "J")
	add := func(s Series, points []pareto.Point) {
		for _, p := range points {
			s.X, s.Y = append(s.X, p.X), append(s.Y, p.Y)
		}
		f.Series = append(f.Series, s)
	}
	if len(e.Others) > 0 {
		add(Series{Name: picture.OthersName, Mark: MarkPoints, Colour: grey, Size: make(Reals, len(e.Others))}, e.Others)
	}
	for _, a := range e.Again {
		add(Series{Name: picture.AgainName, Mark: MarkPlain, Colour: grey}, a[:])
	}
	for _, front := range e.Fronts {
		if len(front.Points) == 1 && len(e.Marked) > 0 { // the one point is marked
			continue
		}
		s := Series{Name: e.FrontName, Mark: MarkStep, Colour: grey}
		if len(e.Fronts) > 1 {
			s.Name = front.Name + ", " + s.Name
		}
		if len(front.Points) == 1 { // one point has no length
			s.Mark = MarkPoints
		}
		add(s, front.Points)
	}
	for _, m := range e.Marked {
		add(Series{Name: m.Name, Mark: MarkPoints, Colour: m.Style, Label: m.Texts, Low: m.Low, High: m.High, Point: m.Rows}, m.Points)
	}
	return f
}

func groupsFigure(g picture.Groups) Figure {
	f := Figure{Title: g.Title, Note: sentence(g.Note), X: axisOf(g.X, readout(g.X.Label), g.Unit), Y: Axis{Names: g.Names}, Row: barHeight*len(g.Kinds) + barHeight}
	if g.Undecided {
		f.Note += " Hollow: no difference is shown."
	}
	n := float64(len(g.Kinds))
	for i, kind := range g.Kinds {
		s := Series{Name: kind.Name, Mark: MarkBar, Colour: kind.Style, Among: len(g.Kinds)}
		for k, b := range kind.Bars {
			s.X, s.Y = append(s.X, b.End), append(s.Y, float64(b.Group)+(float64(i)-(n-1)/2)/(n+picture.GroupGap))
			s.From, s.Low, s.High = append(s.From, g.Origin), append(s.Low, b.Low), append(s.High, b.High)
			s.Label = append(s.Label, strings.Trim(b.Text+", "+string(b.Verdict), ", "))
			if b.Undecided {
				s.Doubtful = append(s.Doubtful, k)
			}
		}
		if s.Low.blank() && s.High.blank() {
			s.Low, s.High = nil, nil
		}
		f.Series = append(f.Series, s)
	}
	if g.Relative {
		f.Series = append(f.Series, Series{Name: "baseline", Mark: MarkLimit, Colour: -1, X: Reals{1, 1}, Y: Reals{-0.5, float64(len(g.Names)) - 0.5}})
	}
	return f
}

func stripsFigure(t *picture.Turns) Figure {
	f := Figure{Title: t.Title, Note: sentence(t.Note), X: axisOf(t.X, t.X.Label, ""), Row: stripHeight}
	mean := Series{Name: picture.MeanName, Mark: MarkPoints, Colour: 6}
	repeats := make([]Series, len(picture.Kinds))
	for i, r := range t.Rows {
		f.Y.Names = append(f.Y.Names, strings.TrimPrefix(r.Point+": ", ": ")+r.Name)
		mean.X, mean.Y, mean.Low, mean.High = append(mean.X, r.Value), append(mean.Y, float64(i)-meanAbove), append(mean.Low, r.Low), append(mean.High, r.High)
		mean.Label = append(mean.Label, r.Text())
		s := &repeats[r.Style]
		for k, x := range r.Ratios {
			s.X, s.Y = append(s.X, x), append(s.Y, float64(i)-r.Offset(k))
		}
	}
	for i, s := range repeats {
		if len(s.X) > 0 {
			s.Name, s.Mark, s.Colour = picture.Kinds[i], MarkPoints, i
			f.Series = append(f.Series, s)
		}
	}
	f.Series = append(f.Series, mean, Series{Name: picture.SameName, Mark: MarkLimit, Colour: -1, X: Reals{1, 1}, Y: Reals{-0.5, float64(len(t.Rows)) - 0.5}})
	return f
}

// Heights in pixels of a bar among others, and of a row of repeats.
const (
	barHeight   = 14
	stripHeight = 64
)

// grey is a number in the page's palette.
const grey = 7

// meanAbove is how far above the middle of its row a mean stands, as a share of the row.
const meanAbove = 0.35
