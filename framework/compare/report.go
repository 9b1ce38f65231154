package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal/digits"
)

// sheet is a table for reading.
type sheet struct {
	title string
	head  []string
	left  int // this many columns are aligned to the left
	rows  [][]string
	foot  []string
}

// Text returns the comparison for a terminal.
func (c *Comparison) Text() string {
	var b strings.Builder
	for _, line := range c.heading() {
		fmt.Fprintln(&b, line)
	}
	for _, s := range c.sheets() {
		fmt.Fprintf(&b, "\n%s\n", s.title)
		s.text(&b)
	}
	for _, line := range c.ending() {
		fmt.Fprintln(&b, line)
	}
	return b.String() + c.Finding().Line(false)
}

// Markdown returns the comparison for a web page or a pull request.
func (c *Comparison) Markdown() string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(c.heading(), "  \n"))
	for _, s := range c.sheets() {
		fmt.Fprintf(&b, "\n### %s\n\n", s.title)
		s.markdown(&b)
	}
	fmt.Fprintln(&b)
	for _, line := range c.ending() {
		fmt.Fprintln(&b, "-", strings.ReplaceAll(line, "|", `\|`))
	}
	return b.String() + "\n" + strings.ReplaceAll(c.Finding().Line(false), "|", `\|`)
}

func (c *Comparison) heading() []string {
	lines := []string{fmt.Sprintf("by %s: %s; baseline %s", c.By, strings.Join(c.Levels, ", "), strings.Join(c.baselines(), ", "))}
	if len(c.Constant) > 0 {
		lines = append(lines, words(c.Constant))
	}
	return lines
}

func (c *Comparison) baselines() []string {
	var list []string
	for _, p := range c.Points {
		if !slices.Contains(list, p.Baseline) {
			list = append(list, p.Baseline)
		}
	}
	return list
}

func (c *Comparison) ending() []string {
	var lines []string
	for _, s := range c.Spreads {
		lines = append(lines, s.String())
	}
	for _, w := range c.Warnings {
		lines = append(lines, "warning: "+w)
	}
	for _, a := range c.Unpaired {
		lines = append(lines, "without partner: "+a.String())
	}
	lines = append(lines, c.Notes...)
	if c.known() {
		lines = append(lines, fmt.Sprintf("intervals: 95 %%, of each ratio alone; verdicts: at most %.0f %% chance of any false one among all ratios here (Holm)", 100*Alpha))
	}
	if c.single() {
		lines = append(lines, "one instance each: what differs between processes and their memory is in no interval and no verdict here; "+
			"measure.repeats or several runs a side show it")
	}
	if c.plain() {
		lines = append(lines, "ratios without an interval: the runs hold no samples and no uncertainty there, so nothing says whether they are real")
	}
	if c.Gate != nil {
		lines = append(lines, c.Gate.String())
	}
	return lines
}

// single reports whether any ratio is of samples of one instance on either side.
func (c *Comparison) single() (yes bool) {
	c.ratios(func(_ Metric, _ Cell, r *Ratio) {
		yes = yes || r.sampled
	})
	return yes
}

// known reports whether any ratio has a p value, plain whether any has none.
func (c *Comparison) known() (yes bool) {
	c.ratios(func(_ Metric, _ Cell, r *Ratio) { yes = yes || r.P != nil })
	return yes
}

func (c *Comparison) plain() (yes bool) {
	c.ratios(func(_ Metric, _ Cell, r *Ratio) { yes = yes || r.P == nil })
	return yes
}

func (c *Comparison) sheets() []sheet {
	var all []sheet
	if len(c.Tables) > 1 {
		all = append(all, c.overview())
	}
	for _, t := range c.Tables {
		all = append(all, c.sheet(t))
	}
	return all
}

// overview returns a sheet with a line per level and point and a column per metric.
func (c *Comparison) overview() sheet {
	s := sheet{title: "overview", head: append(slices.Clone(c.Factors), string(c.By)), left: len(c.Factors) + 1}
	for _, t := range c.Tables {
		s.head = append(s.head, t.Metric.Name)
	}
	fronts := slices.ContainsFunc(c.Points, func(p Point) bool { return p.Front != nil })
	if fronts {
		s.head = append(s.head, "time–energy front")
	}
	type place struct {
		point int
		level string
	}
	texts := make([]map[place]string, len(c.Tables))
	for i, t := range c.Tables {
		texts[i] = make(map[place]string, len(t.Cells))
		for _, cell := range t.Cells {
			texts[i][place{cell.Point, cell.Level}] = cell.Estimate.Text(t.Metric.Unit)
		}
	}
	for i, p := range c.Points {
		for _, l := range c.Levels {
			row := append(slices.Clone(p.Factors), l)
			any := false
			for _, of := range texts {
				text, ok := of[place{i, l}]
				row, any = append(row, text), any || ok
			}
			if fronts {
				mark := ""
				if slices.Contains(p.Front, l) {
					mark = "*"
				}
				row = append(row, mark)
			}
			if any {
				s.rows = append(s.rows, row)
			}
		}
	}
	return s
}

func (c *Comparison) sheet(t Table) sheet {
	direction := "lower is better"
	if t.Metric.Higher {
		direction = "higher is better"
	}
	isTime := t.Metric.Name == "time"
	s := sheet{
		title: fmt.Sprintf("%s: %s, %s", t.Metric.Name, t.Metric.Title, direction),
		head:  append(slices.Clone(c.Factors), string(c.By), t.Metric.Name, "±", "instances", "ratio"),
		left:  len(c.Factors) + 1,
	}
	if isTime {
		s.head = append(s.head, "speed-up")
	}
	s.head = append(s.head, "95 % interval", "p, adjusted", "verdict")
	if c.Gate != nil {
		s.head = append(s.head, "gate")
	}
	var reasons reasons
	for _, cell := range t.Cells {
		row := append(slices.Clone(c.Points[cell.Point].Factors), cell.Level, cell.Estimate.Text(t.Metric.Unit), cell.Estimate.half(), count(cell.Instances))
		if r := cell.Ratio; r == nil {
			row = append(row, "1")
		} else {
			row = append(row, r.Text())
			if isTime {
				row = append(row, r.Inverse().Text()+"×")
			}
			row = append(row, r.Interval(), probability(r.Adjusted), string(r.Verdict))
			if c.Gate != nil {
				row = append(row, string(r.Gate))
			}
			if r.Because != nil {
				reasons.add(c.named(cell), r)
			}
		}
		for len(row) < len(s.head) {
			row = append(row, "")
		}
		s.rows = append(s.rows, row)
	}
	for _, l := range c.Levels {
		if m, ok := t.Means[l]; ok {
			s.foot = append(s.foot, fmt.Sprintf("geometric mean of the ratios of %s: %s", l, digits.Scaled(m, "")))
		}
	}
	s.foot = append(s.foot, reasons.lines()...)
	return s
}

// Text returns the value, rounded to the place to which it is known.
func (e Estimate) Text(unit string) string { return digits.Known(e.Value, e.halfWidth(), unit) }

// halfWidth returns half of the interval; NaN if there is none.
func (e Estimate) halfWidth() float64 {
	if e.Low == nil {
		return math.NaN()
	}
	return digits.Half(e.Value, *e.Low, *e.High)
}

// Text returns the ratio, rounded to the place to which it is known.
func (r Ratio) Text() string { return digits.Known(r.Value, r.halfWidth(), "") }

func (r Ratio) halfWidth() float64 {
	return Estimate{Value: r.Value, Low: r.Low, High: r.High}.halfWidth()
}

// Inverse returns the baseline's value divided by the level's, without verdicts.
func (r Ratio) Inverse() Ratio {
	i := Ratio{Value: 1 / r.Value}
	if r.Low != nil {
		low, high := 1 / *r.High, 1 / *r.Low
		i.Low, i.High = &low, &high
	}
	return i
}

func probability(p *float64) string {
	switch {
	case p == nil:
		return ""
	case *p < 0.001:
		return "<0.001"
	}
	return strconv.FormatFloat(*p, 'f', 3, 64)
}

// Interval returns the 95 % interval; empty if there is none.
func (r Ratio) Interval() string {
	if r.Low == nil {
		return ""
	}
	return digits.Ends(r.Value, *r.Low, *r.High, "")
}

// half returns the larger half of the value's interval, relative, as a run's table writes it.
func (e Estimate) half() string {
	if e.Low == nil {
		return ""
	}
	return record.Interval(stats.Summary{Median: e.Value, Low: *e.Low, High: *e.High})
}

// used returns the columns that are not empty everywhere.
func (s sheet) used() []int {
	var list []int
	for i := range s.head {
		if slices.ContainsFunc(s.rows, func(r []string) bool { return r[i] != "" }) {
			list = append(list, i)
		}
	}
	return list
}

func (s sheet) text(b *strings.Builder) {
	lines := make([]string, len(s.rows)+1) // the heading, and each row
	for _, i := range s.used() {
		column := make([]string, len(s.rows))
		for j, r := range s.rows {
			column[j] = r[i]
		}
		if !s.isLeft(i) {
			column = digits.Column(column)
		}
		column = append([]string{s.head[i]}, column...)
		width := 0
		for _, cell := range column {
			width = max(width, utf8.RuneCountInString(cell))
		}
		for j, cell := range column {
			pad := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
			if s.isLeft(i) {
				lines[j] += cell + pad + "  "
			} else {
				lines[j] += pad + cell + "  "
			}
		}
	}
	for _, line := range lines {
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
	for _, f := range s.foot {
		fmt.Fprintln(b, f)
	}
}

// isLeft reports whether a column is aligned to the left, as names and verdicts are.
func (s sheet) isLeft(i int) bool {
	return i < s.left || s.head[i] == "verdict" || s.head[i] == "gate" || s.head[i] == "time–energy front"
}

func (s sheet) markdown(b *strings.Builder) {
	used := s.used()
	line := func(cell func(int) string) {
		for _, i := range used {
			b.WriteString("| " + strings.ReplaceAll(cell(i), "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(i int) string { return s.head[i] })
	line(func(i int) string {
		if s.isLeft(i) {
			return ":--"
		}
		return "--:"
	})
	for _, r := range s.rows {
		line(func(i int) string { return r[i] })
	}
	for _, f := range s.foot {
		fmt.Fprintf(b, "\n%s\n", f)
	}
}
