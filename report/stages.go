package report

import (
	"fmt"
	"slices"

	"example.org/bench/framework/axis"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// stages returns the shares of kernels in time and energy, a bar each for every point.
func (r *runReader) stages() (all []Figure) {
	of := picture.StagesOf(r.run)
	if of == nil {
		return nil
	}
	first := 0
	for some := range slices.Chunk(of.Points, picture.MostStaged) {
		f := Figure{Title: "share of each kernel in time", Note: upper(of.Sums) + ".", Y: Axis{Title: "point"}, X: axisOf(axis.Axis{Max: 1, Label: "share of the kernels' sum", Ticks: picture.ShareTicks()}, "share", "")}
		if slices.ContainsFunc(some, func(p picture.StagedPoint) bool { return p.Energy != nil }) {
			f.Title += " and energy"
		}
		if of.Doubtful {
			f.Note += " " + hollowMarks
		}
		if len(of.Points) > picture.MostStaged {
			f.Group = f.Title
			f.Title += fmt.Sprintf(", points %d to %d", first+1, first+len(some))
		}
		first += len(some)
		for i, name := range of.Kernels {
			f.Series = append(f.Series, Series{Name: name, Mark: MarkBar, Colour: i})
		}
		for _, p := range some {
			for _, bar := range []struct {
				what, unit string
				shares     []picture.Share
			}{{"time", "s", p.Time}, {"energy", "J", p.Energy}} {
				if len(bar.shares) == 0 {
					continue
				}
				from := 0.0
				for _, x := range bar.shares {
					s := &f.Series[x.Kernel]
					if x.Doubtful {
						s.Doubtful = append(s.Doubtful, len(s.X))
					}
					s.X, s.Y, s.From = append(s.X, x.Share), append(s.Y, float64(len(f.Y.Names))), append(s.From, from)
					s.Label, s.Point = append(s.Label, of.Kernels[x.Kernel]+", "+digits.Scaled(x.Value, bar.unit)), append(s.Point, p.Row)
					from += x.Share
				}
				f.Y.Names = append(f.Y.Names, p.Name+", "+bar.what)
			}
		}
		f.Series = slices.DeleteFunc(f.Series, func(s Series) bool { return len(s.X) == 0 })
		all = append(all, f)
	}
	return all
}
