package wisdom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/tuning/analytical"
)

// Level says how well tunables match their use.
type Level string

// The levels, best first.
const (
	ExactSize        Level = "exact size"
	NearestSize      Level = "nearest size"
	SameArchitecture Level = "same architecture"
	AnalyticalModel  Level = "analytical"
	VersionDefaults  Level = "default"
)

// Query asks for the tunables of a version at a problem on a device.
type Query struct {
	Algorithm string
	Version   *framework.Version
	Params    framework.Values
	Device    Device
	// PowerMode is the mode that is on; empty if unknown. Entries of other modes do not match. Its own
	// entries come before those without a mode.
	PowerMode string
	Facts     gpu.Facts // zero for a CPU
}

// Match is the tunables found.
type Match struct {
	Level    Level
	Tunables framework.Values
	// From says where the tunables come from, in words.
	From string
}

// Match finds tunables that the version accepts: of the same device and problem; else of the nearest problem
// on the same device; else of another device of the same architecture; else those of the analytical model, if
// it knows the version and the device is an embedded GPU. ok is false if only the version's defaults are
// left.
func (w *File) Match(q Query) (m Match, ok bool) {
	for _, level := range []Level{ExactSize, NearestSize, SameArchitecture} {
		for _, e := range w.candidates(q, level) {
			v, changed := fitted(q, e.Tunables)
			if v == nil {
				continue
			}
			return Match{level, v, from(q, e, level, changed)}, true
		}
	}
	if q.Version.Processor == framework.GPU && q.Facts.Integrated {
		if v, ok := analytical.Tunables(q.Facts, q.Algorithm, q.Version, q.Params); ok {
			return Match{AnalyticalModel, v, string(AnalyticalModel) + " model"}, true
		}
	}
	return Match{Level: VersionDefaults}, false
}

// candidates returns the entries of one level, nearest first, without those that cost more than
// the defaults.
func (w *File) candidates(q Query, level Level) []Entry {
	type scored struct {
		entry    Entry
		distance float64
	}
	var found []scored
	for _, e := range w.Entries {
		if e.Algorithm != q.Algorithm || e.Version != q.Version.Name || e.Processor != q.Version.Processor || e.Objective != "time" || e.Slower() {
			continue
		}
		if e.PowerMode != "" && e.PowerMode != q.PowerMode {
			continue
		}
		if e.Device.Architecture != q.Device.Architecture || (e.Device.Name == q.Device.Name) != (level != SameArchitecture) {
			continue
		}
		d, comparable := Distance(e.Params, q.Params)
		if !comparable || level == ExactSize && d != 0 || level == NearestSize && d == 0 {
			continue
		}
		found = append(found, scored{e, d})
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		case (a.entry.PowerMode == "") != (b.entry.PowerMode == ""):
			return cmp.Compare(b.entry.PowerMode, a.entry.PowerMode) // the empty one last
		}
		return b.entry.Found.Compare(a.entry.Found)
	})
	var entries []Entry
	for _, s := range found {
		entries = append(entries, s.entry)
	}
	return entries
}

// Distance returns the distance of two problems: the sum of the differences of their numbers' logarithms to
// base 2. Problems that differ in a word are not comparable.
func Distance(a, b framework.Values) (d float64, comparable bool) {
	if len(a) != len(b) {
		return 0, false
	}
	for name, x := range a {
		y, ok := b[name]
		switch {
		case !ok:
			return 0, false
		case x.String() == y.String():
		case x.Kind() == framework.Text || y.Kind() == framework.Text:
			return 0, false
		case x.Float() > 0 && y.Float() > 0:
			d += math.Abs(math.Log2(x.Float()) - math.Log2(y.Float()))
		default:
			d += math.Abs(x.Float() - y.Float())
		}
	}
	return d, true
}

// fitted returns tunables that the version accepts: v, or else v with one tunable changed by the smallest
// factor; nil if there are none.
func fitted(q Query, v framework.Values) (fit framework.Values, changed string) {
	for _, t := range q.Version.Tunables {
		if !v[t.Name].IsSet() {
			return nil, "" // of an older version
		}
	}
	if len(v) > len(q.Version.Tunables) {
		return nil, ""
	}
	accepts := func(v framework.Values) bool {
		return q.Version.Valid == nil || q.Version.Valid(q.Params, v, q.Facts) == nil
	}
	if accepts(v) {
		return v, ""
	}
	least := math.Inf(1)
	for _, t := range q.Version.Tunables {
		if t.Settings != nil {
			continue // words are not near to each other
		}
		for _, x := range t.Values {
			had := v.Int(t.Name)
			by := math.Abs(float64(x - had))
			if x > 0 && had > 0 {
				by = math.Abs(math.Log2(float64(x) / float64(had)))
			}
			if by == 0 || by >= least {
				continue
			}
			c := v.Clone()
			c[t.Name] = framework.IntValue(x)
			if accepts(c) {
				least, fit, changed = by, c, fmt.Sprintf("%s %d instead of %d", t.Name, x, had)
			}
		}
	}
	return fit, changed
}

// from says in words where tunables come from.
func from(q Query, e Entry, level Level, changed string) string {
	s := "wisdom, " + string(level)
	if level == SameArchitecture {
		s += " (" + e.Device.Name + ")"
	}
	var differ []string
	for name, x := range e.Params {
		if x.String() != q.Params[name].String() {
			differ = append(differ, name+" "+x.String())
		}
	}
	if e.PowerMode != "" {
		s += " in power mode " + e.PowerMode
	}
	if len(differ) > 0 {
		slices.Sort(differ)
		s += " (" + strings.Join(differ, ", ") + ")"
	}
	if changed != "" {
		s += ", " + changed
	}
	return s
}
