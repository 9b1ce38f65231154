package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Printed returns the comparison for a terminal of a width: a row for each problem, or, long, a
// paragraph; the finding is last.
func (r *Turns) Printed(long bool, colours terminal.Palette, width int) string {
	text := r.Text()
	if !long {
		text = r.short(colours, width)
	}
	return text + r.Finding().Line(colours)
}

// judged returns the pairs that have a result: all of two versions, or all of one by itself.
func (r *Turns) judged() (list []*Pair) {
	for _, p := range r.Pairs {
		if p.Failure == "" && p.Result != nil && (list == nil || (p.Result.Effect == nil) == (list[0].Result.Effect == nil)) {
			list = append(list, p)
		}
	}
	return list
}

func (r *Turns) short(colours terminal.Palette, width int) string {
	var b strings.Builder
	if list := r.judged(); len(list) > 0 {
		b.WriteString(matrixOf(list).Text(colours, width))
		if list[0].Result.Effect != nil {
			fmt.Fprintf(&b, "%s; = the same within --same\n", compare.SignsText)
		}
	}
	var notes []string // each once
	add := func(n string) {
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	for _, p := range r.Pairs {
		if p.Failure != "" {
			add(p.Name + ": " + p.Failure)
			continue
		}
		for _, n := range append(append(p.tunables(), p.checked()), p.Notes...) {
			add(n)
		}
		if p.Result.Differs() {
			add(p.Name + ": A differs from itself by more than chance: what comes second is treated differently here, and B/A is held against that")
		}
	}
	for _, n := range notes {
		fmt.Fprintln(&b, n)
	}
	return b.String()
}

// tunables say which of the two have other tunables than their defaults.
func (p *Pair) tunables() (lines []string) {
	if text := p.A.ChangedText(); text != "" {
		lines = append(lines, fmt.Sprintf("tunables of A, %s: %s", p.A.Version, text))
	}
	if text := p.B.ChangedText(); text != "" {
		lines = append(lines, fmt.Sprintf("tunables of B, %s: %s", p.B.Version, text))
	}
	return lines
}

// matrixOf has a row for each pair; of two versions the last is the geometric mean.
func matrixOf(list []*Pair) compare.Matrix {
	first := list[0]
	m := compare.Matrix{Left: 1, Title: fmt.Sprintf("%s by itself on %s, %s", first.A.Version, first.A.Device, terminal.Count(len(first.repeats), "repeat")),
		Head: []string{"problem", "A/A"}}
	energy := slices.ContainsFunc(list, func(p *Pair) bool { return p.Result.Energy != nil })
	if first.Result.Effect != nil {
		m.Title = fmt.Sprintf("A is %s, B is %s; on %s, %s, lower is better", first.A.Version, first.B.Version, first.A.Device, terminal.Count(len(first.repeats), "repeat"))
		m.Head = []string{"problem", "A", "B", "B/A by A/A"}
	}
	if energy {
		m.Head = append(m.Head, "energy, B/A")
	}
	interval := func(x compare.Mean) string { return digits.Interval(x.Value, x.Low, x.High, "") }
	effect := func(e *compare.Effect) compare.Entry {
		if e == nil {
			return compare.Entry{}
		}
		return compare.Entry{Text: interval(e.Mean), Verdict: e.Verdict}
	}
	for _, p := range list {
		row := []compare.Entry{{Text: p.Name}}
		if t := p.Result; t.Effect == nil {
			row = append(row, compare.Entry{Text: interval(t.Control)})
		} else {
			row = append(row, compare.Entry{Text: p.median(func(x *measure.Alternation) []float64 { return x.A })},
				compare.Entry{Text: p.median(func(x *measure.Alternation) []float64 { return x.B })}, effect(t.Effect))
		}
		if energy {
			row = append(row, effect(p.Result.Energy))
		}
		m.Rows = append(m.Rows, row)
	}
	if first.Result.Effect == nil || len(list) < 2 {
		return m
	}
	mean := make([]compare.Entry, len(m.Head))
	mean[0].Text = "geometric mean"
	mean[3].Text = geometricMean(list)
	m.Rows = append(m.Rows, mean)
	return m
}

// geometricMean returns the geometric mean of the ratios, with the digits that they have in common.
func geometricMean(list []*Pair) string {
	sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
	for _, p := range list {
		x := math.Log(p.Result.Effect.Value)
		sum, least, most = sum+x, min(least, x), max(most, x)
	}
	mean := math.Exp(sum / float64(len(list)))
	return digits.Known(mean, mean*(most-least)/2, "")
}

// Finding returns what the repeats show, in one sentence.
func (r *Turns) Finding() compare.Finding {
	list := r.judged()
	if len(list) == 0 {
		return compare.Finding{}
	}
	first := list[0]
	if first.Result.Effect == nil {
		smallest := 0.0
		for _, p := range list {
			smallest = max(smallest, p.Result.Smallest)
		}
		return compare.Finding{Text: "as many repeats show differences above about " + digits.Doubt(smallest), Told: smallest <= 1}
	}
	count := map[compare.Verdict]int{}
	same := 0.0                           // the furthest end of an interval of what is the same
	var least, most, open *compare.Effect // of what is told, and of the rest the one known worst
	for _, p := range list {
		e := p.Result.Effect
		count[e.Verdict]++
		if e.Verdict == compare.Better || e.Verdict == compare.Worse {
			if least == nil || e.Value < least.Value {
				least = e
			}
			if most == nil || e.Value > most.Value {
				most = e
			}
		}
		if e.Verdict == compare.Same {
			same = max(same, e.Within)
		}
		if e.Verdict == compare.NotTold && (open == nil || e.Within > open.Within) {
			open = e
		}
	}
	a, b, n := first.A.Version, first.B.Version, len(list)
	at := func(verdict compare.Verdict) string {
		if n == 1 {
			return ""
		}
		return fmt.Sprintf(" at %d of %d problems", count[verdict], n)
	}
	var parts []string
	if count[compare.Better] > 0 {
		parts = append(parts, b+" is faster than "+a+at(compare.Better))
	}
	if count[compare.Worse] > 0 {
		parts = append(parts, b+" is slower than "+a+at(compare.Worse))
	}
	if least != nil {
		of := digits.Range(least.Value, most.Value, "")
		if least == most {
			of = digits.Interval(least.Value, least.Low, least.High, "")
		}
		parts[len(parts)-1] += ": " + of + " times its time"
	}
	if count[compare.Same] > 0 {
		parts = append(parts, fmt.Sprintf("%s takes the time of %s within %s", b, a, digits.Percent(same))+at(compare.Same))
	}
	if open != nil {
		parts = append(parts, fmt.Sprintf("cannot tell %s from %s", b, a)+at(compare.NotTold)+": "+wanting(open))
	}
	return compare.Finding{Text: strings.Join(parts, "; "), Told: n > count[compare.NotTold]}
}

// wanting says what is possible still, or how many repeats would show more.
func wanting(e *compare.Effect) string {
	if e.Within <= compare.WorthTelling {
		return "at most " + digits.Percent(e.Within) + " apart"
	}
	if n := stats.RepeatsFor(math.Log(e.High/e.Low)/2, len(e.Ratios), math.Log1p(compare.WorthTelling)); n > len(e.Ratios) {
		return compare.RepeatsText(n)
	}
	return "more repeats would narrow it"
}
