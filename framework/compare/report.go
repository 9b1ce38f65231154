package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bench/framework/record"
	"bench/framework/stats"
)

// sheet is a table for reading.
type sheet struct {
	title string
	head  []string
	left  int // this many columns are aligned to the left
	rows  [][]string
	foot  []string
}

// Text is the comparison for a terminal.
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
	return b.String()
}

// Markdown is the comparison for a web page or a pull request.
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
	return b.String()
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

// overview has one line per level and point and one column per metric.
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
			texts[i][place{cell.Point, cell.Level}] = scaled(cell.Value, t.Metric.Unit)
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
		row := append(slices.Clone(c.Points[cell.Point].Factors), cell.Level, scaled(cell.Value, t.Metric.Unit), cell.Estimate.half(), count(cell.Instances))
		if r := cell.Ratio; r == nil {
			row = append(row, "1")
		} else {
			row = append(row, r.number(r.Value))
			if isTime {
				row = append(row, r.number(1/r.Value)+"×")
			}
			row = append(row, r.interval(), probability(r.Adjusted), string(r.Verdict))
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
			s.foot = append(s.foot, fmt.Sprintf("geometric mean of the ratios of %s: %s", l, number(m)))
		}
	}
	s.foot = append(s.foot, reasons.lines()...)
	return s
}

func scaled(x float64, unit string) string {
	if unit == "" {
		return number(x)
	}
	return record.Scaled(record.Measured(x), unit)
}

// number has four significant digits, as ratios of about 1 need.
func number(x float64) string { return fixed(x, 0) }

// number has as many digits as distinguish the ends of the ratio's interval.
func (r Ratio) number(x float64) string {
	if r.Low == nil || *r.High <= *r.Low {
		return number(x)
	}
	return fixed(x, min(9, 1-int(math.Floor(math.Log10(*r.High-*r.Low)))))
}

// fixed has four significant digits, and at least so many decimals.
func fixed(x float64, decimals int) string {
	a := math.Abs(x)
	if a >= 1e4 || a < 1e-3 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', max(0, decimals, 3-int(math.Floor(math.Log10(a)))), 64)
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

func (r Ratio) interval() string {
	if r.Low == nil {
		return ""
	}
	return r.number(*r.Low) + " to " + r.number(*r.High)
}

// half is the larger half of the value's interval, relative, as a run's table
// writes it.
func (e Estimate) half() string {
	if e.Low == nil {
		return ""
	}
	return record.Interval(stats.Summary{Median: e.Value, Low: *e.Low, High: *e.High})
}

// used are the columns that are not empty everywhere.
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
	used := s.used()
	width := make([]int, len(s.head))
	for _, r := range append([][]string{s.head}, s.rows...) {
		for i, cell := range r {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range append([][]string{s.head}, s.rows...) {
		var line strings.Builder
		for _, i := range used {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(r[i]))
			if s.isLeft(i) {
				line.WriteString(r[i] + pad + "  ")
			} else {
				line.WriteString(pad + r[i] + "  ")
			}
		}
		fmt.Fprintln(b, strings.TrimRight(line.String(), " "))
	}
	for _, f := range s.foot {
		fmt.Fprintln(b, f)
	}
}

// isLeft: names and verdicts.
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
