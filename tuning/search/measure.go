package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// Objective is what is minimised.
type Objective string

// The objectives, in base units: s, J, J·s.
const (
	Time   Objective = "time"
	Energy Objective = "energy"
	EDP    Objective = "edp" // energy-delay product
	// Front has two costs, time first: the search looks for the points that no other point beats in both.
	Front Objective = "time,energy"
)

// Objectives are all objectives.
var Objectives = []Objective{Time, Energy, EDP, Front}

// Check refuses what is not an objective.
func (o Objective) Check() error {
	if slices.Contains(Objectives, o) {
		return nil
	}
	var names []string
	for _, x := range Objectives {
		names = append(names, string(x))
	}
	return fmt.Errorf("%q is none of %s%s", o, strings.Join(names, "; "), config.Meant(string(o), names))
}

// CheckSearch refuses strategies, and files that teach them, that do not fit the objective.
func (o Objective) CheckSearch(strategies []tuning.Info, from []string) error {
	if o != Front {
		return nil
	}
	for _, s := range strategies {
		if !s.Fronts {
			return fmt.Errorf("--objective %s: --strategy %s looks for the least cost; want best, random or exhaustive", Front, s.Name)
		}
	}
	if len(from) > 0 {
		return fmt.Errorf("--from: it teaches a search for the least cost, not --objective %s", Front)
	}
	return nil
}

// Prices returns recorded spaces with costs of the objective; for a front they keep both.
func (o Objective) Prices(spaces []*recorded.Space) (all []*recorded.Space, err error) {
	for _, s := range spaces {
		switch o {
		case Energy:
			s, err = s.Priced(func(_, energy float64) float64 { return energy })
		case EDP:
			s, err = s.Priced(func(time, energy float64) float64 { return time * energy })
		case Front:
			if s.Energies == nil {
				err = s.NoEnergy()
			}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Cost returns the objective of the first cost: time for a front.
func (o Objective) Cost() Objective {
	if o == Front {
		return Time
	}
	return o
}

// errNoReading is the error of a trial in whose window the sensors gave no reading, as may happen on a busy
// machine.
var errNoReading = errors.New("no energy to minimise: the sensors gave no reading")

// mostUnread is how many trials may lack a reading before any has one.
const mostUnread = 3

// forgive makes a trial without a reading an invalid one. If none of several trials had a reading, it returns
// the error, since there will be none.
func (s *Search) forgive(r *record.Result, err error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !errors.Is(err, errNoReading) {
		s.read = s.read || err == nil && r.Energy != nil
		return err
	}
	if s.unread++; s.unread >= mostUnread && !s.read {
		return err
	}
	r.Status, r.Reason = record.Failed, err.Error()
	return nil
}

// cost returns the cost of a result that is OK.
func (o Objective) cost(r record.Result) (float64, error) {
	if o.Cost() == Time {
		series := seriesOf(r)
		if series == nil || len(series.Samples) == 0 {
			return 0, errors.New("a trial without a time")
		}
		return stats.Summarize(series.Samples).Median, nil
	}
	energy, absent := record.EnergyOf(r.Energy)
	number := energy.Total
	if o == EDP {
		number = energy.EDP
	}
	if !number.IsSet() && absent == "" {
		return 0, errNoReading
	}
	if !number.IsSet() {
		return 0, fmt.Errorf("no energy to minimise: %s", absent)
	}
	return number.Float(), nil
}

// trial returns the trial of a result, for a strategy.
func (o Objective) trial(task, point int, r record.Result) (tuning.Trial, error) {
	t := tuning.Trial{Task: task, Point: point}
	t.CompileSeconds, t.RunSeconds, t.SwitchSeconds = r.Compiled, r.Elapsed, r.Switched
	if r.Status != record.OK {
		return t, nil
	}
	var err error
	if t.Cost, err = o.cost(r); err == nil && o == Front {
		t.Second, err = Energy.cost(r)
	}
	t.OK = err == nil
	return t, err
}

// seriesOf returns the series behind time_s.
func seriesOf(r record.Result) *measure.Series {
	if r.Cold != nil {
		return r.Cold
	}
	return r.Hot
}

// quickly returns the settings of a trial: a search compares hundreds of points, and measures the best again.
// The timeout of a program is that of its whole execution, and stays.
func quickly(c *config.Config) config.Measure {
	m := c.Measure
	m.MinSamples, m.MinTime, m.Noise, m.CoolDown = 7, 0.002, 0.01, 0
	if c.Executable == "" {
		m.Timeout = 0.1
	}
	return m
}

// thoroughly returns the settings of the measurements at the end.
func thoroughly(c *config.Config) config.Measure {
	m := c.Measure
	m.MinSamples, m.MinTime, m.Noise, m.CoolDown = 20, min(m.MinTime, 0.05), min(m.Noise, 0.005), 0
	if c.Executable == "" {
		m.Timeout = min(m.Timeout, 0.5)
	}
	return m
}

// IsTrial reports whether a result of a search's journal is a trial. The others are calibration points.
func IsTrial(r record.Result) bool { return r.Point.ID >= 0 }

// measure has an engine measure one point, or takes the result from the journal that is resumed. It takes
// each such result once.
func (s *Search) measure(ctx context.Context, e *engine.Engine, p plan.Point) (Trial, error) {
	s.mutex.Lock()
	key := p.Key()
	if had := s.earlier[key]; len(had) > 0 {
		s.earlier[key] = had[1:]
		s.mutex.Unlock()
		return had[0], nil
	}
	s.mutex.Unlock()
	defer s.alone()()
	var t Trial
	_, err := e.Measure(ctx, p, s.experiment.Facts, watching{s}, keeper{s, &t})
	return t, err
}

// keeper keeps a result in the journal, which several engines use, and in last.
type keeper struct {
	search *Search
	last   *Trial
}

func (k keeper) Start(p plan.Point) (string, error) {
	k.search.mutex.Lock()
	defer k.search.mutex.Unlock()
	return k.search.journal.Start(p)
}

func (k keeper) Withdraw(p plan.Point) error {
	k.search.mutex.Lock()
	defer k.search.mutex.Unlock()
	return k.search.journal.Withdraw(p)
}

func (k keeper) Append(r record.Result) error {
	k.search.mutex.Lock()
	defer k.search.mutex.Unlock()
	if key := codeOf(r.Point).Key(); IsTrial(r) {
		if c, ok := k.search.compiled[key]; ok {
			r.Compiled, c.seconds = c.seconds, 0
			k.search.compiled[key] = c
		}
	}
	*k.last = Trial{Result: r, order: k.search.kept}
	if IsTrial(r) {
		k.search.kept++
	}
	return k.search.journal.Append(r)
}

// watching passes what several engines do to the search's observer.
type watching struct{ search *Search }

func (w watching) Started(p plan.Point) {
	w.search.mutex.Lock()
	defer w.search.mutex.Unlock()
	w.search.show.Started(p)
}

func (w watching) Phase(p plan.Point, phase string) {
	w.search.mutex.Lock()
	defer w.search.mutex.Unlock()
	w.search.show.Phase(p, phase)
}

func (w watching) Done(r *record.Result) {
	w.search.mutex.Lock()
	defer w.search.mutex.Unlock()
	w.search.show.Done(r)
}
