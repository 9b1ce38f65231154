package measure

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// board is a synthetic sensor of a board with a power limit, and a counter beside it
// where it has one.
type board struct {
	*synthetic
	limit   float64
	counter *synthetic
}

func (b board) Limit() float64     { return b.limit }
func (b board) Averaging() float64 { return 0 }
func (b board) Channels() []framework.Channel {
	if b.counter == nil {
		return b.synthetic.Channels()
	}
	return append(b.synthetic.Channels(), b.counter.Channels()...)
}

func (b board) Sample(dst []float64) error {
	if b.counter != nil {
		if err := b.counter.Sample(dst[1:]); err != nil {
			return err
		}
	}
	return b.synthetic.Sample(dst[:1])
}

// locked measures a load that is on for half of each run by a sensor that sees a quarter
// of each 100 ms, from that phase on.
func locked(t *testing.T, run, phase, limit float64, counts bool) (ChannelEnergy, float64) {
	t.Helper()
	c := &virtualClock{t: 1000}
	p := &pulses{idle: 120, high: 180, run: run, duty: 0.5, on: span{math.Inf(1), math.Inf(1)}, noise: []float64{0, 1e-3, -2e-3, 0}}
	make := func(period, sees float64) *synthetic {
		return &synthetic{clock: c, period: period, sees: sees, phase: phase, at: c.t - phase, cost: 1e-4, role: framework.Total, step: 0.01, cumulative: p.cumulative}
	}
	b := board{make(0.1, 0.025), limit, nil}
	if counts {
		b.counter = make(0.02, 0)
		b.counter.counter = true
	}
	m, err := newMeter([]framework.Sensor{b}, config.Measure{PowerWindow: 2}, Knowledge{Seen: map[string]float64{"synthetic power": 0.025}}, c)
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Measure(runFor(c, run, func(now bool) { p.switched(now, c.t) }))
	if err != nil {
		t.Fatal(err)
	}
	from := windowStart(m, e)
	return e.Channels[0], p.cumulative(from+e.Window) - p.cumulative(from)
}

// TestLockedLoads: where all readings see the same part of a run they agree, and are
// wrong; the interval holds the truth all the same, by the board's limit or its counter.
func TestLockedLoads(t *testing.T) {
	agreed := 0
	for _, run := range []float64{0.05, 0.1, 0.2} {
		for i := range 20 {
			phase := float64(i) * 0.0047
			for _, c := range []struct {
				limit  float64
				counts bool
			}{{700, false}, {0, true}, {700, true}} {
				x, truth := locked(t, run, phase, c.limit, c.counts)
				off := math.Abs(x.Energy - truth)
				if !(off <= x.Uncertainty) {
					t.Errorf("runs of %v s, phase %.4f, limit %v, counter %v: off by %.2g %%, stated %.2g %%", run, phase, c.limit, c.counts, 100*off/truth, 100*x.Uncertainty/truth)
				}
				if off > 0.2*truth {
					agreed++
					if !strings.Contains(x.Doubt, "beat") {
						t.Errorf("runs of %v s, phase %.4f: doubt %q", run, phase, x.Doubt)
					}
				}
			}
		}
	}
	if agreed < 10 {
		t.Errorf("%d of the loads were off by a fifth: too few to tell", agreed)
	}
}

// TestShortRunsDoNotBeat: of runs much shorter than what is seen the interval is narrow.
func TestShortRunsDoNotBeat(t *testing.T) {
	for _, counts := range []bool{false, true} {
		x, truth := locked(t, 0.001, 0.0123, 700, counts)
		if off := math.Abs(x.Energy - truth); off > x.Uncertainty || x.Uncertainty > 0.05*truth || x.Doubt != "" {
			t.Errorf("counter %v: off by %.2g %%, stated %.2g %%, %q", counts, 100*off/truth, 100*x.Uncertainty/truth, x.Doubt)
		}
	}
}

// TestLeaves: what a mean over the seen part leaves of a frequency.
func TestLeaves(t *testing.T) {
	for _, c := range []struct{ seen, exact, frequency, want float64 }{
		{0.025, 0, 0.1, 1}, {0.025, 0, 40, 1 / math.Pi}, {0.025, 0, 400, 1 / (10 * math.Pi)},
		{0.025, 0.15, 52, -math.Sin(1.4365*math.Pi) / (1.4365 * math.Pi)}, {0.025, 0.15, 48, -math.Sin(1.38*math.Pi) / (1.38 * math.Pi)},
		{0.025, 0.15, 20, math.Sin(0.425*math.Pi) / (0.425 * math.Pi)}, {0.025, 0.15, 40, math.Sin(0.85*math.Pi) / (0.85 * math.Pi)},
	} {
		if got := (view{seen: c.seen, exact: c.exact}).leaves(c.frequency); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestIdleOfCounter: a counter that is read coarsely has the idle power of the readings
// beside it, and its own where those scatter more or are not there.
func TestIdleOfCounter(t *testing.T) {
	for _, noisy := range []bool{false, true} {
		worst := [2]float64{}
		for i := range 20 {
			c := &virtualClock{t: 1000}
			phase, scatter := 0.004*float64(i), 0.2
			if noisy {
				scatter = 60
			}
			power := func(t float64) float64 { return 120 + scatter*math.Sin(1e4*t) }
			make := func(counter bool) *synthetic {
				return &synthetic{clock: c, period: 0.1, sees: 1e-5, phase: phase, at: c.t - phase, cost: 2e-3, role: framework.Total, step: 0.01, power: power, counter: counter}
			}
			m, err := newMeter([]framework.Sensor{board{make(false), 700, make(true)}}, config.Measure{PowerWindow: 2}, Knowledge{}, c)
			if err != nil {
				t.Fatal(err)
			}
			e, err := m.Measure(runFor(c, 1e-3, func(bool) {}))
			if err != nil {
				t.Fatal(err)
			}
			if same := e.Channels[1].Idle == e.Channels[0].Idle; same == noisy {
				t.Errorf("noisy %v: the counter's idle is %v W, that of the readings %v W", noisy, e.Channels[1].Idle, e.Channels[0].Idle)
			}
			for j := range worst {
				worst[j] = max(worst[j], math.Abs(e.Channels[j].Idle/120-1))
			}
		}
		if !noisy && worst[1] > 0.01 {
			t.Errorf("idle is off by up to %.2g (readings) and %.2g (counter)", worst[0], worst[1])
		}
	}
}
