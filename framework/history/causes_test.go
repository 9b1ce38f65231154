package history

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/changepoint"
)

// TestCauses of a change between the fourth and the fifth of eight runs.
func TestCauses(t *testing.T) {
	at := changepoint.Change{At: 4, First: 4, Last: 4, Size: math.Log(1.25)}
	clocks := func(e []*Entry, hertz ...float64) {
		for i, f := range hertz {
			e[i].Clock = f
		}
	}
	for _, c := range []struct {
		name   string
		alter  func(e []*Entry)
		change changepoint.Change
		metric int
		why    string
		also   []string
	}{
		{"nothing else", func([]*Entry) {}, at, 0, "", nil},
		{"one revision around it", func(e []*Entry) { e[4].Revision = e[3].Revision }, at, 0, "revision r3 is on both sides of the change", nil},
		{"one revision before it", func(e []*Entry) { e[2].Revision = e[3].Revision }, at, 0, "", nil},
		{"one revision from it on", func(e []*Entry) { e[5].Revision = e[4].Revision }, at, 0, "", nil},
		{"one revision in a part of where it may be", func(e []*Entry) { e[4].Revision, e[5].Revision = e[3].Revision, "other" },
			changepoint.Change{At: 4, First: 4, Last: 5, Size: at.Size}, 0, "", nil},
		{"a clock that stays", func(e []*Entry) { clocks(e, 2e9, 2e9, 2e9, 2e9, 2e9, 2e9, 2e9, 2e9) }, at, 0, "", nil},
		{"a lower clock", func(e []*Entry) { clocks(e, 2e9, 2e9, 2e9, 2e9, 1.6e9, 1.6e9, 1.6e9, 1.6e9) }, at, 0, "the SM clock changed with it, from 2000 to 1600 MHz", nil},
		{"a lower clock, mostly unknown", func(e []*Entry) { clocks(e, 0, 0, 2e9, 0, 0, 0, 0, 1.6e9) }, at, 0, "the SM clock changed with it, from 2000 to 1600 MHz", nil},
		{"a clock unknown before", func(e []*Entry) { clocks(e, 0, 0, 0, 0, 1.6e9, 1.6e9, 1.6e9, 1.6e9) }, at, 0, "", nil},
		{"a higher clock", func(e []*Entry) { clocks(e, 1.6e9, 1.6e9, 1.6e9, 1.6e9, 2e9, 2e9, 2e9, 2e9) }, at, 0, "", nil},
		{"a higher clock and less time", func(e []*Entry) { clocks(e, 1.6e9, 1.6e9, 1.6e9, 1.6e9, 2e9, 2e9, 2e9, 2e9) },
			changepoint.Change{At: 4, First: 4, Last: 4, Size: -at.Size}, 0, "the SM clock changed with it, from 1600 to 2000 MHz", nil},
		{"a clock that explains less than half", func(e []*Entry) { clocks(e, 2e9, 2e9, 2e9, 2e9, 1.85e9, 1.85e9, 1.85e9, 1.85e9) }, at, 0, "", nil},
		{"a clock within one percent", func(e []*Entry) { clocks(e, 2e9, 2e9, 2e9, 2e9, 1.99e9, 1.99e9, 1.99e9, 1.99e9) },
			changepoint.Change{At: 4, First: 4, Last: 4, Size: 0.006}, 0, "", nil},
		{"a lower clock in a drift", func(e []*Entry) { clocks(e, 2e9, 2e9, 2e9, 2e9, 1.6e9, 1.6e9, 1.6e9, 1.6e9) },
			changepoint.Change{At: 4, First: 4, Last: 4, Size: at.Size, Drift: true}, 0, "", nil},
		{"a lower clock, of energy", func(e []*Entry) { clocks(e, 2e9, 2e9, 2e9, 2e9, 1.6e9, 1.6e9, 1.6e9, 1.6e9) }, at, 1, "", nil},
		{"another tool and another config", func(e []*Entry) { e[4].Tool, e[4].ConfigHash = "v2", "other" }, at, 0, "", []string{"bench v1 → v2", "the config's text"}},
		{"the tool is what is measured", func(e []*Entry) { e[3].Tool, e[4].Tool = e[3].Revision, e[4].Revision }, at, 0, "", nil},
		{"other tunables", func(e []*Entry) {
			e[3].Tunables = framework.Values{"block": framework.IntValue(64), "unroll": framework.IntValue(2)}
			e[4].Tunables = framework.Values{"unroll": framework.IntValue(4), "block": framework.IntValue(64)}
		}, at, 0, "", []string{"tunables block=64 unroll=2 → block=64 unroll=4"}},
		{"equal tunables", func(e []*Entry) {
			for _, x := range e {
				x.Tunables = framework.Values{"block": framework.IntValue(64)}
			}
		}, at, 0, "", nil},
	} {
		j := &Judged{Series: &Series{Metric: Metrics()[c.metric]}}
		for i := range 8 {
			e := entry(i, 1e-3)
			j.Alikes = append(j.Alikes, &e)
		}
		c.alter(j.Alikes)
		x := Change{Revision: j.Alikes[4].Revision}
		j.causes(&x, c.change, changepoint.Level{From: 0, To: 4}, changepoint.Level{From: 4, To: 8})
		if x.NotTheCode != c.why || !slices.Equal(x.Also, c.also) {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, x.NotTheCode, x.Also, c.why, c.also)
		}
	}
}

// TestAgo: a change says how many runs came after the one that showed it, and the first
// such run is the earliest by which the history was judged worse.
func TestAgo(t *testing.T) {
	f := steady(40, func(i int, e *Entry) {
		if i >= 30 {
			scaleTime(e, 1.2)
		}
	})
	c := f.Check(40).Series[0].Changes[0]
	if c.Found != f.Entries[len(f.Entries)-1-c.Ago].Revision {
		t.Errorf("found in %s, %d runs ago of 40", c.Found, c.Ago)
	}
	for n := 30; n <= 40; n++ {
		early := &File{Path: "h", Entries: f.Entries[:n]}
		if worse := early.Check(1).Verdict == GateWorse; worse != (n == 40-c.Ago) {
			t.Errorf("found by the last of %d runs: %v; found in %s", n, worse, c.Found)
		}
		if worse := early.Check(40).Verdict == GateWorse; worse != (n >= 40-c.Ago) {
			t.Errorf("worse after %d runs: %v; found in %s", n, worse, c.Found)
		}
	}
}

// TestTwiceIsNoted and only then.
func TestTwiceIsNoted(t *testing.T) {
	f := steady(2, nil)
	if c := f.Check(10); c.Notes != nil {
		t.Errorf("%q", c.Notes)
	}
	f.Twice = 2
	if c := f.Check(10); len(c.Notes) != 1 || c.Notes[0] != "2 results left out: another has the same point and time" {
		t.Errorf("%q", c.Notes)
	}
}

// TestSigma: the standard error is the interval's half by the normal distribution's
// quantile; without an interval it is unknown.
func TestSigma(t *testing.T) {
	for e, want := range map[Estimate]float64{
		{Value: 1, Low: math.Exp(-0.02), High: math.Exp(0.02)}: 0.02 / 1.959964,
		{Value: 1, Low: 1, High: math.Exp(0.3)}:                0.15 / 1.959964,
		{Value: 1}:                                             0,
		{Value: 1, High: 2}:                                    0,
		{Value: 1, Low: -1, High: 3}:                           0,
		{Value: 1, Low: 2, High: 1}:                            0,
	} {
		if got := e.sigma(); math.Abs(got-want) > 1e-12 {
			t.Errorf("%+v: %v, want %v", e, got, want)
		}
	}
}

// TestZeroIsNoResult: a metric of 0 has no logarithm.
func TestZeroIsNoResult(t *testing.T) {
	line := `{"format":1,"started":"2026-01-01T00:00:00Z","revision":"r","machine":"m","algorithm":"a","version":"v","processor":"CPU","status":"ok","metrics":{"time":{"value":0}}}`
	if _, err := parse([]byte(line)); err == nil || err.Error() != "its time is 0; want a number above 0" {
		t.Errorf("%v", err)
	}
}

// TestWhatNoClockGives: times that no clock gives, and dates that say no zone, are named.
func TestWhatNoClockGives(t *testing.T) {
	line := `{"format":1,"started":"STARTED","revision":"r","machine":"m","algorithm":"a","version":"v","processor":"CPU","status":"ok","metrics":{"METRIC":{"value":VALUE}}}`
	for given, want := range map[[3]string]string{
		{"2026-01-01T00:00:00Z", "time", "5e-324"}:    "its time is 5e-324 s, which no clock gives; want 1e-15 to 1e+09 s",
		{"2026-01-01T00:00:00Z", "latency", "1e10"}:   "its latency is 1e+10 s, which no clock gives; want 1e-15 to 1e+09 s",
		{"2026-01-01T00:00:00Z", "energy", "1e-16"}:   "",
		{"2026-01-01T00:00:00+02:00", "time", "1e-9"}: "",
		{"2026-01-01T00:00:00", "time", "1"}:          `its started is "2026-01-01T00:00:00"; want a date with its zone, such as "2026-03-31T18:00:00+02:00"`,
		{"yesterday", "time", "1"}:                    `its started is "yesterday"; want a date with its zone, such as "2026-03-31T18:00:00+02:00"`,
	} {
		got := ""
		if _, err := parse([]byte(strings.NewReplacer("STARTED", given[0], "METRIC", given[1], "VALUE", given[2]).Replace(line))); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%v: %s; want %s", given, got, want)
		}
	}
}

// TestMarkedText: the mark that an editor puts before a history costs no line of it.
func TestMarkedText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	line, err := json.Marshal(entry(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte("\ufeff"), append(line, '\n')...), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := Append(path, []Entry{entry(1, 1), entry(2, 1)}); n != 1 || err != nil {
		t.Fatalf("%d added, of which the file has one already: %v", n, err)
	}
	if f, err := Read(path); err != nil || len(f.Entries) != 2 || f.Damaged != nil || !IsFile(path) {
		t.Errorf("%v %+v", err, f)
	}
	if err := os.WriteFile(path, []byte("\xff\xfe{\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "h.jsonl: the text is UTF-16; save it as UTF-8") {
		t.Error(err)
	}
}

// TestSeriesOfMetrics: a failure counts in every series of its point; a point that never
// gave a result has one, and one that has no time has none of it.
func TestSeriesOfMetrics(t *testing.T) {
	both := map[string]Estimate{"time": {Value: 1}, "energy": {Value: 2}}
	energy := map[string]Estimate{"energy": {Value: 2}}
	ok := func(m map[string]Estimate) Entry { return Entry{Status: "ok", Metrics: m} }
	failed := Entry{Status: "wrong"}
	for name, c := range map[string]struct {
		entries []Entry
		want    map[string]int // entries by metric
	}{
		"time and energy":           {[]Entry{ok(both), ok(both)}, map[string]int{"time": 2, "energy": 2}},
		"a failure":                 {[]Entry{ok(both), failed, ok(both)}, map[string]int{"time": 3, "energy": 3}},
		"a failure first":           {[]Entry{failed, ok(both)}, map[string]int{"time": 2, "energy": 2}},
		"energy later":              {[]Entry{ok(map[string]Estimate{"time": {Value: 1}}), ok(both)}, map[string]int{"time": 2, "energy": 1}},
		"energy alone":              {[]Entry{ok(energy), ok(energy)}, map[string]int{"energy": 2}},
		"energy alone, and failure": {[]Entry{ok(energy), failed}, map[string]int{"energy": 2}},
		"failures alone":            {[]Entry{failed, failed}, map[string]int{"time": 2}},
		"nothing measured":          {[]Entry{ok(nil)}, map[string]int{}},
	} {
		f := &File{Entries: c.entries}
		got := map[string]int{}
		for _, s := range f.AllSeries() {
			got[s.Metric.Name] = len(s.Entries)
		}
		for _, m := range Metrics() {
			n, has := got[m.Name]
			if want, wanted := c.want[m.Name]; n != want || has != wanted {
				t.Errorf("%s: %d entries of %s, want %d", name, n, m.Name, want)
			}
		}
	}
}

// TestNames say of a point what differs between the points of its config.
func TestNames(t *testing.T) {
	a, b, other := entry(0, 1), entry(0, 1), entry(0, 1)
	b.Params = framework.Values{"N": framework.IntValue(64), "batch": framework.IntValue(2)}
	a.Params = framework.Values{"N": framework.IntValue(64), "batch": framework.IntValue(1)}
	other.Config, other.Params = "scan.json", framework.Values{"N": framework.IntValue(128)}
	other.Swept, other.Tunables, other.PowerMode = []string{"block"}, framework.Values{"block": framework.IntValue(32), "unroll": framework.IntValue(1)}, "15W"
	f := &File{Entries: []Entry{a, b, other}}
	var names []string
	for _, s := range f.AllSeries() {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	if want := []string{"fft/stockham batch=1 on cpu", "fft/stockham batch=2 on cpu", "fft/stockham block=32 on cpu (15W)"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
