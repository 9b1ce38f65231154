package measure

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"example.org/bench/framework"
)

// Seen is the part of each update period that a power channel sees.
type Seen struct {
	Period float64 `json:"update_period_s"`
	Window float64 `json:"seen_s"`  // over which a reading averages
	Delay  float64 `json:"delay_s"` // from the end of that to the reading
	// Explained is the share of the readings' variance that the window explains.
	Explained float64 `json:"explained"`
}

const (
	// cycles is how often a probe's load is switched on, and leastChanges the fewest new values
	// that suffice.
	cycles       = 100
	leastChanges = 40
	// leastExplained is the share below which the readings do not follow the load.
	leastExplained = 0.8
	// longestPeriod is the longest time in seconds for which the load is on or off.
	longestPeriod = 1
)

// DutyCycle finds which part of each period the sensor's power channels see. It switches a load on
// and off for random times around the longest update period. For each channel it fits the window,
// and its delay, whose share of load explains the readings best. load keeps the device busy for so
// many seconds; otherwise the device must rest. The result is by channel. A channel that does not
// follow the load is left out; if none does, that is an error. It takes about 110 update periods.
func DutyCycle(s framework.Sensor, load func(seconds float64) error) (map[string]Seen, error) {
	return dutyCycle(s, load, realClock{time.Now()}, rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano()))))
}

func dutyCycle(s framework.Sensor, load func(seconds float64) error, c clock, r *rand.Rand) (map[string]Seen, error) {
	p := newPolled(s)
	p.probe(c, probeTime)
	period := 0.0
	for i, ch := range p.channels {
		if ch.Unit == "W" && !ch.Counter {
			period = max(period, p.periods[i])
		}
	}
	if period == 0 {
		return nil, fmt.Errorf("%s: no channel of power changes", s.Name())
	}
	scale := min(period, longestPeriod)
	// Read back to back if a reading takes long. The seen part cannot be known more exactly than
	// the time of a new value, and nothing is timed meanwhile.
	p.interval = max(min(scale/40, longestPoll), shortestPoll)
	rows := int(4*cycles*scale/p.interval) + 64
	p.times, p.values = make([]float64, rows), make([]float64, rows*len(p.channels))
	p.due = c.now()
	stop := c.poll(func() float64 { p.record(c); return p.due })
	var on []span
	var err error
	for range cycles {
		c.sleep(scale * (0.1 + 0.9*r.Float64()))
		from := c.now()
		if err = load(scale * (0.1 + 0.9*r.Float64())); err != nil {
			break
		}
		on = append(on, span{from, c.now()})
	}
	c.sleep(2 * scale)
	stop()
	if err != nil {
		return nil, err
	}
	found := map[string]Seen{}
	var why error
	for i, ch := range p.channels {
		if ch.Unit != "W" || ch.Counter || p.periods[i] == 0 {
			continue
		}
		x, err := fitSeen(p.series(i), on, p.periods[i])
		if err != nil {
			why = fmt.Errorf("%s %s: %w", s.Name(), ch.Name, err)
			continue
		}
		found[ch.Name] = x
	}
	if len(found) == 0 {
		return nil, why
	}
	return found, nil
}

// DutyCycle probes each of the meter's sensors that has a power channel. The results are by the
// sensor's name. A sensor that cannot be probed is left out; errs says why.
func (m *Meter) DutyCycle(load func(seconds float64) error) (found map[string]map[string]Seen, errs error) {
	found = map[string]map[string]Seen{}
	for _, p := range m.sensors {
		power := slices.ContainsFunc(p.channels, func(c framework.Channel) bool { return c.Unit == "W" && !c.Counter })
		if !power {
			continue
		}
		x, err := DutyCycle(p.sensor, load)
		if err != nil {
			errs = errors.Join(errs, err)
			continue
		}
		found[p.sensor.Name()] = x
	}
	return found, errs
}

// Identities returns the sensors' identities by name, without sensors that have none.
func (m *Meter) Identities() map[string]string {
	list := map[string]string{}
	for _, p := range m.sensors {
		if s, ok := p.sensor.(framework.Identified); ok && s.Identity() != "" {
			list[p.sensor.Name()] = s.Identity()
		}
	}
	return list
}
