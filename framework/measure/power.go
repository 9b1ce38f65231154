package measure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"bench/framework"
	"bench/framework/config"
)

const (
	// probeTime is how many seconds at most a sensor is watched to learn its
	// update period.
	probeTime = 1.5
	// windowPeriods and idlePeriods are the least number of updates within the
	// window and within the idle time before.
	windowPeriods = 20
	idlePeriods   = 10
	// unknownWindow is the least window in seconds where a sensor does not say
	// over which time it averages, and unknownLead the lead-in.
	unknownWindow = 2
	unknownLead   = 1.5
	// leastLead and leastIdle are the least lead-in and idle time in seconds.
	leastLead = 0.25
	leastIdle = 0.5
	// edgeShare is the share of a span that may be without readings at either
	// end: there the nearest reading holds. It is one of the least updates.
	edgeShare = 1.0 / windowPeriods
	// settleTimes is how many averaging times the lead-in lasts: a recursive
	// average has then come within 3 % of a step.
	settleTimes = 3.5
)

// Averager is a sensor that knows over how many seconds each of its readings
// is averaged; negative where it does not know for this hardware.
type Averager interface{ Averaging() float64 }

// ChannelAverager is an Averager that knows it for each of its channels;
// Averaging is then the longest.
type ChannelAverager interface{ ChannelAveraging(channel int) float64 }

// Meter measures power and energy of sustained runs.
type Meter struct {
	clock   clock
	window  float64 // least length
	idle    float64
	lead    float64
	tail    float64 // polled on after the window, so that its edge is enclosed
	sensors []*polled
}

// NewMeter watches each sensor for up to 1.5 s to learn how often it takes a
// new value, and prepares to poll it at half of that period or every 20 ms,
// whichever is shorter, on a thread of its own and for at most a tenth of that
// thread's time. A window lasts at least 20 update periods and
// m.PowerWindow, and 2 s where a sensor is no Averager.
func NewMeter(sensors []framework.Sensor, m config.Measure) (*Meter, error) {
	return newMeter(sensors, m, realClock{time.Now()})
}

func newMeter(sensors []framework.Sensor, m config.Measure, c clock) (*Meter, error) {
	meter := &Meter{clock: c, window: m.PowerWindow, idle: leastIdle, lead: leastLead}
	if len(sensors) == 0 {
		return nil, errors.New("no power sensor")
	}
	found := false
	for _, s := range sensors {
		p := newPolled(s)
		p.probe(c, probeTime)
		p.interval = math.Inf(1)
		period := 0.0
		for i, ch := range p.channels {
			if !measuresEnergy(ch) {
				continue
			}
			found = true
			period = max(period, p.periods[i])
			p.interval = min(p.interval, cmp.Or(p.periods[i]/2, unknownPoll))
		}
		p.interval = max(min(p.interval, longestPoll), shortestPoll, p.cost/readShare)
		meter.window = max(meter.window, windowPeriods*period)
		meter.idle = max(meter.idle, idlePeriods*period)
		meter.tail = max(meter.tail, period, 2*p.interval)
		if p.averaging < 0 {
			meter.window = max(meter.window, unknownWindow)
			meter.lead = max(meter.lead, unknownLead, 2*period)
		} else {
			meter.lead = max(meter.lead, settleTimes*p.averaging, 2*period)
		}
		meter.sensors = append(meter.sensors, p)
	}
	if !found {
		return nil, errors.New("no sensor has a channel of power or energy")
	}
	meter.idle = max(meter.idle, meter.window/4)
	for _, p := range meter.sensors {
		// Twice what a window of the least length takes.
		rows := int(2*(meter.idle+meter.lead+meter.window+meter.tail)/p.interval) + 64
		p.times = make([]float64, rows)
		p.values = make([]float64, rows*len(p.channels))
	}
	return meter, nil
}

// Measure reads the sensors while nothing runs, then calls sustain twice: for
// a lead-in that lets the averages settle, and for the window. sustain runs
// the algorithm back to back until stop, told the seconds since it began,
// returns true, and returns how many runs it made in how many seconds.
func (m *Meter) Measure(sustain func(stop func(elapsed float64) bool) (runs int64, seconds float64, err error)) (*Energy, error) {
	c := m.clock
	intervals := make([]float64, len(m.sensors))
	for i, p := range m.sensors {
		intervals[i] = p.interval
		p.n, p.errs, p.err, p.due = 0, 0, nil, c.now()
	}
	stopPolling := c.poll(m.step)
	idleFrom := c.now()
	c.sleep(m.idle)
	idleTo := c.now()
	_, _, err := sustain(func(elapsed float64) bool { return elapsed >= m.lead })
	var runs int64
	var seconds float64
	from := math.NaN()
	if err == nil {
		runs, seconds, err = sustain(func(elapsed float64) bool {
			if math.IsNaN(from) {
				from = c.now() - elapsed
			}
			return elapsed >= m.window
		})
	}
	if math.IsNaN(from) { // never asked
		from = c.now() - seconds
	}
	if err == nil {
		c.sleep(m.tail)
	}
	stopPolling()
	if err != nil {
		return nil, err
	}
	e := &Energy{Window: seconds, Runs: runs}
	for i, p := range m.sensors {
		p.evaluate(e, span{idleFrom, idleTo}, span{from, from + seconds})
		p.interval = intervals[i]
	}
	return e, nil
}

// step reads the sensors that are due.
func (m *Meter) step() (next float64) {
	next = math.Inf(1)
	for _, p := range m.sensors {
		if p.due <= m.clock.now() {
			p.record(m.clock)
		}
		next = min(next, p.due)
	}
	return next
}

// evaluate adds the sensor's channels to e.
func (p *polled) evaluate(e *Energy, idle, window span) {
	name, told := p.sensor.Name(), false
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
		integral := s.integral
		if ch.Counter {
			integral = s.difference
			if !s.unwrap(ch.WrapsAt) {
				integral = func(span) float64 { return math.NaN() }
				out.Doubt = "the counter went back without wrapping"
			}
		}
		if out.Idle = math.NaN(); s.covers(idle, p.interval) {
			out.Idle = integral(idle) / idle.length()
		}
		out.Energy = integral(window)
		switch { // the first cause counts: what gave no reading is not frozen
		case out.Readings == 0:
			out.Energy, out.Doubt, told = math.NaN(), "no reading was taken in the window", true
			note(": %s", out.Doubt)
		case 2*out.Missing > out.Readings:
			out.Energy, out.Doubt, told = math.NaN(), "most readings failed"+p.cause(), true
			note(": %d of %d readings failed%s", out.Missing, out.Readings, p.cause())
		case !s.covers(window, p.interval):
			out.Energy, out.Doubt, told = math.NaN(), "the readings do not cover the window"+p.cause(), true
			note(": readings from %.3g s to %.3g s of a window of %.3g s%s", max(0, s.times[0]-window.from),
				min(s.times[len(s.times)-1]-window.from, window.length()), window.length(), p.cause())
		case out.Doubt != "":
			note(": %s", out.Doubt)
		case math.IsNaN(out.Energy):
			out.Doubt = "too few new values for the energy of the window"
			note(": %s", out.Doubt)
		case still && ch.Role == framework.Total:
			out.Doubt = "no reading changed, idle and running: the sensor may be frozen"
			note(" never changed in %.3g s, idle and running: the sensor may be frozen, and no uncertainty is known", p.times[p.n-1]-p.times[0])
		}
		out.Power = out.Energy / window.length()
		switch {
		case math.IsNaN(out.Energy):
		case ch.Counter:
			out.Uncertainty = s.counterUncertainty(window, out.Power, p.interval)
		default:
			period := out.Period
			if p.averaging > 0 { // what repeats itself makes periods look longer
				period = p.averaging
			}
			out.Uncertainty = s.powerUncertainty(window, out.Power, period, p.interval)
		}
		if ch.Role == framework.Total {
			e.Period = max(e.Period, out.Period)
		}
		e.Channels = append(e.Channels, out)
	}
	if p.errs > 0 && !told {
		e.Notes = append(e.Notes, fmt.Sprintf("%s: %d readings failed: %v", name, p.errs, p.err))
	}
}

// cause is why readings failed, behind a colon; empty where no sensor said so.
func (p *polled) cause() string {
	if p.err == nil {
		return ""
	}
	return ": " + p.err.Error()
}

// Temperatures reads the channels that are temperatures, in degrees Celsius by
// sensor and channel.
func (m *Meter) Temperatures() map[string]float64 {
	found := map[string]float64{}
	for _, p := range m.sensors {
		values := make([]float64, len(p.channels))
		p.read(m.clock, values)
		for i, ch := range p.channels {
			if ch.Unit == "degC" {
				found[p.sensor.Name()+" "+ch.Name] = values[i]
			}
		}
	}
	return found
}
