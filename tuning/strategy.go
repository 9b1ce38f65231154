package tuning

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.org/bench/gpu"
)

// Task is one problem size of a search, with its own space, since a constraint may depend on the size. A
// search of one size has one task.
type Task struct {
	Space *Space
	// Size describes the problem to models that learn over sizes (log2 N, …). It has the same length for
	// every task and may be empty.
	Size []float64
	// Known are points known to be good, such as a version's defaults. A strategy may try them first.
	Known []int
}

// Trial is one evaluation of a search. Cost is minimised (time_s, energy_J, energy-delay product). An invalid
// point (it did not compile or launch, or gave a wrong answer) has OK false and counts as an evaluation too.
type Trial struct {
	Task  int
	Point int
	Cost  float64
	// Second is the second cost of a search for a front.
	Second float64
	OK     bool
	// CompileSeconds is how long compiling took, and RunSeconds how long a device was held; 0 if unknown or
	// none.
	CompileSeconds, RunSeconds float64
	// Cut is set if there is no trial because compiling was cut short (Doubter).
	Cut bool
	// SwitchSeconds is how long the change of Search.Switching's parameter before the trial took; 0: no
	// change.
	SwitchSeconds float64
	// Of is what the trial was made from. Loop.Evaluate passes it to Loop.Done.
	Of any
}

// Proposal is a point that is to be evaluated.
type Proposal struct{ Task, Point int }

// Search is the input of a strategy.
type Search struct {
	Tasks []Task
	// Front is set in a search not for the least cost but for the front of Cost and Second: the points that
	// no other beats by both.
	Front bool
	// Budget is the number of evaluations over all tasks.
	Budget int
	// Compilers is how many points are compiled at a time; 0: each when it is evaluated.
	Compilers int
	// Rand is the only source of randomness, so that a seed fixes the search.
	Rand *rand.Rand
	// Options are the strategy's own settings by name (Info.Options). An absent one has its default.
	Options map[string]float64
	// Facts are device and kernel facts for strategies that compute instead of measure; nil if unknown.
	Facts *KernelFacts
	// Switching describes a parameter that takes time to change; nil: there is none.
	Switching *Switching
	// Lessons are what other searches found at these points; a strategy may use them.
	Lessons []Lesson
	// Prior is set if a Guided strategy will be told of a prior.
	Prior bool
}

// Lesson is what another device, size or version showed of a search's points.
type Lesson struct {
	Name string
	// Costs are those of each task's points, in any unit: NaN if unknown, +Inf for a point that did not run.
	// A nil list tells nothing of its task.
	Costs [][]float64
}

// Strategy proposes points and learns from their trials, in whatever order these come. It may be asked for
// more points while trials are pending. One goroutine uses it at a time.
type Strategy interface {
	// Next returns the next point to evaluate, never one proposed before. ok is false once the strategy has
	// nothing more to try.
	Next() (task, point int, ok bool)
	Tell(Trial)
}

// Ranker is implemented by a strategy that can say which of its pending points is worth most.
type Ranker interface {
	// First returns the index of that point.
	First(pending []Proposal) int
}

// Doubter is implemented by a strategy that can say that it would not propose a pending point now. If that
// point is dear to compile, its compiling is cut short.
type Doubter interface {
	Doubts(Proposal) bool
	// Forget takes a proposal back: it gets no trial.
	Forget(Proposal)
}

// Info describes a strategy.
type Info struct {
	Name string
	Doc  string
	// Source is the literature behind the strategy, by title; empty for our own.
	Source  string
	Options []Option
	// Learns is set if the strategy uses Search.Lessons.
	Learns bool
	// Fronts is set if the strategy can look for a front.
	Fronts bool
	// Weighs is set if the strategy takes Search.Switching into account.
	Weighs bool
	// Computes is set if the strategy proposes from KernelFacts, which no recorded space has.
	Computes bool
	New      func(Search) (Strategy, error)
}

// Option is a strategy's own setting, a number from Low to High.
type Option struct {
	Name      string
	Doc       string
	Default   float64
	Low, High float64
	// Below is set if High itself is too much.
	Below bool
	// Whole is set for a count.
	Whole bool
}

// MaxCount is the upper bound of counts among the options that have no other.
const MaxCount = math.MaxInt32

// Check refuses a value that the option cannot have.
func (o Option) Check(v float64) error {
	if v >= o.Low && v <= o.High && !(o.Below && v == o.High) && !(o.Whole && v != math.Trunc(v)) { // false for NaN
		return nil
	}
	kind, to := "a number", "to"
	if o.Whole {
		kind = "a whole number"
	}
	if o.Below {
		to = "to below"
	}
	return fmt.Errorf("%s is %v; want %s from %.0f %s %.0f", o.Name, v, kind, o.Low, to, o.High)
}

// Option returns a strategy's setting, or its default.
func (s Search) Option(o Option) float64 {
	if v, ok := s.Options[o.Name]; ok {
		return v
	}
	return o.Default
}

// CheckOptions refuses settings that the options cannot have.
func (s Search) CheckOptions(options ...Option) error {
	for _, o := range options {
		if err := o.Check(s.Option(o)); err != nil {
			return err
		}
	}
	return nil
}

// KernelFacts is what is known of a version's kernel before it runs.
type KernelFacts struct {
	// Limits are those of the device.
	Limits gpu.Facts
	// Resources returns the registers and the shared memory of one task's point, as compiled. ok is false if
	// it does not compile.
	Resources func(task, point int) (registers, sharedBytes int, ok bool)
	// Threads returns the threads of a block at that point.
	Threads func(task, point int) int
}
