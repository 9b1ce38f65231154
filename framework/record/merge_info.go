package record

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/internal/terminal"
)

// describe puts together what run.json says of the merged run.
func (m *merge) describe() {
	i := &m.info
	m.devices = map[string]*mergeDevice{}
	for _, d := range m.tables.devices {
		m.devices[d.identity] = d
	}
	warnings, now := i.Warnings, time.Now()
	first := m.parts[0].sessions[0]
	*i = Info{Config: first.Config, Seed: first.Seed, Started: first.Started, Machine: first.Machine, CopiedFiles: first.CopiedFiles, Wisdom: first.Wisdom}
	for _, p := range m.parts {
		i.Config.Path = min(i.Config.Path, p.header().Config)
	}
	var tools []Tool
	libraries, peers, leftOut, smaller, said := map[Library]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, p := range m.parts {
		for k := range p.sessions {
			s := &p.sessions[k]
			if i.Config.Text == "" {
				i.Config.Text = s.Config.Text
			}
			if !slices.Equal(i.Config.Set, s.Config.Set) {
				i.Config.Set = nil
			}
			doubt, had := machine.DateDoubt(s.Started, now), machine.DateDoubt(i.Started, now)
			if doubt != "" && !s.Started.IsZero() && len(s.Merged) == 0 {
				said[fmt.Sprintf("%s: dated %s, %s: of two results of one point the other run's is kept", p.machineName(s), s.Started.UTC().Format(time.DateOnly), doubt)] = true
			}
			if !s.Started.IsZero() && (doubt == "" && had != "" || (doubt == "") == (had == "") && s.Started.Before(i.Started)) {
				i.Started = s.Started
			}
			i.Machine = commonFacts(i.Machine, s.Machine)
			keep(&i.CopiedFiles, s.CopiedFiles)
			if !reflect.DeepEqual(i.Wisdom, s.Wisdom) {
				i.Wisdom = nil
			}
			if s.Tool.Version != "" && !slices.Contains(tools, s.Tool) {
				tools = append(tools, s.Tool)
			}
			m.gather(p, s)
			for _, l := range s.Libraries {
				libraries[l] = true
			}
			for _, name := range s.Peers {
				peers[name] = true
			}
			for _, line := range s.LeftOut {
				leftOut[line] = true
			}
			for _, line := range s.Smaller {
				smaller[line] = true
			}
			for _, w := range s.Warnings {
				if len(s.Merged) == 0 {
					w = p.machineName(s) + ": " + w
				}
				said[w] = true
			}
		}
		for _, n := range p.notes {
			said[n] = true
		}
		i.Merged = append(i.Merged, p.merged()...)
	}
	maps.Copy(libraries, m.seen.libraries)
	maps.Copy(peers, m.seen.peers)
	i.Ended = m.seen.ended.UTC()
	slices.SortFunc(i.Merged, func(a, b MergedRun) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), a.Started.Compare(b.Started), slices.Compare(a.Set, b.Set), slices.Compare(a.Command, b.Command))
	})
	slices.SortFunc(tools, func(a, b Tool) int {
		return cmp.Or(cmp.Compare(a.String(), b.String()), cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.Go, b.Go))
	})
	if len(tools) > 0 {
		i.Tool, i.EarlierTools = tools[0], tools[1:]
	}
	i.Libraries = slices.SortedFunc(maps.Keys(libraries), func(a, b Library) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Version, b.Version))
	})
	i.Peers, i.LeftOut, i.Smaller = sorted(peers), sorted(leftOut), sorted(smaller)
	if m.twice > 0 {
		warnings = append(warnings, terminal.Count(m.twice, "result")+" left out: another of the same point and device is kept")
	}
	i.Warnings = append(warnings, sorted(said)...)
	m.describeDevices()
	m.describeAxes()
}

// machineName returns the name of the machine of a part's session.
func (p *mergePart) machineName(s *Info) string { return cmp.Or(p.Name, s.Name, p.label) }

// merged returns the runs that the part was made of.
func (p *mergePart) merged() []MergedRun {
	last := p.sessions[len(p.sessions)-1]
	if len(last.Merged) > 0 {
		return last.Merged
	}
	return []MergedRun{{p.machineName(&last), p.header().Set, last.Command, p.tool(), p.sessions[0].Started, p.count}}
}

// gather adds what a session says of its devices and their sensors.
func (m *merge) gather(p *mergePart, s *Info) {
	known := func(id string) *mergeDevice { // nil: no point ran there
		identity, _, _ := p.identify(s, id)
		return m.devices[identity]
	}
	for _, d := range s.Devices {
		if to := known(d.ID); to != nil {
			to.records = append(to.records, mergeRecord{d, s})
		}
	}
	for _, x := range s.Sensors {
		if to := known(x.Device); to != nil {
			x.Device = to.name
			to.sensors = append(to.sensors, x)
		}
	}
}

// describeDevices lists the devices and sensors under the devices' names. Of several
// sessions the first one's figures count.
func (m *merge) describeDevices() {
	m.limits = map[[2]string]Ceilings{}
	for _, d := range m.tables.devices {
		slices.SortStableFunc(d.records, func(a, b mergeRecord) int {
			return cmp.Or(cmp.Compare(a.PowerMode, b.PowerMode), a.session.Started.Compare(b.session.Started))
		})
		for k, r := range d.records {
			if k > 0 && d.records[k-1].PowerMode == r.PowerMode {
				continue
			}
			r.ID = d.name
			if r.Machine == nil {
				facts := r.session.Machine
				r.Machine = &facts
			}
			m.info.Devices = append(m.info.Devices, r.Device)
			m.limits[[2]string{d.name, r.PowerMode}] = r.Ceilings
		}
		if len(d.records) == 0 { // programs' devices are not described
			m.info.Devices = append(m.info.Devices, Device{ID: d.name})
		}
		slices.SortStableFunc(d.sensors, func(a, b Sensor) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Absent, b.Absent)) })
		for k, x := range d.sensors {
			if k > 0 && d.sensors[k-1].Name == x.Name {
				continue
			}
			if x.Period == 0 && x.Absent == "" {
				x.Period = m.seen.period(d.identity, x.Name)
			}
			m.info.Sensors = append(m.info.Sensors, x)
		}
	}
}

// describeAxes finds what the merged points sweep. An axis that a part has keeps its
// unit; what differs between parts alone is an axis, too.
func (m *merge) describeAxes() {
	var had []plan.Axis
	for _, p := range m.parts {
		if axes := p.header().Axes; cmp.Or(cmp.Compare(len(had), len(axes)), cmp.Compare(fmt.Sprint(axes), fmt.Sprint(had))) < 0 {
			had = axes
		}
	}
	var axes []plan.Axis
	settle := func(list []mergeValues, columns []Column, tunable bool) {
		at := func(name string) int {
			k := slices.IndexFunc(had, func(a plan.Axis) bool { return a.Name == name && a.Tunable == tunable })
			if k < 0 {
				return len(had)
			}
			return k
		}
		columns = slices.Clone(columns)
		slices.SortStableFunc(columns, func(a, b Column) int { return cmp.Compare(at(a.Name), at(b.Name)) })
		for _, c := range columns {
			values := map[string]float64{}
			for _, v := range list {
				if x := v.values.Get(c.Name); x.IsSet() {
					values[x.String()] = x.Float()
				}
			}
			axis := plan.Axis{Name: c.Name, Tunable: tunable}
			if k := at(c.Name); k < len(had) {
				axis = had[k]
			} else if tunable || len(values) < 2 {
				continue
			}
			axis.Count = len(values)
			if c.Kind != "word" {
				axis.Geometric = geometric(slices.Sorted(maps.Values(values)))
			}
			axes = append(axes, axis)
		}
	}
	settle(m.tables.problems, m.columns.Params, false)
	settle(m.tables.tunables, m.columns.Tunables, true)
	m.header = m.parts[0].header()
	h := &m.header
	h.Config, h.Set, h.Axes, h.Total = m.info.Config.Path, m.info.Config.Set, axes, m.points
	h.Selection, h.Points, h.Program, h.Fingerprint = "bench merge", "", "", ""
	h.Version = m.info.Tool.Version
	for _, p := range m.parts {
		keep(&h.Sources, p.header().Sources)
	}
}

// geometric reports whether values grow by one factor, within a thousandth.
func geometric(x []float64) bool {
	if len(x) < 3 || !(x[0] > 0) {
		return false
	}
	factor := x[1] / x[0]
	for i := 2; i < len(x); i++ {
		if f := x[i] / x[i-1]; f < factor*0.999 || f > factor*1.001 {
			return false
		}
	}
	return true
}
