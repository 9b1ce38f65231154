package record

import (
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/stats"
)

// Timing is how the times were taken.
type Timing struct {
	Caches config.Caches `csv:"caches" doc:"how time_s found the caches: cold (flushed before each run, clean lines), cold-dirty (a GPU's flushed by a memset, whose write-back is part of the time: measure.flush) or hot (as the run before left them); hot_time_s is hot"`
	Launch Number        `csv:"launch_s" doc:"host time of queueing one run on a GPU: median over the cold samples; empty on a CPU"`
	Floor  Number        `csv:"event_floor_s" doc:"time between two events with nothing between them, or on OpenCL of an empty kernel or of nothing, measured in the same context: part of time_s on a GPU; empty on a CPU"`
}

// nearFloor is how many times the event floor a time is below which it is marked: the
// floor is then a tenth of it or more.
const nearFloor = 10

// NearFloor reports whether the event floor is a tenth of the time or more.
func (row *Row) NearFloor() bool {
	return row.Floor.IsSet() && row.Time.Median.IsSet() && row.Time.Median.Float() < nearFloor*row.Floor.Float()
}

// timing describes the cold series or, without any, the hot ones.
func timing(cold, hot []*measure.Series) (t Timing) {
	if len(cold) == 0 {
		if len(hot) > 0 {
			t.Caches = config.Hot
		}
		return t
	}
	t.Caches = config.Cold
	var launches, floors []float64
	for _, s := range cold {
		if c := s.Flush.Caches(); c != config.Cold {
			t.Caches = c
		}
		if s.Launch > 0 {
			launches = append(launches, s.Launch)
		}
		if s.Floor > 0 {
			floors = append(floors, s.Floor)
		}
	}
	if len(launches) > 0 {
		t.Launch = Measured(stats.Median(launches))
	}
	if len(floors) > 0 {
		t.Floor = Measured(stats.Median(floors))
	}
	return t
}
