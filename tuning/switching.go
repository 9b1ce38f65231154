package tuning

import "slices"

// PowerMode is the name of the parameter of spaces that is the machine's power mode, by its number.
const PowerMode = "power_mode"

// Switching describes a parameter that is the machine's, and not the code's: a step to a point with another
// value of it takes time, which a strategy should weigh. The loop keeps it up to date.
type Switching struct {
	Parameter string
	// On is the value at the point proposed last; before the first proposal, the value that is on.
	On float64
	// Seconds is about how long a change takes: first as expected, then as in the trials, with what the first
	// trial after a change takes longer than others.
	Seconds float64

	changes, after, others []float64
}

// of returns the value at a task's point; ok is false if its space has no such parameter.
func (w *Switching) of(t Task, point int) (value float64, ok bool) {
	d := slices.IndexFunc(t.Space.Parameters, func(p Parameter) bool { return p.Name == w.Parameter })
	if d < 0 {
		return 0, false
	}
	return t.Space.Value(point, d), true
}

// Values returns the value at every point of the tasks, one task after another; nil if nothing is switched. A
// point without the parameter has the value that is on.
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

// proposed takes in that a point was proposed.
func (w *Switching) proposed(t Task, point int) {
	if w == nil {
		return
	}
	if v, ok := w.of(t, point); ok {
		w.On = v
	}
}

// learn takes in how long a trial took.
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

// waiting returns how many more proposals are open if the strategy does not weigh changes: the proposals that
// need no change are evaluated first.
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

// without returns the places in ready of jobs that need no change, or all places if each job needs one.
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
