package measure

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"example.org/bench/framework"
)

// powerUncertainty returns half the 95 % interval of the integral over w, whose mean is mean. period is how
// often the sensor takes a new value or, if the sensor says so, over how long it averages. interval is that
// of polling. It adds, as squares:
//
//   - the standard error of the readings, one a period: their scatter is that
//     of successive differences (J. von Neumann, "Distribution of the Ratio of
//     the Mean Square Successive Difference to the Variance", 1941), which a
//     power that changes over the window does not enlarge;
//   - the delay of up to a period with which a reading shows the power, at the
//     edges' power instead of the mean. Both edges may err to the same side;
//   - gaps between readings, over which the power may be as far from the line
//     between them as readings scatter; twice as far where the nearest reading
//     holds up to an edge;
//
// and, not as a square, the sensor's step, since it is unknown whether the sensor rounds or cuts off. If the
// scatter moves readings over the steps, half a step remains, else a whole one.
func (s *series) powerUncertainty(w span, mean, period, interval float64) float64 {
	step := math.Inf(1)
	for _, i := range s.changes() {
		step = min(step, math.Abs(s.values[i]-s.values[i-1]))
	}
	if math.IsInf(step, 1) {
		return 0
	}
	var differences, readings []float64
	gaps := 0.0 // sum of squares
	for _, held := range []float64{s.times[0] - w.from, w.to - s.times[len(s.times)-1]} {
		gaps += 4 * max(held, 0) * max(held, 0)
	}
	last, since := math.NaN(), math.Inf(-1)
	for i, t := range s.times {
		if !w.contains(t) {
			continue
		}
		if readings = append(readings, s.values[i]); i > 0 && t-s.times[i-1] > 3*interval {
			gaps += (t - s.times[i-1]) * (t - s.times[i-1])
		}
		// Slightly less than a period, as polling is not exact.
		if t-since < 0.9*max(period, interval) {
			continue
		}
		if !math.IsNaN(last) {
			differences = append(differences, s.values[i]-last)
		}
		last, since = s.values[i], t
	}
	scatter, quantum := 0.0, step
	stdev := successive(differences)
	if stdev > 2*step { // the same value again is then not a new reading
		differences = slices.DeleteFunc(differences, func(d float64) bool { return d == 0 })
		stdev = successive(differences)
	}
	if n := float64(len(differences)); n >= 2 {
		scatter = distuv.StudentsT{Sigma: 1, Nu: n}.Quantile(0.975) * stdev / math.Sqrt(n+1)
		if stdev > step/2 {
			quantum = step / 2
		}
	}
	edges := (period + interval) * (math.Abs(s.at(w.from)-mean) + math.Abs(s.at(w.to)-mean))
	missing := 0.0
	if gaps > 0 {
		missing = 1.96 * stat.StdDev(readings, nil) * math.Sqrt(gaps) / 2
	}
	return w.length()*quantum + math.Hypot(w.length()*scatter, math.Hypot(edges, missing))
}

// successive returns the standard deviation of values with these differences.
func successive(differences []float64) float64 {
	sum := 0.0
	for _, d := range differences {
		sum += d * d
	}
	return math.Sqrt(sum / (2 * float64(max(1, len(differences)))))
}

// counterUncertainty returns half the 95 % interval of a counter's difference over the window,
// whose mean power is mean. Each edge is known within one polling interval, evenly spread. Between
// two updates the power is unknown: it may differ from their mean as much as the means of the
// window's updates scatter, and by what one run takes above idle, at any time of the run.
func (s *series) counterUncertainty(l load, mean, idle, interval float64) float64 {
	at := s.changes()
	if len(at) == 0 {
		return 0
	}
	var powers []float64
	period := 0.0
	for i := 1; i < len(at); i++ {
		a, b := at[i-1], at[i]
		if !l.window.contains(s.times[a]) && !l.window.contains(s.times[b]) {
			continue
		}
		dt := s.times[b] - s.times[a]
		period = max(period, dt)
		powers = append(powers, (s.values[b]-s.values[a])/dt)
	}
	polling := 1.96 * math.Abs(mean) * interval / math.Sqrt(6)
	if len(powers) < 2 {
		return polling
	}
	// The error of an edge midway between two updates: half of their time.
	within := 1.96 * math.Sqrt2 * stat.StdDev(powers, nil) * period / 2
	inside := 0.0
	if run := l.run(); run < period {
		inside = 1.96 * math.Abs(mean-orZero(idle)) * run / math.Sqrt(6)
	}
	return math.Hypot(inside, math.Hypot(polling, within))
}

// orZero returns an idle power, or 0 if it is unknown: then all power counts.
func orZero(idle float64) float64 {
	if math.IsNaN(idle) {
		return 0
	}
	return idle
}

// know applies what is known about the sensor's channels.
func (p *polled) know(k Knowledge) {
	name := p.sensor.Name()
	p.window = make([]float64, len(p.channels))
	p.calibrations = make([]framework.Calibration, len(p.channels))
	said, _ := p.sensor.(framework.Calibrated)
	for i, ch := range p.channels {
		p.window[i], _ = lookUp(k.Seen, name, ch.Name)
		var ok bool
		if p.calibrations[i], ok = lookUp(k.Calibrations, name, ch.Name); !ok && said != nil {
			p.calibrations[i] = said.Calibration(i)
		}
	}
}

// unprobed is the share of each period that a reading is assumed to see if it is unknown: that of
// the boards where it is least (Yang et al., "Part-time Power Measurements: nvidia-smi's Lack of
// Attention", SC 2024).
const unprobed = 0.25

// seen returns how many seconds of each period a reading of the channel averages: as found by a
// probe, else as the sensor says, else a quarter.
func (p *polled) seen(channel int, period float64) float64 {
	switch {
	case p.window[channel] > 0:
		return p.window[channel]
	case p.averagings[channel] > 0:
		return p.averagings[channel]
	}
	return unprobed * period
}

// combined returns half the 95 % interval of the channel's energy with the sensor's calibration,
// and the calibration's source; 0 and "" if it is unknown.
func (p *polled) combined(channel int, c ChannelEnergy, window span) (half float64, source string) {
	k := p.calibrations[channel]
	if k == (framework.Calibration{}) || math.IsNaN(c.Energy) || c.Uncertainty == 0 {
		return 0, ""
	}
	return math.Hypot(c.Uncertainty, 2*math.Hypot(k.Gain*c.Energy, k.Offset*window.length())), k.Source
}
