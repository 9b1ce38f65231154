package tuning

import "slices"

// PowerMode is the parameter of spaces that is the machine's power mode, by its number.
const PowerMode = "power_mode"

// Switching is that one parameter is the machine's, and not the code's: to go from a point to
// one with another value of it takes time, which a strategy is to weigh. The loop keeps it up
// to date.
type Switching struct {
	Parameter string
	// On is the value of the point proposed last; before the first, of what is on.
	On float64
	// Seconds is about how long a change takes: as expected, and then as the trials had it,
	// with what the first trial after one takes longer than others.
	Seconds float64

	changes, after, others []float64
}

// of is the value of a task's point; ok is false where its space has no such parameter.
func (w *Switching) of(t Task, point int) (value float64, ok bool) {
	d := slices.IndexFunc(t.Space.Parameters, func(p Parameter) bool { return p.Name == w.Parameter })
	if d < 0 {
		return 0, false
	}
	return t.Space.Value(point, d), true
}

// Values are those of all points of the tasks, one task after another; nil where nothing is
// switched. A point without the parameter is taken to have what is on.
func (w *Switching) Values(tasks []Task) (all []float64) {
	if w == nil {
		return nil
	}
	for _, t := range tasks {
		for p := range t.Space.Len() {
			v, ok := w.of(t, p)
			if !ok {
				v = w.On
			}
			all = append(all, v)
		}
	}
	return all
}

// proposed takes in that a point was.
func (w *Switching) proposed(t Task, point int) {
	if w == nil {
		return
	}
	if v, ok := w.of(t, point); ok {
		w.On = v
	}
}

// learn takes in what a trial took.
func (w *Switching) learn(t Trial) {
	if w == nil {
		return
	}
	switch {
	case t.SwitchSeconds > 0:
		w.changes = append(w.changes, t.SwitchSeconds)
		if t.OK {
			w.after = append(w.after, t.RunSeconds)
		}
	case t.OK:
		w.others = append(w.others, t.RunSeconds)
	}
	if len(w.changes) == 0 {
		return
	}
	w.Seconds = mean(w.changes)
	if len(w.after) > 0 && len(w.others) > 0 {
		w.Seconds += max(0, mean(w.after)-mean(w.others))
	}
}

// waiting is how many more proposals are open where the strategy takes no account of changes:
// those that need none are evaluated first.
func (w *Switching) waiting(tasks []Task) int {
	const each = 3
	values := 0
	for _, t := range tasks {
		for _, p := range t.Space.Parameters {
			if p.Name == w.Parameter {
				values = max(values, len(p.Values))
			}
		}
	}
	return each * values
}

// without takes from the points ready those that need a change, unless all do.
func (w *Switching) without(tasks []Task, ready []job, on float64) []int {
	var same, all []int
	for i, j := range ready {
		all = append(all, i)
		if w == nil {
			continue
		}
		if v, ok := w.of(tasks[j.Task], j.Point); ok && v == on {
			same = append(same, i)
		}
	}
	if same != nil {
		return same
	}
	return all
}
