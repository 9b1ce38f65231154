package energy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.org/bench/analysis/bound"
)

// truth is a made-up GPU.
type truth struct {
	idle, running, active float64
	each                  map[string]float64
	exponent              float64
}

var made = truth{120, 25, 45, map[string]float64{bound.Float32: 1.2e-12, bound.Float64: 5e-12, bound.Float16: 1.5e-12, bound.IntegerOf: 0.8e-12, bound.Multiply: 1.5e-12,
	bound.Convert: 5e-12, bound.Special: 4e-12, bound.TensorOf: 0.4e-12, bound.Issue: 20e-12, bound.Accesses: 8e-12, bound.SharedOf: 30e-12, bound.L1Bytes: 0.3e-12, bound.L2Bytes: 3e-12, bound.L2Lines: 200e-12, bound.DRAMBytes: 40e-12,
	bound.AtomicsOf: 10e-12, bound.LaunchOf: 20e-6}, 1.6}

const top = 2e9 // Hz

func (t truth) energy(o Observation) float64 {
	f := o.Clock / top
	core := math.Pow(f, t.exponent)
	sum := t.idle*o.Time + t.running*o.Time + t.active*o.Time*o.Work.Active*core*f
	for name, each := range t.each {
		if name == bound.DRAMBytes || name == bound.LaunchOf {
			core = 1
		} else {
			core = math.Pow(f, t.exponent)
		}
		sum += each * o.Work.Amounts[name] * core
	}
	return sum
}

// loadsOf are 51 points of loads each of which does mostly one thing, at three intensities, with noise.
func (t truth) loadsOf(random *rand.Rand, noise float64) (list []Observation) {
	for k := range 3 * len(bound.Quantities) {
		o := Observation{Name: fmt.Sprint(k), Time: 1e-4, Clock: top, Work: bound.Work{Active: 1, Amounts: map[string]float64{bound.Issue: 1e8, bound.IntegerOf: 1e9, bound.LaunchOf: 1}}}
		name := bound.Quantities[k/3]
		watts := []float64{300, 60, 150}[k%3]
		o.Work.Amounts[name] += watts * o.Time / t.each[name]
		switch k % 4 {
		case 2:
			o.Work.Active = 0.5
		case 0:
			o.Clock = top * (0.7 + 0.3*random.Float64())
		}
		if name == bound.LaunchOf {
			o.Work.Active = 0.1
		}
		o.Energy = t.energy(o) * (1 + noise*random.NormFloat64())
		o.Idle = t.idle * (1 + 0.003*random.NormFloat64())
		list = append(list, o)
	}
	return list
}

// unseenOf is a point that does several things at once.
func unseenOf(random *rand.Rand) Observation {
	o := Observation{Time: 1e-4, Clock: top * (0.75 + 0.25*random.Float64()), Work: bound.Work{Active: 0.5 + random.Float64()/2, Amounts: map[string]float64{bound.LaunchOf: 1}}}
	for _, name := range bound.Quantities[:len(bound.Quantities)-1] {
		o.Work.Amounts[name] = 60 * random.Float64() * o.Time / made.each[name]
	}
	return o
}

// TestFitRecovers: in 40 calibrations with 2 % of noise each cost is within its uncertainty of the made-up one in about 95 %,
// and so are predictions of points that no calibration has seen.
func TestFitRecovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	within, all, points, held := 0, 0, 0, 0
	exponents := 0
	const trials = 40
	for range trials {
		m, err := Fit(made.loadsOf(random, 0.02))
		if err != nil {
			t.Fatal(err)
		}
		if m.ExponentLow <= made.exponent && made.exponent <= m.ExponentHigh {
			exponents++
		}
		for _, c := range m.Costs {
			want := made.each[c.Of]
			switch c.Of {
			case Running:
				want = made.running
			case Active:
				want = made.active
			}
			all++
			if math.Abs(c.Each-want) <= c.Uncertainty {
				within++
			}
		}
		for range 5 {
			o := unseenOf(random)
			got, half, _, unknown := m.Predict(o)
			if len(unknown) > 0 {
				t.Fatal(unknown)
			}
			points++
			if math.Abs(got-made.energy(o)) <= half {
				held++
			}
		}
	}
	t.Logf("costs within their uncertainty %.3f, predictions %.3f, exponents %.3f", float64(within)/float64(all), float64(held)/float64(points), float64(exponents)/trials)
	if x := float64(within) / float64(all); x < 0.92 {
		t.Errorf("%.3f of the costs are within their uncertainty", x)
	}
	if x := float64(held) / float64(points); x < 0.95 {
		t.Errorf("%.3f of the predictions are within their uncertainty", x)
	}
	if x := float64(exponents) / trials; x < 0.9 {
		t.Errorf("%.3f of the exponents are between their bounds", x)
	}
}

// TestWrongCostIsSeen: points whose memory takes three times what the calibration has are called not sure, as a class of time
// is, and those that the calibration has right are sure.
func TestWrongCostIsSeen(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	m, err := Fit(made.loadsOf(random, 0.02))
	if err != nil {
		t.Fatal(err)
	}
	o := Observation{Time: 1e-4, Clock: top, Work: bound.Work{Active: 1, Amounts: map[string]float64{bound.DRAMBytes: 4e8, bound.Float32: 1e9}}}
	o.Energy = made.energy(o)
	w := bound.Why{Work: o.Work}
	if y := m.Explain(o, 0.01*o.Energy, w); !y.Sure || y.Missing != "" {
		t.Errorf("right costs: %+v", y)
	}
	for k := range m.Costs {
		if m.Costs[k].Of == bound.DRAMBytes {
			m.Costs[k].Each /= 3
		}
	}
	if y := m.Explain(o, 0.01*o.Energy, w); y.Sure {
		t.Errorf("a third of memory's cost is not seen: %s", y.Text())
	}
}

// TestAlone: a load that alone tells a cost is not held against a model of the others, which do not have it.
func TestAlone(t *testing.T) {
	var list []Observation
	n := 0
	for _, o := range made.loadsOf(rand.New(rand.NewPCG(15, 16)), 0.01) {
		if o.Work.Amounts[bound.Float64] > 0 {
			if n++; n > 1 {
				continue
			}
		}
		list = append(list, o)
	}
	m, err := Fit(list)
	if err != nil {
		t.Fatal(err)
	}
	if n != 3 || m.Unseen > 5*m.Scatter || !(m.Condition > 1 && m.Condition < 100) {
		t.Errorf("%d loads of float64 to begin with, scatter %g, unseen %g, condition %g", n, m.Scatter, m.Unseen, m.Condition)
	}
}

// TestCostsAreNotBelowZero: what takes nothing gets 0 with what it may be at most, and does not take from others.
func TestCostsAreNotBelowZero(t *testing.T) {
	free := made
	free.each = map[string]float64{}
	for name, each := range made.each {
		free.each[name] = each
	}
	list := free.loadsOf(rand.New(rand.NewPCG(5, 6)), 0)
	for i := range list { // what was measured has nothing of the first-level cache in it, or less
		list[i].Energy = free.energy(list[i]) - 1.1*free.each[bound.L1Bytes]*list[i].Work.Amounts[bound.L1Bytes]
	}
	m, err := Fit(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Costs {
		if c.Each < 0 || c.Of == bound.L1Bytes && (c.Each != 0 || !(c.Uncertainty > 0)) {
			t.Errorf("%+v", c)
		}
	}
}

// TestLimit: where clocks were lowered at one power no prediction is above it, and idle power stays what it is.
func TestLimit(t *testing.T) {
	list := made.loadsOf(rand.New(rand.NewPCG(13, 14)), 0)
	const limit = 600.0
	for i, o := range list {
		list[i].Clock = top
		if i%4 == 0 { // its clock is lowered until its power is at the limit
			for f := 1.0; f > 0.5; f -= 0.01 {
				list[i].Clock = f * top
				for name := range o.Work.Amounts {
					list[i].Work.Amounts[name] *= 1.02
				}
				if f < 0.9 && made.energy(list[i]) > limit*o.Time {
					break
				}
			}
			list[i].Energy = limit * o.Time
		} else {
			list[i].Energy = made.energy(list[i])
		}
	}
	m, err := Fit(list)
	if err != nil || m.Limit != limit {
		t.Fatalf("limit %g, %v", m.Limit, err)
	}
	o := Observation{Time: 1e-4, Clock: top, Work: bound.Work{Active: 1, Amounts: map[string]float64{bound.DRAMBytes: 5e9}}}
	got, _, parts, _ := m.Predict(o)
	sum := 0.0
	for _, p := range parts {
		sum += p.Energy
		if p.Of == IdlePower && math.Abs(p.Energy-m.Idle*o.Time) > 1e-9 {
			t.Errorf("idle power %g", p.Energy)
		}
	}
	if math.Abs(got-limit*o.Time) > 1e-9 || math.Abs(sum-got) > 1e-9 {
		t.Errorf("%g, parts %g, want %g", got, sum, limit*o.Time)
	}
}

// TestTooFewLoads are refused, and a clock that did not vary gives no exponent and no change of it.
func TestTooFewLoads(t *testing.T) {
	list := made.loadsOf(rand.New(rand.NewPCG(7, 8)), 0.01)
	if _, err := Fit(list[:8]); err == nil {
		t.Error("8 loads tell 8 costs")
	}
	for i := range list {
		list[i].Clock = 0
		list[i].Energy = made.energy(Observation{Time: list[i].Time, Clock: top, Work: list[i].Work})
	}
	m, err := Fit(list)
	if err != nil || m.ExponentHigh != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	w := bound.Why{Work: list[0].Work, After: map[string]bound.Changed{
		"lower-clock": {Gain: 0.99, Clock: 0.8, Work: list[0].Work},
		"occupancy":   {Gain: 1.3, Clock: 1, Work: list[0].Work},
	}}
	if y := m.Explain(list[0], 0, w); len(y.Changes) != 1 || y.Changes[0].Name != "occupancy" || !(y.Changes[0].Saves > 0.03) {
		t.Errorf("%+v", y.Changes)
	}
}

// TestChanges: a change of the amounts saves what they take, one of the time idle power and what runs, a lower clock by its exponent;
// and one that takes longer and saves nothing has a sign.
func TestChanges(t *testing.T) {
	m, err := Fit(made.loadsOf(rand.New(rand.NewPCG(9, 10)), 0.001))
	if err != nil {
		t.Fatal(err)
	}
	o := Observation{Time: 1e-4, Clock: top, Work: bound.Work{Active: 1, Amounts: map[string]float64{bound.DRAMBytes: 4e8, bound.Float32: 5e9}}}
	o.Energy = made.energy(o)
	half := bound.Work{Active: 1, Amounts: map[string]float64{bound.DRAMBytes: 2e8, bound.Float32: 5e9}}
	w := bound.Why{Work: o.Work, After: map[string]bound.Changed{"coalesce": {Gain: 1.5, Clock: 1, Work: half}, "lower-clock": {Gain: 1, Clock: 0.8, Work: o.Work}, "slow": {Gain: 0.8, Clock: 1, Work: o.Work}}}
	for name, after := range map[string]Observation{
		"coalesce":    {Time: 1e-4 / 1.5, Clock: top, Work: half},
		"lower-clock": {Time: 1e-4, Clock: 0.8 * top, Work: o.Work},
		"slow":        {Time: 1e-4 / 0.8, Clock: top, Work: o.Work},
	} {
		want := 1 - made.energy(after)/o.Energy
		if c, ok := m.Saves(o, name, w); !ok || math.Abs(c.Saves-want) > 0.01 {
			t.Errorf("%s: %+v, want %.3f", name, c, want)
		}
	}
	if y := m.Explain(o, 0, w); len(y.Changes) != 2 || y.Changes[0].Name != "coalesce" {
		t.Errorf("%+v", y.Changes)
	}
}

// TestKept: a calibration is kept for a GPU with its driver and mode alone, and a damaged file is none.
func TestKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	m, err := Fit(made.loadsOf(rand.New(rand.NewPCG(11, 12)), 0.01))
	if err != nil {
		t.Fatal(err)
	}
	m.Identity = "GPU|uuid|driver 1|MAXN"
	if err := Keep(m); err != nil {
		t.Fatal(err)
	}
	if got, ok := Kept(m.Identity); !ok || got.Costs[3] != m.Costs[3] {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, ok := Kept("GPU|uuid|driver 2|MAXN"); ok {
		t.Error("of another driver")
	}
	m.Costs[0].Of = "something"
	if err := Keep(m); err != nil {
		t.Fatal(err)
	}
	if _, ok := Kept(m.Identity); ok {
		t.Error("a cost of something")
	}
}
