package engine

import (
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// Unseen is an Observer that shows nothing of a run.
type Unseen struct{}

// Started implements Observer.
func (Unseen) Started(plan.Point) {}

// Phase implements Observer.
func (Unseen) Phase(plan.Point, string) {}

// Done implements Observer.
func (Unseen) Done(*record.Result) {}
