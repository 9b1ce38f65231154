package recorded

import (
	"math"
	"strings"

	"example.org/bench/tuning"
)

// ModelSuffix ends the names of spaces whose times come from a model.
const ModelSuffix = "-model"

// Modelled reports whether the space's times are a model's.
func (r *Space) Modelled() bool { return strings.HasSuffix(r.Name, ModelSuffix) }

// Predicted returns a model's times of the tasks' points from spaces; none if no space is of a model and has
// the tasks' parameters.
func Predicted(spaces []*Space, tasks []tuning.Task) (all []tuning.Predicted) {
	for _, r := range spaces {
		if !r.Modelled() {
			continue
		}
		for t, costs := range r.Lesson(tasks).Costs {
			for i, c := range costs {
				if c > 0 && !math.IsInf(c, 1) {
					all = append(all, tuning.Predicted{Task: t, Point: i, Cost: c})
				}
			}
		}
	}
	return all
}
