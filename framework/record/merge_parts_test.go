package record

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
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
		r      Result
		column string
	}{
		"before": {Result{StateBefore: state}, "fan_pwm_before"},
		"after":  {Result{StateAfter: state}, "fan_pwm_after"},
	} {
		var columns gathered
		columns.take(&c.r, "d")
		if !columns.state[c.column] || len(columns.state) != 1 {
			t.Errorf("%s: %v", name, columns.state)
		}
	}
	var columns gathered
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, period := range []float64{0.2, 0.5, 0.1} {
		columns.take(&Result{Point: plan.Point{Version: "v", Peer: period == 0.1}, Started: start, Elapsed: 100 * period,
			Energy: &measure.Energy{Channels: []measure.ChannelEnergy{{Sensor: "nvml", Channel: "gpu", Period: period}}}}, "d")
	}
	if columns.has.power || columns.periods[[2]string{"d", "nvml"}] != 0.5 || !columns.ended.Equal(start.Add(50*time.Second)) || !columns.peers["v"] || columns.has.rates || columns.has.counters {
		t.Errorf("%+v", columns)
	}
}

// TestNamesOfDevices: a GPU that several parts used has the name that is first in the
// alphabet, whatever the order of the parts.
func TestNamesOfDevices(t *testing.T) {
	part := func(name string) *mergePart {
		return &mergePart{Part: Part{Name: name}, sessions: []Info{{Devices: []Device{{ID: "cuda:0", Facts: &gpu.Facts{UUID: "GPU-1"}}}}}}
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

// TestJoinIsOfAll: what two parts have is what their results have together.
func TestJoinIsOfAll(t *testing.T) {
	full, other := filled(), testResult(1)
	full.Libraries, full.Point.Peer = []Library{{Name: "libfftw3"}}, true
	other.Started, other.Elapsed = full.Started.Add(time.Hour), 7
	var all gathered
	all.take(&full, "a")
	all.take(&other, "b")
	for v, i := reflect.ValueOf(all), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not tried", v.Type().Field(i).Name)
		}
	}
	for _, pair := range [][2]*Result{{&full, &other}, {&other, &full}} {
		var joined gathered
		for i, r := range pair {
			var one gathered
			one.take(r, map[bool]string{true: "a", false: "b"}[r == &full])
			if joined.join(&one); i == 0 && !reflect.DeepEqual(joined, one) {
				t.Errorf("%+v, want %+v", joined, one)
			}
		}
		if !reflect.DeepEqual(joined, all) {
			t.Errorf("%+v, want %+v", joined, all)
		}
	}
}
