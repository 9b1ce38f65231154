package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

// mostCrashes is how many processes may end while they count, one after the other, before no other is started.
const mostCrashes = 2

// Counters counts what the config asks for at each of these points that was measured, in processes of their
// own. It first ends the processes that time, so that no other process holds the devices. It passes each
// point's number in the list to take. lacking has lines about missing counters. The error
// is engine.ErrInterrupted or take's.
func (x *Experiment) Counters(ctx context.Context, points []plan.Point, take func(i int, c record.Counters) error) (lacking []string, err error) {
	if len(points) == 0 {
		return nil, nil
	}
	x.Crew.Close()
	var devices, reasons []string
	for _, p := range points {
		if !slices.Contains(devices, p.Device) {
			devices = append(devices, p.Device)
		}
	}
	number := map[string]int{} // of points, by the reason
	for _, device := range devices {
		err = x.countersOn(ctx, device, points, func(i int, c record.Counters) error {
			if why := cmp.Or(c.Absent, c.Note); why != "" {
				if number[why]++; number[why] == 1 {
					reasons = append(reasons, why)
				}
			}
			return take(i, c)
		})
		if err != nil {
			break
		}
	}
	for _, why := range reasons {
		lacking = append(lacking, fmt.Sprintf("counters are missing at %d of %s: %s", number[why], terminal.Count(len(points), "point"), why))
	}
	return lacking, err
}

func (x *Experiment) countersOn(ctx context.Context, device string, points []plan.Point, take func(int, record.Counters) error) error {
	e := engine.New(x.EngineOptions(x.Config))
	defer e.Close()
	crashes, end := 0, ""
	for i, p := range points {
		if p.Device != device {
			continue
		}
		c := record.Counters{Absent: end}
		if end == "" {
			var refused bool
			var err error
			if c, refused, err = e.Counters(ctx, p); err != nil {
				return err
			}
			if crashes++; c.Source != "" || refused {
				crashes = 0
			}
			if refused || crashes == mostCrashes {
				end = c.Absent
			}
		}
		if err := take(i, c); err != nil {
			return err
		}
	}
	return nil
}

// Counts reports whether the config asks for counters of a result's point, which was
// measured and has none yet.
func (x *Experiment) Counts(r *record.Result) bool {
	return r.Status == record.OK && r.Counters == nil && r.Point.Instance == 0 && r.Point.Device != "sim" &&
		len(x.Config.CountersOf(r.Point.Processor)) > 0
}

// Count adds the counters that the config asks for to the results and to the journal. It must follow Run: a
// count would disturb times. It returns engine.ErrInterrupted when ctx ends.
func (s *Session) Count(ctx context.Context) error {
	last := map[string]int{}
	for i, r := range s.Results {
		last[r.Point.Key()] = i
	}
	var points []plan.Point
	var places []int
	for i := range s.Results {
		if r := &s.Results[i]; last[r.Point.Key()] == i && s.Counts(r) {
			points, places = append(points, r.Point), append(places, i)
		}
	}
	lacking, err := s.Counters(ctx, points, func(i int, c record.Counters) error {
		r := &s.Results[places[i]]
		r.Counters = &c
		return s.journal.Append(*r)
	})
	for _, line := range lacking {
		s.warn("%s", line)
	}
	return err
}
