package measure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// lateMeter is a synthetic sensor whose lines come late, and with times if it is in stampedMeter: each is
// the mean since the line before, and its time is when that ended.
type lateMeter struct {
	*synthetic
	late float64
}

func (m lateMeter) Sample(dst []float64) error {
	now := m.clock.t
	m.clock.t -= m.late
	err := m.synthetic.Sample(dst)
	m.clock.t = now
	return err
}

type stampedMeter struct {
	lateMeter
	within float64
}

func (m stampedMeter) Age() float64 { return m.clock.t - (m.phase + m.at) }
func (m stampedMeter) Tie() (within float64, wrong string) {
	return m.within, "; 1 of its lines refused"
}

// TestStampedReadings: of a meter whose lines come 0.7 s late the energy of a window at whose end power
// falls is right by the lines' own times, and wrong by when they came.
func TestStampedReadings(t *testing.T) {
	off := func(wrap func(lateMeter) framework.Sensor) (share float64, e *Energy) {
		c := &virtualClock{t: 1}
		const begin = 40.0
		s := &synthetic{clock: c, period: 0.1, role: framework.Total, averaging: -1, power: func(t float64) float64 { return 10 + 5*math.Sin(2*math.Pi*t/40) }}
		p := newPolled(wrap(lateMeter{s, 0.7}))
		p.know(Knowledge{})
		p.periods, p.interval = []float64{0.1}, 0.02
		p.times, p.values = make([]float64, 4000), make([]float64, 4000)
		for c.t < begin+12 {
			p.record(c)
			c.t += p.interval
		}
		e = &Energy{}
		l := load{window: span{begin, begin + 10}, runs: 100000, ended: begin + 10}
		p.evaluate(e, span{begin - 4, begin - 2}, l)
		return e.Channels[0].Energy/s.truth(begin, begin+10) - 1, e
	}
	stamped, e := off(func(m lateMeter) framework.Sensor { return stampedMeter{m, 0.03} })
	plain, _ := off(func(m lateMeter) framework.Sensor { return m })
	t.Logf("off by %+.2f %% with times, %+.2f %% without", 100*stamped, 100*plain)
	// A reading's time is the end of what it averages: half a period late.
	if math.Abs(stamped) > 0.01 || math.Abs(plain) < 2*math.Abs(stamped) {
		t.Errorf("off by %v with times, %v without", stamped, plain)
	}
	if !slices.ContainsFunc(e.Notes, func(n string) bool {
		return strings.Contains(n, "within 0.03 s, by the lines that came fastest; 1 of its lines refused")
	}) {
		t.Errorf("notes %q", e.Notes)
	}
	_, exact := off(func(m lateMeter) framework.Sensor { return stampedMeter{m, 0} })
	if a, b := e.Channels[0].Uncertainty, exact.Channels[0].Uncertainty; a < b+0.05 {
		t.Errorf("± %v J where times may be off by 30 ms, ± %v J where not", a, b)
	}
	// Each line counts once.
	if c := e.Channels[0]; c.Readings < 95 || c.Readings > 105 || c.Fresh != c.Readings {
		t.Errorf("%d readings, %d of them new, in 10 s of ten a second", c.Readings, c.Fresh)
	}
}
