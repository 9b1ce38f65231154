package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// acrossRuns returns the comparison of runs, named as their folders; nil if they share no points.
func acrossRuns(runs []compare.Run, why Explainer) (*Section, error) {
	var dirs []string
	for _, r := range runs {
		dirs = append(dirs, r.Name)
	}
	for i, name := range record.ShortNames(dirs) {
		runs[i].Name = name
	}
	c, err := compare.New(runs, compare.Options{By: compare.ByRun, MixCaches: true})
	if err != nil {
		return nil, nil
	}
	if why != nil {
		if err := why.Reasons(c); err != nil {
			return nil, err
		}
	}
	return comparison(c, "runs compared"), nil
}

func comparisonSection(path, name string) (*Section, error) {
	c, err := compare.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return comparison(c, name), nil
}

// ratioAt is a ratio with its point and level.
type ratioAt struct {
	name   string
	metric compare.Metric
	cell   compare.Cell
}

// comparison returns the section of a comparison.
func comparison(c *compare.Comparison, title string) *Section {
	s := &Section{Title: title, Kind: "comparison by " + string(c.By), Warnings: slices.Clone(c.Warnings)}
	for _, u := range c.Unpaired {
		s.Warnings = append(s.Warnings, "without partner: "+u.String())
	}
	s.Facts = append(s.Facts, Fact{"compared", strings.Join(c.Levels, ", ")}, Fact{"baseline", strings.Join(baselines(c), ", ")})
	for _, f := range c.Constant {
		s.Facts = append(s.Facts, Fact(f))
	}
	for _, n := range c.Notes {
		s.Facts = append(s.Facts, Fact{"note", n})
	}
	s.Verdict = said(c.Finding())
	if c.Gate != nil {
		s.Verdict = append(s.Verdict, strings.ToUpper(c.Gate.String()[:1])+c.Gate.String()[1:]+".")
	}
	for _, t := range c.Tables {
		ratios := ratiosOf(c, t)
		if len(ratios) == 0 {
			continue
		}
		s.Verdict = append(s.Verdict, ratioVerdict(t, ratios)...)
		s.Tables = append(s.Tables, ratioTable(c, t, ratios))
	}
	s.Figures = comparedFigures(c)
	return s
}

// comparedFigures returns the figures that bench compare --plots draws.
func comparedFigures(c *compare.Comparison) (all []Figure) {
	for _, g := range picture.Compared(c) {
		all = append(all, groupsFigure(g))
	}
	for i := range all {
		if len(all) > 1 {
			all[i].Group = "compared"
		}
	}
	if e := picture.ComparedEnergies(c); e != nil {
		all = append(all, timeEnergyFigure(e))
	}
	return all
}

func baselines(c *compare.Comparison) (list []string) {
	for _, p := range c.Points {
		if !slices.Contains(list, p.Baseline) {
			list = append(list, p.Baseline)
		}
	}
	return list
}

// ratiosOf returns a table's ratios: those shown to differ first, the largest change
// first.
func ratiosOf(c *compare.Comparison, t compare.Table) (list []ratioAt) {
	for _, x := range t.Cells {
		if x.Ratio == nil {
			continue
		}
		name := c.Points[x.Point].Name()
		if len(c.Levels) > 2 || name == "" {
			name = strings.TrimSpace(x.Level + " " + name)
		}
		list = append(list, ratioAt{name, t.Metric, x})
	}
	rank := func(r ratioAt) int {
		switch r.cell.Ratio.Verdict {
		case compare.Worse:
			return 0
		case compare.Better:
			return 1
		case compare.Inconclusive:
			return 2
		}
		return 3
	}
	size := func(r ratioAt) float64 { return -math.Abs(math.Log(r.cell.Ratio.Value)) }
	slices.SortStableFunc(list, func(a, b ratioAt) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(size(a), size(b)))
	})
	return list
}

// ratioVerdict says what a metric's ratios show.
func ratioVerdict(t compare.Table, ratios []ratioAt) []string {
	count, judged := map[compare.Verdict]int{}, 0
	for _, r := range ratios {
		if r.cell.Ratio.P != nil {
			judged++
		}
		count[r.cell.Ratio.Verdict]++
	}
	if judged == 0 {
		first := ratios[0]
		return []string{fmt.Sprintf("%s: %s; the one furthest from 1 is that of %s, %s times the baseline's%s", capital(t.Metric.Name), terminal.Count(len(ratios), "ratio"), first.name, first.cell.Ratio.Text(), unjudged)}
	}
	rest := len(ratios) - count[compare.Better] - count[compare.Worse] - count[compare.Inconclusive]
	text := fmt.Sprintf("%s: %d of %s worse, %d better, %d inconclusive; no difference is shown at %d", capital(t.Metric.Name), count[compare.Worse],
		terminal.Count(len(ratios), "ratio"), count[compare.Better], count[compare.Inconclusive], rest)
	lines := []string{text + " (at most 5 % chance of any false verdict)."}
	for _, v := range []struct {
		is   compare.Verdict
		name string
	}{{compare.Worse, "Largest worsening"}, {compare.Better, "Largest improvement"}} {
		for _, r := range ratios { // the largest comes first
			if r.cell.Ratio.Verdict == v.is {
				lines = append(lines, fmt.Sprintf("%s: %s of %s, %s times the baseline's%s.", v.name, t.Metric.Name, r.name, r.cell.Ratio.Text(), bracketed(r.cell.Ratio.Interval())))
				if b := r.cell.Ratio.Because; b != nil && len(b.Reasons) > 0 {
					lines = append(lines, "It is "+b.Text(r.cell.Ratio.Value)+".")
				}
				break
			}
		}
	}
	return lines
}

func bracketed(interval string) string {
	if interval == "" {
		return ""
	}
	return " (95 % interval " + interval + ")"
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// ratioTable has all ratios, and after them the values of the baseline.
func ratioTable(c *compare.Comparison, t compare.Table, ratios []ratioAt) Table {
	out := Table{Title: "ratios of " + t.Metric.Name, Note: t.Metric.Title,
		Head: append(factorHeads(c), Head{string(c.By), false}, Head{t.Metric.Name, true}, Head{"ratio", true}, Head{"from", true}, Head{"to", true},
			Head{"p, adjusted", true}, Head{"verdict", false}, Head{"gate", false}, Head{"on the front", false}, Head{"because", false})}
	none := cell{"", math.NaN()}
	end := func(q *compare.Ratio, x *float64) cell { // to the place of the ratio
		if x == nil {
			return none
		}
		return cell{digits.Known(*x, digits.Half(q.Value, *q.Low, *q.High), ""), *x}
	}
	probability := func(p *float64) cell {
		if p == nil {
			return none
		}
		return cell{number(*p), *p}
	}
	frontOf := func(p compare.Point, level string) cell {
		if p.Front == nil {
			return word("")
		}
		return word(map[bool]string{true: "yes", false: "no"}[slices.Contains(p.Front, level)])
	}
	for _, r := range ratios {
		p, q := c.Points[r.cell.Point], r.cell.Ratio
		var row []cell
		for _, f := range p.Factors {
			row = append(row, factorCell(f))
		}
		row = append(row, word(r.cell.Level), cell{r.cell.Estimate.Text(t.Metric.Unit), r.cell.Value}, cell{q.Text(), q.Value},
			end(q, q.Low), end(q, q.High), probability(q.Adjusted), word(string(q.Verdict)), word(string(q.Gate)), frontOf(p, r.cell.Level), word(because(r.cell.Level, q)))
		out.add(-1, row...)
	}
	for _, x := range t.Cells {
		if x.Ratio != nil || x.Level != c.Points[x.Point].Baseline {
			continue
		}
		var row []cell
		for _, f := range c.Points[x.Point].Factors {
			row = append(row, factorCell(f))
		}
		out.add(-1, append(row, word(x.Level), cell{x.Estimate.Text(t.Metric.Unit), x.Value}, none, none, none, none, word("baseline"), word(""), frontOf(c.Points[x.Point], x.Level), word(""))...)
	}
	out.trim()
	return out
}
