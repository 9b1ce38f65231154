package measure

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
)

// coverageTrials is how many sensors TestCombinedUncertaintyHolds tries of each
// kind; docs/power.md has the figures of 4000.
var coverageTrials = flag.Int("coverage-trials", 60, "sensors of each kind in TestCombinedUncertaintyHolds")

// coverageWindow is their least window in seconds; docs/power.md has the figures of 2.
var coverageWindow = flag.Float64("coverage-window", 2, "power_window_s in TestCombinedUncertaintyHolds")

// pulses is a load that is switched on and off once a run, on top of idle power
// that flickers.
type pulses struct {
	idle, high float64 // W; high is above idle
	run, duty  float64
	noise      []float64 // cumulative, by 7 ms
	on         span      // the load
}

func (p *pulses) switched(now bool, t float64) {
	if now {
		p.on = span{t, math.Inf(1)}
	} else {
		p.on.to = t
	}
}

func (p *pulses) cumulative(t float64) float64 {
	e := p.idle * t
	if x := min(t, p.on.to) - p.on.from; x > 0 {
		whole := math.Floor(x / p.run)
		e += p.high * (whole*p.duty*p.run + min(x-whole*p.run, p.duty*p.run))
	}
	at := math.Mod(t, 7e-3*float64(len(p.noise)-1)) / 7e-3
	i := int(at)
	return e + p.noise[i] + (p.noise[i+1]-p.noise[i])*(at-float64(i))
}

// sensorKinds are the ways of sensors. Each changes a sensor of a random period,
// and may say what is known of it.
var sensorKinds = []struct {
	name string
	make func(r *rand.Rand, s *synthetic, k *Knowledge)
}{
	{"sees 25 %, not probed", func(r *rand.Rand, s *synthetic, k *Knowledge) { s.sees, s.averaging = s.period/4, 0 }},
	{"sees 25 %, probed", func(r *rand.Rand, s *synthetic, k *Knowledge) {
		s.sees, s.averaging = s.period/4, 0
		k.Seen["synthetic"] = s.sees * between(r, 0.9, 1.1)
	}},
	{"sees 50 %, probed", func(r *rand.Rand, s *synthetic, k *Knowledge) {
		s.sees, s.averaging = s.period/2, 0
		k.Seen["synthetic"] = s.sees * between(r, 0.9, 1.1)
	}},
	{"sees all", func(r *rand.Rand, s *synthetic, k *Knowledge) { s.averaging = s.period }},
	{"averages 100 to 430 ms", func(r *rand.Rand, s *synthetic, k *Knowledge) {
		s.period = between(r, 0.005, 0.1)
		s.sees = between(r, 0.1, 0.43)
		s.averaging = s.sees
	}},
	{"late and repeated", func(r *rand.Rand, s *synthetic, k *Knowledge) {
		s.sees, s.averaging = s.period/4, 0
		k.Seen["synthetic"] = s.sees
		seed := r.Uint64()
		chance := func(i int, salt uint64) float64 { return rand.New(rand.NewPCG(seed^salt, uint64(i))).Float64() }
		s.late = func(i int) float64 { return 0.3 * s.period * chance(i, 1) }
		s.repeats = func(i int) bool { return chance(i, 2) < 0.1 }
	}},
	{"counter", func(r *rand.Rand, s *synthetic, k *Knowledge) { s.counter, s.averaging, s.step = true, 0, 0 }},
	{"counter with steps", func(r *rand.Rand, s *synthetic, k *Knowledge) {
		s.counter, s.averaging = true, 0
		s.step = s.period * between(r, 1, 40)
	}},
	// As an INA3221 (its data sheet, averaging function): each conversion moves the
	// reading by its difference, divided by the number of samples.
	{"averages recursively", func(r *rand.Rand, s *synthetic, k *Knowledge) {
		s.recursive = between(r, 0.1, 0.45)
		s.period = s.recursive / 64
		s.sees, s.averaging = s.period, s.recursive
	}},
}

func between(r *rand.Rand, a, b float64) float64 { return a + (b-a)*r.Float64() }

// coverageTrial measures a load of 0.01 to 1000 ms a run through a sensor of that
// kind, whose gain and offset are off as their standard uncertainties say.
//
// seen is the energy as that sensor would show it at best.
func coverageTrial(t *testing.T, kind int, seed uint64) (c ChannelEnergy, truth, seen float64, about string) {
	r := rand.New(rand.NewPCG(seed, uint64(kind)))
	p := &pulses{idle: between(r, 5, 130), run: 1e-5 * math.Exp(between(r, 0, math.Log(1e5))), duty: between(r, 0.1, 1), on: span{math.Inf(1), math.Inf(1)}}
	p.high = p.idle * between(r, 0.5, 5)
	p.noise = make([]float64, 1<<12)
	for i := range p.noise[1:] {
		p.noise[i+1] = p.noise[i] + 0.01*p.idle*r.NormFloat64()*7e-3
	}
	s := &synthetic{period: between(r, 0.02, 0.1), cost: 200e-6, step: between(r, 0, 0.4), cumulative: p.cumulative}
	calibration := framework.Calibration{Gain: between(r, 0, 0.03), Offset: p.idle * between(r, 0, 0.02), Source: "trial"}
	s.gain, s.offset = calibration.Gain*r.NormFloat64(), calibration.Offset*r.NormFloat64()
	k := Knowledge{Calibrations: map[string]framework.Calibration{"synthetic": calibration}, Seen: map[string]float64{}}
	sensorKinds[kind].make(r, s, &k)
	s.phase = s.period * r.Float64()
	e, c, truth := benchLoad(t, s, config.Measure{PowerWindow: *coverageWindow}, k, p.run, func(now bool) { p.switched(now, s.clock.t) })
	return c, truth, truth*(1+s.gain) + s.offset*e.Window, fmt.Sprintf("%s, seed %d: run %.3g ms, %.0f %% of it on, period %.0f ms", sensorKinds[kind].name, seed, 1e3*p.run, 100*p.duty, 1e3*s.period)
}

// TestCombinedUncertaintyHolds: the truth lies within the combined uncertainty,
// and what the sensor shows of it at best within the repeatability, in at least
// 95 % of trials.
func TestCombinedUncertaintyHolds(t *testing.T) {
	all, missed, unrepeated := 0, 0, 0
	for kind := range sensorKinds {
		var stated, repeatability []float64
		miss, unrepeatable := 0, 0
		for seed := range uint64(*coverageTrials) {
			c, truth, seen, about := coverageTrial(t, kind, seed)
			all++
			if stated = append(stated, c.Combined/truth); !(math.Abs(c.Energy-truth) <= c.Combined) {
				miss++
				t.Logf("%s: off by %.2g %%, stated %.2g %%", about, 100*math.Abs(c.Energy-truth)/truth, 100*c.Combined/truth)
			}
			if repeatability = append(repeatability, c.Uncertainty/truth); !(math.Abs(c.Energy-seen) <= c.Uncertainty) {
				unrepeatable++
				t.Logf("%s: off the sensor's by %.2g %%, stated %.2g %%, period found %.3g s", about, 100*math.Abs(c.Energy-seen)/truth, 100*c.Uncertainty/truth, c.Period)
			}
		}
		missed, unrepeated = missed+miss, unrepeated+unrepeatable
		share := func(n int) float64 { return 100 - 100*float64(n)/float64(*coverageTrials) }
		q, u := stats.Summarize(stated), stats.Summarize(repeatability)
		t.Logf("%-24s combined: %5.1f %% hold, ± %.2g %% (median), %.2g to %.2g %% (quartiles); repeatability: %5.1f %%, ± %.2g %%, %.2g to %.2g %%", sensorKinds[kind].name,
			share(miss), 100*q.Median, 100*q.Q1, 100*q.Q3, share(unrepeatable), 100*u.Median, 100*u.Q1, 100*u.Q3)
		// As many more than one in twenty as chance has in one of a thousand.
		most := int(0.05*float64(*coverageTrials) + 3.1*math.Sqrt(0.05*0.95*float64(*coverageTrials)))
		for _, n := range []int{miss, unrepeatable} {
			if n > most {
				t.Errorf("%s: %d of %d trials miss", sensorKinds[kind].name, n, *coverageTrials)
			}
		}
	}
	if missed > all/20 || unrepeated > all/20 {
		t.Errorf("of %d trials %d and %d miss", all, missed, unrepeated)
	}
}
