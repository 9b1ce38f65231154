package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"bench/framework"
	"bench/framework/measure"
)

// JSON has no NaN and no infinity. A Result that holds some (the error of a
// wrong answer, a sensor without a reading) is written with zeros in their
// place and a list of what they were, by place.

// plain is a Result without its JSON methods.
type plain Result

type wire struct {
	plain
	NonFinite map[string]string `json:"non_finite,omitempty"`
}

// MarshalJSON writes any Result, NaN and infinities included.
func (r Result) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(plain(r))
	var unsupported *json.UnsupportedValueError
	if !errors.As(err, &unsupported) {
		return b, err
	}
	w := wire{NonFinite: map[string]string{}}
	w.plain = plain(mapReals(r, func(place string, x float64) float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			w.NonFinite[place] = strconv.FormatFloat(x, 'g', -1, 64)
			return 0
		}
		return x
	}))
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(b []byte) error {
	var w wire
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	*r = Result(w.plain)
	if len(w.NonFinite) == 0 {
		return nil
	}
	var bad error
	*r = mapReals(*r, func(place string, x float64) float64 {
		s, ok := w.NonFinite[place]
		if !ok {
			return x
		}
		y, err := strconv.ParseFloat(s, 64)
		if err != nil && bad == nil {
			bad = fmt.Errorf("non_finite %s: want NaN, +Inf or -Inf, got %q", place, s)
		}
		return y
	})
	return bad
}

// mapReals returns a copy of r in which every measured real number went
// through f. The place names the number within the Result. A problem's
// parameters are not measured: plans refuse what is not finite.
func mapReals(r Result, f func(place string, x float64) float64) Result {
	r.Checks = slices.Clone(r.Checks)
	for i := range r.Checks {
		mapCheck(&r.Checks[i], fmt.Sprintf("checks.%d.", i), f)
	}
	r.Cold = mapSeries(r.Cold, "cold.", f)
	r.Hot = mapSeries(r.Hot, "hot.", f)
	r.Energy = mapEnergy(r.Energy, f)
	r.TemperatureBefore = mapByName(r.TemperatureBefore, "temperature_before.", f)
	r.TemperatureAfter = mapByName(r.TemperatureAfter, "temperature_after.", f)
	r.Elapsed = f("elapsed_s", r.Elapsed)
	return r
}

func mapCheck(c *framework.Check, place string, f func(string, float64) float64) {
	c.Error = f(place+"error", c.Error)
	c.Bound = f(place+"bound", c.Bound)
}

func mapSeries(s *measure.Series, place string, f func(string, float64) float64) *measure.Series {
	if s == nil {
		return nil
	}
	c := *s
	c.Samples = slices.Clone(s.Samples)
	for i := range c.Samples {
		c.Samples[i] = f(fmt.Sprintf("%ssamples.%d", place, i), c.Samples[i])
	}
	c.ClockHz = f(place+"clock_Hz", c.ClockHz)
	return &c
}

func mapEnergy(e *measure.Energy, f func(string, float64) float64) *measure.Energy {
	if e == nil {
		return nil
	}
	c := *e
	c.Window = f("energy.window_s", c.Window)
	c.Period = f("energy.update_period_s", c.Period)
	c.Channels = slices.Clone(e.Channels)
	for i := range c.Channels {
		ch, place := &c.Channels[i], fmt.Sprintf("energy.channels.%d.", i)
		ch.Power = f(place+"power_W", ch.Power)
		ch.Idle = f(place+"idle_W", ch.Idle)
		ch.Energy = f(place+"energy_J", ch.Energy)
		ch.Uncertainty = f(place+"uncertainty_J", ch.Uncertainty)
		ch.Period = f(place+"update_period_s", ch.Period)
	}
	c.Samples = slices.Clone(e.Samples)
	for i := range c.Samples {
		s, place := &c.Samples[i], fmt.Sprintf("energy.samples.%d.", i)
		s.Time = f(place+"t", s.Time)
		s.Value = f(place+"v", s.Value)
	}
	return &c
}

func mapByName(m map[string]float64, place string, f func(string, float64) float64) map[string]float64 {
	c := maps.Clone(m)
	for name, x := range c {
		c[name] = f(place+name, x)
	}
	return c
}
