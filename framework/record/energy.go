package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

// divergenceFlag is the difference between an energy counter and the
// integrated power from which on it is noted.
const divergenceFlag = 0.05

// totals are the sums over the total channels of one kind.
type totals struct {
	channels                         int
	power, idle, energy, uncertainty float64
	combined                         float64
	fresh                            int  // of the channel with the fewest
	still                            bool // a channel never changed
	uncalibrated                     bool // of a channel no calibration is known
	doubts, calibrations             []string
}

func (t *totals) add(c measure.ChannelEnergy) {
	u := totals{channels: 1, power: c.Power, idle: c.Idle, energy: c.Energy, uncertainty: c.Uncertainty, combined: c.Combined, fresh: c.Fresh,
		still: c.Uncertainty == 0, uncalibrated: c.Calibration == ""}
	if c.Doubt != "" {
		u.doubts = []string{c.Doubt}
	}
	if c.Calibration != "" {
		u.calibrations = []string{c.Calibration}
	}
	t.include(u)
}

func (t *totals) include(u totals) {
	if t.channels == 0 {
		t.fresh = u.fresh
	}
	t.channels += u.channels
	t.power += u.power
	t.idle += u.idle
	t.energy += u.energy
	t.uncertainty += u.uncertainty
	t.combined += u.combined
	t.fresh = min(t.fresh, u.fresh)
	t.still = t.still || u.still
	t.uncalibrated = t.uncalibrated || u.uncalibrated
	t.doubts = union(t.doubts, u.doubts)
	t.calibrations = union(t.calibrations, u.calibrations)
}

func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// counts is whether the counters gave the energy of the window.
func (t *totals) counts() bool {
	return t.channels > 0 && t.fresh > 0 && len(t.doubts) == 0 && !math.IsNaN(t.energy)
}

// PowerDoubt is why e gives no power and energy, or doubtful ones; empty if
// they can be trusted. known is false if it gives none.
func PowerDoubt(e *measure.Energy) (doubt string, known bool) {
	var row Row
	row.power(e)
	return strings.Join(row.Doubts, "; "), row.Power.Get().Total.IsSet()
}

// EnergyOf returns the energy of one run; absent is why there is none, if that is
// known.
func EnergyOf(e *measure.Energy) (n Energy, absent string) {
	var row Row
	row.power(e)
	return row.Energy.Get(), row.Power.Get().Absent
}

// power fills Power, Energy and Rails. A sensor may give the same total twice,
// by power channels and by energy counters: they are two views of one energy
// and never added. Counters miss nothing, so they are chosen where they count. A channel without a reading (NaN) leaves the total empty.
func (row *Row) power(e *measure.Energy) {
	if e == nil {
		return
	}
	p, n := &Power{}, &Energy{}
	defer func() { row.Power, row.Energy = RareOf(*p), RareOf(*n) }()
	p.Absent, p.Notes = e.Absent, strings.Join(e.Notes, "; ")
	if e.Absent != "" || e.Runs == 0 || e.Window <= 0 {
		return
	}
	p.Window, p.Runs, p.Period = Measured(e.Window), Counted(e.Runs), positive(e.Period)
	runs := float64(e.Runs)

	row.Rails = map[string]Rail{}
	integrals, counters := map[string]totals{}, map[string]totals{}
	names := railNames(e.Channels)
	var sensors []string
	for i, c := range e.Channels {
		row.Rails[names[i]] = Rail{Measured(c.Power), Measured(c.Idle), Measured(c.Energy / runs), positive(c.Uncertainty / runs), positive(c.Combined / runs)}
		if c.Role != framework.Total {
			continue
		}
		if integrals[c.Sensor].channels+counters[c.Sensor].channels == 0 {
			sensors = append(sensors, c.Sensor)
		}
		kind := integrals
		if c.Counter {
			kind = counters
		}
		t := kind[c.Sensor]
		t.add(c)
		kind[c.Sensor] = t
	}
	if len(sensors) == 0 {
		p.Absent = "no channel measures the total"
		row.Doubts = []string{p.Absent}
		return
	}
	var chosen, integral, counter totals
	allIntegral, allCounter := true, true
	for _, s := range sensors {
		c, i := counters[s], integrals[s]
		if i.channels == 0 || c.counts() {
			chosen.include(c)
		} else {
			chosen.include(i)
		}
		allIntegral = allIntegral && i.channels > 0
		allCounter = allCounter && counters[s].channels > 0
		integral.include(integrals[s])
		counter.include(counters[s])
	}
	row.Doubts = chosen.doubts
	p.Total, p.Idle, p.Fresh = Measured(chosen.power), Measured(chosen.idle), Counted(int64(chosen.fresh))
	n.Total = Measured(chosen.energy / runs)
	if !chosen.still {
		n.Uncertainty = Measured(chosen.uncertainty / runs)
		p.Uncertainty = Measured(chosen.uncertainty / e.Window)
	}
	p.Calibration = "unknown"
	if !chosen.still && !chosen.uncalibrated {
		n.Combined = Measured(chosen.combined / runs)
		p.Combined = Measured(chosen.combined / e.Window)
		p.Calibration = strings.Join(chosen.calibrations, "; ")
	}
	n.RunTime = Measured(e.Window / runs)
	if allIntegral {
		n.Integral = Measured(integral.energy / runs)
	}
	if allCounter {
		n.Counter = Measured(counter.energy / runs)
	}
	if ratio := n.Counter.over(n.Integral); ratio.IsSet() {
		n.Divergence = Measured(ratio.value() - 1)
	}
	row.takeOffRestoring(e.Restoring, p, n)
	n.AboveIdle = n.Total.minus(p.Idle.times(n.RunTime.value()))
	n.EDP = n.Total.times(n.RunTime.value())
	p.PerWatt = row.Work.NominalFLOPs.number().over(n.Total).per(1e9)
	p.BytesPerWatt = row.Memory.NominalBytes.number().over(n.Total).per(1e9)
	if d := n.Divergence; d.IsSet() && math.Abs(d.value()) > divergenceFlag {
		p.note("energy counter and integrated power differ by %+.1f %%", 100*d.value())
		row.Doubts = append(row.Doubts[:len(row.Doubts):len(row.Doubts)], fmt.Sprintf("energy counter and integrated power differ by more than %g %%", 100*divergenceFlag))
	}
}

func (p *Power) note(format string, args ...any) {
	if p.Notes != "" {
		p.Notes += "; "
	}
	p.Notes += fmt.Sprintf(format, args...)
}

// takeOffRestoring takes the energy and time of restoring the inputs, which were measured alone, off
// those of one run; power is then of the run too. Chance errors of the two add up in squares. So do
// those of the calibration here, an upper bound: one sensor's are alike and partly cancel.
func (row *Row) takeOffRestoring(e *measure.Restoring, p *Power, n *Energy) {
	if e == nil {
		return
	}
	var alone Row
	alone.power(&measure.Energy{Window: e.Window, Runs: e.Runs, Channels: e.Channels})
	r := alone.Energy.Get()
	seconds := n.RunTime.minus(r.RunTime)
	switch {
	case len(alone.Doubts) > 0 || !r.Total.IsSet():
		p.note("power and energy are with the restoring of the inputs before each run, which could not be measured alone: %s",
			cmp.Or(strings.Join(alone.Doubts, "; "), "there was no reading"))
		return
	case seconds.value() <= 0 || n.Total.value() <= r.Total.value():
		p.note("power and energy are with the restoring of the inputs before each run, which alone takes as much")
		return
	}
	p.note("the restoring of the inputs before each run was measured alone and taken off")
	n.Restoring, n.RestoringU, n.RestoringS = r.Total, r.Uncertainty, r.RunTime
	n.Total, n.RunTime = n.Total.minus(r.Total), seconds
	n.Integral, n.Counter = n.Integral.minus(r.Integral), n.Counter.minus(r.Counter)
	n.Uncertainty, n.Combined = n.Uncertainty.inSquares(r.Uncertainty), n.Combined.inSquares(r.Combined)
	p.Total, p.Uncertainty, p.Combined = n.Total.over(seconds), n.Uncertainty.over(seconds), n.Combined.over(seconds)
	for name, rail := range row.Rails {
		if a, ok := alone.Rails[name]; ok {
			rail.Energy = rail.Energy.minus(a.Energy)
			rail.Power = rail.Energy.over(seconds)
			rail.Uncertainty, rail.Combined = rail.Uncertainty.inSquares(a.Uncertainty), rail.Combined.inSquares(a.Combined)
			row.Rails[name] = rail
		}
	}
}
