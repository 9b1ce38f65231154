package replay

import (
	"math/rand/v2"
	"time"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// known is a prior of spaces of a model's times, known from the start, as with bench tune --from.
type known struct{ points []tuning.Predicted }

// made is a prior of such spaces that say how long modelling each point took (compile_s). The compilers make
// it as in bench tune.
type made struct {
	tuning.Making
	points        []tuning.Predicted // not begun, in the order in which they are made
	seconds       map[tuning.Proposal]float64
	fresh         []tuning.Predicted
	makers, makes int // processes that may make it, and do
}

// newPrior returns the prior of the tasks' points, in random order; nil if no space is of a model and has
// their parameters, and if points are to be made and there is no compiler.
func newPrior(spaces []*recorded.Space, tasks []tuning.Task, compilers int, chance *rand.Rand) tuning.Prior {
	points := recorded.Predicted(spaces, tasks)
	if len(points) == 0 {
		return nil
	}
	seconds := map[tuning.Proposal]float64{}
	for _, s := range spaces {
		if s.Compile == nil {
			continue
		}
		took := recorded.Space{Name: s.Name, Space: s.Space, Costs: s.Compile}
		for _, x := range recorded.Predicted([]*recorded.Space{&took}, tasks) {
			seconds[tuning.Proposal{Task: x.Task, Point: x.Point}] = x.Cost
		}
	}
	switch {
	case len(seconds) == 0:
		return &known{points}
	case compilers == 0:
		return nil
	}
	chance.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	return &made{Making: tuning.Making{Most: compilers}, points: points, seconds: seconds}
}

// Take implements tuning.Prior.
func (p *known) Take(int, time.Duration) (all []tuning.Predicted) {
	all, p.points = p.points, nil
	return all
}

// GiveUp implements tuning.Prior.
func (p *known) GiveUp() {}

// Take implements tuning.Prior.
func (p *made) Take(ended int, now time.Duration) (more []tuning.Predicted) {
	over := false
	if p.makers, over = p.Makers(ended, now); over {
		p.GiveUp()
	}
	if p.Tells(len(p.fresh), len(p.points)+p.makes == 0) {
		more, p.fresh = p.fresh, nil
	}
	return more
}

// GiveUp implements tuning.Prior.
func (p *made) GiveUp() { p.points, p.makers = nil, 0 }

// Begin implements tuning.Made.
func (p *made) Begin() (x tuning.Predicted, seconds float64, ok bool) {
	if len(p.points) == 0 || p.makes >= p.makers {
		return x, 0, false
	}
	x, p.points = p.points[0], p.points[1:]
	p.makes++
	return x, p.seconds[tuning.Proposal{Task: x.Task, Point: x.Point}], true
}

// End implements tuning.Made.
func (p *made) End(x tuning.Predicted, seconds float64) {
	p.makes--
	p.Made(true, seconds)
	p.fresh = append(p.fresh, x)
}
