package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// TestPowerTime: an INA3221 as on a TX1 takes as long as PowerTime says, in steps of any
// size, however steady the power is: what repeats itself must not look like slow updates.
func TestPowerTime(t *testing.T) {
	const window, period, averaging = 0.5, 6.6e-3, 0.42
	for _, told := range []bool{true, false} {
		for _, step := range []float64{0, 0.02, 0.04, 0.08} { // W
			for seed := range uint64(8) {
				r := rand.New(rand.NewPCG(seed, 9))
				c := &virtualClock{t: 1000}
				p := &pulses{idle: 2.5, high: 6, run: 3e-3, duty: 1, on: span{math.Inf(1), math.Inf(1)}, noise: make([]float64, 1<<12)}
				flicker := p.idle * between(r, 0, 0.03)
				for i := range p.noise[1:] {
					p.noise[i+1] = p.noise[i] + flicker*r.NormFloat64()*7e-3
				}
				s := &synthetic{clock: c, at: c.t, period: period, sees: period, recursive: averaging, averaging: averaging,
					cost: 400e-6, step: step, cumulative: p.cumulative, role: framework.Total}
				var sensor framework.Sensor = updatingSensor{averagingSensor{s}}
				if !told { // as without its device tree: conversions of 49.5 ms are the slowest
					s.averaging = -1
					sensor = slowestSensor{averagingSensor{s}}
				}
				m, err := newMeter([]framework.Sensor{sensor}, config.Measure{PowerWindow: window}, Knowledge{}, c)
				if err != nil {
					t.Fatal(err)
				}
				begin := c.t
				e, err := m.Measure(runFor(c, p.run, func(now bool) { p.switched(now, c.t) }))
				if err != nil {
					t.Fatal(err)
				}
				says := PowerTime(window, period, averaging)
				if !told {
					says = PowerTime(window, slowestUpdates, -1)
				}
				// Idle power and the window may each be looked at again until they are level.
				if took := c.t - begin; took < 0.95*says || took > 1.25*says {
					t.Errorf("told %v, steps of %g W, seed %d: %.3g s, PowerTime says %.3g s; window %.3g s, updates each %.3g s", told, step, seed, took, says, e.Window, m.sensors[0].periods[0])
				}
			}
		}
	}
}

const slowestUpdates = 49.5e-3

type slowestSensor struct{ averagingSensor }

func (slowestSensor) ChannelUpdates(int) float64 { return slowestUpdates }
