package measure

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

var powerDefaults = config.Measure{PowerWindow: 2}

func TestMeterKnownPower(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	constant := func(float64) float64 { return 42 }
	noisy := func(t float64) float64 { return 40 + 5*math.Sin(1000*t) + 3*math.Sin(317*t) }
	ramp := func(t float64) float64 { return 10 + 3*(t-1000) }
	square := func(t float64) float64 { // 0.25 s at 10 W, 0.25 s at 50 W
		if math.Mod(t, 0.5) < 0.25 {
			return 10
		}
		return 50
	}
	for _, c := range []struct {
		name  string
		power func(float64) float64
		bound float64 // relative error of the energy
	}{
		{"constant", constant, 1e-9}, {"noisy", noisy, 0.02}, {"ramp", ramp, 0.02}, {"square wave", square, 0.06},
	} {
		for _, period := range []float64{1e-3, 7e-3, 20e-3, 0.1} {
			for _, counter := range []bool{false, true} {
				name := fmt.Sprintf("%s, period %g s, counter %v", c.name, period, counter)
				s := &synthetic{power: c.power, period: period, phase: period * r.Float64(), counter: counter, averaging: -1}
				e, ch, truth := bench(t, s, powerDefaults, 0.013)
				bound := c.bound
				if counter {
					bound = max(bound, 0.02) // an edge is known within a polling interval
				}
				if off := math.Abs(ch.Energy/truth - 1); !(off <= bound) {
					t.Errorf("%s: %v J, truth %v J: off by %.2g %%, want at most %.2g %%", name, ch.Energy, truth, 100*off, 100*bound)
				}
				if math.Abs(ch.Power*e.Window/ch.Energy-1) > 1e-12 {
					t.Errorf("%s: power %v W and energy %v J over %v s differ", name, ch.Power, ch.Energy, e.Window)
				}
				if least := max(2, 20*period); e.Window < least {
					t.Errorf("%s: window %v s, want at least %v", name, e.Window, least)
				}
				if want := int64(math.Ceil(e.Window/0.013 - 1e-6)); e.Runs != want {
					t.Errorf("%s: %d runs, want %d", name, e.Runs, want)
				}
				if ch.Missing != 0 || ch.Readings < 10 || e.Absent != "" || len(e.Samples) < ch.Readings {
					t.Errorf("%s: %d readings, %d missing, %d samples, absent %q", name, ch.Readings, ch.Missing, len(e.Samples), e.Absent)
				}
				if c.name == "constant" && !counter {
					if ch.Fresh != 0 || ch.Uncertainty != 0 {
						t.Errorf("%s: %d fresh readings, uncertainty %v, of a constant", name, ch.Fresh, ch.Uncertainty)
					}
					continue
				}
				// Updates within a flat part of the square wave go unseen.
				if c.name != "square wave" && (ch.Period < 0.8*period || ch.Period > 1.2*period+s.cost) {
					t.Errorf("%s: update period %v s", name, ch.Period)
				}
				if off := math.Abs(ch.Energy - truth); c.name != "ramp" && off > 2*ch.Uncertainty+1e-9*truth {
					t.Errorf("%s: off by %v J, uncertainty %v J", name, off, ch.Uncertainty)
				}
			}
		}
	}
}

func TestMeterSeparatesIdleFromRun(t *testing.T) {
	for _, counter := range []bool{false, true} {
		on := false
		s := &synthetic{period: 20e-3, counter: counter, role: framework.Total, averaging: -1, cost: 20e-6}
		c := &virtualClock{t: 50}
		s.clock, s.at = c, c.t
		s.power = func(t float64) float64 {
			p := 12 + 0.1*math.Sin(1000*t)
			if on {
				p += 88
			}
			return p
		}
		meter, err := newMeter([]framework.Sensor{s}, powerDefaults, Knowledge{}, c)
		if err != nil {
			t.Fatal(err)
		}
		for repeat := range 2 {
			e, err := meter.Measure(runFor(c, 0.01, func(now bool) { on = now }))
			if err != nil {
				t.Fatal(err)
			}
			ch := e.Channels[0]
			if math.Abs(ch.Idle-12) > 0.2 || math.Abs(ch.Power-100) > 1.5 {
				t.Errorf("counter %v, repeat %d: idle %v W, running %v W, want 12 and 100", counter, repeat, ch.Idle, ch.Power)
			}
			early := 0
			for _, x := range e.Samples {
				if x.Time < 0 {
					early++
				}
			}
			if early == 0 {
				t.Error("no sample of the idle time")
			}
		}
	}
}

func TestMeterCounterWraps(t *testing.T) {
	s := &synthetic{power: func(float64) float64 { return 100 }, period: 10e-3, counter: true, wrapsAt: 65, averaging: 0}
	_, ch, truth := bench(t, s, powerDefaults, 0.01)
	if truth < 3*s.wrapsAt {
		t.Fatalf("%v J do not wrap at %v", truth, s.wrapsAt)
	}
	if math.Abs(ch.Energy/truth-1) > 0.01 {
		t.Errorf("wrapping counter gives %v J, truth %v J", ch.Energy, truth)
	}
	// Stepping back without wrapping adds no energy.
	reset := &synthetic{power: func(t float64) float64 {
		if t > 1003 && t < 1003.1 {
			return -5000
		}
		return 100
	}, period: 10e-3, counter: true, averaging: 0}
	e, ch, _ := bench(t, reset, powerDefaults, 0.01)
	if !math.IsNaN(ch.Energy) || len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "went back") {
		t.Errorf("a counter that was reset gives %v J, notes %q", ch.Energy, e.Notes)
	}
}

func TestMeterStuckSensor(t *testing.T) {
	s := &synthetic{power: func(float64) float64 { return 100 }, period: 10e-3, frozen: true, averaging: -1}
	s.value = 7
	e, ch, _ := bench(t, s, config.Measure{PowerWindow: 6}, 0.01)
	if ch.Fresh != 0 || ch.Period != 0 || ch.Uncertainty != 0 {
		t.Errorf("a frozen sensor has %d fresh readings, period %v s, uncertainty %v J", ch.Fresh, ch.Period, ch.Uncertainty)
	}
	if len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "never changed in 10.6") || !strings.Contains(e.Notes[0], "frozen") || !strings.Contains(ch.Doubt, "frozen") {
		t.Errorf("notes of a frozen sensor: %q, doubt %q", e.Notes, ch.Doubt)
	}
}

func TestMeterMissingReadings(t *testing.T) {
	power := func(t float64) float64 { return 30 + math.Sin(900*t) }
	some := &synthetic{power: power, period: 20e-3, averaging: -1, lost: func(t float64) bool { return math.Mod(t, 0.3) < 0.09 }}
	e, ch, truth := bench(t, some, powerDefaults, 0.01)
	if math.Abs(ch.Energy/truth-1) > 0.01 {
		t.Errorf("with a third of the readings missing %v J, truth %v J", ch.Energy, truth)
	}
	if share := float64(ch.Missing) / float64(ch.Readings); share < 0.2 || share > 0.4 {
		t.Errorf("%d of %d readings missing, want about 30 %%", ch.Missing, ch.Readings)
	}
	for _, x := range e.Samples {
		if math.IsNaN(x.Value) {
			t.Fatal("a missing reading among the samples")
		}
	}
	most := &synthetic{power: power, period: 20e-3, averaging: -1, fails: func(t float64) bool { return t > 1002 && math.Mod(t, 0.3) > 0.1 }}
	e, ch, _ = bench(t, most, powerDefaults, 0.01)
	if !math.IsNaN(ch.Energy) || !math.IsNaN(ch.Power) || ch.Uncertainty != 0 {
		t.Errorf("with two thirds of the readings failed: %v J, %v W, want NaN", ch.Energy, ch.Power)
	}
	if text := strings.Join(e.Notes, "; "); !strings.Contains(text, "temporarily unavailable") {
		t.Errorf("notes %q do not say what failed", text)
	}
	never := &synthetic{power: power, period: 20e-3, averaging: -1, lost: func(float64) bool { return true }}
	if _, ch, _ = bench(t, never, powerDefaults, 0.01); !math.IsNaN(ch.Energy) || !math.IsNaN(ch.Idle) {
		t.Errorf("a sensor that never reads gives %v J, idle %v W, want NaN", ch.Energy, ch.Idle)
	}
}

// TestMeterUncertaintyCovers counts how often the truth lies within the
// stated uncertainty, over noisy, quantised sensors at random phases.
func TestMeterUncertaintyCovers(t *testing.T) {
	const trials = 100
	for _, counter := range []bool{false, true} {
		hit := 0
		for i := range trials {
			r := rand.New(rand.NewPCG(uint64(i), 9))
			noise := make([]float64, 4096)
			for j := range noise {
				noise[j] = 8 * r.NormFloat64()
			}
			s := &synthetic{
				power:  func(t float64) float64 { return 60 + noise[int(t*150)%len(noise)] },
				period: 30e-3, phase: 30e-3 * r.Float64(), step: 0.24, counter: counter, averaging: -1,
			}
			if _, ch, truth := bench(t, s, powerDefaults, 0.01); math.Abs(ch.Energy-truth) <= ch.Uncertainty {
				hit++
			}
		}
		if hit < 90 {
			t.Errorf("counter %v: the truth lies within the 95 %% interval in %d of %d trials", counter, hit, trials)
		}
	}
}

func TestUncertaintyOfEdges(t *testing.T) {
	steady, late := &series{}, &series{}
	for i := range 101 {
		v := 10 + 1e-3*float64(i%2)
		steady.times, steady.values = append(steady.times, float64(i)/10), append(steady.values, v)
		if i == 100 {
			v = 30 // the power rose just before the end
		}
		late.times, late.values = append(late.times, float64(i)/10), append(late.values, v)
	}
	const period = 0.1
	w := span{0, 10}
	if u := steady.powerUncertainty(w, 10, period, 0); u <= 0 || u > 0.01 {
		t.Errorf("steady power is uncertain by %v J", u)
	}
	// Whether the rise belongs to the window is unknown within one period.
	if u := late.powerUncertainty(w, 10, period, 0); u < 20*period {
		t.Errorf("power that rose by 20 W at the edge is uncertain by %v J, want at least %v", u, 20*period)
	}
	// The edge alone: the reading that shows the fall lies just before w.
	early := &series{times: steady.times, values: slices.Clone(steady.values)}
	early.values[0] = 30
	w.from = 1e-6
	if u := early.powerUncertainty(w, 10, period, 0); u < 20*period || u > 20*period+0.02 {
		t.Errorf("power that fell by 20 W at the first edge is uncertain by %v J, want %v", u, 20*period)
	}
	// The readings of one second are gone.
	gap := &series{}
	for i, t := range late.times[:100] {
		if t < 4 || t > 5 {
			gap.times, gap.values = append(gap.times, t), append(gap.values, 10+float64(i%2))
		}
	}
	whole := &series{}
	for i, t := range late.times[:100] {
		whole.times, whole.values = append(whole.times, t), append(whole.values, 10+float64(i%2))
	}
	w = span{0.5, 9.5}
	if a, b := whole.powerUncertainty(w, 10.5, period, period), gap.powerUncertainty(w, 10.5, period, period); b < a+0.05 {
		t.Errorf("readings are uncertain by %v J, with a second without any by %v J", a, b)
	}
}

func TestMeterWindowAndLeadIn(t *testing.T) {
	for _, c := range []struct {
		period, averaging, powerWindow float64
		window, lead                   float64
	}{
		{0.1, -1, 0.5, 2, 1.5},         // averaging unknown
		{0.2, -1, 0.5, 4, 1.5},         // 20 updates
		{0.1, 0.1, 0.5, 2, 0.35},       // 20 updates, settled after 3.5 averages
		{5e-3, 0, 0.5, 0.5, 0.25},      // quick: as configured
		{0.1, 0.43, 10, 10, 1.505},     // slow averages
		{5e-3, 0.43, 0.1, 0.86, 1.505}, // fast updates of a slow average, two of it
	} {
		clk := &virtualClock{}
		s := &synthetic{clock: clk, power: func(t float64) float64 { return 5 + math.Sin(777*t) }, period: c.period, role: framework.Total, cost: 20e-6, averaging: c.averaging}
		var sensor framework.Sensor = s
		if c.averaging >= 0 {
			sensor = averagingSensor{s}
		}
		m, err := newMeter([]framework.Sensor{sensor}, config.Measure{PowerWindow: c.powerWindow}, Knowledge{}, clk)
		if err != nil {
			t.Fatal(err)
		}
		var began, loaded float64
		e, err := m.Measure(func(stop func(float64, int64) bool) (int64, float64, error) {
			began = clk.t
			runs, seconds, err := runFor(clk, 1e-3, func(bool) {})(stop)
			loaded = seconds
			return runs, seconds, err
		})
		if err != nil {
			t.Fatal(err)
		}
		lead := windowStart(m, e) - began
		if lead < c.lead*0.95 || lead > c.lead*1.15+2e-3 || e.Window < c.window*0.95 || e.Window > c.window*1.1+2e-3 {
			t.Errorf("%+v: lead-in %v s, window %v s", c, lead, e.Window)
		}
		// The load outlives the window by an update, and no more.
		if over := loaded - lead - e.Window; over < c.period*0.9 || over > 1.2*c.period+0.05 {
			t.Errorf("%+v: the load goes on for %v s", c, over)
		}
	}
}

func TestMeterLongRunKeepsItsStart(t *testing.T) {
	// One run a hundred times the window: the room for readings is used up
	// several times, and the power at the start still counts.
	s := &synthetic{power: func(t float64) float64 {
		if t < 1060 {
			return 100 + math.Sin(500*t)
		}
		return 10 + math.Sin(500*t)
	}, period: 4e-3, averaging: 0}
	e, ch, truth := bench(t, s, config.Measure{PowerWindow: 0.5}, 100)
	if e.Runs != 1 || e.Window < 100 {
		t.Fatalf("%d runs in %v s", e.Runs, e.Window)
	}
	if math.Abs(ch.Energy/truth-1) > 0.01 {
		t.Errorf("%v J, truth %v J", ch.Energy, truth)
	}
}

func TestMeterErrors(t *testing.T) {
	c := &virtualClock{}
	if _, err := newMeter(nil, powerDefaults, Knowledge{}, c); err == nil {
		t.Error("no sensor is not an error")
	}
	s := &synthetic{clock: c, power: func(t float64) float64 { return t }, period: 0.01, cost: 1e-3, role: framework.Total}
	m, err := newMeter([]framework.Sensor{s}, powerDefaults, Knowledge{}, c)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("launch failed")
	if _, err := m.Measure(func(func(float64, int64) bool) (int64, float64, error) { return 0, 0, broken }); !errors.Is(err, broken) {
		t.Errorf("a failing run gives error %v", err)
	}
	if c.step != nil {
		t.Error("the poller runs on after an error")
	}
}

func TestPollingAllocatesNothing(t *testing.T) {
	c := &virtualClock{}
	s := &synthetic{clock: c, power: func(t float64) float64 { return t }, period: 0.01, cost: 1e-5, role: framework.Total}
	m, err := newMeter([]framework.Sensor{s}, powerDefaults, Knowledge{}, c)
	if err != nil {
		t.Fatal(err)
	}
	p := m.sensors[0]
	rows := len(p.times)
	if n := testing.AllocsPerRun(3*rows, func() {
		c.t = p.due
		m.step()
	}); n != 0 {
		t.Errorf("%v allocations a reading", n)
	}
	if len(p.times) != rows {
		t.Errorf("room for readings grew from %d to %d", rows, len(p.times))
	}
}
