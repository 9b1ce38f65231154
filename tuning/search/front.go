package search

import (
	"context"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/pareto"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// FrontReport is what a search for the front of time and energy found at a sweep point.
type FrontReport struct {
	// Points are the front, the fastest first: those that no other beats in both time and energy.
	Points []FrontPoint `json:"points"`
	// Defaults are the version's; absent if they were not measured.
	Defaults *FrontPoint `json:"defaults,omitempty"`
	// Hypervolume is the area, below the reference in both costs, that the points beat.
	Hypervolume float64 `json:"hypervolume_Js"`
	// ReferenceTime is a tenth of the front's extent beyond its slowest, at least a tenth above its fastest.
	ReferenceTime   float64 `json:"reference_time_s"`
	ReferenceEnergy float64 `json:"reference_energy_J"` // likewise
	Again           bool    `json:"measured_again"`     // true: at length; false: as the trials have it
}

// FrontPoint is one choice with medians and 95 % intervals, as far as they are known.
type FrontPoint struct {
	Tunables  framework.Values `json:"tunables"`             // that were measured
	PowerMode string           `json:"power_mode,omitempty"` // absent without --power-modes
	Time      Estimate         `json:"time_s"`               // of one run
	Energy    Estimate         `json:"energy_J"`             // of one run

	point int
}

// Text returns the tunables in words.
func (p FrontPoint) Text() string { return Setting(p.PowerMode, p.Tunables) }

// Setting returns a power mode, or none, and tunables in words.
func Setting(mode string, values framework.Values) string {
	var names []string
	for n := range values {
		names = append(names, n)
	}
	slices.Sort(names)
	for i, n := range names {
		names[i] = n + " " + values[n].String()
	}
	if mode != "" && len(names) > 0 {
		names = append([]string{"power mode " + mode}, names...)
	}
	return strings.Join(names, ", ")
}

func (p FrontPoint) costs() pareto.Point { return pareto.Point{X: p.Time.Value, Y: p.Energy.Value} }

// set returns the points' costs.
func (f *FrontReport) set() (s pareto.Set) {
	for _, p := range f.Points {
		s.Add(p.costs())
	}
	return s
}

// frontPoint returns a task's point with the costs of a result.
func (t *Task) frontPoint(point int, r record.Result) (FrontPoint, error) {
	p := FrontPoint{Tunables: r.Point.Tunables, PowerMode: r.Point.PowerMode, Time: estimateOf(seriesOf(r).Samples), point: point}
	var err error
	if p.Energy.Value, err = Energy.cost(r); err != nil {
		return p, err
	}
	energy, _ := record.EnergyOf(r.Energy)
	if u := energy.Uncertainty; u.IsSet() {
		p.Energy.Low, p.Energy.High = p.Energy.Value-u.Float(), p.Energy.Value+u.Float()
	}
	return p, nil
}

// frontOf returns the front of some points.
func frontOf(all []FrontPoint, again bool) *FrontReport {
	costs := make([]pareto.Point, len(all))
	for i, p := range all {
		costs[i] = p.costs()
	}
	f := &FrontReport{Again: again}
	for _, i := range pareto.Front(costs) {
		f.Points = append(f.Points, all[i])
	}
	set := f.set()
	reference := set.Reference()
	f.Hypervolume, f.ReferenceTime, f.ReferenceEnergy = set.Hypervolume(reference), reference.X, reference.Y
	return f
}

// front returns the front of a task's trials, or the front measured again if it was; nil if there is none.
func (s *Search) front(t *Task) *FrontReport {
	if s.Objective != Front || t.front != nil {
		return t.front
	}
	var all []FrontPoint
	var defaults *FrontPoint
	for _, x := range s.trialsOf(t) {
		if !x.OK {
			continue
		}
		p, err := t.frontPoint(x.Point, x.Result)
		if err != nil { // a trial that is OK has both
			continue
		}
		if all = append(all, p); x.Point == t.Defaults {
			defaults = &p
		}
	}
	if len(all) == 0 {
		return nil
	}
	f := frontOf(all, false)
	f.Defaults = defaults
	return f
}

// Front returns the task's front as it was measured again; nil if it was not.
func (t *Task) Front() *FrontReport { return t.front }

// measureFront measures a task's front again at length, and the defaults.
func (s *Search) measureFront(ctx context.Context, e *engine.Engine, t *Task) error {
	trials := s.front(t)
	if trials == nil {
		return nil
	}
	again := func(point int, p plan.Point) (f FrontPoint, ok bool, _ error) {
		got, err := e.Measure(ctx, p, s.experiment.Facts, watching{s}, nil)
		if err != nil || got.Status != record.OK {
			return f, false, err
		}
		f, err = t.frontPoint(point, *got)
		return f, err == nil, err
	}
	var all []FrontPoint
	var defaults *FrontPoint
	var points []int
	for _, p := range trials.Points {
		points = append(points, p.point)
	}
	for _, p := range t.inModes(points) {
		f, ok, err := again(p, t.Point(p))
		if err != nil {
			return err
		}
		if ok {
			if all = append(all, f); f.point == t.Defaults {
				defaults = &f
			}
		}
	}
	if len(all) == 0 { // none runs any more
		return nil
	}
	if defaults == nil {
		f, ok, err := again(t.Defaults, t.Base)
		if err != nil {
			return err
		}
		if ok {
			defaults = &f
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t.front = frontOf(all, true)
	t.front.Defaults = defaults
	return nil
}

// ends returns a front's best points by one cost: the fastest, and the one of least energy.
func (f *FrontReport) ends() map[Objective]FrontPoint {
	frugal, least := 0, math.Inf(1)
	for i, p := range f.Points {
		if p.Energy.Value < least {
			frugal, least = i, p.Energy.Value
		}
	}
	return map[Objective]FrontPoint{Time: f.Points[0], Energy: f.Points[frugal]}
}
