package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/why"
	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Explainer says what bounds points, and why times differ.
type Explainer interface {
	// Why explains a point that is ok and ran on a GPU. The error is why.ErrTimeOver for a point that is left
	// out, and why.ErrNoPTX for one that cannot be explained here.
	Why(*record.Run, *record.Row) (bound.Why, error)
	Reasons(*compare.Comparison) error
}

// explain adds what bounds the points of a GPU to the section of a run.
func (r *runReader) explain(s *Section, x Explainer, dir string) error {
	energies := why.NewEnergies(r.run, dir, nil)
	t := Table{Title: "what bounds each point", Note: "By executing some blocks of the kernels on a CPU, with the run's times and ceilings: no counter of the GPU was read. Gains are the model's.",
		Head: []Head{{"point", false}, {"time", true}, {"bound by", false}, {"busy", true}, {"next", false}, {"model's time", true}, {"would be faster", false}, {"gain", true}, {"energy goes to", false}, {"would save", false}, {"not known", false}}}
	classes := map[string]int{}
	var order []string
	left := 0
	if engine.OpenCL(why.DeviceOf(r.run)) {
		t.Note = "By the bytes and operations that the problem needs at least, and the device's ceilings: OpenCL does not show what kernels execute."
	}
	for i := range r.run.Rows {
		w := &r.run.Rows[i]
		if w.Processor != framework.GPU || w.Status != record.OK || !w.Time.Median.IsSet() {
			continue
		}
		judged, err := x.Why(r.run, w)
		switch {
		case errors.Is(err, why.ErrTimeOver):
			left++
			continue
		case err != nil:
			return err
		}
		name := judged.Title()
		if !judged.Sure && judged.Class != bound.Unknown {
			name += ", not sure"
		}
		if classes[name]++; classes[name] == 1 {
			order = append(order, name)
		}
		busy, gain, change := cell{"", math.NaN()}, cell{"", math.NaN()}, ""
		if judged.Share > 0 {
			busy = cell{digits.Percent(judged.Share), judged.Share}
		}
		facts := []Fact{{"bound by", name}}
		for n, c := range judged.Changes {
			if n == 0 {
				gain, change = cell{number(c.Gain), c.Gain}, c.Text
			}
			facts = append(facts, Fact{fmt.Sprintf("about %s× as fast", number(c.Gain)), c.Text})
		}
		if judged.Missing != "" {
			facts = append(facts, Fact{"not known", judged.Missing})
		}
		goes, saves := "", ""
		if y := energies.Of(w, judged); y != nil && y.Known() {
			goes = y.Goes()
			facts = append(facts, Fact{"energy goes to", goes})
			for n, c := range y.Changes {
				if n == 0 {
					saves = fmt.Sprintf("%s %s", c.Name, digits.Percent(c.Saves))
				}
				facts = append(facts, Fact{fmt.Sprintf("about %s of the energy less", digits.Percent(c.Saves)), c.Text})
			}
		}
		r.explained[i] = facts
		model := cell{"", math.NaN()}
		if judged.Model > 0 {
			model = cell{digits.Scaled(judged.Model, "s"), judged.Model}
		}
		next := judged.Next
		if next != "" {
			next += " " + digits.Percent(judged.Second)
		}
		t.add(i, word(r.names.Of(w)), cell{digits.Scaled(judged.Time, "s"), judged.Time}, word(name), busy, word(next), model, word(change), gain, word(goes), word(saves), word(judged.Missing))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b string) int { return classes[b] - classes[a] })
	var parts []string
	for _, name := range order {
		parts = append(parts, fmt.Sprintf("%s at %s", name, terminal.Count(classes[name], "point")))
	}
	line := "Bound by " + strings.Join(parts, ", ") + "."
	if left > 0 {
		line += fmt.Sprintf(" Not explained: %s (%v).", terminal.Count(left, "point"), why.ErrTimeOver)
	}
	s.Verdict = append(s.Verdict, line)
	t.trim()
	s.Tables = append(s.Tables, t)
	return nil
}

// because words why a level's time differs; empty if that is unknown or was not asked.
func because(level string, r *compare.Ratio) string {
	if r == nil || r.Because == nil {
		return ""
	}
	return level + " is " + r.Because.Text(r.Value)
}
