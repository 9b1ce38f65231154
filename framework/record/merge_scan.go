package record

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"bench/framework"
	"bench/framework/machine"
	"bench/framework/plan"
	"bench/linux"
)

// partColumns are the columns that a part's results have, and what else Info gathers
// of them.
type partColumns struct {
	temperatures, state, clocks map[string]bool
	counters                    map[string]bool
	rails                       map[string]RailColumn
	libraries                   map[Library]bool
	peers                       map[string]bool
	periods                     map[[2]string]float64 // by the device's identity and sensor
	power, rates                bool
	counted, kernels            bool // some point has counters, or those of launches
	ended                       time.Time
}

// take adds what one result has.
func (c *partColumns) take(r *Result, device string) {
	for _, m := range []map[string]float64{r.TemperatureBefore, r.TemperatureAfter} {
		for name := range m {
			put(&c.temperatures, name, true)
		}
	}
	for column := range stateCells([]Result{*r}) {
		put(&c.state, column, true)
	}
	if r.Rate != nil {
		c.rates = true
		for _, m := range []map[string]float64{r.Rate.Before, r.Rate.After} {
			for name := range m {
				put(&c.clocks, name, true)
			}
		}
	}
	if r.Energy != nil {
		c.power = c.power || len(r.Energy.Samples) > 0
		for i, name := range railNames(r.Energy.Channels) {
			ch := r.Energy.Channels[i]
			put(&c.rails, name, RailColumn{name, ch.Sensor, ch.Channel, ch.Role, ch.Counter})
			at := [2]string{device, ch.Sensor}
			if c.periods[at] < ch.Period {
				put(&c.periods, at, ch.Period)
			}
		}
	}
	if r.Counters != nil {
		c.counted, c.kernels = true, c.kernels || len(r.Counters.Launches) > 0
		for name := range r.Counters.Values {
			put(&c.counters, name, true)
		}
	}
	for _, l := range r.Libraries {
		put(&c.libraries, l, true)
	}
	if r.Point.Peer {
		put(&c.peers, r.Point.Version, true)
	}
	if end := r.Started.Add(time.Duration(r.Elapsed * float64(time.Second))); end.After(c.ended) {
		c.ended = end
	}
}

// instant is a date in nanoseconds since 1970; 0 where it cannot be right, so that such a
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
	f, err := linux.Open(path)
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
		p.entries, p.sessions, p.seen = nil, nil, partColumns{}
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

// number is that of a key in a list, which add extends if it is new.
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

// longer is the longer list, of two as long the first in the alphabet.
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
	temperatures, states, clocks, rails, counters := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]RailColumn{}, map[string]bool{}
	for _, p := range m.parts {
		maps.Copy(temperatures, p.seen.temperatures)
		maps.Copy(states, p.seen.state)
		maps.Copy(clocks, p.seen.clocks)
		maps.Copy(rails, p.seen.rails)
		maps.Copy(counters, p.seen.counters)
	}
	c.Temperatures, c.State, c.Clocks = sorted(temperatures), sorted(states), sorted(clocks)
	c.Counters = counterColumns(sorted(counters))
	for _, name := range slices.Sorted(maps.Keys(rails)) {
		c.Rails = append(c.Rails, rails[name])
	}
	taken := map[string]bool{}
	for _, name := range fixedColumns() {
		taken[name] = true
	}
	settle(c.Params, "param_", taken)
	settle(c.Tunables, "tunable_", taken)
	settle(c.Counters, "counter_", taken)
}

// sorted are the names in a set; nil for none.
func sorted(set map[string]bool) (names []string) {
	for name := range set {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
