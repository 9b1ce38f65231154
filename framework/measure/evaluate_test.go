package measure

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// evaluated is what a sensor says that has a new value each 0.1 s, of 10 W while idle and of
// 60 and 60.5 W in turn from second 2 on.
func evaluated(role framework.Role, averaging float64, runs int64, value func(t float64) float64) *Energy {
	return evaluatedBy(role, averaging, 0, runs, value)
}

// evaluatedBy has a calibration with that offset, in watts; 0: not known.
func evaluatedBy(role framework.Role, averaging, offset float64, runs int64, value func(t float64) float64) *Energy {
	p := &polled{sensor: board{}, channels: []framework.Channel{{Name: "power", Unit: "W", Role: role}}, periods: []float64{0.1}, interval: 0.02,
		averaging: averaging, averagings: []float64{0}, window: []float64{0}, calibrations: []framework.Calibration{{Offset: offset}}}
	for ; p.n < 400; p.n++ {
		t := 0.02 * float64(p.n)
		p.times, p.values = append(p.times, t), append(p.values, value(t))
	}
	e := &Energy{}
	p.evaluate(e, span{0.5, 1.5}, load{window: span{3, 7}, runs: runs, ended: 7.5})
	return e
}

func inTurns(t float64) float64 {
	k := math.Floor(t/0.1 + 1e-6)
	if k < 20 {
		return 10
	}
	return 60 + 0.5*math.Mod(k, 2)
}

// TestEvaluateTellsOfBeats with the readings, of a total; its interval and a part's are wider.
func TestEvaluateTellsOfBeats(t *testing.T) {
	total, part := evaluated(framework.Total, -1, 40, inTurns), evaluated(framework.Part, -1, 40, inTurns)
	a, b := total.Channels[0], part.Channels[0]
	if len(total.Notes) != 1 || total.Notes[0] != "synthetic power sees 0.025 s of each 0.1 s, and runs of 0.1 s beat with that: the interval is wider for it" || a.Doubt != "runs beat with the sensor's readings" {
		t.Errorf("notes %q, doubt %q", total.Notes, a.Doubt)
	}
	if len(part.Notes) != 0 || b.Doubt != "" || a.Uncertainty != b.Uncertainty || a.Uncertainty < 0.05*a.Energy {
		t.Errorf("a part: %q, doubt %q, ± %v J, the total ± %v J", part.Notes, b.Doubt, b.Uncertainty, a.Uncertainty)
	}
	if !same(a.Idle, 10) || math.Abs(a.Energy-241) > 0.1 || !same(a.Power, a.Energy/4) || total.Period != 0.1 || part.Period != 0 || a.Readings < 200 || a.Fresh < 39 || a.Fresh > 41 {
		t.Errorf("%+v; periods %v and %v", a, total.Period, part.Period)
	}
	still := evaluated(framework.Total, -1, 40, func(float64) float64 { return 30 })
	if c := still.Channels[0]; c.Uncertainty != 0 || len(still.Notes) != 1 || !strings.Contains(still.Notes[0], "never changed in 7.98 s") || !same(c.Energy, 120) {
		t.Errorf("a still one: %+v, %q", c, still.Notes)
	}
}

// TestEvaluateTellsOfPowerBelowZero: of a total whose offset is known and explains less.
func TestEvaluateTellsOfPowerBelowZero(t *testing.T) {
	for _, c := range []struct {
		role          framework.Role
		offset, watts float64
		told          bool
	}{
		{framework.Total, 0.1, -0.27, true}, {framework.Total, 0.1, -0.25, false}, {framework.Total, 0.1, 0.27, false},
		{framework.Part, 0.1, -0.27, false}, {framework.Total, 0, -3, false},
	} {
		e := evaluatedBy(c.role, 0, c.offset, 4000, func(t float64) float64 { return c.watts + (inTurns(t)-60.25)/1e4 })
		if ch := e.Channels[0]; (ch.Doubt == "power is below zero") != c.told || math.Abs(ch.Power-c.watts) > 0.01 ||
			strings.Contains(strings.Join(e.Notes, ""), "further below zero than its offset explains") != c.told {
			t.Errorf("%s of %v W, offset %v: %v W, doubt %q, notes %q", c.role, c.watts, c.offset, ch.Power, ch.Doubt, e.Notes)
		}
	}
}

// TestEvaluateByAveraging: a sensor that averages over a second shows the edges' power as late
// as that; one that does not average is as one that does not say.
func TestEvaluateByAveraging(t *testing.T) {
	rising := func(t float64) float64 { return 50 + 5*math.Floor(t/0.1) }
	not, unknown, slow := evaluated(framework.Total, 0, 4000, rising), evaluated(framework.Total, -1, 4000, rising), evaluated(framework.Total, 1, 4000, rising)
	u := func(e *Energy) float64 { return e.Channels[0].Uncertainty }
	if u(not) != u(unknown) || u(slow) < u(not)+50 { // 100 W from the mean at both edges
		t.Errorf("± %v J, not known ± %v, averages over a second ± %v", u(not), u(unknown), u(slow))
	}
}

// TestQuieterIdle: a counter's idle power is that of its own sensor's power where this is known
// better, and if both are totals.
func TestQuieterIdle(t *testing.T) {
	quiet := func(k float64) float64 { return 10 + 1e-3*math.Mod(k, 2) }
	for _, c := range []struct {
		name  string
		power func(k float64) float64 // by update
		role  framework.Role
		e     []ChannelEnergy
		want  []float64 // idle power
	}{
		{"quiet", quiet, framework.Total, []ChannelEnergy{{Sensor: "synthetic", Channel: "power", Idle: 10}, {Sensor: "synthetic", Channel: "energy", Idle: 12}}, []float64{10, 10}},
		{"in another order", quiet, framework.Total, []ChannelEnergy{{Sensor: "synthetic", Channel: "energy", Idle: 12}, {Sensor: "synthetic", Channel: "power", Idle: 10}}, []float64{10, 10}},
		{"another sensor before", quiet, framework.Total, []ChannelEnergy{{Sensor: "other", Channel: "power", Idle: 1}, {Sensor: "other", Channel: "energy", Idle: 2},
			{Sensor: "synthetic", Channel: "power", Idle: 10}, {Sensor: "synthetic", Channel: "energy", Idle: 12}}, []float64{1, 2, 10, 10}},
		{"of another sensor", quiet, framework.Total, []ChannelEnergy{{Sensor: "other", Channel: "power", Idle: 1}, {Sensor: "synthetic", Channel: "energy", Idle: 12}}, []float64{1, 12}},
		{"a part", quiet, framework.Part, []ChannelEnergy{{Sensor: "synthetic", Channel: "power", Idle: 10}, {Sensor: "synthetic", Channel: "energy", Idle: 12}}, []float64{10, 12}},
		{"not known", quiet, framework.Total, []ChannelEnergy{{Sensor: "synthetic", Channel: "power", Idle: math.NaN()}, {Sensor: "synthetic", Channel: "energy", Idle: 12}}, []float64{math.NaN(), 12}},
		{"noisy", func(k float64) float64 { return 10 + 9*math.Sin(k*k) }, framework.Total, []ChannelEnergy{{Sensor: "synthetic", Channel: "power", Idle: 10}, {Sensor: "synthetic", Channel: "energy", Idle: 12}}, []float64{10, 12}},
		{"still", func(float64) float64 { return 10 }, framework.Total, []ChannelEnergy{{Sensor: "synthetic", Channel: "power", Idle: 10}, {Sensor: "synthetic", Channel: "energy", Idle: 12}}, []float64{10, 12}},
	} {
		p := &polled{sensor: board{}, channels: []framework.Channel{{Name: "die", Unit: "degC", Role: framework.Total}, {Name: "power", Unit: "W", Role: c.role}, totalEnergy},
			periods: []float64{0, 0.1, 0.1}, interval: 0.02}
		for ; p.n < 100; p.n++ {
			at := 0.02 * float64(p.n)
			k := math.Floor(at/0.1 + 1e-6)
			p.times, p.values = append(p.times, at), append(p.values, 40+at, c.power(k), 1.2*k)
		}
		e := &Energy{Channels: c.e}
		p.quieterIdle(e, span{0, 1.9})
		for i, want := range c.want {
			if got := e.Channels[i].Idle; !same(got, want) {
				t.Errorf("%s: channel %d idles at %v W, want %v", c.name, i, got, want)
			}
		}
	}
}
