package record

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
)

// mergeDevice is one device of a merged run.
type mergeDevice struct {
	identity string // the same for the same device in all parts
	name     string // in the merged run
	uuid     string
	records  []mergeRecord
	sensors  []Sensor
}

// mergeRecord is what a session said of a device.
type mergeRecord struct {
	Device
	session *Info
}

// identify says which device a session means by an ID. A GPU of its own is known by its
// UUID wherever it turns up; any other device by its machine's name.
func (p *mergePart) identify(s *Info, id string) (identity, name, uuid string) {
	name = id
	if len(s.Merged) == 0 {
		name = cmp.Or(p.Name, s.Name, p.label) + ":" + id
	}
	for _, d := range s.Devices {
		if d.ID == id && d.Facts != nil && d.Facts.UUID != "" && !d.Facts.Integrated {
			return "uuid " + d.Facts.UUID, name, d.Facts.UUID
		}
	}
	return "name " + name, name, ""
}

// device numbers the device of that ID in the part's present session.
func (t *mergeTables) device(p *mergePart, id string) int32 {
	s := &Info{}
	if last := len(p.sessions) - 1; last >= 0 {
		s = &p.sessions[last]
	}
	identity, name, uuid := p.identify(s, id)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	n := t.number("d"+identity, func() int {
		t.devices = append(t.devices, &mergeDevice{identity: identity, name: name, uuid: uuid})
		return len(t.devices) - 1
	})
	if d := t.devices[n]; name < d.name {
		d.name = name
	}
	return n
}

// identity returns the identity of a numbered device.
func (t *mergeTables) identity(n int32) string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.devices[n].identity
}

// name tells devices apart that sessions call the same: a cluster's jobs see each GPU as
// the first.
func (m *merge) name() {
	names := map[string]int{}
	for _, d := range m.tables.devices {
		names[d.name]++
	}
	for _, d := range m.tables.devices {
		if names[d.name] > 1 && d.uuid != "" {
			d.name += " " + strings.TrimPrefix(d.uuid, "GPU-")
		}
	}
}

// order puts the entries in the order of the merged run, and leaves out all but the
// best of those of one instance of a point.
func (m *merge) order() error {
	m.settleColumns()
	t := m.tables
	devices := rank(t.devices, func(a, b *mergeDevice) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.identity, b.identity))
	})
	modes := rank(t.modes, cmp.Compare[string])
	versions := rank(t.versions, compareVersions)
	by := func(columns []Column) func(a, b mergeValues) int {
		return func(a, b mergeValues) int {
			if c := cmp.Compare(a.algorithm, b.algorithm); c != 0 {
				return c
			}
			for _, c := range columns {
				if c := compareValues(a.values.Get(c.Name), b.values.Get(c.Name)); c != 0 {
					return c
				}
			}
			return 0
		}
	}
	problems, tunables := rank(t.problems, by(m.columns.Params)), rank(t.tunables, by(m.columns.Tunables))
	for i := range m.entries {
		e := &m.entries[i]
		e.device, e.mode, e.problem, e.version, e.tunables = devices[e.device], modes[e.mode], problems[e.problem], versions[e.version], tunables[e.tunables]
	}
	var failed error
	slices.SortFunc(m.entries, func(a, b mergeEntry) int {
		c := cmp.Or(comparePoints(a, b), cmp.Compare(a.instance, b.instance))
		if c != 0 {
			return c
		}
		c, err := m.better(a, b)
		failed = cmp.Or(failed, err)
		return c
	})
	if failed != nil {
		return failed
	}
	kept := m.entries[:0]
	for _, e := range m.entries {
		if last := len(kept) - 1; last >= 0 && comparePoints(kept[last], e) == 0 && (kept[last].instance == e.instance || kept[last].length == 0 || e.length == 0) {
			m.twice++
			continue
		}
		kept = append(kept, e)
	}
	m.entries = kept
	m.points = 0
	for i := range kept {
		if i > 0 && comparePoints(kept[i-1], kept[i]) != 0 {
			m.points++
		}
		kept[i].point = int32(m.points)
	}
	m.points++
	return nil
}

// rank sorts a list and returns each former index's new one.
func rank[T any](list []T, compare func(a, b T) int) []int32 {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return compare(list[a], list[b]) })
	ranks := make([]int32, len(list))
	sorted := make([]T, len(list))
	for to, from := range at {
		ranks[from], sorted[to] = int32(to), list[from]
	}
	copy(list, sorted)
	return ranks
}

func comparePoints(a, b mergeEntry) int {
	return cmp.Or(cmp.Compare(a.device, b.device), cmp.Compare(a.mode, b.mode), cmp.Compare(a.problem, b.problem),
		cmp.Compare(a.version, b.version), cmp.Compare(a.tunables, b.tunables))
}

// better compares two results of one instance of a point. A result of a journal comes first, then a good one,
// then a later one. Equal ones are ordered by their texts.
func (m *merge) better(a, b mergeEntry) (int, error) {
	truth := func(x, y bool) int {
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	}
	c := cmp.Or(truth(a.length > 0, b.length > 0), truth(a.ok, b.ok), -cmp.Compare(a.started, b.started))
	if c != 0 || a.length == 0 {
		return cmp.Or(c, cmp.Compare(a.part, b.part)), nil
	}
	x, err := m.text(a)
	if err != nil {
		return 0, err
	}
	y, err := m.text(b)
	return slices.Compare(x, y), err
}

// text returns the text of a journal's result.
func (m *merge) text(e mergeEntry) ([]byte, error) {
	b := make([]byte, e.length)
	_, err := m.parts[e.part].journal.ReadAt(b, e.offset)
	return b, err
}

func compareVersions(a, b mergeVersion) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.processor, b.processor))
}

// compareValues sorts numbers by value, before words.
func compareValues(a, b framework.Value) int {
	number := func(v framework.Value) bool { return v.IsSet() && v.Kind() != framework.Text }
	if number(a) && number(b) {
		return cmp.Or(cmp.Compare(a.Float(), b.Float()), cmp.Compare(a.String(), b.String()))
	}
	if number(a) != number(b) {
		if number(a) {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.String(), b.String())
}

// ShortNames returns the ends of the paths that no other path has, each as short as can be.
func ShortNames(dirs []string) []string {
	// ends calls f with the ends of a path, the shortest first, until it returns false.
	ends := func(path string, f func(end string) bool) {
		for at := len(path); at > 0; {
			if at = strings.LastIndexByte(path[:at], '/'); !f(path[at+1:]) {
				return
			}
		}
	}
	paths := make([]string, len(dirs))
	count := map[string]int{}
	for i, d := range dirs {
		paths[i] = filepath.ToSlash(filepath.Clean(d))
		ends(paths[i], func(end string) bool { count[end]++; return true })
	}
	names := make([]string, len(dirs))
	for i, path := range paths {
		names[i] = filepath.Clean(dirs[i])
		ends(path, func(end string) bool {
			if count[end] == 1 {
				names[i] = end
			}
			return count[end] > 1
		})
	}
	return names
}

// commonFacts returns what two machines have in common.
func commonFacts(a, b machine.Facts) machine.Facts {
	keep(&a.Board, b.Board)
	keep(&a.CPU, b.CPU)
	keep(&a.Cores, b.Cores)
	keep(&a.CPUs, b.CPUs)
	keep(&a.UsableCPUs, b.UsableCPUs)
	keep(&a.CPUQuota, b.CPUQuota)
	keep(&a.MemoryBytes, b.MemoryBytes)
	keep(&a.OS, b.OS)
	keep(&a.Kernel, b.Kernel)
	keep(&a.Architecture, b.Architecture)
	keep(&a.Battery, b.Battery)
	if !slices.Equal(a.Governors, b.Governors) {
		a.Governors = nil
	}
	if !slices.Equal(a.Load, b.Load) {
		a.Load = nil
	}
	return a
}

// keep empties a value that another is not equal to.
func keep[T comparable](a *T, b T) {
	if *a != b {
		*a = *new(T)
	}
}
