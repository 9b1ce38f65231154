package tuning

import "time"

// Prior is what a model says of a search's points, made while the search goes on. The loop asks it whenever
// proposals may be made, once for each number of proposals that ended.
type Prior interface {
	// Take returns what the model has said since the last Take; nil: nothing.
	Take(ended int, now time.Duration) []Predicted
	// GiveUp is called once Take is not called any more.
	GiveUp()
}

// Made is a prior that the compilers of a recorded search make while they have nothing to compile.
type Made interface {
	Prior
	// Begin returns the next point to be made and the seconds that it takes; ok is false if none is to be
	// made now.
	Begin() (p Predicted, seconds float64, ok bool)
	// End is called when the point is made.
	End(p Predicted, seconds float64)
}

// Predicted is a point with its cost by a model, in any unit.
type Predicted struct {
	Task  int     `json:"task"`
	Point int     `json:"point"`
	Cost  float64 `json:"cost"`
}

// Guided is implemented by a strategy that takes a prior into account.
type Guided interface {
	Guide([]Predicted)
	// Trusts returns how far it trusts the prior now.
	Trusts() Trust
}

// Trust is how far a search trusts its prior.
type Trust struct {
	// Share is of the next proposals, those that the prior advises: 0 to 1.
	Share float64 `json:"share"`
	// Agreement is Kendall's rank correlation of predicted and measured costs. A pair weighs by how far apart it is predicted.
	Agreement float64 `json:"agreement"`
	Pairs     float64 `json:"pairs"`                    // independent ones that all pairs amount to
	Predicted int     `json:"predicted"`                // points that the prior knows
	Advised   int     `json:"advised"`                  // points that it chose
	GivenUp   int     `json:"given_up_after,omitempty"` // trials; absent: it was not given up
}

// guide tells the strategy what the prior has said since.
func (s *looping) guide() {
	if s.Prior == nil || s.guided == nil {
		return
	}
	if s.guided.Trusts().GivenUp > 0 {
		s.Prior.GiveUp()
		return
	}
	if more := s.Prior.Take(len(s.outcome.Trials)+s.outcome.Cut, s.jobs.time()); len(more) > 0 {
		s.own(func() { s.guided.Guide(more) })
	}
}
