package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/workers"
)

// Final is the result of measuring a task's best and defaults again at length.
type Final struct {
	Point   int       `json:"-"`                                        // the best; the defaults, if nothing better was found
	Best    Estimate  `json:"best" unit:"the objective's"`              // the best, in turns with the defaults if both run
	Default *Estimate `json:"default,omitempty" unit:"the objective's"` // the defaults
	Reason  string    `json:"reason,omitempty"`                         // why there is no "default"
}

// Estimate is a cost in base units.
type Estimate struct {
	Value float64 `json:"value"`          // median, of energy the mean
	Low   float64 `json:"low,omitempty"`  // lower end of its 95 % interval, of energy by repeatability
	High  float64 `json:"high,omitempty"` // upper end of it
}

func estimateOf(samples []float64) Estimate {
	s := stats.Summarize(samples)
	e := Estimate{Value: s.Median}
	if !math.IsNaN(s.Low) && !math.IsNaN(s.High) {
		e.Low, e.High = s.Low, s.High
	}
	return e
}

// finals measures the best trials of each task again, and the best of them
// against the defaults.
func (s *Search) finals(ctx context.Context) error {
	c := *s.experiment.Config
	c.Tunables, c.Measure = nil, thoroughly(&c)
	if s.Objective == Time {
		c.Sensors = []string{}
	}
	crew := s.experiment.CrewFor(&c)
	if s.modes != nil {
		s.experiment.Crew.Close() // no worker is there while modes are switched
		crew[0].EnterMode(s.modes.enter, nil)
	}
	defer crew.Close()
	for _, v := range s.Versions {
		todo := make(chan *Task, len(v.Tasks))
		for _, t := range v.Tasks {
			todo <- t
		}
		close(todo)
		own := fitOf(crew, v.Devices)
		err := workers.Together(ctx, len(own), func(ctx context.Context, i int) error {
			for t := range todo {
				if err := s.final(ctx, own[i], v, t); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// final measures a task's best again, all on one device.
func (s *Search) final(ctx context.Context, e *engine.Engine, v *Version, t *Task) error {
	if s.Objective == Front {
		if err := s.measureFront(ctx, e, t); err != nil || len(s.bestPoints(t)) == 0 {
			return err
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.show.Confirmed(v, t)
		return nil
	}
	points := s.bestPoints(t)
	if len(points) == 0 {
		return nil
	}
	final, err := s.confirmed(ctx, e, t, points)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t.Final = final
	s.show.Confirmed(v, t)
	return nil
}

// bestPoints returns the points of a task's best trials, best first.
func (s *Search) bestPoints(t *Task) []int {
	valid := slices.DeleteFunc(s.trialsOf(t), func(x Trial) bool { return !x.OK })
	slices.SortStableFunc(valid, func(a, b Trial) int { return cmp.Compare(a.Cost, b.Cost) })
	var points []int
	for _, x := range valid[:min(s.Confirm, len(valid))] {
		points = append(points, x.Point)
	}
	return points
}

// confirmed measures the points and returns the best; nil if none runs any more.
func (s *Search) confirmed(ctx context.Context, e *engine.Engine, t *Task, points []int) (*Final, error) {
	var f *Final
	measured := func(p plan.Point) (*Estimate, string, error) {
		got, err := e.Measure(ctx, p, s.experiment.Facts, watching{s}, nil)
		if err != nil {
			return nil, "", err
		}
		if got.Status != record.OK {
			return nil, string(got.Status) + ": " + got.Reason, nil
		}
		c, err := s.Objective.cost(*got)
		if err != nil {
			return nil, "", err
		}
		x := Estimate{Value: c}
		if s.Objective == Time {
			x = estimateOf(seriesOf(*got).Samples)
		}
		return &x, "", nil
	}
	for _, i := range t.inModes(points) {
		x, _, err := measured(t.Point(i))
		if err != nil {
			return f, err
		}
		if x != nil && (f == nil || x.Value < f.Best.Value) {
			f = &Final{Point: i, Best: *x}
		}
	}
	switch {
	case f == nil:
		return nil, nil
	case f.Point == t.Defaults:
		f.Default = &f.Best
		return f, nil
	case s.Objective != Time || t.mode(f.Point) != t.Base.PowerMode: // turns are of one mode
		var err error
		f.Default, f.Reason, err = measured(t.Base)
		f.preferDefaults(t)
		return f, err
	}
	turns, err := e.Turns(ctx, engine.Pair{A: e.On(t.Base), B: e.On(t.Point(f.Point))})
	switch {
	case err != nil:
		return f, err
	case turns.Status != record.OK || turns.Treatment == nil:
		f.Reason = fmt.Sprintf("%s: %s", turns.Status, turns.Reason)
	default:
		d := estimateOf(turns.Treatment.A)
		f.Default, f.Best = &d, estimateOf(turns.Treatment.B)
	}
	f.preferDefaults(t)
	return f, nil
}

// preferDefaults makes the defaults the best if nothing better was found.
func (f *Final) preferDefaults(t *Task) {
	if d := f.Default; d != nil && t.Defaults >= 0 && d.Value < f.Best.Value {
		f.Point, f.Best = t.Defaults, *d
	}
}
