package strategy

import (
	"math"
	"math/rand/v2"
	"slices"

	"example.org/bench/tuning"
)

// trust bounds what lessons can cost.
var trust = tuning.Option{Name: "trust", Default: trusted, High: tuning.MaxCount, Whole: true,
	Doc: "with --from: evaluations that it chooses before the search goes on as if from nothing; it loses at most so many"}

// newBest returns a searcher, or a guided one if lessons say something.
func newBest(s tuning.Search) (tuning.Strategy, error) {
	if err := s.CheckOptions(trust); err != nil {
		return nil, err
	}
	alone := newSearcher(s)
	turns := int(s.Option(trust))
	if turns == 0 {
		s.Lessons = nil
	}
	s.Prior = s.Prior && !s.Front
	if len(alone.done) == 0 || len(s.Lessons) == 0 && !s.Prior {
		return alone, nil
	}
	s.Rand = rand.New(rand.NewPCG(1, 1)) // alone is to take the same chances as without lessons
	taught := &searcher{search: s, first: alone.first, kernel: alone.kernel, rates: slices.Clone(alone.rates), settings: alone.settings}
	taught.begin()
	g := &guided{alone: alone, taught: taught, turns: turns, known: map[tuning.Proposal]tuning.Trial{}}
	if taught.taught = newTaught(taught, s.Lessons); taught.taught == nil {
		if g.turns = 0; !s.Prior {
			return alone, nil
		}
	}
	if s.Prior {
		g.prior, g.credit = newAdvice(s.Tasks), 1-(priorTrust-leastTrust)/(1-leastTrust)
	}
	return g, nil
}

// guided is best with lessons: two searches side by side. The search alone proposes the very points that best
// would without lessons. The search taught begins with the lessons and has a number of turns. It gets another
// turn whenever alone proposes a point that is known already. After n evaluations and those turns, all is
// thus evaluated that best without lessons has evaluated after n, whatever the lessons were worth.
type guided struct {
	alone, taught *searcher
	turns         int // left to taught
	known         map[tuning.Proposal]tuning.Trial
	// untold are the trials of alone since the last turn of taught.
	untold  []tuning.Trial
	pending []guidedProposal

	prior    *advice // nil: there is none
	credit   float64 // of the prior for a turn of taught
	inDesign bool    // a point that the prior advised replaced one of alone's design
}

type guidedProposal struct {
	tuning.Proposal
	alone   bool // alone proposed it, if not first, or is told of it
	advised bool
}

func (g *guided) Next() (task, point int, ok bool) {
	if g.prior != nil {
		g.credit = min(g.credit+g.prior.share(), 2)
	}
	for {
		if g.turn() {
			if p, ok := g.advised(); ok {
				g.pending = append(g.pending, guidedProposal{Proposal: p, alone: g.count(p), advised: g.prior != nil})
				return p.Task, p.Point, true
			}
		}
		if task, point, ok = g.alone.Next(); !ok {
			return 0, 0, false
		}
		p := tuning.Proposal{Task: task, Point: point}
		if t, ok := g.known[p]; ok {
			g.turns++
			g.alone.Tell(t)
			continue
		}
		if i := g.at(p); i >= 0 {
			g.turns++
			g.pending[i].alone = true
			continue
		}
		g.pending = append(g.pending, guidedProposal{Proposal: p, alone: true})
		return task, point, true
	}
}

// turn reports whether it is the turn of taught.
func (g *guided) turn() bool {
	return g.taught.taught != nil && (g.turns > 0 || g.credit >= 1 && g.prior.dares(g.waiting()))
}

// waiting counts the pending proposals of taught that are not alone's.
func (g *guided) waiting() int {
	n := 0
	for _, p := range g.pending {
		if p.advised {
			n++
		}
	}
	return n
}

// count takes note of a turn. The first turn that a prior has replaces a point of alone's design, which is
// random anyway: the turn costs no evaluation, and alone is told its trial.
func (g *guided) count(p tuning.Proposal) (alone bool) {
	if g.turns > 0 {
		g.turns--
		return false
	}
	g.credit--
	g.prior.advised++
	n := len(g.alone.design)
	if g.inDesign || n < 2 {
		return false
	}
	g.alone.design, g.inDesign = g.alone.design[:n-1], true
	g.alone.take(p)
	return true
}

// advised returns the next point of taught that is not being evaluated. It first tells taught what alone has
// found since.
func (g *guided) advised() (p tuning.Proposal, ok bool) {
	for _, t := range g.untold {
		g.taught.take(tuning.Proposal{Task: t.Task, Point: t.Point})
		g.taught.Tell(t)
	}
	g.untold = nil
	for {
		if p.Task, p.Point, ok = g.taught.Next(); !ok || g.at(p) < 0 {
			return p, ok
		}
	}
}

func (g *guided) at(p tuning.Proposal) int {
	return slices.IndexFunc(g.pending, func(q guidedProposal) bool { return q.Proposal == p })
}

// Tell tells taught of every trial, and alone only of its own: a cluster of points to which the lessons led
// would mislead it.
func (g *guided) Tell(t tuning.Trial) {
	p := tuning.Proposal{Task: t.Task, Point: t.Point}
	i := g.at(p)
	alone := g.pending[i].alone
	g.pending = slices.Delete(g.pending, i, i+1)
	g.known[p] = t
	if g.prior != nil {
		g.prior.learn(g.alone.first[t.Task]+t.Point, t)
	}
	if alone {
		g.alone.Tell(t)
	}
	if slices.Contains(g.taught.pending, g.taught.first[p.Task]+p.Point) {
		g.taught.Tell(t)
	} else {
		g.untold = append(g.untold, t)
	}
}

// First returns the point that the lessons advise, or else the point that alone would take.
func (g *guided) First(pending []tuning.Proposal) int {
	for i, p := range pending {
		if at := g.at(p); at >= 0 && (!g.pending[at].alone || g.pending[at].advised && g.prior.share() > 0) {
			return i
		}
	}
	return g.alone.First(pending)
}

// Guide adds to the prior, and has taught begin with all of it.
func (g *guided) Guide(more []tuning.Predicted) {
	a := g.prior
	if a == nil {
		return
	}
	for _, x := range more {
		if math.IsNaN(a.costs[x.Task][x.Point]) && x.Cost > 0 {
			a.predicted++
		}
		a.costs[x.Task][x.Point] = x.Cost
	}
	t := newTaught(g.taught, append(slices.Clone(g.taught.search.Lessons), tuning.Lesson{Name: "prior", Costs: a.costs}))
	if t == nil {
		return
	}
	g.taught.taught, g.taught.model = t, nil
	last := len(t.score) - 1
	a.revise(t.score[last], 1/t.deviation[last])
}

// Trusts returns how far the prior is trusted now.
func (g *guided) Trusts() tuning.Trust {
	a := g.prior
	return tuning.Trust{Share: a.share(), Agreement: a.agreement(), Pairs: a.pairs(), Predicted: a.predicted, Advised: a.advised, GivenUp: a.givenUp}
}

// take notes that a point that the search did not propose is evaluated.
func (b *searcher) take(p tuning.Proposal) {
	c := b.first[p.Task] + p.Point
	b.done[c] = true
	b.left--
	b.trials[p.Task]++
	b.pending = append(b.pending, c)
	if b.model != nil {
		b.model.expect(c)
	}
}
