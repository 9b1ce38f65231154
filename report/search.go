package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/tuning/search"
)

// readSearch returns the section of a folder of bench tune.
func readSearch(dir, name string) (*Section, error) {
	r, err := search.Read(dir)
	if err != nil {
		return nil, err
	}
	trials, err := r.Trials(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if trials == nil { // computed, not measured
		trials = make([][]search.Row, len(r.Tasks))
	}
	cost := string(r.Objective.Cost())
	unit := map[search.Objective]string{search.Time: "s", search.Energy: "J", search.EDP: "J·s"}[r.Objective.Cost()]
	s := &Section{Title: name, Kind: "search", Where: where(r.Info), Warnings: slices.Clone(r.Info.Warnings), Facts: append([]Fact{{"strategy", r.Strategy},
		{"objective", string(r.Objective)}, {"budget", budgetOf(r)}, {"constraints", strings.Join(r.Constraints, "; ")}}, surroundings(r.Info)...)}
	s.Facts = slices.DeleteFunc(s.Facts, func(f Fact) bool { return f.Value == "" })
	pictures, err := r.Pictures(trials)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	var groups [3][]Figure // by kind
	tasks := Table{Title: "sweep points", Head: []Head{{"sweep point", false}, {"measured again", true}, {"defaults", true}, {"defaults by best", true}, {"best tunables", false},
		{cost + " of the best trial", true}, {"found after", true}, {"points", true}, {"evaluations", true}, {"invalid", true}, {"stopped", false}}}
	interactions, fronts := newInteractions(), newFronts()
	for i, t := range r.Tasks {
		title := taskName(r, t)
		e, err := evaluatedOf(title, t, trials[i], cost, unit)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for k, f := range e.figures() {
			groups[k] = append(groups[k], f)
		}
		if t.Front != nil {
			addFront(fronts, title, t.Front)
		}
		s.Verdict = append(s.Verdict, taskVerdict(title, t, unit))
		if t.Left != nil {
			s.Verdict = append(s.Verdict, title+": "+t.Left.String()+".")
		}
		addInteractions(interactions, title, t.Interactions)
		s.Points = append(s.Points, taskPoint(r, title, t))
		tasks.add(i, taskCells(title, t, unit)...)
	}
	tasks.trim()
	for _, e := range pictures.Fronts {
		f := timeEnergyFigure(e)
		f.Group = "front of time and energy"
		s.Figures = append(s.Figures, f)
	}
	if pictures.Convergence != nil {
		s.Figures = append(s.Figures, convergenceFigure(pictures.Convergence))
	}
	for _, m := range pictures.Maps {
		if c := m.Cells(); c != nil {
			groups[2] = append(groups[2], heatFigure(c))
			groups[2][len(groups[2])-1].Group = "heat maps"
		}
	}
	for _, g := range groups {
		if len(g) == 1 {
			g[0].Group = ""
		}
		s.Figures = append(s.Figures, g...)
	}
	s.Tables = append(s.Tables, tasks)
	if len(fronts.Rows) > 0 {
		s.Tables = append(s.Tables, *fronts)
	}
	if len(interactions.Rows) > 0 {
		s.Tables = append(s.Tables, *interactions)
	}
	s.Verdict = append(said(r.Finding()), s.Verdict...)
	if t, ok := invalid(r, trials); ok {
		s.Tables = append(s.Tables, t)
		s.Verdict = append(s.Verdict, fmt.Sprintf("Invalid: %s, most often: %s.", t.Rows[0][0], t.Rows[0][2]))
	}
	if len(s.Verdict) == 0 {
		s.Verdict = []string{"There are no sweep points."}
	}
	return s, nil
}

// taskName returns a task's version with the parameters that tell it from the others.
func taskName(r *search.Report, t search.TaskReport) string {
	parts := []string{t.Version}
	for _, n := range t.Varying(r) {
		parts = append(parts, n+" "+t.Params[n].String())
	}
	return strings.Join(parts, ", ")
}

// evaluatedOf returns the space of the points that were tried.
func evaluatedOf(name string, t search.TaskReport, rows []search.Row, cost, unit string) (*evaluated, error) {
	space, costs, err := t.Evaluated(rows)
	return &evaluated{name: name, space: space, costs: costs, cost: cost, unit: unit}, err
}

// taskVerdict says what the search found at a sweep point.
func taskVerdict(name string, t search.TaskReport, unit string) string {
	switch {
	case t.Front != nil:
		return frontVerdict(name, t)
	case t.Cost == 0 && t.Tunables != nil:
		return fmt.Sprintf("%s: %s (%s).", name, search.Setting(t.PowerMode, t.Tunables), t.Stopped)
	case t.Cost == 0:
		return fmt.Sprintf("%s: no valid point among %s (%s).", name, terminal.Count(t.Evaluations, "evaluation"), t.Stopped)
	}
	found := fmt.Sprintf("found after %d of %s (%s in the space).", t.Reached, terminal.Count(t.Evaluations, "evaluation"), terminal.Count(t.Points, "point"))
	f := t.Final
	if f == nil {
		return fmt.Sprintf("%s: best %s at %s, %s", name, digits.Scaled(t.Cost, unit), search.Setting(t.PowerMode, t.Tunables), found)
	}
	// The best when measured again need not be the best of the trials.
	line := fmt.Sprintf("%s: best %s at %s, measured again", name, estimate(f.Best, unit), search.Setting(t.PowerMode, t.Tunables))
	if f.Default != nil {
		line += fmt.Sprintf("; the defaults take %s, %s times as much", estimate(*f.Default, unit), t.Gain().Text())
	}
	return line + fmt.Sprintf(". The best trial had %s, %s", digits.Scaled(t.Cost, unit), found)
}

func estimate(e search.Estimate, unit string) string {
	if e.Low == 0 && e.High == 0 {
		return digits.Scaled(e.Value, unit)
	}
	return digits.Interval(e.Value, e.Low, e.High, unit)
}

func taskCells(name string, t search.TaskReport, unit string) []cell {
	count := func(n int) cell { return cell{fmt.Sprint(n), float64(n)} }
	none := cell{"", math.NaN()}
	value := func(x float64) cell {
		if x == 0 {
			return none
		}
		return cell{digits.Scaled(x, unit), x}
	}
	known := func(e search.Estimate) cell {
		if e.High == 0 {
			return value(e.Value)
		}
		return cell{digits.Known(e.Value, digits.Half(e.Value, e.Low, e.High), unit), e.Value}
	}
	again, defaults, ratio := none, none, none
	if f := t.Final; f != nil {
		again = known(f.Best)
		if f.Default != nil {
			defaults = known(*f.Default)
			gain := t.Gain()
			ratio = cell{gain.Text(), gain.Value}
		}
	}
	return []cell{word(name), again, defaults, ratio, word(search.Setting(t.PowerMode, t.Tunables)), value(t.Cost), count(t.Reached), count(t.Points), count(t.Evaluations), count(t.Invalid), word(t.Stopped)}
}

// taskPoint returns the best of a task with the command that measures it.
func taskPoint(r *search.Report, name string, t search.TaskReport) Point {
	p := Point{Name: name, Facts: []Fact{{"best tunables", search.Setting(t.PowerMode, t.Tunables)}, {"defaults", search.Setting(t.DefaultsMode, t.Defaults)}}}
	p.Facts = slices.DeleteFunc(p.Facts, func(f Fact) bool { return f.Value == "" })
	if t.Tunables == nil || r.Info.Config.Path == "" {
		return p
	}
	words := []string{"bench", "run", r.Info.Config.Path}
	for _, n := range t.Varying(r) {
		words = append(words, "--set", n+"="+t.Params[n].String())
	}
	var names []string
	for n := range t.Tunables {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		words = append(words, "--set", n+"="+t.Tunables[n].String())
	}
	if t.PowerMode != "" {
		words = append(words, "--power-modes", t.PowerMode)
	}
	p.Command = strings.Join(quoted(append(words, "--versions", t.Version, "--processor", string(t.Processor))), " ")
	return p
}

// invalid returns the reasons of invalid points, the most frequent first.
func invalid(r *search.Report, trials [][]search.Row) (Table, bool) {
	type group struct{ status, reason string }
	counts, example := map[group]int{}, map[group]string{}
	var order []group
	for i, rows := range trials {
		for _, row := range rows {
			if row.Status == record.OK {
				continue
			}
			g := group{string(row.Status), strings.Join(strings.Fields(row.Reason), " ")}
			if counts[g]++; counts[g] == 1 {
				order = append(order, g)
				var parts []string
				for d, p := range r.Tasks[i].Space {
					parts = append(parts, fmt.Sprintf("%s %v", p.Name, row.Values[d]))
				}
				example[g] = taskName(r, r.Tasks[i]) + ": " + strings.Join(parts, ", ")
			}
		}
	}
	slices.SortStableFunc(order, func(a, b group) int { return cmp.Compare(counts[b], counts[a]) })
	t := Table{Title: "reasons of invalid points", Head: []Head{{"points", true}, {"status", false}, {"reason", false}, {"for example", false}}}
	for _, g := range order {
		t.add(-1, cell{fmt.Sprint(counts[g]), float64(counts[g])}, word(g.status), word(g.reason), word(example[g]))
	}
	return t, len(order) > 0
}

func newInteractions() *Table {
	return &Table{Title: "tunables that matter together", Note: "Share of the variance of the logarithm of the cost that the pairs of values explain beyond what each tunable does alone, and beyond chance.",
		Head: []Head{{"sweep point", false}, {"tunable", false}, {"with", false}, {"share", true}}}
}

func addInteractions(t *Table, title string, list []search.Interaction) {
	for _, x := range list {
		t.add(-1, word(title), word(x.A), word(x.B), cell{digits.Percent(x.Share), x.Share})
	}
}

// budgetOf says how long the search might go on.
func budgetOf(r *search.Report) string {
	switch {
	case r.Limit > 0:
		return fmt.Sprintf("%g s", r.Limit)
	case r.Patience != nil:
		return fmt.Sprintf("until %s, and %g times those before, improve by no more than %g %%", terminal.Count(r.Patience.Least, "evaluation"), r.Patience.Share, 100*r.Patience.Gain)
	}
	return terminal.Count(r.Budget, "evaluation") + " a sweep point"
}
