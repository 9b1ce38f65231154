package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// WorthTelling is the difference for which an inconclusive finding says what would show it.
const WorthTelling = 0.1

// Finding is what results show, in one sentence. It rests on verdicts alone.
type Finding struct {
	Text string
	Told bool // something is shown
}

// Line returns the sentence for a terminal; empty if there is none.
func (f Finding) Line(colours terminal.Palette) string {
	if f.Text == "" {
		return ""
	}
	colour := terminal.Yellow
	if f.Told {
		colour = terminal.Green
	}
	return colours.Paint(colour, "finding:") + " " + f.Text + "\n"
}

// namedLevels is how many levels a finding names.
const namedLevels = 3

// Finding returns the finding of the first metric. By power mode, if time and energy are measured,
// it says what energy the thriftiest mode saves for what time.
func (c *Comparison) Finding() Finding {
	if f := c.trade(); f.Text != "" {
		return f
	}
	f := Finding{}
	var texts []string
	of := c.standings()
	for _, base := range c.baselines() {
		if all := of[base]; len(all) > 0 {
			texts, f.Told = append(texts, sentence(all, standing.text)), f.Told || slices.ContainsFunc(all, standing.told)
		}
	}
	f.Text = strings.Join(texts, ". ")
	return f
}

// standings returns the standings of the first table's levels by what they are compared with.
func (c *Comparison) standings() map[string][]standing {
	all := map[string][]standing{}
	for _, l := range c.Levels {
		if s := c.standing(c.Tables[0], l); s.n > 0 {
			all[s.base] = append(all[s.base], s)
		}
	}
	return all
}

// noInterval is the remark on a difference without an interval.
const noInterval = "there is no interval, so nothing says whether that is real"

// sentence names the first standings, of the best levels, and says once what has no interval.
func sentence(all []standing, text func(standing) string) string {
	slices.SortStableFunc(all, func(a, b standing) int {
		if a.metric.Higher {
			a, b = b, a
		}
		return cmp.Compare(a.mean, b.mean)
	})
	var parts []string
	plain := false
	for _, s := range all[:min(len(all), namedLevels)] {
		parts = append(parts, text(s))
		plain = plain || s.none == s.n
	}
	if more := len(all) - namedLevels; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	if plain {
		parts = append(parts, noInterval)
	}
	return strings.Join(parts, "; ")
}

// trade says how much energy the power mode with the least energy saves for what time.
func (c *Comparison) trade() (f Finding) {
	at := func(name string) int {
		return slices.IndexFunc(c.Tables, func(t Table) bool { return t.Metric.Name == name })
	}
	time, energy := at("time"), at("energy")
	if !c.modes || time < 0 || energy < 0 {
		return f
	}
	var least, its standing
	for _, l := range c.Levels {
		t, e := c.standing(c.Tables[time], l), c.standing(c.Tables[energy], l)
		if t.n > 0 && e.n > 0 && e.worse+e.open == 0 && e.mean < 1 && (least.n == 0 || e.mean < least.mean) {
			least, its = e, t
		}
	}
	if least.n == 0 {
		return f
	}
	front := 0
	for _, p := range c.Points {
		if slices.Contains(p.Front, least.level) {
			front++
		}
	}
	f.Told = least.better == least.n
	name := least.level
	if c.By == ByPowerMode {
		name = "mode " + name
	}
	f.Text = fmt.Sprintf("%s: %s for %s than %s; it is on the front of time and energy at %d of %s", name, least.share(), its.share(), least.base,
		front, terminal.Count(len(c.Points), "problem"))
	if least.none > 0 || its.none > 0 {
		f.Text += "; " + noInterval
	}
	return f
}

// standing is how a level compares to the baseline in one metric.
type standing struct {
	metric                       Metric
	level, base                  string
	n, better, worse, open, none int // none: ratios without an interval
	least, most                  Ratio
	mean, doubt                  float64 // the geometric mean, and half of its interval, relative
	further                      float64 // of inconclusive ratios: the end of any interval that is furthest from 1
	half                         float64 // the widest of these intervals, of the logarithm
	instances                    int     // of the level; 0: one
}

// told reports whether any ratio is conclusive.
func (s standing) told() bool { return s.better+s.worse > 0 }

func (c *Comparison) standing(t Table, level string) standing {
	s := standing{metric: t.Metric, level: level, doubt: t.meanDoubt(level)}
	logs := 0.0
	for _, x := range t.Cells {
		r := x.Ratio
		if x.Level != level || r == nil {
			continue
		}
		s.base = c.Points[x.Point].Baseline
		if s.n == 0 || r.Value < s.least.Value {
			s.least = *r
		}
		if s.n == 0 || r.Value > s.most.Value {
			s.most = *r
		}
		s.n++
		logs += math.Log(r.Value)
		switch {
		case r.P == nil || r.Low == nil:
			s.none++
		case r.Verdict == Better:
			s.better++
		case r.Verdict == Worse:
			s.worse++
		default:
			s.open++
			s.further = max(s.further, *r.High-1, 1 / *r.Low - 1)
			if half := math.Log(*r.High / *r.Low) / 2; half > s.half {
				s.half, s.instances = half, x.Instances
			}
		}
	}
	s.mean = math.Exp(logs / float64(s.n))
	if s.n > 1 { // a mean over different problems has no more digits than they have in common
		s.doubt = max(s.doubt, math.Log(s.most.Value/s.least.Value)/2)
	}
	return s
}

// text returns the standing in words.
func (s standing) text() string {
	where := "" // for one problem
	if s.n > 1 {
		where = fmt.Sprintf(" at all %d problems", s.n)
	}
	switch {
	case s.none == s.n:
		return s.level + ": " + s.amount() + where
	case s.better == s.n || s.worse == s.n:
		return s.level + ": " + s.amount() + where + s.span()
	case s.open == s.n:
		return fmt.Sprintf("cannot tell %s from %s%s: %s", s.level, s.base, strings.Replace(where, "all", "any of", 1), s.wanting())
	}
	text := fmt.Sprintf("%s: %s in the geometric mean of %s (%s times)", s.level, s.amount(), terminal.Count(s.n, "problem"), digits.Range(s.least.Value, s.most.Value, ""))
	for _, x := range []struct {
		word string
		n    int
	}{{"better", s.better}, {"worse", s.worse}} {
		if x.n > 0 {
			text += fmt.Sprintf(", %s at %d", x.word, x.n)
		}
	}
	return text + s.rest()
}

// rest says for how many problems nothing is shown; empty if there are none.
func (s standing) rest() string {
	if s.open == 0 {
		return ""
	}
	return fmt.Sprintf("; cannot tell at %d: %s", s.open, s.wanting())
}

// share returns the mean difference as a share: "27 % less energy".
func (s standing) share() string {
	word, difference := "more", s.mean-1
	if s.mean < 1 {
		word, difference = "less", 1-s.mean
	}
	text := digits.Percent(difference)
	if s.doubt > 0 {
		text = digits.Known(100*difference, 100*s.mean*s.doubt, "") + " %"
	}
	return text + " " + word + " " + strings.ReplaceAll(s.metric.Name, "_", " ")
}

// amount returns the mean difference, as a share if that is simple.
func (s standing) amount() string {
	name := strings.ReplaceAll(s.metric.Name, "_", " ")
	switch {
	case s.mean > 0.5 && s.mean < 2:
		return s.share() + " than " + s.base
	case s.metric.Name == "time" && s.mean < 1:
		return fmt.Sprintf("%s times as fast as %s", digits.Known(1/s.mean, s.doubt/s.mean, ""), s.base)
	}
	return fmt.Sprintf("%s times the %s of %s", digits.Known(s.mean, s.mean*s.doubt, ""), name, s.base)
}

// ends returns the least and the largest ratio; for one problem, the ends of its interval.
func (s standing) ends() (low, high float64) {
	if s.n == 1 {
		return *s.least.Low, *s.least.High
	}
	return s.least.Value, s.most.Value
}

// span returns the range from the least to the largest ratio; for one problem, its interval.
func (s standing) span() string {
	low, high := s.ends()
	switch {
	case low == high:
		return ""
	case s.mean > 0.5 && s.mean < 2 && s.mean > 1:
		return " (" + digits.Range(100*(low-1), 100*(high-1), "") + " %)"
	case s.mean > 0.5 && s.mean < 1:
		return " (" + digits.Range(100*(1-high), 100*(1-low), "") + " %)"
	case s.metric.Name == "time" && s.mean < 1:
		return " (" + digits.Range(1/high, 1/low, "") + ")"
	}
	return " (" + digits.Range(low, high, "") + ")"
}

// wanting says what is still possible, and what would show more.
func (s standing) wanting() string {
	if s.further <= WorthTelling {
		return "at most " + digits.Percent(s.further) + " apart"
	}
	if n := stats.RepeatsFor(s.half, s.instances, math.Log1p(WorthTelling)); n > s.instances {
		return RepeatsText(n)
	}
	return "more samples, or measure.repeats, would narrow it"
}

// RepeatsText says how many repeats would show WorthTelling.
func RepeatsText(n int) string {
	return fmt.Sprintf("about %s would show %s", terminal.Count(n, "repeat"), digits.Percent(WorthTelling))
}

// Leaders returns, of each group of levels that share problems, the level that is best at most of them, or the first of
// several. A GPU's come first.
func (c *Comparison) Leaders() []string {
	wins := map[string]int{}
	for _, cells := range c.ByPoint() {
		if len(cells) > 0 {
			wins[cells[0].Level]++
		}
	}
	var gpu, others []string
	for _, g := range c.groups {
		leader := slices.MaxFunc(g, func(a, b string) int { return wins[a] - wins[b] })
		if slices.ContainsFunc(c.Points, func(p Point) bool { return p.rows[leader] != nil && p.rows[leader].row.Processor == framework.GPU }) {
			gpu = append(gpu, leader)
		} else {
			others = append(others, leader)
		}
	}
	return append(gpu, others...)
}

// ByPoint returns the first table's cells of each point, best first.
func (c *Comparison) ByPoint() [][]Cell {
	all := make([][]Cell, len(c.Points))
	if len(c.Tables) == 0 {
		return all
	}
	t := c.Tables[0]
	for _, x := range t.Cells {
		all[x.Point] = append(all[x.Point], x)
	}
	for _, cells := range all {
		slices.SortStableFunc(cells, func(a, b Cell) int {
			if t.Metric.Higher {
				a, b = b, a
			}
			return cmp.Compare(a.Value, b.Value)
		})
	}
	return all
}
