package search

import (
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
)

// compiling is the average time of a GPU trial beside its measurement; most points are compiled ahead. 15
// published searches took 0.4 to 3.4 times as long as Duration says, half of them less than 0.9 times.
const compiling = 50 * time.Millisecond

// Evaluations returns how many evaluations the search makes at most, over all versions.
func (s *Search) Evaluations() int {
	n := 0
	for _, v := range s.Versions {
		n += v.Budget
	}
	return n
}

// Duration returns about how long the search takes by the measure settings if it uses its budget, with so
// many evaluations already in the journal.
func (s *Search) Duration(earlier int) time.Duration {
	quick, thorough := *s.experiment.Config, *s.experiment.Config
	quick.Measure, thorough.Measure = quickly(s.experiment.Config), thoroughly(s.experiment.Config)
	of := func(c *config.Config, p plan.Point, times int) time.Duration {
		p.Skip = ""
		return time.Duration(times) * experiment.Duration(c, []plan.Point{p}, s.Objective != Time)
	}
	var total, again time.Duration
	trialsToGo := 0
	for _, v := range s.Versions {
		base := v.Tasks[0].Base
		trials := v.Budget - min(earlier, v.Budget)
		earlier -= v.Budget - trials
		trialsToGo += trials
		total += of(&quick, base, trials)
		if v.Processor == framework.GPU {
			total += time.Duration(trials) * compiling
		}
		if s.Confirm == 0 {
			continue
		}
		for _, t := range v.Tasks {
			times := min(s.Confirm, t.Space.Len()) + 1 // and the defaults
			if s.Objective == Time {
				times += 2 // turns have the defaults twice, and the best
			}
			again += of(&thorough, base, times)
		}
	}
	total += again + s.switchTime(trialsToGo)
	total /= time.Duration(len(s.experiment.Crew))
	if s.Limit > 0 {
		return min(total, s.Limit+again/time.Duration(len(s.experiment.Crew)))
	}
	return total
}
