package strategy

import (
	"math/rand/v2"
	"slices"

	"bench/tuning"
)

// trust bounds what lessons can cost.
var trust = tuning.Option{Name: "trust", Default: trusted, High: tuning.MaxCount, Whole: true,
	Doc: "with --from: evaluations that it chooses before the search goes on as if from nothing; it loses at most so many"}

// newBest is a searcher, or a guided one where lessons say something.
func newBest(s tuning.Search) (tuning.Strategy, error) {
	if err := s.CheckOptions(trust); err != nil {
		return nil, err
	}
	alone := newSearcher(s)
	turns := int(s.Option(trust))
	if len(s.Lessons) == 0 || turns == 0 || len(alone.done) == 0 {
		return alone, nil
	}
	s.Rand = rand.New(rand.NewPCG(1, 1)) // alone is to take the same chances as without lessons
	taught := &searcher{search: s, first: alone.first, kernel: alone.kernel, rates: slices.Clone(alone.rates), settings: alone.settings}
	taught.begin()
	if taught.taught = newTaught(taught, s.Lessons); taught.taught == nil {
		return alone, nil
	}
	return &guided{alone: alone, taught: taught, turns: turns, known: map[tuning.Proposal]tuning.Trial{}}, nil
}

// guided is best with lessons: two searches side by side. One is what best would be
// without them, to the very points. The other begins with the lessons and has a number of
// turns; it gets another whenever the first one proposes a point that it knows already. So after
// n evaluations and those turns, all is evaluated that best alone has evaluated after
// n, whatever the lessons were worth.
type guided struct {
	alone, taught *searcher
	turns         int // left to taught
	known         map[tuning.Proposal]tuning.Trial
	// untold are alone's since taught's last turn.
	untold  []tuning.Trial
	pending []guidedProposal
}

type guidedProposal struct {
	tuning.Proposal
	alone bool // alone proposed it, if not first
}

func (g *guided) Next() (task, point int, ok bool) {
	for {
		if g.turns > 0 {
			if p, ok := g.advised(); ok {
				g.turns--
				g.pending = append(g.pending, guidedProposal{Proposal: p})
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

// advised is the taught search's next point that is not being evaluated, for which it is
// told what the other has found meanwhile.
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

// Tell tells the taught search of every trial, and the other of its own only: a
// cluster of points where the lessons sent the search would mislead it too.
func (g *guided) Tell(t tuning.Trial) {
	p := tuning.Proposal{Task: t.Task, Point: t.Point}
	i := g.at(p)
	alone := g.pending[i].alone
	g.pending = slices.Delete(g.pending, i, i+1)
	g.known[p] = t
	if alone {
		g.alone.Tell(t)
	}
	if slices.Contains(g.taught.pending, g.taught.first[p.Task]+p.Point) {
		g.taught.Tell(t)
	} else {
		g.untold = append(g.untold, t)
	}
}

// First is what the lessons advise, or else what the search without them would have.
func (g *guided) First(pending []tuning.Proposal) int {
	for i, p := range pending {
		if at := g.at(p); at >= 0 && !g.pending[at].alone {
			return i
		}
	}
	return g.alone.First(pending)
}

// take is told that a point is evaluated that the search did not propose.
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
