package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Matrix is a table with a row for each problem and a column for each level, to compare them side
// by side.
type Matrix struct {
	Title string
	Head  []string
	Left  int // this many columns name the row
	Rows  [][]Entry
	Mean  bool // the last row is a mean
}

// Entry is a cell of a matrix.
type Entry struct {
	Text    string
	Verdict Verdict // empty: none
}

// signs show verdicts without colours.
var signs = map[Verdict]string{Better: "+", Worse: "-", Same: "=", NotTold: "?", Inconclusive: "?"}

// SignsText explains the signs.
const SignsText = "+ better, - worse, ? no difference told"

var verdictColours = map[Verdict]terminal.Colour{Better: terminal.Green, Worse: terminal.Red, Inconclusive: terminal.Yellow}

// Text returns the matrix within a width, in several parts if that is too narrow. A width of 0 is
// no limit.
func (m Matrix) Text(colours terminal.Palette, width int) string {
	columns := make([][]string, len(m.Head)) // padded, with the head
	wide := make([]int, len(m.Head))
	for i, head := range m.Head {
		cells := make([]string, len(m.Rows))
		for j, r := range m.Rows {
			if cells[j] = r[i].Text; r[i].Verdict != "" {
				cells[j] += " " + signs[r[i].Verdict]
			}
		}
		if i >= m.Left {
			cells = digits.Column(cells)
		}
		for _, c := range append(cells, head) {
			wide[i] = max(wide[i], utf8.RuneCountInString(c))
		}
		for j, c := range cells {
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(c))
			if i < m.Left {
				cells[j] = c + pad
			} else {
				cells[j] = pad + c
			}
			if colour, ok := verdictColours[m.Rows[j][i].Verdict]; ok {
				cells[j] = colours.Paint(colour, cells[j])
			}
		}
		pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(head))
		if i < m.Left {
			head += pad
		} else {
			head = pad + head
		}
		columns[i] = append([]string{head}, cells...)
	}
	var b strings.Builder
	fmt.Fprintln(&b, m.Title)
	parts := m.parts(wide, width)
	if len(parts) > 1 && width < terminal.Narrow {
		m.blocks(&b, columns, width)
		return b.String()
	}
	for _, part := range parts {
		for line := range len(m.Rows) + 1 {
			var cells []string
			for _, i := range part {
				cells = append(cells, columns[i][line])
			}
			fmt.Fprintln(&b, strings.TrimRight(strings.Join(cells, "  "), " "))
		}
	}
	return b.String()
}

// blocks writes each row as a line with its names and, below, a line for each other column.
func (m Matrix) blocks(b *strings.Builder, columns [][]string, width int) {
	short := func(cell string) string { return strings.Join(strings.Fields(cell), " ") }
	for line := range m.Rows {
		var names []string
		for i := range m.Left {
			if name := short(columns[i][line+1]); name != "" && m.Head[i] != "" && !(m.Mean && line == len(m.Rows)-1) {
				names = append(names, m.Head[i]+" "+name)
			} else if name != "" {
				names = append(names, name)
			}
		}
		fmt.Fprintln(b, strings.Join(names, ", "))
		for i := m.Left; i < len(columns); i++ {
			if cell := short(columns[i][line+1]); cell != "" {
				fmt.Fprint(b, terminal.Wrap("  "+m.Head[i]+": "+cell+"\n", width))
			}
		}
	}
}

// parts returns the columns that fit beside each other. Each part includes those that name the
// rows.
func (m Matrix) parts(wide []int, width int) (parts [][]int) {
	var names []int
	least := 0
	for i := range m.Left {
		names, least = append(names, i), least+wide[i]+2
	}
	part, used := slices.Clone(names), least
	for i := m.Left; i < len(wide); i++ {
		if width > 0 && used+wide[i] > width && len(part) > len(names) {
			parts = append(parts, part)
			part, used = slices.Clone(names), least
		}
		part, used = append(part, i), used+wide[i]+2
	}
	return append(parts, part)
}

// Short returns the comparison for a terminal of a width, with a matrix for each metric.
func (c *Comparison) Short(colours terminal.Palette, width int) string {
	var b strings.Builder
	for _, line := range c.heading() {
		fmt.Fprintln(&b, line)
	}
	var reasons reasons
	for i, t := range c.Tables {
		for _, m := range c.matrices(t, i == 0) {
			fmt.Fprintf(&b, "\n%s", m.Text(colours, width))
		}
		for _, cell := range t.Cells {
			if cell.Ratio != nil && cell.Ratio.Because != nil {
				reasons.add(c.named(cell), cell.Ratio)
			}
		}
	}
	if c.known() {
		fmt.Fprintln(&b, SignsText)
	}
	for _, line := range slices.Concat(reasons.lines(), c.ending()) {
		fmt.Fprintln(&b, line)
	}
	return b.String() + c.Finding().Line(colours)
}

// matrices returns the matrices of a table, one for each baseline, with the time–energy front if fronts is set.
func (c *Comparison) matrices(t Table, fronts bool) (all []Matrix) {
	bases := c.baselines()
	for _, base := range bases {
		of := t
		of.Cells = slices.DeleteFunc(slices.Clone(t.Cells), func(x Cell) bool { return c.Points[x.Point].Baseline != base })
		if slices.ContainsFunc(of.Cells, func(x Cell) bool { return x.Ratio != nil }) {
			all = append(all, c.matrix(of, base, len(bases) > 1, fronts))
		}
	}
	return all
}

// matrix returns the matrix of one baseline's cells. Factors that are the same in all its rows go into the title if
// shorten is set.
func (c *Comparison) matrix(t Table, base string, shorten, fronts bool) Matrix {
	direction := "lower is better"
	if t.Metric.Higher {
		direction = "higher is better"
	}
	m := Matrix{Title: fmt.Sprintf("%s and its ratio to that of %s, %s", t.Metric.Title, base, direction)}
	var columns []int // of the factors
	for i, name := range c.Factors {
		first := c.Points[t.Cells[0].Point].Factors[i]
		if shorten && !slices.ContainsFunc(t.Cells, func(x Cell) bool { return c.Points[x.Point].Factors[i] != first }) {
			m.Title += ", " + strings.TrimSpace(name+" "+first)
			continue
		}
		columns, m.Head = append(columns, i), append(m.Head, name)
	}
	if len(m.Head) == 0 && t.Means != nil {
		m.Head = []string{""} // for the name of the mean
	}
	m.Left = len(m.Head)
	levels := c.ordered(t, base)
	m.Head = append(m.Head, levels...)
	if fronts = fronts && slices.ContainsFunc(t.Cells, func(x Cell) bool { return c.Points[x.Point].Front != nil }); fronts {
		m.Head = append(m.Head, "time–energy front")
	}
	rows := make([][]Entry, len(c.Points))
	for _, cell := range t.Cells {
		r := rows[cell.Point]
		if r == nil {
			r = make([]Entry, len(m.Head))
			for i, column := range columns {
				r[i].Text = c.Points[cell.Point].Factors[column]
			}
			if fronts {
				r[len(r)-1].Text = strings.Join(c.Points[cell.Point].Front, ", ")
			}
			rows[cell.Point] = r
		}
		r[m.Left+slices.Index(levels, cell.Level)] = entryOf(cell, t.Metric.Unit)
	}
	m.Rows = slices.DeleteFunc(rows, func(r []Entry) bool { return r == nil })
	mean := make([]Entry, len(m.Head))
	for i, l := range levels {
		if x, ok := t.Means[l]; ok {
			mean[m.Left+i].Text, m.Mean = digits.Known(x, x*t.meanDoubt(l), ""), true
		}
	}
	if m.Mean {
		mean[0].Text = "geometric mean"
		m.Rows = append(m.Rows, mean)
	}
	return m
}

// ordered returns the levels that the table has, the baseline first.
func (c *Comparison) ordered(t Table, base string) []string {
	list := []string{base}
	for _, l := range c.Levels {
		if l != base && slices.ContainsFunc(t.Cells, func(x Cell) bool { return x.Level == l }) {
			list = append(list, l)
		}
	}
	return list
}

func entryOf(cell Cell, unit string) Entry {
	r := cell.Ratio
	switch {
	case r == nil:
		return Entry{Text: cell.Estimate.Text(unit)}
	case r.Low == nil:
		return Entry{Text: r.Text(), Verdict: r.Verdict}
	}
	return Entry{Text: digits.Interval(r.Value, *r.Low, *r.High, ""), Verdict: r.Verdict}
}

// meanDoubt returns about half of the interval of the mean of a level's ratios, relative, to choose
// its digits; NaN if a ratio has no interval.
func (t Table) meanDoubt(level string) float64 {
	sum, n := 0.0, 0
	for _, x := range t.Cells {
		if r := x.Ratio; x.Level == level && r != nil {
			if r.Low == nil {
				return math.NaN()
			}
			half := math.Log(*r.High / *r.Low) / 2
			sum, n = sum+half*half, n+1
		}
	}
	return math.Sqrt(sum) / float64(n)
}
