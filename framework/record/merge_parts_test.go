package record

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bench/cuda"
	"bench/framework"
	"bench/framework/machine"
	"bench/framework/measure"
	"bench/framework/plan"
)

// TestValuesInOrder: numbers by value, then words; what is not set is like an empty word.
func TestValuesInOrder(t *testing.T) {
	values := []framework.Value{framework.TextValue("b"), framework.IntValue(10), framework.FloatValue(2.5), framework.TextValue("a"), {}, framework.IntValue(-3), framework.IntValue(9)}
	slices.SortFunc(values, compareValues)
	var got []string
	for _, v := range values {
		got = append(got, v.String())
	}
	if want := []string{"-3", "2.5", "9", "10", framework.Value{}.String(), "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGeometric(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{1, 2, 4, 8}, true}, {[]float64{1, 2, 3}, false}, {[]float64{1, 2}, false}, {[]float64{0, 1, 2}, false}, {[]float64{-1, -2, -4}, false},
		{[]float64{100, 200, 400.3}, true}, {[]float64{100, 200, 401}, false}, {[]float64{100, 200, 399}, false}, {[]float64{1, 10, 100, 900}, false},
	} {
		if got := geometric(c.values); got != c.want {
			t.Errorf("%v: %v", c.values, got)
		}
	}
}

// TestSameTool: two parts may be merged whose programs measure in the same way, whatever
// they call themselves.
func TestSameTool(t *testing.T) {
	part := func(h Header, tools ...Tool) *mergePart {
		p := &mergePart{headers: []Header{h}}
		for _, x := range tools {
			p.sessions = append(p.sessions, Info{Tool: x})
		}
		return p
	}
	one := Tool{Version: "v1", Commit: "abc"}
	changed, other, elsewhere := one, one, one
	changed.Modified, other.Commit, elsewhere.Version = true, "def", "v2"
	for name, c := range map[string]struct {
		a, b *mergePart
		want bool
	}{
		"one program":             {part(Header{Program: "x"}), part(Header{Program: "x"}), true},
		"another program":         {part(Header{Program: "x"}), part(Header{Program: "y"}), false},
		"one fingerprint":         {part(Header{Program: "x", Fingerprint: "f"}), part(Header{Program: "y", Fingerprint: "f"}), true},
		"one source":              {part(Header{Program: "x", Sources: "s"}), part(Header{Program: "y", Sources: "s"}), true},
		"one commit":              {part(Header{Program: "x"}, one), part(Header{Program: "y"}, one), true},
		"another commit":          {part(Header{Program: "x"}, one), part(Header{Program: "y"}, other), false},
		"another version of it":   {part(Header{Program: "x"}, one), part(Header{Program: "y"}, elsewhere), false},
		"changed sources":         {part(Header{Program: "x"}, changed), part(Header{Program: "y"}, one), false},
		"changed sources, behind": {part(Header{Program: "x"}, one), part(Header{Program: "y"}, changed), false},
		"unknown commits":         {part(Header{Program: "x"}, Tool{Version: "v1"}), part(Header{Program: "y"}, Tool{Version: "v1"}), false},
	} {
		if got := sameTool(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for want, p := range map[string]*mergePart{
		"bench version v1 (abc)":          part(Header{Version: "v0"}, one, other),
		"bench version v0":                part(Header{Version: "v0"}),
		"bench version  (program 123456)": part(Header{Program: "123456"}),
	} {
		if got := p.build(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestColumnsOfAPart: a result has them for what it tells, before its run or after it.
func TestColumnsOfAPart(t *testing.T) {
	state := &machine.State{Fans: map[string]float64{"pwm": 80}}
	for name, c := range map[string]struct {
		g      glance
		column string
	}{
		"before": {glance{StateBefore: state}, "fan_pwm_before"},
		"after":  {glance{StateAfter: state}, "fan_pwm_after"},
	} {
		var columns partColumns
		columns.take(&c.g, &plan.Point{}, "d")
		if !columns.state[c.column] || len(columns.state) != 1 {
			t.Errorf("%s: %v", name, columns.state)
		}
	}
	var columns partColumns
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, period := range []float64{0.2, 0.5, 0.1} {
		g := glance{Started: start, Elapsed: 100 * period}
		g.Energy = &struct {
			Channels []measure.ChannelEnergy `json:"channels"`
			Samples  []struct{}              `json:"samples"`
		}{Channels: []measure.ChannelEnergy{{Sensor: "nvml", Channel: "gpu", Period: period}}}
		columns.take(&g, &plan.Point{Version: "v", Peer: period == 0.1}, "d")
	}
	if columns.power || columns.periods[[2]string{"d", "nvml"}] != 0.5 || !columns.ended.Equal(start.Add(50*time.Second)) || !columns.peers["v"] || columns.rates || columns.counted {
		t.Errorf("%+v", columns)
	}
}

// TestNamesOfDevices: a GPU that several parts used has the name that is first in the
// alphabet, whatever the order of the parts.
func TestNamesOfDevices(t *testing.T) {
	part := func(name string) *mergePart {
		return &mergePart{Part: Part{Name: name}, sessions: []Info{{Devices: []Device{{ID: "cuda:0", Facts: &cuda.Facts{UUID: "GPU-1"}}}}}}
	}
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		tables := newMergeTables()
		for _, name := range order {
			if n := tables.device(part(name), "cuda:0"); n != 0 {
				t.Errorf("%s has the number %d", name, n)
			}
		}
		if len(tables.devices) != 1 || tables.devices[0].name != "a:cuda:0" {
			t.Errorf("%v: %+v", order, tables.devices)
		}
	}
}

// TestOrderOfColumns is that of the longest list, of equal ones the first in the alphabet.
func TestOrderOfColumns(t *testing.T) {
	for _, c := range [][3][]string{
		{{"N"}, {"N", "batch"}, {"N", "batch"}}, {{"a", "b"}, {"z"}, {"a", "b"}}, {{"b", "a"}, {"a", "b"}, {"a", "b"}}, {{"a"}, nil, {"a"}}, {nil, nil, nil},
	} {
		if got := longer(c[0], c[1]); !slices.Equal(got, c[2]) || !slices.Equal(longer(c[1], c[0]), c[2]) {
			t.Errorf("%v and %v: %v", c[0], c[1], got)
		}
	}
}

// TestMembersOfAnObject: what is not one object, as this program writes it, is left to the
// JSON package.
func TestMembersOfAnObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`: "a=1 ", `{"a":1,"b":"}","c":[{"d":"\""}]}`: `a=1 b="}" c=[{"d":"\""}] `, `{"a":1}x`: "a=1 not", `{"a":1`: "not", `{}`: "not", `{`: "not", "": "not", `{"a\n":1}`: "not", `{"a":1]`: "a=1 not", `{"a":}`: "not",
	} {
		got := ""
		if !eachMember([]byte(text), func(name, value []byte) { got += string(name) + "=" + string(value) + " " }) {
			got += "not"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestLongLinesAndDamage: a journal that does not fit into memory is read as one that does,
// with lines of any length, and says of the same lines that they are damaged.
func TestLongLinesAndDamage(t *testing.T) {
	dir := t.TempDir()
	long := testResult(1)
	long.Notes = []string{strings.Repeat("long ", 1<<20)}
	mustCreate(t, dir, testResult(0), long, testResult(2), testResult(3))
	path := filepath.Join(dir, JournalFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(text, []byte(`"result":`))
	before := bytes.LastIndex(text[:at], []byte(`"result":`))
	text[before+30] ^= 1 // in the result before the last
	whole, err := parseJournal(text)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	scanned, err := scanJournal(bytes.NewReader(text), int64(len(text)), func(content []byte, offset int64) (string, error) {
		var r Result
		if !bytes.HasPrefix(text[offset:], content) {
			t.Errorf("a result is said to begin at %d", offset)
		}
		err := json.Unmarshal(content, &r)
		keys = append(keys, r.Point.Key())
		return r.Point.Key(), err
	}, func(Info) {})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range whole.results {
		want = append(want, r.Point.Key())
	}
	if !slices.Equal(keys, want) || len(keys) != 3 || len(scanned.damaged) != 1 || len(whole.damaged) != 1 || scanned.damaged[0].number != whole.damaged[0].number ||
		whole.damaged[0].number != 1+bytes.Count(text[:before], []byte("\n")) || scanned.lines != whole.lines || scanned.whole != whole.whole || whole.whole != int64(len(text)) {
		t.Errorf("%q of %q; %+v, %+v", keys, want, scanned.damaged, whole.damaged)
	}
	if key := testResult(3).Point.Key(); len(scanned.later) != 1 || !scanned.later[key] {
		t.Errorf("behind the damage: %v, want %s", scanned.later, key)
	}
}

// TestJournalBeforeIsKept where it has results, or what may have been one, or both.
func TestJournalBeforeIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		results []Result
		damage  bool // of the last
		want    bool
	}{
		"nothing": {nil, false, false}, "a result": {[]Result{testResult(0)}, false, true}, "damage": {[]Result{testResult(0)}, true, true},
		"a result and damage": {[]Result{testResult(0), testResult(1)}, true, true},
	} {
		dir := t.TempDir()
		mustCreate(t, dir, c.results...)
		path := filepath.Join(dir, JournalFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.damage {
			text[bytes.LastIndex(text, []byte(`"result":`))+30] ^= 1
			text = append(text, text[:bytes.IndexByte(text, '\n')+1]...) // it is not the last line
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		mustCreate(t, dir)
		kept, err := os.ReadFile(filepath.Join(dir, PreviousJournalFile))
		if (err == nil) != c.want || c.want && !bytes.Equal(kept, text) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPublishedRunsAreMerged, from their files alone: launches and power are in the merged
// run where a part has them.
func TestPublishedRunsAreMerged(t *testing.T) {
	dir := t.TempDir()
	publish := func(name string, r Result) string {
		info := board(1, 64).sessions[0]
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, NewRun(info, "fft", []plan.Axis{{Name: "N", Count: 1}}, []Result{r})); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rich, plain, other := testResult(0), testResult(1), testResult(2)
	rich.Energy = &measure.Energy{Window: 2, Runs: 10, Channels: []measure.ChannelEnergy{{Sensor: "s", Channel: "c", Role: framework.Total, Power: 5, Energy: 10}},
		Samples: []measure.PowerSample{{Sensor: "s", Channel: "c", Time: 0.125, Value: 2}}}
	rich.Counters = &Counters{Source: "libcupti", Values: map[string]float64{"x": 3}, Launches: []LaunchCounters{{Kernel: "k", Values: map[string]float64{"x": 3}}}}
	a, b, c := publish("a", rich), publish("b", plain), publish("c", other)
	for _, x := range []struct {
		dirs []string
		has  bool
	}{{[]string{a, b}, true}, {[]string{b, c}, false}} {
		out, m := merged(t, MergeOptions{}, x.dirs...)
		run, err := Read(out)
		if err != nil || m.Rows != 2 {
			t.Fatalf("%+v, %v", m, err)
		}
		power, err := ReadPowerSamples(out, run)
		if err != nil {
			t.Fatal(err)
		}
		kernels, err := ReadKernelCounters(out, run)
		if err != nil {
			t.Fatal(err)
		}
		samples, err := ReadSamples(out, run)
		if err != nil || len(samples) != 6 || samples[0].Time != 1e-3 || samples[5].Time != 0.9e-3 {
			t.Errorf("%+v, %v", samples, err)
		}
		if (len(power) == 1 && power[0].Value.Float() == 2 && power[0].Time.Float() == 0.125) != x.has || (len(kernels) == 1 && kernels[0].Kernel == "k") != x.has {
			t.Errorf("%v: %+v, %+v", x.dirs, power, kernels)
		}
		for _, f := range []string{powerSamplesCSV, kernelsCSV} {
			if _, err := os.Stat(filepath.Join(out, "fft_"+f)); (err == nil) != x.has {
				t.Errorf("%v: %s: %v", x.dirs, f, err)
			}
		}
	}
}

// TestMixedToolsAreSaidOnce, and a board that went on after a pause has each device once,
// with what was measured first.
func TestMixedToolsAreSaidOnce(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for i, version := range []string{"1", "2", "3"} {
		j := board(1, int64(64<<i))
		j.header.Version, j.sessions[0].Tool.Version, j.sessions[0].Name = version, version, "m"+version
		again := j.sessions[0]
		again.Started = again.Started.Add(time.Hour)
		again.Devices = []Device{{ID: "cpu", Ceilings: Ceilings{Copy: 2e10}}}
		j.sessions, j.results = append(j.sessions, again), append(j.results, nil)
		dirs = append(dirs, j.write(t, filepath.Join(dir, version)))
	}
	out, _ := merged(t, MergeOptions{MixTools: true}, dirs...)
	run, err := Read(out)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, w := range run.Info.Warnings {
		if strings.Contains(w, "was measured by") {
			said++
		}
	}
	if said != 1 || len(run.Info.Devices) != 3 || run.Info.Tool.Version != "1" || len(run.Info.EarlierTools) != 2 {
		t.Errorf("%d times in %q; devices %+v", said, run.Info.Warnings, run.Info.Devices)
	}
	for _, d := range run.Info.Devices {
		if d.Ceilings.Copy != 1e10 {
			t.Errorf("%+v", d)
		}
	}
}
