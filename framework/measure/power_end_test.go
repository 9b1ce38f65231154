package measure

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// A sensor that ends, as a meter's program does, gives no energy for what it
// did not see.
func TestMeterSensorThatEnds(t *testing.T) {
	power := func(t float64) float64 { return 30 + math.Sin(900*t) }
	from := func(end float64) *synthetic {
		return &synthetic{power: power, period: 20e-3, averaging: 0, fails: func(t float64) bool { return t >= end }}
	}
	for _, c := range []struct {
		name  string
		s     *synthetic
		doubt string
		note  string
	}{
		{"before the run", from(1000), "most readings failed: resource temporarily unavailable", "readings failed: resource"},
		{"in the first half of the window", from(1001.95), "most readings failed: resource", "readings failed: resource"},
		{"in the second half", from(1002.65), "the readings do not cover the window: resource temporarily unavailable", "readings from 0 s to 1."},
		{"without an error", &synthetic{power: power, period: 20e-3, averaging: 0, lost: func(t float64) bool { return t >= 1002.65 }},
			"the readings do not cover the window", "s of a window of 2"},
		{"with the cause of a channel alone", &synthetic{power: power, period: 20e-3, averaging: 0, lost: func(t float64) bool { return t >= 1000 }, cause: errors.New("curr1_input: input/output error")},
			"most readings failed: curr1_input: input/output error", "readings failed: curr1_input: input/output error"},
		{"in the second half, with the cause of a channel alone", &synthetic{power: power, period: 20e-3, averaging: 0, lost: func(t float64) bool { return t >= 1002.65 }, cause: errors.New("curr1_input: input/output error")},
			"the readings do not cover the window: curr1_input: input/output error", "curr1_input: input/output error"},
		{"and was still before", &synthetic{power: func(float64) float64 { return 30 }, period: 20e-3, averaging: 0, fails: func(t float64) bool { return t >= 1004.15 }},
			"the readings do not cover the window: resource", "resource"},
		{"as a counter", &synthetic{power: power, period: 20e-3, counter: true, averaging: 0, fails: func(t float64) bool { return t >= 1002.65 }},
			"the readings do not cover the window: resource", "resource"},
	} {
		e, ch, _ := bench(t, c.s, powerDefaults, 0.01)
		if !math.IsNaN(ch.Energy) || !math.IsNaN(ch.Power) || ch.Uncertainty != 0 || !strings.HasPrefix(ch.Doubt, c.doubt) {
			t.Errorf("%s: %v J ± %v, doubt %q, want none and %q", c.name, ch.Energy, ch.Uncertainty, ch.Doubt, c.doubt)
		}
		if len(e.Notes) != 1 || !strings.Contains(e.Notes[0], c.note) {
			t.Errorf("%s: notes %q, want one with %q", c.name, e.Notes, c.note)
		}
	}
	_, whole, _ := bench(t, from(2000), powerDefaults, 0.01)
	e, ch, truth := bench(t, from(1003.195), powerDefaults, 0.01) // the end of the window is missing
	if ch.Missing < 3 || ch.Doubt != "" || math.Abs(ch.Energy-truth) > ch.Uncertainty || ch.Uncertainty < 1.1*whole.Uncertainty {
		t.Errorf("%d readings missing at the end: %v J ± %v, truth %v; whole ± %v; doubt %q", ch.Missing, ch.Energy, ch.Uncertainty, truth, whole.Uncertainty, ch.Doubt)
	}
	if len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "temporarily unavailable") {
		t.Errorf("notes %q do not say what failed", e.Notes)
	}
	// Idle power that was not seen is not that of the run.
	late := &synthetic{power: power, period: 20e-3, averaging: 0, lost: func(t float64) bool { return t < 1002.25 }}
	if _, ch, _ := bench(t, late, powerDefaults, 0.01); !math.IsNaN(ch.Idle) || math.IsNaN(ch.Energy) {
		t.Errorf("a sensor that begins after the idle time: idle %v W, energy %v J", ch.Idle, ch.Energy)
	}
}

// A poller that a busy machine does not run when the window ends misses nothing: who
// runs the load reads what is due.
func TestMeterStarvedPoller(t *testing.T) {
	power := func(t float64) float64 { return 30 + math.Sin(900*t) }
	for _, run := range []float64{0.01, 0.2} { // the longer ends with its window
		for _, counter := range []bool{false, true} {
			s := &synthetic{power: power, period: 20e-3, counter: counter, averaging: 0, starved: span{1002.65, 1010}}
			e, ch, truth := bench(t, s, powerDefaults, run)
			if ch.Doubt != "" || math.Abs(ch.Energy-truth) > max(ch.Uncertainty, 0.01*truth) || len(e.Notes) > 0 {
				t.Errorf("runs of %v s, counter %v: %v J ± %v, truth %v; doubt %q, notes %q", run, counter, ch.Energy, ch.Uncertainty, truth, ch.Doubt, e.Notes)
			}
		}
	}
}
