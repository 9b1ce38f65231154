package record

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/internal/bounded"
)

// instant returns a date in nanoseconds since 1970; 0 where it cannot be right, so that such a
// result is not the later of two.
func instant(date time.Time) int64 {
	if machine.DateDoubt(date, time.Now()) != "" {
		return 0
	}
	return date.UnixNano()
}

// scanPart reads a part once.
func (m *merge) scanPart(number int32) error {
	p := m.parts[number]
	path := filepath.Join(p.Dir, JournalFile)
	f, err := bounded.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return m.scanFiles(p, number)
	}
	if err != nil {
		return err
	}
	p.journal = f
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	devices := map[string]int32{} // by ID, of the present session
	c, err := scanJournal(f, fi.Size(), func(content []byte, offset int64) (string, error) {
		r, point, _, err := m.known.result(content)
		if err != nil {
			return "", err
		}
		id, ok := devices[point.Device]
		if !ok {
			id = m.tables.device(p, point.Device)
			devices[point.Device] = id
		}
		p.seen.take(&r, m.tables.identity(id))
		e := point.entry(m.tables)
		e.part, e.device, e.offset, e.length = number, id, offset, int32(len(content))
		e.ok, e.started = r.Status == OK, instant(r.Started)
		p.entries = append(p.entries, e)
		return point.key, nil
	}, func(s Info) {
		p.sessions = append(p.sessions, s)
		clear(devices)
	})
	if _, missing := os.Stat(filepath.Join(p.Dir, InfoFile)); missing == nil && (errors.Is(err, errHeaders) || errors.Is(err, ErrNoJournal)) {
		note := fmt.Sprintf("%s: %v; the run's files are merged instead", path, err)
		p.journal = nil
		p.entries, p.sessions, p.seen = nil, nil, gathered{}
		err := errors.Join(f.Close(), m.scanFiles(p, number))
		p.notes = append(p.notes, note)
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	p.headers = c.headers
	p.notes = c.notes(path)
	if len(p.sessions) == 0 {
		p.sessions = []Info{{Config: ConfigFile{Path: p.header().Config, Hash: p.header().ConfigHash, Set: p.header().Set}, Seed: p.header().Seed,
			Tool: Tool{Version: p.header().Version}}}
	}
	if p.header().Total == 0 {
		return fmt.Errorf("%s: %w", path, ErrSearch)
	}
	return nil
}

// mergeTables number what results are of.
type mergeTables struct {
	mutex    sync.Mutex
	numbers  map[string]int32
	devices  []*mergeDevice
	modes    []string
	problems []mergeValues
	versions []mergeVersion
	tunables []mergeValues
	orders   map[string]*[]string // of names, by these
}

// mergeValues are the parameters or tunables of points.
type mergeValues struct {
	algorithm string
	order     []string
	values    framework.Settings
}

// mergeVersion is a version, and the orders in which its points have their columns.
type mergeVersion struct {
	name             string
	processor        framework.Processor
	params, tunables []string
}

func newMergeTables() *mergeTables { return &mergeTables{numbers: map[string]int32{}} }

// number returns the number of a key in a list; add extends the list by a new key.
func (t *mergeTables) number(key string, add func() int) int32 {
	n, ok := t.numbers[key]
	if !ok {
		n = int32(add())
		t.numbers[key] = n
	}
	return n
}

// entry numbers what a point is of, but its device.
func (t *mergeTables) entry(p plan.Point) mergeEntry {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	e := mergeEntry{instance: int32(p.Instance)}
	e.mode = t.number("m"+p.PowerMode, func() int { t.modes = append(t.modes, p.PowerMode); return len(t.modes) - 1 })
	settings := plan.Point{ParamOrder: p.ParamOrder, Params: p.Params}.Settings()
	e.problem = t.number("p"+p.Algorithm+" "+settings, func() int {
		t.problems = append(t.problems, t.values(p.Algorithm, p.ParamOrder, p.Params))
		return len(t.problems) - 1
	})
	e.version = t.number(fmt.Sprint("v", p.Version, " ", p.Processor), func() int {
		t.versions = append(t.versions, mergeVersion{p.Version, p.Processor, p.ParamOrder, p.TunableOrder})
		return len(t.versions) - 1
	})
	v := &t.versions[e.version]
	v.params, v.tunables = longer(v.params, p.ParamOrder), longer(v.tunables, p.TunableOrder)
	e.tunables = t.number("t"+p.TunablesText(), func() int {
		t.tunables = append(t.tunables, t.values("", p.TunableOrder, p.Tunables))
		return len(t.tunables) - 1
	})
	return e
}

// values keep their names, and the order of these, once for all points that have the same.
func (t *mergeTables) values(algorithm string, order []string, v framework.Values) mergeValues {
	key := strings.Join(order, "\n")
	names, ok := t.orders[key]
	if !ok {
		names = &order
		put(&t.orders, key, names)
	}
	return mergeValues{algorithm, *names, framework.SettingsOf(v, names)}
}

// longer returns the longer list, or the first in the alphabet of two equally long ones.
func longer(a, b []string) []string {
	if cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b)) <= 0 {
		return a
	}
	return b
}

// settleColumns puts the columns of all parts in an order that does not depend on
// theirs.
func (m *merge) settleColumns() {
	t := m.tables
	versions := slices.Clone(t.versions)
	slices.SortFunc(versions, func(a, b mergeVersion) int { return compareVersions(a, b) })
	kinds := map[string]string{}
	for prefix, list := range map[string][]mergeValues{"p": t.problems, "t": t.tunables} {
		for _, v := range list {
			for name, x := range v.values.All() {
				k := x.Kind().String()
				if had, ok := kinds[prefix+name]; ok {
					k = widest(had, k)
				}
				kinds[prefix+name] = k
			}
		}
	}
	var params []string
	for _, v := range versions {
		params = longer(params, v.params)
	}
	add := func(columns []Column, prefix string, order []string) []Column {
		for _, name := range order {
			if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == name }) {
				columns = append(columns, Column{Name: name, Kind: kinds[prefix+name]})
			}
		}
		return columns
	}
	c := &m.columns
	c.Params = add(nil, "p", params)
	for _, v := range versions {
		c.Params, c.Tunables = add(c.Params, "p", v.params), add(c.Tunables, "t", v.tunables)
	}
	for _, p := range m.parts {
		m.seen.join(&p.seen)
	}
	slices.SortFunc(m.seen.rails, func(a, b RailColumn) int { return cmp.Compare(a.Column, b.Column) })
	m.seen.columns(c)
}
