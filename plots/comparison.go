package plots

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/compare"
	"example.org/bench/internal/terminal"
)

// maxGroups is how many points one figure of bars may hold.
const maxGroups = 40

// Comparison shows bars by point for each metric, and time against energy if both exist.
func Comparison(c *compare.Comparison) (all Figures) {
	for _, t := range c.Tables {
		all = append(all, groupFigure(c, t))
	}
	if f, ok := frontFigure(c); ok {
		all = append(all, f)
	}
	return all
}

// note says what all points of a comparison have in common.
func comparisonNote(c *compare.Comparison, more string) string {
	var parts []string
	for _, s := range c.Constant {
		if s.Name == "algorithm" || s.Name == "version" || s.Name == "processor" {
			parts = append(parts, s.Value)
		} else {
			parts = append(parts, s.Name+" "+s.Value)
		}
	}
	if more != "" {
		parts = append(parts, more)
	}
	return strings.Join(parts, ", ")
}

// groupName names a point in a figure: its factors with their names.
func groupName(c *compare.Comparison, p compare.Point) string {
	var parts []string
	for i, v := range p.Factors {
		switch c.Factors[i] {
		case "algorithm", "version", "processor", "run", "power_mode":
			parts = append(parts, v)
		default:
			parts = append(parts, c.Factors[i]+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}

// levelName is a level, with what it is a level of where it is a bare number.
func levelName(c *compare.Comparison, level string) string {
	if _, err := strconv.ParseFloat(level, 64); err != nil {
		return level
	}
	return strings.ReplaceAll(string(c.By), "_", " ") + " " + level
}

func groupFigure(c *compare.Comparison, t compare.Table) figure {
	g := &groups{unit: t.Metric.Unit}
	values, ratios := axis.NewSpan(), axis.NewSpan()
	for i, p := range c.Points {
		if i < maxGroups {
			g.names = append(g.names, groupName(c, p))
		}
	}
	for i, l := range c.Levels {
		s := series{name: levelName(c, l), style: i}
		for _, cell := range t.Cells {
			if cell.Level != l || cell.Point >= maxGroups {
				continue
			}
			b := bar{group: cell.Point, value: cell.Value, low: cell.Low, high: cell.High, ratio: 1}
			if r := cell.Ratio; r != nil {
				b.ratio, b.ratioLow, b.ratioHigh = r.Value, r.Low, r.High
			}
			s.bars = append(s.bars, b)
			values.Include(b.value)
			ratios.Include(b.ratio)
		}
		if len(s.bars) > 0 {
			g.series = append(g.series, s)
		}
	}
	var more []string
	if len(c.Points) > maxGroups {
		more = append(more, fmt.Sprintf("the first %d of %s", maxGroups, terminal.Count(len(c.Points), "point")))
	}
	if slices.ContainsFunc(t.Cells, func(cell compare.Cell) bool { return cell.Low != nil && cell.High != nil }) {
		more = append(more, "error bars: 95 % interval")
	}
	title := t.Metric.Title
	if values.Wide() {
		g.relative = true
		if t.Metric.Unit != "" {
			title += ", relative to the baseline"
		}
		g.scale = g.axis(title, "")
	} else {
		g.scale = g.axis(title, t.Metric.Unit)
	}
	return figure{"compare_" + t.Metric.Name, page{title: title + ", by " + strings.ReplaceAll(string(c.By), "_", " "), note: comparisonNote(c, strings.Join(more, ", ")), content: g}}
}

func frontFigure(c *compare.Comparison) (figure, bool) {
	s := &scatter{}
	for i, choices := range c.Choices() {
		if len(choices) < 2 {
			continue
		}
		s.fronts = append(s.fronts, compare.Front(choices))
		s.names = append(s.names, groupName(c, c.Points[i]))
		for style, l := range c.Levels {
			for _, ch := range choices {
				if ch.Name == l {
					s.dots = append(s.dots, dot{style: style, name: levelName(c, l), choice: ch})
				}
			}
		}
	}
	if len(s.dots) == 0 {
		return figure{}, false
	}
	s.axes()
	by := strings.ReplaceAll(string(c.By), "_", " ")
	return figure{"compare_time_energy", page{title: "time and energy of one run, by " + by, note: comparisonNote(c, ""), content: s}}, true
}
