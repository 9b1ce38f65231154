package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
)

// evaluate adds the sensor's channels to e.
func (p *polled) evaluate(e *Energy, idle span, l load) {
	name, told, window := p.sensor.Name(), false, l.window
	within := 0.0 // that the times of readings may be off
	if s, ok := p.sensor.(framework.Stamped); ok {
		var wrong string
		within, wrong = s.Tie()
		e.Notes = append(e.Notes, fmt.Sprintf("%s: its clock is tied to this computer's within %.2g s, by the lines that came fastest%s", name, within, wrong))
	}
	for i, ch := range p.channels {
		s := p.series(i)
		for j, t := range s.times {
			e.Samples = append(e.Samples, PowerSample{Time: t - window.from, Sensor: name, Channel: ch.Name, Value: s.values[j]})
		}
		if !measuresEnergy(ch) {
			continue
		}
		out := ChannelEnergy{Sensor: name, Channel: ch.Name, Role: ch.Role, Counter: ch.Counter}
		out.Readings, out.Missing = p.count(i, window)
		out.Fresh = s.fresh(window)
		out.Period = cmp.Or(p.periods[i], updatePeriod(s.changeIntervals()))
		note := func(format string, args ...any) {
			e.Notes = append(e.Notes, name+" "+ch.Name+fmt.Sprintf(format, args...))
		}
		still := len(s.changes()) == 0
		integral := (*series).integral
		if ch.Counter {
			integral = (*series).difference
			if !s.unwrap(ch.WrapsAt) {
				integral = func(*series, span) float64 { return math.NaN() }
				out.Doubt = "the counter went back without wrapping"
			}
		}
		// A later reading may be of the load or of what follows it.
		if out.Idle = math.NaN(); s.covers(idle, p.interval) {
			out.Idle = integral(s.until(idle.to), idle) / idle.length()
		}
		if ch.Counter {
			s = s.until(l.ended)
		}
		out.Energy = integral(s, window)
		switch { // the first cause counts: a channel without readings is not frozen
		case out.Readings == 0:
			out.Energy, out.Doubt, told = math.NaN(), "no reading was taken in the window", true
			note(": %s", out.Doubt)
		case 2*out.Missing > out.Readings:
			out.Energy, out.Doubt, told = math.NaN(), "most readings failed"+p.cause(i), true
			note(": %d of %s failed%s", out.Missing, terminal.Count(out.Readings, "reading"), p.cause(i))
		case !s.covers(window, p.interval):
			out.Energy, out.Doubt, told = math.NaN(), "the readings do not cover the window"+p.cause(i), true
			note(": readings from %.3g s to %.3g s of a window of %.3g s%s", max(0, s.times[0]-window.from),
				min(s.times[len(s.times)-1]-window.from, window.length()), window.length(), p.cause(i))
		case out.Doubt != "":
			note(": %s", out.Doubt)
		case math.IsNaN(out.Energy):
			out.Doubt = "too few new values for the energy of the window"
			note(": %s", out.Doubt)
		case still && ch.Role == framework.Total:
			out.Doubt = "no reading changed, idle and running: the sensor may be frozen"
			note(" never changed in %.3g s, idle and running: the sensor may be frozen, and no uncertainty is known", p.times[p.n-1]-p.times[0])
		case ch.Role == framework.Total && p.belowZero(i, out.Energy/window.length()):
			out.Doubt = "power is below zero"
			note(" is %.3g W, further below zero than its offset explains: the current flows back, or the shunt is the other way round", out.Energy/window.length())
		}
		out.Power = out.Energy / window.length()
		switch {
		case math.IsNaN(out.Energy):
		case ch.Counter:
			out.Uncertainty = s.counterUncertainty(l, out.Power, out.Idle, p.interval)
		default:
			period, _ := s.updates(window, out.Period)
			if p.averaging > 0 { // a value that repeats makes periods look longer
				period = p.averaging
			}
			out.Uncertainty = s.powerUncertainty(window, out.Power, period+within, p.interval)
			if out.Uncertainty == 0 {
				break // it is unknown how the channel reads
			}
			v := p.view(i, out, s, l)
			beat := window.length() * s.aliasing(l, out.Period, v)
			out.Uncertainty = math.Hypot(out.Uncertainty, beat)
			if beat > beatShare*math.Abs(out.Energy) && ch.Role == framework.Total {
				out.Doubt = "runs beat with the sensor's readings"
				note(" sees %.2g s of each %.2g s, and runs of %.2g s beat with that: the interval is wider for it", v.seen, out.Period, l.run())
			}
		}
		out.Combined, out.Calibration = p.combined(i, out, window)
		if ch.Role == framework.Total {
			e.Period = max(e.Period, out.Period)
		}
		e.Channels = append(e.Channels, out)
	}
	p.quieterIdle(e, idle)
	if p.errs > 0 && !told {
		e.Notes = append(e.Notes, fmt.Sprintf("%s: %s failed: %v", name, terminal.Count(p.errs, "reading"), p.err))
	}
}

// belowZero reports whether a channel's watts are below zero by more than one and a half times the
// limits of its offset. A calibration states these as the standard uncertainty of a uniform
// distribution. It returns false if the offset is unknown.
func (p *polled) belowZero(channel int, watts float64) bool {
	offset := p.calibrations[channel].Offset
	return offset > 0 && watts < -1.5*math.Sqrt(3)*offset
}

// cause returns why a channel's readings failed, after a colon; empty if the sensor did not say.
func (p *polled) cause(channel int) string {
	switch {
	case p.err != nil:
		return ": " + p.err.Error()
	case p.causes[channel] != nil:
		return ": " + p.causes[channel].Error()
	}
	return ""
}

// quieterIdle replaces a counter's idle power by that of the same total's power readings if these
// know it better. While a device idles nothing repeats, so that readings cannot mislead. A counter
// that is read every few tens of milliseconds is off by that at both ends of an idle second.
func (p *polled) quieterIdle(e *Energy, idle span) {
	var counters, powers []*ChannelEnergy
	uncertainty := map[*ChannelEnergy]float64{}
	for i, ch := range p.channels {
		if !measuresEnergy(ch) || ch.Role != framework.Total {
			continue
		}
		c := slices.IndexFunc(e.Channels, func(c ChannelEnergy) bool { return c.Sensor == p.sensor.Name() && c.Channel == ch.Name })
		if c < 0 || math.IsNaN(e.Channels[c].Idle) {
			continue
		}
		out, s := &e.Channels[c], p.series(i).until(idle.to)
		if ch.Counter {
			counters = append(counters, out)
			uncertainty[out] = s.counterUncertainty(load{idle, math.MaxInt64, idle.to}, out.Idle, out.Idle, p.interval)
		} else {
			powers = append(powers, out)
			uncertainty[out] = s.powerUncertainty(idle, out.Idle, max(p.periods[i], p.interval), p.interval)
		}
	}
	if len(counters) != 1 || len(powers) != 1 { // it is unknown which belong together
		return
	}
	if u := uncertainty[powers[0]]; u > 0 && u < uncertainty[counters[0]] {
		counters[0].Idle = powers[0].Idle
	}
}
