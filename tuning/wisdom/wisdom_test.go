package wisdom

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/tuning/analytical"
)

// tiled is a version whose tunables must fit the size: P·L is N.
var tiled = framework.Version{
	Name: "tiled", Processor: framework.GPU,
	Tunables: []framework.Tunable{{Name: "P", Values: []int64{1, 2, 4, 8}}, {Name: "L", Values: []int64{16, 32, 64, 128}}},
	Valid: func(params, v framework.Values, _ gpu.Facts) error {
		if v.Int("P")*v.Int("L") != params.Int("N") {
			return errors.New("P·L is not N")
		}
		return nil
	},
}

func numbers(pairs ...any) framework.Values {
	v := framework.Values{}
	for i := 0; i < len(pairs); i += 2 {
		switch x := pairs[i+1].(type) {
		case int:
			v[pairs[i].(string)] = framework.IntValue(int64(x))
		case string:
			v[pairs[i].(string)] = framework.TextValue(x)
		}
	}
	return v
}

func entry(device string, n, p, l int) Entry {
	return Entry{Algorithm: "a", Version: "tiled", Processor: framework.GPU, Device: Device{Name: device, Architecture: "sm_90"}, Objective: "time",
		Params: numbers("N", n, "kind", "f32"), Tunables: numbers("P", p, "L", l), Found: time.Unix(int64(n), 0)}
}

func TestWisdomLevels(t *testing.T) {
	w := &File{}
	for _, e := range []Entry{entry("H200", 128, 8, 16), entry("H200", 64, 2, 32), entry("H100", 256, 4, 64), entry("H200", 128, 4, 32)} {
		w.Add(e)
	}
	if len(w.Entries) != 3 {
		t.Fatalf("%d entries: one should have been replaced", len(w.Entries))
	}
	query := func(n int, device, kind string) Query {
		return Query{Algorithm: "a", Version: &tiled, Params: numbers("N", n, "kind", kind), Device: Device{Name: device, Architecture: "sm_90"}}
	}
	for _, x := range []struct {
		q    Query
		from string
		p, l int64
	}{
		{query(128, "H200", "f32"), "wisdom, exact size", 4, 32},
		// 256 is nearer to 128 than to 64; of P and L, one is doubled
		{query(256, "H200", "f32"), "wisdom, nearest size (N 128), P 8 instead of 4", 8, 32},
		{query(256, "H100", "f32"), "wisdom, exact size", 4, 64},
		{query(256, "GH200", "f32"), "wisdom, same architecture (H100)", 4, 64},
		{query(64, "GH200", "f32"), "wisdom, same architecture (H200)", 2, 32},
	} {
		m, ok := w.Match(x.q)
		if !ok || m.From != x.from || m.Tunables.Int("P") != x.p || m.Tunables.Int("L") != x.l {
			t.Errorf("%v on %s: %+v, want %s, P %d, L %d", x.q.Params, x.q.Device.Name, m, x.from, x.p, x.l)
		}
	}
	none := query(1<<20, "H200", "f32") // fits no tunables
	other := query(128, "H200", "f64")
	old := query(128, "H200", "f32")
	old.Device.Architecture = "sm_53"
	for _, q := range []Query{none, other, old} {
		if m, ok := w.Match(q); ok || m.Level != VersionDefaults {
			t.Errorf("%v on %v: %+v", q.Params, q.Device, m)
		}
	}
	energy := entry("H200", 32, 2, 16)
	energy.Objective = "energy"
	w.Add(energy)
	if m, _ := w.Match(query(32, "H200", "f32")); m.Level == ExactSize {
		t.Error("tunables for energy were taken for time")
	}
}

// TestSlowerThanDefaults: an entry whose own figures show it to be slower than the defaults is
// not used, which the summary says, and gives way to any other.
func TestSlowerThanDefaults(t *testing.T) {
	slow := entry("H200", 128, 8, 16)
	slow.Cost, slow.DefaultCost, slow.Tool = 1.01, 1, "bench"
	w := &File{path: "wisdom.json", Entries: []Entry{slow, entry("H200", 64, 2, 32)}}
	q := Query{Algorithm: "a", Version: &tiled, Params: numbers("N", 128, "kind", "f32"), Device: Device{Name: "H200", Architecture: "sm_90"}}
	if m, _ := w.Match(q); m.Level != NearestSize {
		t.Errorf("%+v, want the entry of the nearest size", m)
	}
	equal := slow
	equal.DefaultCost = equal.Cost
	if m, _ := (&File{Entries: []Entry{equal}}).Match(q); m.Level != ExactSize {
		t.Errorf("%+v of an entry as fast as the defaults", m)
	}
	u := &Use{file: w, factory: &framework.Factory{Name: "a"}, devices: map[framework.Processor]Device{framework.GPU: q.Device}, levels: map[string]int{}}
	u.Tuned(&tiled, q.Params, gpu.Facts{})
	if got, want := (Uses{u}).Summary(), "tunables by wisdom.json: 1 nearest size; not used: 1 that cost more than the defaults, by the file's own figures"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	other := slow
	other.Cost, other.DefaultCost = 2, 3
	if better := w.Add(other); better != nil {
		t.Errorf("%+v stays", better)
	}
}

// TestNearestTunables: what does not fit is changed by the smallest factor, and by
// the smallest difference where a value is not positive.
func TestNearestTunables(t *testing.T) {
	for _, c := range []struct {
		had      int64
		accepted []int64
		want     int64
	}{
		{3, []int64{1, 7}, 7},
		{4, []int64{0}, 0},
		{0, []int64{8}, 8},
		{0, []int64{8, 2, 4}, 2},
		{-2, []int64{1, -1}, -1},
	} {
		v := framework.Version{Name: "v", Processor: framework.GPU, Tunables: []framework.Tunable{{Name: "U", Values: c.accepted}},
			Valid: func(_, tunables framework.Values, _ gpu.Facts) error {
				if !slices.Contains(c.accepted, tunables.Int("U")) {
					return errors.New("not accepted")
				}
				return nil
			}}
		w := &File{Entries: []Entry{{Algorithm: "a", Version: "v", Processor: framework.GPU, Device: Device{Name: "H200"}, Objective: "time",
			Tunables: framework.Values{"U": framework.IntValue(c.had)}}}}
		m, _ := w.Match(Query{Algorithm: "a", Version: &v, Device: Device{Name: "H200"}})
		if got, want := m.From, fmt.Sprintf("wisdom, exact size, U %d instead of %d", c.want, c.had); got != want || m.Tunables.Int("U") != c.want {
			t.Errorf("%q, U %d; want %q", got, m.Tunables.Int("U"), want)
		}
	}
}

// TestWisdomFallsBackOnTheModel on an embedded GPU.
func TestWisdomFallsBackOnTheModel(t *testing.T) {
	v := framework.Version{Name: "cr", Processor: framework.GPU,
		Defaults: func(framework.Values, gpu.Facts) framework.Values {
			return numbers("S", 1, "P", 1, "L", 1, "SHUFFLE", 0)
		}}
	tx1, err := analytical.FindDevice("jetson-tx1")
	if err != nil {
		t.Fatal(err)
	}
	q := Query{Algorithm: "tridiagonal", Version: &v, Params: numbers("N", 128), Facts: tx1.Facts}
	m, ok := (&File{}).Match(q)
	if !ok || m.Level != AnalyticalModel || m.Tunables.Int("P") != 4 || m.Tunables.Int("L") != 64 || m.Tunables.Int("SHUFFLE") != 1 || m.Tunables.Int("S") != 0 {
		t.Errorf("%+v", m)
	}
	q.Facts.Integrated = false
	if m, ok := (&File{}).Match(q); ok {
		t.Errorf("on a server: %+v", m)
	}
}

// TestWisdomFile: written by several at once, read again; faults are told.
func TestWisdomFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench", "wisdom.json")
	if w, err := Open(path); err != nil || len(w.Entries) != 0 {
		t.Fatalf("absent: %v", err)
	}
	for i := range 3 {
		if _, err := Keep(path, []Entry{entry("H200", 64<<i, 4, 16<<i)}); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(path)
	if err != nil || len(w.Entries) != 3 || len(w.Hash()) != 64 {
		t.Fatalf("%+v, %v", w, err)
	}
	if got := w.Entries[1]; got.Params.Int("N") != 128 || got.Params.Text("kind") != "f32" || got.Tunables.Int("L") != 32 || got.Device.Name != "H200" {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{"{": "unexpected end", "{}": "no wisdom_format", "null": "no wisdom_format", `{"wisdom_format": 9}`: "format 9"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := Keep(path, []Entry{entry("H200", 64, 4, 16)}); err == nil {
			t.Errorf("%s was overwritten", text)
		}
	}
}

// TestWisdomKeepsTheBetter of two searches by one tool; another tool's kernels
// may differ, so that its times say nothing.
func TestWisdomKeepsTheBetter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wisdom.json")
	at := func(p int, cost float64, tool string) Entry {
		e := entry("H200", 64, p, 16)
		e.Cost, e.Tool = cost, tool
		return e
	}
	for _, c := range []struct {
		add     Entry
		better  int
		p       int64
		because string
	}{
		{at(4, 2e-4, "v1"), 0, 4, "the first"},
		{at(1, 1e-3, "v1"), 1, 4, "slower"},
		{at(8, 1e-4, "v1"), 0, 8, "faster"},
		{at(2, 5e-4, "v2"), 0, 2, "of another version of the tool"},
		{at(1, 5e-4, "v2"), 0, 1, "as fast: the later counts"},
		{at(4, 0, "v2"), 0, 4, "not measured"},
		{at(8, 1, "v2"), 0, 8, "measured, in place of one that was not"},
	} {
		better, err := Keep(path, []Entry{c.add})
		if err != nil || len(better) != c.better {
			t.Errorf("%s: %d entries stay, %v; want %d", c.because, len(better), err, c.better)
		}
		w, err := Open(path)
		if err != nil || len(w.Entries) != 1 || w.Entries[0].Tunables.Int("P") != c.p {
			t.Errorf("%s: %+v, %v; want P = %d", c.because, w, err, c.p)
		}
	}
}

// TestWisdomKeepsWhatOthersAdd at the same time.
func TestWisdomKeepsWhatOthersAdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wisdom.json")
	var wait sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			_, errs[i] = Keep(path, []Entry{entry(fmt.Sprint("GPU ", i), 64, 4, 16)})
		}()
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	w, err := Open(path)
	if err != nil || len(w.Entries) != len(errs) {
		t.Fatalf("%d entries, %v", len(w.Entries), err)
	}
}

// What was found in a power mode is for that mode alone, and comes there before what was found in
// whichever was on; each mode has an entry.
func TestWisdomOfPowerModes(t *testing.T) {
	w := &File{}
	in := func(mode string, e Entry) Entry { e.PowerMode = mode; return e }
	for _, e := range []Entry{in("MAXQ", entry("TX2", 64, 2, 32)), entry("TX2", 64, 4, 16), in("MAXP", entry("TX2", 64, 1, 64)), in("MAXN", entry("TX2", 128, 4, 32))} {
		if w.Add(e) != nil {
			t.Errorf("%+v is taken for another's", e)
		}
	}
	if len(w.Entries) != 4 {
		t.Fatalf("%d entries, want one a mode", len(w.Entries))
	}
	for _, x := range []struct {
		n    int
		mode string
		p    int64
		from string
	}{
		{64, "MAXQ", 2, "wisdom, exact size in power mode MAXQ"},
		{64, "MAXP", 1, "wisdom, exact size in power mode MAXP"},
		{64, "MAXN", 4, "wisdom, exact size"},
		{64, "", 4, "wisdom, exact size"},
		{128, "MAXN", 4, "wisdom, exact size in power mode MAXN"},
		{128, "", 8, "wisdom, nearest size (N 64), P 8 instead of 4"},
	} {
		m, ok := w.Match(Query{Algorithm: "a", Version: &tiled, Params: numbers("N", x.n, "kind", "f32"), Device: Device{Name: "TX2", Architecture: "sm_90"}, PowerMode: x.mode})
		if !ok || m.Tunables.Int("P") != x.p || m.From != x.from {
			t.Errorf("N %d in %q: %+v, want P %d from %s", x.n, x.mode, m, x.p, x.from)
		}
	}
}
