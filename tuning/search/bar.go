package search

import (
	"slices"

	"example.org/bench/framework"
)

// bar returns the seconds beyond which a trial of a task is not among the best, so that its timing may end
// early: those of the slowest trial that would be measured again at the end. It is 0, for none, while these
// are not known, if costs are not times of GPUs, and if every point is to be measured, as for a recorded
// space. A slower one of several GPUs has a higher bar, since its costs are corrected.
func (s *Search) bar(v *Version, t *Task, device string) float64 {
	if s.WholeTrials || s.Objective != Time || v.Processor != framework.GPU || s.Strategy.Name == "exhaustive" || v.Budget >= v.Points() && s.Limit == 0 && s.Patience == nil {
		return 0
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var costs []float64
	for _, x := range s.trialsOf(t) {
		if x.OK {
			costs = append(costs, x.Cost)
		}
	}
	k := max(1, s.Confirm)
	if len(costs) < k {
		return 0
	}
	slices.Sort(costs)
	return costs[k-1] * v.correction(device)
}

// endedEarly counts a task's trials that ended early at their bar.
func (s *Search) endedEarly(t *Task) (n int) {
	for _, x := range s.trialsOf(t) {
		if series := seriesOf(x.Result); x.OK && series != nil && series.Beaten {
			n++
		}
	}
	return n
}
