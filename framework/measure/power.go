package measure

import (
	"cmp"
	"errors"
	"math"
	"sync"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

const (
	// probeTime is how many seconds at most a sensor is watched to learn its update period.
	probeTime = 1.5
	// windowPeriods and idlePeriods are the least numbers of updates within the window and within
	// the idle time before.
	windowPeriods = 20
	idlePeriods   = 10
	// unknownWindow is the least window in seconds, and unknownLead the lead-in, if a sensor does
	// not say over which time it averages.
	unknownWindow = 2
	unknownLead   = 1.5
	// leastLead and leastIdle are the least lead-in and idle time in seconds.
	leastLead = 0.25
	leastIdle = 0.5
	// edgeShare is the share of a span that may lack readings at either end, where the nearest
	// reading counts. It is one of the least number of updates.
	edgeShare = 1.0 / windowPeriods
	// settleTimes is how many averaging times the lead-in lasts. A recursive average is then within
	// 3 % of a step.
	settleTimes = 3.5
	// windowTimes is the least number of averaging times in the window, so that enough of the load
	// is in it whatever the average still holds of idle power.
	windowTimes = 2
	// longestRest is how many seconds at most idle power may take to become level, or twice the
	// idle time if that is longer. A load has as long as its window.
	longestRest = 5
)

// Averager is a sensor that knows over how many seconds each of its readings is averaged; negative
// if it does not know for this hardware.
type Averager interface{ Averaging() float64 }

// ChannelAverager is an Averager that knows the time for each channel. Averaging then returns the
// longest.
type ChannelAverager interface{ ChannelAveraging(channel int) float64 }

// ChannelUpdater is a sensor that knows, by the settings of its hardware, after how many seconds at
// most each of its channels has a new reading; 0 if it does not. A sensor with coarse steps repeats
// its value while power is steady, so that watching it finds times that are too long.
type ChannelUpdater interface{ ChannelUpdates(channel int) float64 }

// BusWaiter is a sensor whose readings may wait for a bus and a conversion, which takes no
// processor time.
type BusWaiter interface{ WaitsForBus() bool }

// Sustain runs something back to back until stop returns true. It calls stop between runs, with the
// seconds since the first began and the number of finished runs. It returns both as they are in the
// end.
type Sustain func(stop func(elapsed float64, runs int64) bool) (runs int64, seconds float64, err error)

// Meter measures power and energy of sustained runs.
type Meter struct {
	clock   clock
	window  float64 // least length
	idle    float64
	lead    float64
	tail    float64 // the load continues after the window, so that its edge is enclosed
	sensors []*polled
	reading sync.Mutex // held while readings are taken or looked at
}

// Knowledge is what is known of channels beside what their sensors say, by
// sensor and channel as in "nvml power", or by sensor alone.
type Knowledge struct {
	Calibrations map[string]framework.Calibration
	// Seen is how many seconds of each update period a reading averages
	// (DutyCycle).
	Seen map[string]float64
}

func lookUp[T any](m map[string]T, sensor, channel string) (T, bool) {
	if x, ok := m[sensor+" "+channel]; ok {
		return x, true
	}
	x, ok := m[sensor]
	return x, ok
}

// NewMeter watches each sensor for up to 1.5 s, or less (patience), to learn how often it takes a new value.
// It prepares to poll the sensor at half of that period or every 20 ms, whichever is shorter, on a thread of
// its own. Reading takes at most a tenth of that thread's time, or half of it for a sensor that waits for a
// bus (BusWaiter). A window lasts at least 20 update periods, two averaging times and m.PowerWindow, and 2 s
// for a sensor that is not an Averager.
func NewMeter(sensors []framework.Sensor, m config.Measure, known Knowledge) (*Meter, error) {
	return newMeter(sensors, m, known, realClock{time.Now()})
}

func newMeter(sensors []framework.Sensor, m config.Measure, known Knowledge, c clock) (*Meter, error) {
	meter := &Meter{clock: c, window: m.PowerWindow, idle: leastIdle, lead: leastLead}
	if len(sensors) == 0 {
		return nil, errors.New("no power sensor")
	}
	found := false
	for _, s := range sensors {
		p := newPolled(s)
		p.know(known)
		p.probe(c, p.patience())
		p.bound()
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
		p.interval = max(min(p.interval, longestPoll), p.fastest())
		meter.window = max(meter.window, windowPeriods*period)
		meter.idle = max(meter.idle, idlePeriods*period)
		meter.tail = max(meter.tail, period, 2*p.interval)
		if p.averaging < 0 {
			meter.window = max(meter.window, unknownWindow)
			meter.lead = max(meter.lead, unknownLead, 2*period)
		} else {
			meter.lead = max(meter.lead, settleTimes*p.averaging, 2*period)
			meter.window = max(meter.window, windowTimes*p.averaging)
		}
		meter.sensors = append(meter.sensors, p)
	}
	if !found {
		return nil, errors.New("no sensor has a channel of power or energy")
	}
	meter.idle = max(meter.idle, meter.window/4)
	for _, p := range meter.sensors {
		// Twice what a window of the least length takes.
		rows := int(2*(meter.idle+2*meter.lead+meter.window+meter.tail)/p.interval) + 64
		p.times = make([]float64, rows)
		p.values = make([]float64, rows*len(p.channels))
	}
	return meter, nil
}

// Measure reads the sensors while nothing runs, then through a lead-in of the load, a window and a little
// beyond. Both the idle time and the window begin when averages have settled and power is level (level). If
// power does not become level, the end of the time counts, and a note says so.
func (m *Meter) Measure(sustain Sustain) (*Energy, error) {
	c := m.clock
	intervals := make([]float64, len(m.sensors))
	for i, p := range m.sensors {
		intervals[i] = p.interval
		p.n, p.errs, p.err, p.due = 0, 0, nil, c.now()
		clear(p.causes)
	}
	stopPolling := c.poll(m.step)
	e := &Energy{}
	idle := m.rest(e)
	w := watch{meter: m, base: math.NaN(), start: -1, end: -1}
	runs, seconds, err := sustain(w.stop)
	ended := c.now()
	if err == nil {
		c.sleep(m.tail)
	}
	stopPolling()
	if err != nil {
		return nil, err
	}
	l := w.load(runs, seconds, ended)
	if w.swings {
		e.Notes = append(e.Notes, "power did not become level while running")
	}
	e.Window, e.Runs = l.window.length(), l.runs
	for i, p := range m.sensors {
		p.evaluate(e, idle, l)
		p.interval = intervals[i]
	}
	return e, nil
}

// rest waits until power is level while nothing runs, and returns when it was.
func (m *Meter) rest(e *Energy) span {
	c := m.clock
	c.sleep(m.lead)
	from := c.now()
	c.sleep(m.idle)
	for most := max(longestRest, 2*m.idle); ; c.sleep(m.idle / 4) {
		s := span{c.now() - m.idle, c.now()}
		if m.level(s, math.MaxInt64) {
			return s
		}
		if s.to-from >= most {
			e.Notes = append(e.Notes, "power did not become level while idle")
			return s
		}
	}
}

// step reads the sensors that are due, and says when the next is.
func (m *Meter) step() (next float64) {
	m.reading.Lock()
	defer m.reading.Unlock()
	next = math.Inf(1)
	for _, p := range m.sensors {
		if p.due <= m.clock.now() {
			p.record(m.clock)
		}
		next = min(next, p.due)
	}
	return next
}

// Temperatures reads the channels that are temperatures, in degrees Celsius by
// sensor and channel.
func (m *Meter) Temperatures() map[string]float64 { return m.readings("degC") }

// Clocks reads the channels that are clocks, in Hz by sensor and channel.
func (m *Meter) Clocks() map[string]float64 { return m.readings("Hz") }

// readings returns the readings of the channels of a unit, by sensor and channel.
func (m *Meter) readings(unit string) map[string]float64 {
	found := map[string]float64{}
	for _, p := range m.sensors {
		values := make([]float64, len(p.channels))
		p.read(m.clock, values)
		for i, ch := range p.channels {
			if ch.Unit == unit {
				found[p.sensor.Name()+" "+ch.Name] = values[i]
			}
		}
	}
	return found
}
