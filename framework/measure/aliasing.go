package measure

import (
	"math"

	"example.org/bench/framework"
)

// beatShare is the share of the energy from which on a beat of runs with readings is reported.
const beatShare = 0.05

// Limited is a sensor that knows the highest power in watts of its board; 0 if it does not.
type Limited interface{ Limit() float64 }

// view describes how a channel's readings see a load.
type view struct {
	seen  float64 // seconds that a reading averages
	exact float64 // share by which seen may be off; 0: unknown
	idle  float64 // W
	// mean is the load's mean power in watts, or NaN if unknown.
	mean float64
	// most is a power in watts that the load does not exceed.
	most float64
}

// probedExact is the share by which a probe may miss the part that is seen.
const probedExact = 0.15

// view returns a channel's view, by what was found out about its readings. If neither a counter nor
// a limit tells more, the readings have to bound the load.
func (p *polled) view(channel int, c ChannelEnergy, s *series, l load) view {
	v := view{seen: p.seen(channel, c.Period), idle: orZero(c.Idle), most: s.highest()}
	if p.window[channel] > 0 {
		v.exact = probedExact
	}
	limit, counted := 0.0, math.NaN()
	if c.Role == framework.Total {
		counted = p.counted(l)
		if limited, ok := p.sensor.(Limited); ok {
			limit = limited.Limit()
		}
	}
	switch v.mean = counted; {
	case limit > 0:
		v.most = max(v.most, limit)
	case math.IsNaN(counted):
		v.mean = v.idle + math.Abs(c.Power-v.idle)
	default:
		v.most = math.Inf(1)
	}
	return v
}

// counted returns the mean power over the window by the sensor's counter of the total, or NaN
// without one.
func (p *polled) counted(l load) float64 {
	for i, ch := range p.channels {
		if !ch.Counter || ch.Role != framework.Total || ch.Unit != "J" {
			continue
		}
		if s := p.series(i); s.unwrap(ch.WrapsAt) {
			return s.until(l.ended).difference(l.window) / l.window.length()
		}
	}
	return math.NaN()
}

// aliasing returns half the 95 % interval, in watts, that aliasing leaves of the mean power: each reading
// sees only a part of an update period, and the power repeats with the runs. Runs whose phase moves on from
// reading to reading are averaged; others are not.
//
// The readings themselves do not tell how much the power changes: if all of them see the same part
// of a run, they agree. Harmonic k of the load is at most its mean above idle, if that is known, and at most
// the highest power divided by pi k, as of a load that is switched on and off. The harmonics add up as
// squares, to at most their sum. Each is multiplied by the share that a mean over the seen part leaves of it
// (sinc), and by the share that the mean of all readings leaves (the envelope of Dirichlet's kernel).
func (s *series) aliasing(l load, period float64, v view) float64 {
	const harmonics, whole = 200, 0.9
	period, inexact := s.updates(l.window, period)
	run, readings := l.run(), math.Floor(l.window.length()/period)
	if v.seen >= whole*period || readings < 1 { // or no period is known
		return 0
	}
	peak := math.Max(0, v.most-v.idle)
	squares, sum := 0.0, 0.0
	for k := 1.0; k <= harmonics; k++ {
		amplitude := peak / (math.Pi * k)
		if mean := v.mean - v.idle; mean < amplitude { // false for NaN
			amplitude = math.Max(0, mean)
		}
		left := v.leaves(k / run)
		cycles := k * period / run // from one reading to the next
		off := max(0, math.Abs(cycles-math.Round(cycles))-inexact*cycles)
		left *= min(1, 1/(2*readings*off))
		squares += 2 * amplitude * amplitude * left * left
		sum += 2 * amplitude * left
	}
	return min(2*math.Sqrt(squares), sum)
}

// leaves returns the most that a mean over the seen part leaves of a frequency's amplitude.
func (v view) leaves(frequency float64) float64 {
	const steps = 20
	x := math.Pi * v.seen * frequency
	if v.exact == 0 {
		return min(1, 1/x)
	}
	most := 0.0
	for i := range steps + 1 {
		y := x * (1 + v.exact*(2*float64(i)/steps-1))
		most = max(most, math.Abs(math.Sin(y)/y))
	}
	return most
}
