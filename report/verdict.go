package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// fastest says which version is fastest, by how much and how sure, with tables of the problems; none if there
// is nothing to compare.
func (r *runReader) fastest(samples *record.Samples, why Explainer) ([]Table, []string, error) {
	c, err := compare.OfVersions(compare.Run{Name: r.folder, Run: r.run, Samples: samples})
	if err != nil || len(c.Tables) == 0 {
		return nil, nil, nil
	}
	if why != nil {
		if err := why.Reasons(c); err != nil {
			return nil, nil, err
		}
	}
	var tables []Table
	var sentences []string
	for _, leader := range c.Leaders() {
		if t, sentence := problems(c, leader); t != nil {
			tables, sentences = append(tables, *t), append(sentences, sentence)
		}
	}
	if tables == nil {
		return nil, nil, nil
	}
	return tables, append(sentences, standings(c)...), nil
}

// problems returns the table of which level is fastest at each problem of a leader, and the sentence of how
// often each is; nil if no problem has two levels.
func problems(c *compare.Comparison, leader string) (*Table, string) {
	metric := c.Tables[0].Metric
	heads := append(factorHeads(c), Head{"fastest", false}, Head{metric.Name, true}, Head{"against", false}, Head{"ratio", true}, Head{"95 % interval", false}, Head{"verdict", false}, Head{"because", false})
	t := &Table{Title: "fastest by problem", Head: heads}
	wins := map[string]int{}
	has := map[string]bool{}
	var order []string
	for i, cells := range c.ByPoint() {
		p := c.Points[i]
		if len(cells) < 2 || p.Baseline != leader {
			continue
		}
		for _, x := range cells {
			has[x.Level] = true
		}
		best, other := cells[0], cells[1]
		if best.Level != leader { // ratios are to the leader
			if at := slices.IndexFunc(cells, func(x compare.Cell) bool { return x.Level == leader }); at > 0 {
				other = cells[at]
			}
		}
		if wins[best.Level]++; wins[best.Level] == 1 {
			order = append(order, best.Level)
		}
		var row []cell
		for _, f := range p.Factors {
			row = append(row, factorCell(f))
		}
		row = append(row, word(best.Level), cell{best.Estimate.Text(metric.Unit), best.Value}, word(other.Level))
		q, level, inverse := other.Ratio, other.Level, false
		if best.Level != leader {
			q, level, inverse = best.Ratio, best.Level, true
		}
		row = append(row, ratioCells(q, inverse, other.Value/best.Value)...)
		row = append(row, word(difference(q)), word(because(level, q)))
		t.add(-1, row...)
	}
	n := len(t.Rows)
	if n == 0 {
		return nil, ""
	}
	alike := t.fold(len(c.Factors))
	t.Note = "Ratio: the other's " + metric.Name + " by the fastest's. Verdicts allow at most 5 % chance of any false one among all of this run (Holm)."
	if alike != "" {
		t.Title += ": " + alike
	}
	t.trim()
	slices.SortStableFunc(order, func(a, b string) int { return wins[b] - wins[a] })
	timed := slices.DeleteFunc(slices.Clone(c.Levels), func(l string) bool { return !has[l] })
	if n == 1 {
		return t, fmt.Sprintf("%s is fastest of %s.", order[0], strings.Join(timed, ", "))
	}
	var parts []string
	for _, l := range order {
		parts = append(parts, fmt.Sprintf("%s at %d", l, wins[l]))
	}
	return t, fmt.Sprintf("Fastest of %s at %s: %s.", strings.Join(timed, ", "), terminal.Count(n, "problem"), strings.Join(parts, ", "))
}

// ratioCells returns the cells of a ratio, or its inverse, and of its interval; the value alone if there is
// no Ratio.
func ratioCells(r *compare.Ratio, inverse bool, value float64) []cell {
	if r == nil {
		return []cell{{number(value), value}, word("")}
	}
	of := *r
	if inverse {
		of = r.Inverse()
	}
	return []cell{{of.Text(), of.Value}, word(of.Interval())}
}

// difference words the verdict on a ratio.
func difference(r *compare.Ratio) string {
	if r == nil {
		return ""
	}
	switch r.Verdict {
	case compare.Better, compare.Worse:
		return "differs"
	case "":
		return "not judged: no samples"
	}
	return string(r.Verdict)
}

// unjudged ends a sentence about ratios that were not tested.
const unjudged = ". There are no samples and no uncertainty, so nothing says whether that is real."

// standings say how each other level compares to the leader of its problems.
func standings(c *compare.Comparison) (lines []string) {
	t := c.Tables[0]
	cells := map[string][]compare.Cell{} // by level
	for _, x := range t.Cells {
		cells[x.Level] = append(cells[x.Level], x)
	}
	for _, l := range c.Levels {
		better, worse, open, n, judged := 0, 0, 0, 0, 0
		least, most, single, leader := 0.0, 0.0, "", ""
		for _, x := range cells[l] {
			if x.Ratio == nil {
				continue
			}
			v := x.Ratio.Value
			single, leader = x.Ratio.Text(), c.Points[x.Point].Baseline
			if n++; n == 1 {
				least, most = v, v
			}
			least, most = min(least, v), max(most, v)
			if x.Ratio.P != nil {
				judged++
			}
			switch x.Ratio.Verdict {
			case compare.Better:
				better++
			case compare.Worse:
				worse++
			default:
				open++
			}
		}
		if n == 0 {
			continue
		}
		line := fmt.Sprintf("%s takes %s times as long as %s", l, single, leader)
		if n > 1 {
			line = fmt.Sprintf("%s takes %s times as long as %s", l, digits.Range(least, most, ""), leader)
			if m, ok := t.Means[l]; ok {
				line += fmt.Sprintf(", %s in the geometric mean of %s", digits.Known(m, m*math.Log(most/least)/2, ""), terminal.Count(n, "problem"))
			}
		}
		if judged == 0 {
			lines = append(lines, line+unjudged)
			continue
		}
		lines = append(lines, fmt.Sprintf("%s. Shown: slower at %d, faster at %d; no difference shown at %d.", line, worse, better, open))
	}
	return lines
}

// leastShare is the least share of a ceiling that is mentioned.
const leastShare = 1e-3

// best says how near to the ceilings the run comes, and which version takes least energy.
func (r *runReader) best() (lines []string) {
	top := func(of func(*record.Row) record.Number, less bool) *record.Row {
		var best *record.Row
		for i := range r.run.Rows {
			if w := &r.run.Rows[i]; of(w).IsSet() && (best == nil || (of(w).Float() < of(best).Float()) == less) {
				best = w
			}
		}
		return best
	}
	copyShare := func(w *record.Row) record.Number { return w.Memory.CopyShare }
	if w := top(copyShare, false); w != nil && w.Memory.CopyShare.Float() >= leastShare {
		line := fmt.Sprintf("Nearest to the measured copy ceiling: %s, %s of it", r.names.Of(w), share(w.Memory.CopyShare))
		if w.Memory.CopyShare.Float() >= record.OverCopy {
			line += " (its data stays in caches, the copy's does not)"
		}
		lines = append(lines, line+".")
	}
	if w := top(func(w *record.Row) record.Number { return w.Work.FMAShare }, false); w != nil && w.Work.FMAShare.Float() >= leastShare {
		lines = append(lines, fmt.Sprintf("Nearest to the measured FMA ceiling: %s, %s of it.", r.names.Of(w), share(w.Work.FMAShare)))
	}
	measured := 0
	for i := range r.run.Rows {
		if r.run.Rows[i].Energy.Get().Total.IsSet() {
			measured++
		}
	}
	if w := top(func(w *record.Row) record.Number { return w.Energy.Get().Total }, true); measured > 1 {
		lines = append(lines, fmt.Sprintf("Least energy of %s: %s, %s a run.", terminal.Count(measured, "point"), r.names.Of(w), digits.PlusMinus(w.Energy.Get().Total.Float(), w.Energy.Get().Uncertainty.Float(), "J")))
	}
	return lines
}

// failures say which points have no figures, and why; each reason once.
func (r *runReader) failures() (lines []string) {
	type group struct {
		status          record.Status
		version, reason string
	}
	var order []group
	points := map[group][]string{}
	for i := range r.run.Rows {
		w := &r.run.Rows[i]
		if w.Status == record.OK {
			continue
		}
		g := group{w.Status, w.Version, strings.Join(strings.Fields(w.Reason), " ")}
		if points[g] == nil {
			order = append(order, g)
		}
		points[g] = append(points[g], r.names.Of(w))
	}
	for _, g := range order {
		where := points[g][0]
		if n := len(points[g]); n > 1 {
			where = fmt.Sprintf("%s and %d more", where, n-1)
		}
		line := fmt.Sprintf("%s: %s", strings.ToUpper(string(g.status[:1]))+string(g.status[1:]), where)
		if g.reason != "" {
			line += ": " + g.reason
		}
		lines = append(lines, line)
	}
	for _, l := range r.run.Info.LeftOut {
		lines = append(lines, l+".")
	}
	return lines
}
