package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/tuning"
	"example.org/bench/tuning/wisdom"
)

// Modes are the power modes of the machine among which a search chooses, such as *powermode.Sweep.
type Modes interface {
	Names() []string
	// Number returns the number of a mode in spaces.
	Number(name string) float64
	// Present returns the mode that was on before the search; empty if unknown.
	Present() string
	// Boot returns why the machine must boot into a mode; empty if it need not.
	Boot(name string) string
	// Enter switches to a mode; its error says why the machine is not in it.
	Enter(name string) error
}

// switching is about how long a change of the mode takes, before any is timed: the switch, and a new worker
// process.
const switching = 2 * time.Second

// stays is for how many evaluations a mode is assumed to stay on, on average. In replays of a published space
// and of planted ones it was 2 to 16 with best, and 7 with random.
const stays = 5

// modes are those of a search. A nil *modes switches nothing.
type modes struct {
	Modes
	names   []string // that can be entered, by ascending number
	numbers []float64
	leftOut map[string]string // why a mode is not searched, or no more
	base    string            // the mode that the defaults are measured in
	on      string            // entered last
}

// ModeReport is one power mode of a search.
type ModeReport struct {
	Name string `json:"name"`
	// Number is the number of the mode in spaces.
	Number float64 `json:"number"`
	// Present is set for the mode that was on before the search.
	Present bool `json:"present,omitempty"`
	// Switches is how often the mode was entered, which took SwitchSeconds.
	Switches      int     `json:"switches"`
	SwitchSeconds float64 `json:"switch_s"`
	Trials        int     `json:"trials"`
	// LeftOut is why the mode was not searched, or no longer.
	LeftOut string `json:"left_out,omitempty"`
}

// openModes returns the modes that can be searched; nil without the option.
func openModes(o Options, facts *gpu.Facts) (*modes, error) {
	if o.Modes == nil {
		return nil, nil
	}
	open, err := o.Modes(facts)
	if err != nil {
		return nil, err
	}
	m := &modes{Modes: open, leftOut: map[string]string{}}
	for _, name := range open.Names() {
		if why := open.Boot(name); why != "" {
			m.leftOut[name] = why
			o.Note("power mode %s is left out: %s", name, why)
			continue
		}
		n := open.Number(name)
		if at := slices.Index(m.numbers, n); at >= 0 {
			return nil, fmt.Errorf("power modes %s and %s have one number, %g: name one of them", m.names[at], name, n)
		}
		m.names, m.numbers = append(m.names, name), append(m.numbers, n)
	}
	if len(m.names) == 0 {
		return nil, errors.New("no power mode can be entered without a boot")
	}
	if m.base = m.Present(); !slices.Contains(m.names, m.base) {
		m.base = m.names[0]
	}
	slices.SortFunc(m.names, func(a, b string) int { return cmp.Compare(open.Number(a), open.Number(b)) })
	slices.Sort(m.numbers)
	return m, nil
}

// enter switches to a mode unless it is on. Trials and final measurements have engines of their own.
func (m *modes) enter(name string) error {
	if m.on == name {
		return nil
	}
	m.on = ""
	err := m.Enter(name)
	if err == nil {
		m.on = name
	}
	return err
}

// across returns a version's space with the mode as its first parameter.
func (m *modes) across(v *framework.Version, params framework.Values, space *tuning.Space) (*tuning.Space, error) {
	if m == nil {
		return space, nil
	}
	taken := params[tuning.PowerMode].IsSet() || slices.ContainsFunc(v.Tunables, func(t framework.Tunable) bool { return t.Name == tuning.PowerMode })
	if taken {
		return nil, fmt.Errorf("%s is its own, and cannot be the machine's power mode", tuning.PowerMode)
	}
	return space.Under(tuning.Parameter{Name: tuning.PowerMode, Values: m.numbers})
}

// point returns the task's point of tunables in a mode; -1 if the space has none.
func (t *Task) point(tunables framework.Values, mode string) int {
	values := make([]float64, len(t.Space.Parameters))
	for d, p := range t.Space.Parameters {
		if t.modes != nil && d == 0 {
			values[d] = t.modes.Number(mode)
			continue
		}
		i := p.Index(tunables[p.Name])
		if i < 0 {
			return -1
		}
		values[d] = p.Values[i]
	}
	return t.Space.FindValues(values)
}

// tunables returns the tunables of a point, without the mode.
func (t *Task) tunables(point int) framework.Values {
	v := t.Space.Tunables(point)
	if t.modes != nil {
		delete(v, tuning.PowerMode)
	}
	return v
}

// mode returns the name of a point's mode; empty if nothing is switched.
func (t *Task) mode(point int) string {
	if t.modes == nil {
		return ""
	}
	return t.modes.names[t.Space.Indexes(point)[0]]
}

// BestMode returns the mode of the best that was measured again; empty if nothing is switched.
func (t *Task) BestMode() string { return t.mode(t.Final.Point) }

// inModes orders points so that each mode is entered once: first the one that is on, and the
// base last, which is the mode of the defaults, measured after them.
func (t *Task) inModes(points []int) []int {
	if t.modes == nil {
		return points
	}
	rank := func(p int) int {
		switch mode := t.mode(p); mode {
		case t.modes.base:
			return len(t.modes.names)
		case t.modes.on:
			return -1
		default:
			return slices.Index(t.modes.names, mode)
		}
	}
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	return points
}

// bar keeps a mode that could not be entered from being proposed again. It returns false if the mode is
// barred already.
func (m *modes) bar(name, why string) bool {
	if m.leftOut[name] != "" {
		return false
	}
	m.leftOut[name] = why
	return true
}

// switching returns what a strategy must know; nil if nothing is switched.
func (m *modes) switching() *tuning.Switching {
	if m == nil {
		return nil
	}
	return &tuning.Switching{Parameter: tuning.PowerMode, On: m.Number(m.base), Seconds: switching.Seconds()}
}

// barred returns a function that reports proposals of modes that cannot be entered; nil if nothing is
// switched.
func (v *Version) barred(m *modes) func(tuning.Proposal) bool {
	if m == nil {
		return nil
	}
	return func(p tuning.Proposal) bool { return m.leftOut[v.Tasks[p.Task].mode(p.Point)] != "" }
}

// Selection returns the selection of the options, and the power modes with the one that was on.
func (s *Search) Selection(versions []string) string {
	text := s.Options.Selection(versions)
	if s.modes != nil {
		text += " --power-modes " + strings.Join(s.modes.Names(), ",") + " in " + s.modes.Present()
	}
	return text
}

// switchTime returns about how long the switches take, of so many trials and of the final measurements.
func (s *Search) switchTime(trials int) time.Duration {
	if s.modes == nil || len(s.modes.names) < 2 {
		return 0
	}
	count := 0
	if trials > 0 {
		count = len(s.modes.names) * len(s.Versions)
		if s.Strategy.Name != "exhaustive" {
			count = max(count, trials/stays)
		}
	}
	for _, v := range s.Versions {
		if s.Confirm > 0 {
			count += len(v.Tasks) * min(s.Confirm+1, len(s.modes.names))
		}
	}
	return time.Duration(count) * switching
}

// Switching says how much of Duration is spent on switching, between how many power modes; empty if nothing
// is switched.
func (s *Search) Switching(earlier int) string {
	if s.modes == nil {
		return ""
	}
	text := fmt.Sprintf("%d power modes", len(s.modes.names))
	if len(s.modes.names) == 1 {
		text = "1 power mode"
	}
	about := s.switchTime(max(0, s.Evaluations()-earlier)).Round(time.Second)
	return fmt.Sprintf(", %v of it to switch between %s", about, text)
}

// in returns the report's choice in a recorded space of its tunables; -1 if the space lacks it.
func (t TaskReport) in(space *tuning.Space) int {
	v := t.Tunables.Clone()
	if t.PowerMode != "" {
		v[tuning.PowerMode] = framework.TextValue(t.PowerMode)
	}
	for _, p := range t.Space {
		if at := slices.Index(p.Words, v[p.Name].String()); at >= 0 {
			v[p.Name] = framework.IntValue(int64(p.Values[at]))
		}
	}
	return space.FindTunables(v)
}

// entriesByMode returns the best of each power mode, of which e is the best of all.
func (s *Search) entriesByMode(t TaskReport, e wisdom.Entry) []wisdom.Entry {
	e.PowerMode = t.PowerMode
	entries := []wisdom.Entry{e}
	for _, name := range s.modes.names {
		best := Trial{}
		for _, x := range s.trialsOf(t.Task) {
			if x.OK && x.Result.Point.PowerMode == name && (!best.OK || x.Cost < best.Cost) {
				best = x
			}
		}
		if best.OK && name != t.PowerMode {
			e.PowerMode, e.Tunables, e.Cost, e.DefaultCost = name, best.Result.Point.Tunables, best.Cost, 0
			entries = append(entries, e)
		}
	}
	return entries
}

// modeReports returns the reports of all modes that were asked for.
func (s *Search) modeReports() (list []ModeReport) {
	if s.modes == nil {
		return nil
	}
	for _, name := range s.modes.Names() {
		r := ModeReport{Name: name, Number: s.modes.Number(name), Present: name == s.modes.Present(), LeftOut: s.modes.leftOut[name]}
		for _, x := range s.Trials {
			if x.Result.Point.PowerMode != name {
				continue
			}
			r.Trials++
			if x.SwitchSeconds > 0 {
				r.Switches++
				r.SwitchSeconds += x.SwitchSeconds
			}
		}
		list = append(list, r)
	}
	return list
}
