package replay

import (
	"math/rand/v2"
	"time"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// prior is what spaces of a model's times say: all of it from the start, or of those that say what making
// each point took (compile_s) when it is made, by so many makers as a search has compilers.
type prior struct {
	points []tuning.Predicted
	ready  []time.Duration // when each is
}

// newPrior is of the tasks' points, in an order by chance; nil where no space is of a model and has their
// parameters.
func newPrior(spaces []*recorded.Space, tasks []tuning.Task, makers int, chance *rand.Rand) *prior {
	p := &prior{points: recorded.Predicted(spaces, tasks)}
	if len(p.points) == 0 {
		return nil
	}
	chance.Shuffle(len(p.points), func(i, j int) { p.points[i], p.points[j] = p.points[j], p.points[i] })
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
	at := 0.0
	for _, x := range p.points {
		at += seconds[tuning.Proposal{Task: x.Task, Point: x.Point}] / float64(max(1, makers))
		p.ready = append(p.ready, time.Duration(at*float64(time.Second)))
	}
	return p
}

// Take implements tuning.Prior.
func (p *prior) Take(_ int, now time.Duration) (more []tuning.Predicted) {
	n := 0
	for n < len(p.ready) && p.ready[n] <= now {
		n++
	}
	more = p.points[:n]
	p.points, p.ready = p.points[n:], p.ready[n:]
	return more
}

// Early implements tuning.Prior.
func (p *prior) Early() bool { return true }

// GiveUp implements tuning.Prior.
func (p *prior) GiveUp() { p.points, p.ready = nil, nil }
