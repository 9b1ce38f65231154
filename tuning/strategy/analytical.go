package strategy

import (
	"errors"
	"slices"

	"example.org/bench/tuning"
	"example.org/bench/tuning/analytical"
)

// guideline proposes for each task the one point that the guideline for
// embedded GPUs chooses from what the kernels take, as compiled.
var guideline = tuning.Info{
	Name:     "analytical",
	Doc:      "the occupancy model for embedded GPUs: one point per task, chosen by the compiled kernels' registers and shared memory",
	Source:   "Performance Tuning for GPU-Embedded Systems: Machine-Learning-based and Analytical Model-driven Tuning Methodologies",
	Computes: true,
	New: func(s tuning.Search) (tuning.Strategy, error) {
		if s.Facts == nil || s.Facts.Resources == nil || s.Facts.Threads == nil {
			return nil, errors.New("needs the facts of a GPU and of the compiled kernels")
		}
		q := &queue{}
		for t, task := range s.Tasks {
			if p := chosenPoint(task.Space, t, s.Facts); p >= 0 {
				q.proposals = append(q.proposals, tuning.Proposal{Task: t, Point: p})
			}
		}
		return q, nil
	},
}

// chosenPoint returns the point that the guideline chooses, or -1 if no point can run. Elements per thread,
// radix and shuffles are read from the tunables P, r and SHUFFLE.
func chosenPoint(s *tuning.Space, task int, facts *tuning.KernelFacts) int {
	at := func(name string) int {
		return slices.IndexFunc(s.Parameters, func(p tuning.Parameter) bool { return p.Name == name })
	}
	elements, radix, shuffle := at("P"), at("r"), at("SHUFFLE")
	value := func(point, parameter int) int {
		if parameter < 0 {
			return 0
		}
		return int(s.Value(point, parameter))
	}
	var list []analytical.Candidate
	var points []int
	for i := range s.Len() {
		registers, shared, ok := facts.Resources(task, i)
		if !ok {
			continue
		}
		points = append(points, i)
		list = append(list, analytical.Candidate{
			Elements: value(i, elements), Radix: value(i, radix), Shuffle: value(i, shuffle) != 0,
			Threads: facts.Threads(task, i), Registers: registers, SharedBytes: shared,
		})
	}
	best, _ := analytical.Choose(facts.Limits, list)
	if best < 0 {
		return -1
	}
	return points[best]
}
