package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// CopiedFiles is the kind of a board whose power, clocks and modes come from copied files, and whose times
// are another machine's.
const CopiedFiles = "copied files"

// Board is one of the machines of a site, with the runs of its algorithms.
type Board struct {
	Name, Kind string // Kind: real, guest, emulated or CopiedFiles
	File       string // its page
	Facts      []Fact
	Runs       []*record.Run
}

// measurement is a measured point of a board.
type measurement struct {
	board            *Board
	mode             string // power mode; empty: the present one
	problem, version string // problem: the parameters that vary, or all if these do not tell two problems apart
	whole            string // all parameters
	cpu              bool
	row              *record.Row
}

func (m measurement) seconds() float64 { return m.row.Time.Median.Float() }

// joules returns the energy of one run; NaN if unknown.
func (m measurement) joules() float64 {
	if e := m.row.Energy.Get().Total; e.IsSet() {
		return e.Float()
	}
	return math.NaN()
}

// where names the board with its mode.
func (m measurement) where() string { return strings.TrimSuffix(m.board.Name+", "+m.mode, ", ") }

// Boards returns the first page of a site: all boards, and the times and energies of each algorithm.
func Boards(boards []Board, made string) *Document {
	d := &Document{Title: "bench boards: " + terminal.Count(len(boards), "board"), Made: made}
	kinds := map[string]int{}
	list := Table{Title: "boards", Head: []Head{{"board", false}, {"kind", false}}}
	for _, f := range boards[0].Facts {
		list.Head = append(list.Head, Head{f.Name, false})
	}
	for _, b := range boards {
		kinds[b.Kind]++
		d.Links = append(d.Links, Link{Title: b.Name, File: b.File, About: b.Kind})
		cells := []cell{word(b.Name), word(b.Kind)}
		for _, f := range b.Facts {
			cells = append(cells, word(f.Value))
		}
		list.add(-1, cells...)
	}
	list.Point = nil
	var counts []string
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		counts = append(counts, fmt.Sprintf("%d %s", kinds[k], k))
	}
	d.Sections = []Section{{Title: "Boards", Kind: "overview", Verdict: []string{terminal.Count(len(boards), "board") + ": " + strings.Join(counts, ", "),
		"Real is hardware, guest a virtual machine, emulated another processor's program on this one; copied files have the times of one machine with the power and modes of another's files.",
		"Each file was checked: its sums, its figures against its journal, its runs against its machine's files, and its points against what a measurement and a processor can give. That a measurement took place no file shows."}, Tables: []Table{list}}}
	for _, name := range algorithmsOf(boards) {
		if s := algorithmSection(name, measurements(boards, name)); s != nil {
			d.Sections = append(d.Sections, *s)
		}
	}
	return d
}

// algorithmsOf returns the algorithms of all boards, in the order of the first board that has each.
func algorithmsOf(boards []Board) (names []string) {
	for _, b := range boards {
		for _, r := range b.Runs {
			if len(r.Rows) > 0 && !slices.Contains(names, r.Rows[0].Algorithm) {
				names = append(names, r.Rows[0].Algorithm)
			}
		}
	}
	return names
}

// measurements returns the good points of one algorithm, by problem, then board and mode in their order, then version.
func measurements(boards []Board, algorithm string) (all []measurement) {
	for i := range boards {
		for _, r := range boards[i].Runs {
			if len(r.Rows) == 0 || r.Rows[0].Algorithm != algorithm {
				continue
			}
			params, _, constant := r.Varying()
			for j := range r.Rows {
				w := &r.Rows[j]
				if w.Status != record.OK || !w.Time.Median.IsSet() {
					continue
				}
				named := func(columns []record.Column) string {
					var texts []string
					for _, c := range columns {
						if v := w.Params.Get(c.Name); v.IsSet() {
							texts = append(texts, c.Name+" "+v.String())
						}
					}
					return strings.Join(texts, ", ")
				}
				m := measurement{&boards[i], w.PowerMode, named(params), w.Version, named(slices.Concat(params, constant)), w.Device == "cpu", w}
				m.version += map[bool]string{true: " (CPU)", false: " (GPU)"}[m.cpu]
				all = append(all, m)
			}
		}
	}
	wholes := map[string]string{}
	twice := map[string]bool{}
	for _, m := range all {
		if other, ok := wholes[m.problem]; ok && other != m.whole {
			twice[m.problem] = true
		}
		wholes[m.problem] = m.whole
	}
	for i, m := range all {
		if twice[m.problem] || m.problem == "" {
			all[i].problem = m.whole
		}
	}
	first := map[string]int{}
	for i, m := range all {
		if _, ok := first[m.problem]; !ok {
			first[m.problem] = i
		}
	}
	slices.SortStableFunc(all, func(a, b measurement) int { return cmp.Compare(first[a.problem], first[b.problem]) })
	return all
}

// algorithmSection shows the times and energies of an algorithm on the boards; nil if none is measured.
func algorithmSection(name string, all []measurement) *Section {
	if len(all) == 0 {
		return nil
	}
	s := &Section{Title: name, Kind: "algorithm"}
	for _, group := range problemsOf(all) {
		best := slices.MinFunc(group, func(a, b measurement) int { return cmp.Compare(a.seconds(), b.seconds()) })
		text := fmt.Sprintf("%s: %s is fastest, %s with %s", best.problem, best.where(), digits.Known(best.seconds(), best.row.Time.Half()*best.seconds(), "s"), best.version)
		if least, ok := leastEnergy(ownEnergy(group), math.Inf(1)); ok {
			text += fmt.Sprintf("; %s takes least energy, %s", least.where(), digits.Scaled(least.joules(), "J"))
		}
		s.Verdict = append(s.Verdict, text)
		s.Figures = append(s.Figures, boardFigures(group)...)
	}
	slices.SortStableFunc(s.Figures, func(a, b Figure) int { return strings.Compare(b.Group, a.Group) }) // times first
	for _, t := range []Table{pointTable(all), speedUps(all), againstFirst(all), rates(all)} {
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	return s
}

// problemsOf returns the measurements of each problem.
func problemsOf(all []measurement) (groups [][]measurement) {
	for i, m := range all {
		if i == 0 || all[i-1].problem != m.problem {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], m)
	}
	return groups
}

// leastEnergy returns the measurement of least energy that takes no longer than so many seconds.
func leastEnergy(all []measurement, most float64) (least measurement, ok bool) {
	for _, m := range all {
		if m.seconds() <= most && !math.IsNaN(m.joules()) && (!ok || m.joules() < least.joules()) {
			least, ok = m, true
		}
	}
	return least, ok
}

// ownEnergy returns the measurements whose energy is that of the machine that was timed.
func ownEnergy(all []measurement) []measurement {
	return slices.DeleteFunc(slices.Clone(all), func(m measurement) bool { return m.board.Kind == CopiedFiles })
}

// mostPlaces is how many boards and modes a figure shows.
const mostPlaces = 40

// boardFigures show the time, and the energy if it is known, of each board's versions at a problem, the fastest board first.
func boardFigures(group []measurement) []Figure {
	fastest := map[string]float64{}
	var places []string
	for _, m := range group {
		if best, ok := fastest[m.where()]; !ok {
			places = append(places, m.where())
			fastest[m.where()] = m.seconds()
		} else {
			fastest[m.where()] = min(best, m.seconds())
		}
	}
	slices.SortStableFunc(places, func(a, b string) int { return cmp.Compare(fastest[a], fastest[b]) })
	note := ""
	if len(places) > mostPlaces {
		note = fmt.Sprintf(" The fastest %d of %d boards and modes; the table has all.", mostPlaces, len(places))
		places = places[:mostPlaces]
	}
	figure := func(what, axis, unit string, value func(measurement) (x, low, high float64)) (Figure, bool) {
		f := Figure{Title: group[0].problem, Group: axis, Note: what + note, X: Axis{Title: axis, Unit: unit, Log: true}, Y: Axis{Names: places}}
		for _, version := range versionsOf(group) {
			s := Series{Name: version, Mark: MarkPoints, Colour: len(f.Series)}
			for _, m := range group {
				at := slices.Index(places, m.where())
				x, low, high := value(m)
				if m.version != version || at < 0 || math.IsNaN(x) {
					continue
				}
				if m.row.Time.Hollow() {
					s.Doubtful = append(s.Doubtful, len(s.X))
				}
				s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, float64(at)), append(s.Low, low), append(s.High, high)
			}
			if s.Low.blank() {
				s.Low, s.High = nil, nil
			}
			if len(s.X) > 0 {
				f.Series = append(f.Series, s)
			}
		}
		return f, len(f.Series) > 0
	}
	var figures []Figure
	number := func(n record.Number) float64 {
		if !n.IsSet() {
			return math.NaN()
		}
		return n.Float()
	}
	if f, ok := figure("Error bars are 95 % intervals over instances; hollow: not known within 5 %.", "time", "s", func(m measurement) (float64, float64, float64) {
		return m.seconds(), number(m.row.Time.Low), number(m.row.Time.High)
	}); ok {
		figures = append(figures, f)
	}
	if f, ok := figure("Of one run, by each machine's own sensors, which measure different parts of it.", "energy", "J", func(m measurement) (float64, float64, float64) {
		half := number(m.row.Energy.Get().Uncertainty)
		return m.joules(), m.joules() - half, m.joules() + half
	}); ok {
		figures = append(figures, f)
	}
	return figures
}

// versionsOf returns the versions, in the order in which they come.
func versionsOf(all []measurement) (names []string) {
	for _, m := range all {
		if !slices.Contains(names, m.version) {
			names = append(names, m.version)
		}
	}
	return names
}
