package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

// pairing sorts rows into points and levels. Points pair by algorithm, version, processor and
// parameters, except what is compared. They pair by power mode and tunables only if a run holds
// several of them for one such point.
type pairing struct {
	runs   []Run
	by     Dimension
	levels []string
	known  map[string]bool // levels

	params   []string        // of all runs
	tunables map[string]bool // that tell points of one run apart
	modes    bool            // power modes tell points apart
	devices  bool            // devices of a merged run tell points apart
	both     map[string]bool // version names that a CPU and a GPU version share
	names    []string        // of the factors that points pair by
	order    []*place
	placed   map[string]*place // by the factors
	notes    []string
	lost     lost
	unpaired map[[2]string]int // places in Comparison.Unpaired, by level and reason
	// units are the names that tell equal devices apart, by processor and model.
	units map[framework.Processor]map[string]map[string]string
	// groups are the levels that can be compared with each other (group).
	groups [][]string
}

// lost counts points of the baseline that a level has no value for.
type lost struct{ broken, absent int }

func newPairing(runs []Run, by Dimension) *pairing {
	p := &pairing{runs: runs, by: by, tunables: map[string]bool{}, known: map[string]bool{}, unpaired: map[[2]string]int{}, both: map[string]bool{},
		placed: map[string]*place{}}
	for _, r := range runs {
		for _, c := range r.Columns.Params {
			if !slices.Contains(p.params, c.Name) {
				p.params = append(p.params, c.Name)
			}
		}
	}
	for i := range runs {
		runs[i].models, runs[i].units = map[deviceKey]string{}, map[string]string{}
	}
	p.models()
	processor := map[string]framework.Processor{}
	for i := range runs {
		for _, w := range runs[i].Rows {
			if had, ok := processor[w.Version]; ok && had != w.Processor {
				p.both[w.Version] = true
			}
			processor[w.Version] = w.Processor
		}
		p.tellApart(&runs[i])
	}
	return p
}

// tellApart finds the factors that vary within one run at otherwise equal
// points.
func (p *pairing) tellApart(run *Run) {
	first := map[string]*record.Row{}
	for i := range run.Rows {
		w := &run.Rows[i]
		key := fmt.Sprint(p.fixed(run, w), p.level(run, w, ByVersion))
		had := first[key]
		if had == nil {
			first[key] = w
			continue
		}
		p.devices = p.devices || had.Device != w.Device && had.Processor == w.Processor && p.by != ByDevice
		p.modes = p.modes || had.PowerMode != w.PowerMode && p.by != ByPowerMode
		if p.by == ByVersion {
			continue // of several tunings of a version the fastest counts
		}
		for name, v := range w.Tunables.All() {
			if had.Tunables.Get(name) != v {
				p.tunables[name] = true
			}
		}
	}
}

// fixed returns the factors by which points always pair.
func (p *pairing) fixed(run *Run, w *record.Row) []Factor {
	list := []Factor{{"algorithm", w.Algorithm}}
	if (p.by == ByVersion || p.by.usage()) && len(p.runs) > 1 {
		list = append(list, Factor{"run", run.Name})
	}
	if p.by != ByVersion {
		list = append(list, Factor{"version", w.Version}, Factor{"processor", string(w.Processor)})
	}
	for _, name := range p.params {
		if Dimension(name) != p.by {
			list = append(list, Factor{name, w.Params.Get(name).String()})
		}
	}
	return list
}

// of returns all factors by which a row pairs.
func (p *pairing) of(run *Run, w *record.Row) []Factor {
	list := p.fixed(run, w)
	if p.modes {
		list = append(list, Factor{"power_mode", w.PowerMode})
	}
	if p.devices {
		list = append(list, Factor{"device", w.Device})
	}
	var names []string
	for name := range p.tunables {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		list = append(list, Factor{name, w.Tunables.Get(name).String()})
	}
	return list
}

// none is the level of a row that has no value in the dimension.
const none = "none"

// level returns the row's level in the dimension.
func (p *pairing) level(run *Run, w *record.Row, by Dimension) string {
	switch by {
	case ByPowerMode:
		if w.PowerMode == "" {
			return none
		}
		return w.PowerMode
	case ByDevice:
		return p.deviceName(run, w)
	case ByVersion:
		if p.both[w.Version] {
			return fmt.Sprintf("%s (%s)", w.Version, w.Processor)
		}
		return w.Version
	}
	if by.usage() {
		return cmp.Or(w.Params.Get(string(by)).String(), none)
	}
	return cmp.Or(run.Level, run.Name)
}

// join adds a row of another run of a level to those before. If one is not ok, the level is not.
func join(had, e *entry) *entry {
	if had.row.Status == record.OK && e.row.Status != record.OK {
		had, e = e, had
	}
	had.also = append(had.also, e)
	return had
}

// collect places every row.
func (p *pairing) collect() error {
	slower := 0
	for i := range p.runs {
		run := &p.runs[i]
		for j := range run.Rows {
			e := &entry{run: run, row: &run.Rows[j]}
			level := p.level(run, e.row, p.by)
			factors := p.of(run, e.row)
			values := make([]string, len(factors))
			p.names = p.names[:0]
			for n, f := range factors {
				p.names, values[n] = append(p.names, f.Name), f.Value
			}
			k := key(values)
			if !p.known[level] {
				p.known[level] = true
				p.levels = append(p.levels, level)
			}
			at := p.placed[k]
			if at == nil {
				at = &place{values, map[string]*entry{}}
				p.placed[k], p.order = at, append(p.order, at)
			}
			had := at.rows[level]
			switch {
			case had == nil:
				at.rows[level] = e
			case had.run == e.run && p.by == ByVersion:
				slower++
				if faster(e.row, had.row) {
					at.rows[level] = e
				}
			case p.by == ByRun && had.run != e.run, p.by == ByDevice && unit(had.run, had.row) != unit(e.run, e.row):
				at.rows[level] = join(had, e)
			default:
				return fmt.Errorf("%s and %s both hold %s %s at %s: give runs that differ in it, or compare by another dimension",
					had.run.Name, e.run.Name, p.by, level, words(factors))
			}
		}
	}
	if slower > 0 {
		p.notes = append(p.notes, fmt.Sprintf("of several tunings of a version the fastest counts; %s left out so", terminal.Count(slower, "point")))
	}
	return nil
}

func faster(a, b *record.Row) bool {
	if a.Status != record.OK || b.Status != record.OK {
		return a.Status == record.OK
	}
	return a.Time.Median.IsSet() && !(b.Time.Median.Float() <= a.Time.Median.Float())
}

// points passes the points that have partners to c, and the others as lines. The baseline of a group of
// levels is the first of baselines that is in the group, or else the group's first level.
func (p *pairing) points(c *Comparison, baselines []string) {
	columns := p.columns(c)
	p.placed = nil // no longer needed
	p.group()
	c.groups = p.groups
	bases := map[string]string{} // by level
	for _, g := range p.groups {
		base := g[0]
		if i := slices.IndexFunc(baselines, func(b string) bool { return slices.Contains(g, b) }); i >= 0 {
			base = baselines[i]
		}
		for _, l := range g {
			bases[l] = base
		}
	}
	c.Points = make([]Point, 0, len(p.order))
	different, values := map[string]int{}, map[string][]string{} // of tunables
	for _, k := range p.order {
		rows := k.rows
		point := Point{rows: rows}
		for l := range rows { // all of one group
			point.Baseline = bases[l]
			break
		}
		base := point.Baseline
		for _, e := range rows {
			if e.row.Status != record.OK { // else the point's rows are those of the place
				point.rows = maps.Clone(rows)
				maps.DeleteFunc(point.rows, func(_ string, e *entry) bool { return e.row.Status != record.OK })
				break
			}
		}
		point.Factors = make([]string, 0, len(columns))
		for _, i := range columns {
			point.Factors = append(point.Factors, k.values[i])
		}
		name := ""
		for _, l := range p.levels {
			if e := rows[l]; e != nil && e.row.Status == record.OK {
				continue
			}
			if name == "" {
				name = words(p.pick(k, columns))
			}
			if rows[l] != nil || bases[l] == base { // else it is of another group, and not lost
				p.alone(c, name, l, base, rows)
			}
		}
		if point.rows[base] == nil || len(point.rows) < 2 {
			continue
		}
		for _, l := range p.levels {
			if e := point.rows[l]; e != nil && p.by != ByVersion {
				for name, v := range e.row.Tunables.All() {
					if b := point.rows[base].row.Tunables.Get(name); b.IsSet() && b != v {
						different[name]++
						pair := b.String() + " and " + v.String()
						if !slices.Contains(values[name], pair) {
							values[name] = append(values[name], pair)
						}
					}
				}
			}
		}
		c.Points = append(c.Points, point)
		c.values += len(point.rows)
	}
	for _, name := range sortedKeys(different) {
		shown := values[name]
		if more := len(shown) - mostDifferent; more > 0 {
			shown = append(shown[:mostDifferent:mostDifferent], fmt.Sprintf("and %d more", more))
		}
		p.notes = append(p.notes, fmt.Sprintf("%s differs between the levels at %s of points: %s", name, terminal.Count(different[name], "pair"), strings.Join(shown, ", ")))
	}
	c.Notes = append(c.Notes, p.notes...)
}

// mostDifferent is how many pairs of a tunable's values a note shows at most.
const mostDifferent = 3

// alone records that a level has no value at a point.
func (p *pairing) alone(c *Comparison, name, level, base string, rows map[string]*entry) {
	good := func(e *entry) bool { return e != nil && e.row.Status == record.OK }
	e := rows[level]
	why := "is not there"
	if e != nil {
		why = string(e.row.Status)
		if e.row.Reason != "" {
			why += ": " + strings.Join(strings.Fields(e.row.Reason), " ")
		}
	}
	at, ok := p.unpaired[[2]string{level, why}]
	if !ok {
		at = len(c.Unpaired)
		p.unpaired[[2]string{level, why}] = at
		c.Unpaired = append(c.Unpaired, Unpaired{Level: level, Why: why})
	}
	if name != "" {
		c.Unpaired[at].Points = append(c.Unpaired[at].Points, name)
	}
	if level == base || !good(rows[base]) {
		return
	}
	switch {
	case e == nil || e.row.Status == record.Skipped:
		p.lost.absent++
	default:
		p.lost.broken++
	}
}

// columns returns the factors that differ between points; the others go to c.Constant. If none
// differs, the version names the point.
func (p *pairing) columns(c *Comparison) []int {
	if len(p.order) == 0 {
		return nil
	}
	var kept []int
	for i, value := range p.order[0].values {
		s := Factor{p.names[i], value}
		same := true
		for _, k := range p.order {
			same = same && k.values[i] == s.Value
		}
		if same {
			if s.Value != "" {
				c.Constant = append(c.Constant, s)
			}
			continue
		}
		kept = append(kept, i)
		c.Factors = append(c.Factors, s.Name)
	}
	return kept
}

func sortedKeys[T any](m map[string]T) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
