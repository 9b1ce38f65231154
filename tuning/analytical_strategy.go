package tuning

import (
	"errors"
	"slices"
)

// analytical proposes for each task the one point that the guideline for
// embedded GPUs chooses from what the kernels take, as compiled.
var analytical = Info{
	Name:     "analytical",
	Doc:      "the occupancy model for embedded GPUs: one point a task, chosen from the compiled kernels' registers and shared memory",
	Source:   "Performance Tuning for GPU-Embedded Systems: Machine-Learning-based and Analytical Model-driven Tuning Methodologies",
	Computes: true,
	New: func(s Search) (Strategy, error) {
		if s.Facts == nil || s.Facts.Resources == nil || s.Facts.Threads == nil {
			return nil, errors.New("needs the facts of a GPU and of the compiled kernels")
		}
		q := &queue{}
		for t, task := range s.Tasks {
			p := chosenPoint(task.Space, t, s.Facts)
			known := slices.ContainsFunc(s.Known, func(k Trial) bool { return k.Task == t && k.Point == p })
			if p >= 0 && !known {
				q.trials = append(q.trials, Trial{Task: t, Point: p})
			}
		}
		return q, nil
	},
}

// chosenPoint is the guideline's, -1 where no point can run. Elements a
// thread, radix and shuffles are read from the tunables P, r and SHUFFLE.
func chosenPoint(s *Space, task int, facts *KernelFacts) int {
	at := func(name string) int {
		return slices.IndexFunc(s.Parameters, func(p Parameter) bool { return p.Name == name })
	}
	elements, radix, shuffle := at("P"), at("r"), at("SHUFFLE")
	value := func(point, parameter int) int {
		if parameter < 0 {
			return 0
		}
		return int(s.Value(point, parameter))
	}
	var list []candidate
	var points []int
	for i := range s.Len() {
		registers, shared, ok := facts.Resources(task, i)
		if !ok {
			continue
		}
		points = append(points, i)
		list = append(list, candidate{
			elements: value(i, elements), radix: value(i, radix), shuffle: value(i, shuffle) != 0,
			threads: facts.Threads(task, i), registers: registers, shared: shared,
		})
	}
	best, _ := choose(facts.Limits, list)
	if best < 0 {
		return -1
	}
	return points[best]
}
