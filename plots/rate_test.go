package plots

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// rateRun has two power modes at three rates and the highest: one takes more power when
// idle, the other longer for a run.
func rateRun() *record.Run {
	var results []record.Result
	for i, mode := range []string{"fast", "slow"} {
		for j, hz := range []float64{10, 100, 1000, 4000} {
			v := framework.FloatValue(hz)
			if hz == 4000 {
				v = framework.TextValue("max")
			}
			frame := []float64{10/hz + 1e-3, 2/hz + 50e-3}[i] // J: they cross at 163 Hz
			r := record.Result{Status: record.OK, Point: plan.Point{ID: 4*i + j, Algorithm: "qr", Version: "v1", Processor: framework.GPU, Device: "cuda:0", PowerMode: mode,
				Params: framework.Values{"rate_hz": v}, ParamOrder: []string{"rate_hz"}, Usage: []string{"rate_hz"}}}
			high := 2e-3
			r.Rate = &measure.Released{Rate: hz, Releases: 100, Deadline: 1 / hz,
				Latency:   []measure.Percentile{{Share: 0.5, Value: 1e-3, Low: 0.9e-3, High: &high}, {Share: 0.9, Value: 1e-3}, {Share: 0.99, Value: 2e-3}, {Share: 0.999, Value: 3e-3}},
				Histogram: []measure.Bin{{Value: 1e-3, Count: 90}, {Value: 2e-3, Count: 9}, {Value: 3e-3, Count: 1}}}
			r.Energy = &measure.Energy{Window: 2, Runs: int64(2 * hz), Channels: []measure.ChannelEnergy{{Sensor: "ina3221", Channel: "VDD_IN", Role: framework.Total, Power: frame * hz, Energy: 2 * hz * frame, Uncertainty: 1e-3}}}
			results = append(results, r)
		}
	}
	return record.NewRun(record.Info{}, "p", []plan.Axis{{Name: "rate_hz", Unit: "Hz", Count: 4}}, results)
}

// TestFiguresOverRates: energy of a frame over the rate by power mode, with the rate at
// which modes change places; the highest rate is a number there.
func TestFiguresOverRates(t *testing.T) {
	all, err := figuresIn(rateRun(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]figure{}
	for _, f := range all {
		found[f.name] = f
	}
	for _, name := range []string{"energy", "power", "latency_p50", "latency_p99", "latency"} {
		if _, ok := found[name]; !ok {
			t.Errorf("no figure %s", name)
		}
	}
	energy, ok := found["energy"].page.content.(marked)
	if !ok {
		t.Fatalf("%T, want one with crossings", found["energy"].page.content)
	}
	// Between 100 and 1000 Hz, along straight lines of the logarithms.
	a, b := math.Log(0.101/0.07), math.Log(0.011/0.052)
	want := 100 * math.Pow(10, a/(a-b))
	if len(energy.at) != 1 || math.Abs(energy.at[0].X/want-1) > 1e-9 {
		t.Errorf("modes change places at %v; want %v Hz", energy.at, want)
	}
	if len(energy.lines) != 2 || energy.lines[0].Points[3].X != 4000 || !energy.x.Log {
		t.Errorf("%+v", energy.lines)
	}
	if e := energy.legend(); e[len(e)-1].text != fmt.Sprintf("change places at %s", digits.Scaled(want, "Hz")) {
		t.Errorf("%v", e)
	}
	d := found["latency"].page.content.(*distribution)
	if len(d.lines) != 8 || !slices.Equal(d.lines[0].Points, []picture.Point{{X: 1e-3, Y: 1}, {X: 2e-3, Y: 0.1}, {X: 3e-3, Y: 0.01}}) {
		t.Errorf("%+v", d.lines)
	}
	if first, last := d.lines[0].Name, d.lines[7].Name; first != "fast, rate_hz 10" || last != "slow, rate_hz max" {
		t.Errorf("lines %s and %s", first, last)
	}
	if picture.NewSweep(&record.Run{}).OverRates() {
		t.Error("a run without rates")
	}
}

// TestNoHighestRate: where none was found there is no point, and the axis is that of the
// others; a run of such points alone has no figure.
func TestNoHighestRate(t *testing.T) {
	run := rateRun()
	for i := range run.Rows {
		if w := &run.Rows[i]; w.Params.Get(framework.RateParam).Kind() == framework.Text {
			w.Status, w.Rate, w.Energy = record.Failed, record.Rare[record.Rate]{}, record.Rare[record.Energy]{}
		}
	}
	all := figures(run)
	if len(all) == 0 {
		t.Fatal("no figure")
	}
	for _, f := range all {
		if f.name == "energy_time" {
			continue
		}
		c, ok := f.page.content.(*chart)
		if m, marks := f.page.content.(marked); marks {
			c, ok = m.chart, true
		}
		if !ok || !c.x.Log || c.x.Min != 10 || c.x.Max != 1000 || c.faults {
			t.Errorf("%s: %T over %+v", f.name, f.page.content, c.x)
		}
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(w record.Row) bool { return w.Rate.Get().IsSet() })
	if all := figures(run); len(all) != 0 {
		t.Errorf("%d figures of no rate", len(all))
	}
}

// TestLinesByRate: lines at several rates have a colour by rate and a dash by the rest of their names; others keep theirs.
func TestLinesByRate(t *testing.T) {
	of := func(names ...string) (list []picture.Line) {
		for i, n := range names {
			list = append(list, picture.Line{Name: n, Style: i})
		}
		byRate(list)
		return list
	}
	for _, c := range []struct {
		names []string
		want  [][2]int // style and dash
	}{
		{[]string{"N 1Ki, rate_hz 10", "N 1Ki, rate_hz 100", "N 4Ki, rate_hz 10", "N 4Ki, rate_hz 100"}, [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
		{[]string{"rate_hz 10", "rate_hz 100"}, [][2]int{{0, 0}, {1, 0}}},
		{[]string{"N 1Ki", "N 4Ki"}, [][2]int{{0, 0}, {1, 0}}},
		{[]string{"a, rate_hz 1", "b, rate_hz 1", "c, rate_hz 1", "d, rate_hz 1", "e, rate_hz 2"}, [][2]int{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}},
	} {
		for i, l := range of(c.names...) {
			if l.Style != c.want[i][0] || l.Dash != c.want[i][1] {
				t.Errorf("%q: style %d, dash %d; want %v", l.Name, l.Style, l.Dash, c.want[i])
			}
		}
	}
}
