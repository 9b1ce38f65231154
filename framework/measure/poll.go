package measure

import (
	"math"
	"runtime"
	"slices"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/linux"
)

// Limits of the polling interval in seconds. Sensors that update faster than every 2 ms are
// sampled, not followed. Slow ones are read more often than twice a period, because updates that
// repeat the value go unseen and the period found may be a multiple of the true one.
const (
	shortestPoll = 1e-3
	longestPoll  = 20e-3
	// unknownPoll is the interval if no reading changed while the update period was looked for.
	unknownPoll = 10e-3
	// readShare is the largest share of the poller's time spent in reading, because the observer
	// must not load what it observes.
	readShare = 0.1
	// busShare is readShare for a sensor whose reading waits for a bus and takes no processor
	// meanwhile.
	busShare = 0.5
	// lookStep is the least interval of readings while the update period is looked for. It is short
	// enough to tell the shortest period that is followed.
	lookStep = shortestPoll / 10
)

// clock is a Meter's time. Tests have their own.
type clock interface {
	now() float64 // seconds
	// processor returns the processor time of the calling thread in seconds.
	processor() float64
	sleep(seconds float64)
	// nap makes the calling thread sleep for some microseconds. It may end early.
	nap(seconds float64)
	// poll calls step, which returns when it wants to be called again, until stop is called. stop
	// returns after the last call.
	poll(step func() (next float64)) (stop func())
}

// realClock polls on a separate operating-system thread.
type realClock struct{ start time.Time }

func (c realClock) now() float64          { return time.Since(c.start).Seconds() }
func (c realClock) sleep(seconds float64) { time.Sleep(time.Duration(seconds * float64(time.Second))) }

// nap avoids the scheduler's timers, which would wake other threads each time.
func (c realClock) nap(seconds float64) {
	ts := linux.NsecToTimespec(int64(seconds * 1e9))
	linux.Nanosleep(&ts, nil) //nolint:errcheck
}

func (c realClock) processor() float64 {
	var u linux.Timespec
	if err := linux.ClockGettime(linux.CLOCK_THREAD_CPUTIME_ID, &u); err != nil {
		return c.now() // as if it had computed the whole time
	}
	return float64(u.Nano()) * 1e-9
}

func (c realClock) poll(step func() float64) func() {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		observers.Store(linux.Gettid(), struct{}{})
		defer observers.Delete(linux.Gettid())
		for {
			select {
			case <-quit:
				return
			default:
			}
			if wait := step() - c.now(); wait > 0 {
				c.nap(wait) // if it ends early, step finds nothing due
			}
		}
	}()
	return func() { close(quit); <-done }
}

// polled is one sensor and its readings. It allocates when made, never while
// polling.
type polled struct {
	sensor   framework.Sensor
	channels []framework.Channel
	cost     float64   // seconds that one reading of all channels takes
	compute  float64   // processor time of such a reading
	periods  []float64 // update periods of the channels, as first found or told; 0: unknown
	// averaging is over how many seconds the sensor averages, and averagings the same for its
	// channels; negative if unknown.
	averaging  float64
	averagings []float64
	// window is how many seconds of a period a channel's readings see, as found by a probe; 0: not
	// probed.
	window       []float64
	calibrations []framework.Calibration

	interval float64 // of polling
	due      float64
	times    []float64 // of the readings
	values   []float64 // len(channels) for each time
	n        int       // readings held
	errs     int
	err      error   // the first
	causes   []error // the first of each channel without a reading; nil: not told
}

func newPolled(s framework.Sensor) *polled {
	p := &polled{sensor: s, channels: s.Channels(), averaging: -1}
	p.causes = make([]error, len(p.channels))
	if a, ok := s.(Averager); ok {
		p.averaging = a.Averaging()
	}
	p.averagings = slices.Repeat([]float64{p.averaging}, len(p.channels))
	if a, ok := s.(ChannelAverager); ok {
		for i := range p.averagings {
			p.averagings[i] = a.ChannelAveraging(i)
		}
	}
	return p
}

// row returns the values of reading i.
func (p *polled) row(i int) []float64 {
	k := len(p.channels)
	return p.values[i*k : (i+1)*k]
}

// read takes one reading into dst and returns its time: that of a Stamped sensor, else the middle of
// the call. A failed reading is NaN in all channels. For a Failing sensor, the first cause of each channel's NaN is kept.
func (p *polled) read(c clock, dst []float64) float64 {
	before := c.now()
	if err := p.sensor.Sample(dst); err != nil {
		if p.errs++; p.err == nil {
			p.err = err
		}
		for i := range dst {
			dst[i] = math.NaN()
		}
	} else if f, ok := p.sensor.(framework.Failing); ok {
		for i, v := range dst {
			if math.IsNaN(v) && p.causes[i] == nil {
				p.causes[i] = f.Failure(i)
			}
		}
	}
	after := c.now()
	if s, ok := p.sensor.(framework.Stamped); ok {
		return after - s.Age()
	}
	return (before + after) / 2
}

// record takes a reading and keeps it. When the space is used up, it drops every second reading and
// doubles the interval: a long window is sampled more coarsely, never cut. Of a Stamped sensor it keeps
// each reading once.
func (p *polled) record(c clock) {
	if p.n == len(p.times) {
		k := len(p.channels)
		for i := 1; 2*i < p.n; i++ {
			p.times[i] = p.times[2*i]
			copy(p.values[i*k:(i+1)*k], p.values[2*i*k:(2*i+1)*k])
		}
		p.n = (p.n + 1) / 2
		p.interval *= 2
	}
	at := p.read(c, p.row(p.n))
	if _, stamped := p.sensor.(framework.Stamped); !stamped || !math.IsNaN(p.row(p.n)[0]) && (p.n == 0 || at > p.times[p.n-1]) {
		p.times[p.n] = at
		p.n++
	}
	p.due = max(p.due+p.interval, c.now())
}

// enoughChanges is how many intervals between changes suffice to tell a channel's period.
const enoughChanges = 12

// patience returns for how many seconds at most the sensor is watched. That is four times what the
// changes take by its own account (ChannelUpdater), since a sensor that shows the same for that
// long will not show its period. It is probeTime if the sensor tells nothing about a channel of
// power or energy.
func (p *polled) patience() float64 {
	known, ok := p.sensor.(ChannelUpdater)
	if !ok {
		return probeTime
	}
	longest := 0.0
	for i, ch := range p.channels {
		if !measuresEnergy(ch) {
			continue
		}
		most := known.ChannelUpdates(i)
		if !(most > 0) {
			return probeTime
		}
		longest = max(longest, most)
	}
	return min(probeTime, 4*enoughChanges*longest)
}

// probe reads every lookStep, or back to back if a reading takes longer, for at most limit seconds,
// to learn what a reading costs and how often each channel takes a new value. It ends when every
// channel of power or energy changed often enough.
func (p *polled) probe(c clock, limit float64) {
	runtime.LockOSThread() // the thread's processor time is read
	defer runtime.UnlockOSThread()
	k := len(p.channels)
	last, value := make([]float64, k), make([]float64, k)
	changed := make([]float64, k) // time of the last change
	intervals := make([][]float64, k)
	computed := c.processor()
	start := p.read(c, last)
	for i := range changed {
		changed[i] = math.NaN() // the first change only starts an interval
	}
	reads, t := 1, start
	next, rested := start+lookStep, 0.0
	for {
		if begin := c.now(); begin < next {
			c.nap(next - begin)
			rested += c.now() - begin
		}
		next = c.now() + lookStep
		t = p.read(c, value)
		reads++
		missing := false
		for i, ch := range p.channels {
			if v := value[i]; v != last[i] && !math.IsNaN(v) {
				if !math.IsNaN(last[i]) {
					if !math.IsNaN(changed[i]) {
						intervals[i] = append(intervals[i], t-changed[i])
					}
					changed[i] = t
				}
				last[i] = v
			}
			missing = missing || measuresEnergy(ch) && len(intervals[i]) < enoughChanges
		}
		if !missing || c.now()-start >= limit {
			break
		}
	}
	p.cost = (c.now() - start - rested) / float64(reads)
	p.compute = (c.processor() - computed) / float64(reads)
	p.periods = make([]float64, k)
	for i := range intervals {
		p.periods[i] = updatePeriod(intervals[i])
	}
}

// bound replaces update periods by those that the sensor states if the probe found longer ones,
// which come from repeated values.
func (p *polled) bound() {
	known, ok := p.sensor.(ChannelUpdater)
	if !ok {
		return
	}
	for i, seen := range p.periods {
		if most := known.ChannelUpdates(i); most > 0 && !(0 < seen && seen < most) {
			p.periods[i] = most
		}
	}
}

// fastest returns the shortest interval at which the sensor may be polled.
func (p *polled) fastest() float64 {
	if w, ok := p.sensor.(BusWaiter); ok && w.WaitsForBus() {
		return max(shortestPoll, p.cost/busShare, p.compute/readShare)
	}
	return max(shortestPoll, p.cost/readShare)
}

// updatePeriod infers the period from intervals between the changes that were seen. A reading that
// repeats its value makes an interval a multiple of the period; a late one makes the next too
// short. The period is the shortest interval that is at least half of the lower quartile, or 0
// without intervals.
func updatePeriod(intervals []float64) float64 {
	if len(intervals) == 0 {
		return 0
	}
	floor := stats.Summarize(intervals).Q1 / 2
	period := math.Inf(1)
	for _, d := range intervals {
		if d >= floor {
			period = min(period, d)
		}
	}
	return period
}

// measuresEnergy is false for temperatures, clocks and the like.
func measuresEnergy(c framework.Channel) bool {
	return c.Unit == "W" && !c.Counter || c.Unit == "J" && c.Counter
}
