package search

import (
	"context"
	"slices"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// count adds the counters that the config asks for to the trials that are ok, after all measurements. The
// journal has no counters: a resumed search counts again.
func (s *Search) count(ctx context.Context) error {
	if s.modes != nil {
		if len(s.experiment.Config.Counters) > 0 {
			s.Note("no counters: a search in several power modes has none, as only the last mode is still on")
		}
		return nil
	}
	var points []plan.Point
	var trials []*Trial
	for i := range s.Trials {
		if t := &s.Trials[i]; s.experiment.Counts(&t.Result) {
			points, trials = append(points, t.Result.Point), append(trials, t)
		}
	}
	lacking, err := s.experiment.Counters(ctx, points, func(i int, c record.Counters) error {
		trials[i].Result.Counters = &c
		return nil
	})
	for _, line := range lacking {
		s.Note("%s", line)
	}
	return err
}

// counters returns the names of the counters that trials have.
func (s *Search) counters() (names []string) {
	for _, t := range s.Trials {
		if t.Result.Counters == nil {
			continue
		}
		for name := range t.Result.Counters.Values {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// counterCells returns a trial's counters, empty if it has none.
func counterCells(t Trial, names []string) (cells []string) {
	for _, name := range names {
		cell := ""
		if c := t.Result.Counters; c != nil {
			if x, ok := c.Values[name]; ok {
				cell = formatted(x)
			}
		}
		cells = append(cells, cell)
	}
	return cells
}
