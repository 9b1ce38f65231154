package plots

import (
	"example.org/bench/framework/compare"
	"example.org/bench/plots/picture"
)

// Comparison shows bars by point for each metric, and time against energy if both exist.
func Comparison(c *compare.Comparison) (all Figures) {
	for _, g := range picture.Compared(c) {
		all = append(all, groupFigure(g))
	}
	if e := picture.ComparedEnergies(c); e != nil {
		all = append(all, timeEnergyFigure(e.Name, e))
	}
	return all
}

func groupFigure(g picture.Groups) figure {
	return figure{g.Name, page{title: g.Title, note: g.Note, content: newGroups(g)}}
}
