package tuning

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.org/bench/gpu"
)

// Task is one problem size of a tuning session, with its own space: a
// constraint may depend on the size. Single-size searches have one task.
type Task struct {
	Space *Space
	// Size describes the problem to models that learn over sizes (log2 N, …);
	// the same length for every task; may be empty.
	Size []float64
	// Known are points that are known to be good, such as a version's defaults. A strategy
	// may try them first.
	Known []int
}

// Trial is one evaluation of a search. Cost is what is minimised (time_s, energy_J,
// energy-delay product); an invalid point (it did not compile, launch, or
// gave a wrong answer) has OK false and costs an evaluation too.
type Trial struct {
	Task  int
	Point int
	Cost  float64
	// Second is the second cost of a search for a front.
	Second float64
	OK     bool
	// CompileSeconds are those that compiling took, RunSeconds those that a device was held;
	// 0 where that is not known, or there was none.
	CompileSeconds, RunSeconds float64
	// Cut is set where there is no trial: its compiling was cut short (Doubter).
	Cut bool
	// SwitchSeconds are those that changing the parameter of Search.Switching took before; 0:
	// it was not changed.
	SwitchSeconds float64
	// Of is what the trial was made of, which Loop.Evaluate hands to Loop.Done.
	Of any
}

// Proposal is a point that is to be evaluated.
type Proposal struct{ Task, Point int }

// Search is what a strategy is made from.
type Search struct {
	Tasks []Task
	// Front is set where what is looked for is not the least cost but the front by Cost and
	// Second: what no other point beats by both.
	Front bool
	// Budget is the number of evaluations over all tasks.
	Budget int
	// Compilers is how many points are compiled at a time; 0: each when it is evaluated.
	Compilers int
	// Rand is the only source of chance, so that a seed fixes the search.
	Rand *rand.Rand
	// Options are the strategy's own settings by name (see Info.Options); absent
	// ones take their defaults.
	Options map[string]float64
	// Device and kernel facts for strategies that compute instead of measure;
	// nil where unknown.
	Facts *KernelFacts
	// Switching is of a parameter that takes time to change; nil: there is none.
	Switching *Switching
	// Lessons are what other searches found at these points; a strategy may use them.
	Lessons []Lesson
	// Prior is set where a Guided strategy will be told of one.
	Prior bool
}

// Lesson is what another device, size or version showed of a search's points.
type Lesson struct {
	Name string
	// Costs of each task's points, in any unit: NaN where unknown, +Inf where they did
	// not run. A nil list knows nothing of its task.
	Costs [][]float64
}

// Strategy proposes points and learns from their trials, in whatever order these come. It
// may be asked for more points while the trials of some are pending. It is not used from
// two goroutines.
type Strategy interface {
	// Next returns the next point to evaluate, never one proposed before;
	// ok is false where the strategy has nothing more to try, for good.
	Next() (task, point int, ok bool)
	Tell(Trial)
}

// Ranker is implemented by a strategy that can say which of the points that it has
// proposed is worth most.
type Ranker interface {
	// First is the place of that point.
	First(pending []Proposal) int
}

// Doubter is implemented by a strategy that can say of a point that it has proposed that it
// would not propose it now: where that is dear to compile, its compiling is cut short.
type Doubter interface {
	Doubts(Proposal) bool
	// Forget takes a proposal back: there will be no trial of it.
	Forget(Proposal)
}

// Info names a strategy.
type Info struct {
	Name string
	Doc  string
	// Source is the literature behind it, by title; empty for our own.
	Source  string
	Options []Option
	// Learns is set where it uses Search.Lessons.
	Learns bool
	// Fronts is set where it can look for a front.
	Fronts bool
	// Weighs is set where it takes Search.Switching into account.
	Weighs bool
	// Computes is set where it proposes from KernelFacts, which no recorded
	// space has.
	Computes bool
	New      func(Search) (Strategy, error)
}

// Option is a strategy's own setting, a number from Low to High.
type Option struct {
	Name      string
	Doc       string
	Default   float64
	Low, High float64
	// Below is set where High itself is too much.
	Below bool
	// Whole is set for a count.
	Whole bool
}

// MaxCount bounds the counts among the options that nothing else does.
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

// Option is a strategy's setting, or its default.
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
	// Device names the device description; Limits are what it is known for.
	Device string
	Limits gpu.Facts
	// Registers and SharedBytes of one task's point, as compiled; ok is false
	// where it does not compile.
	Resources func(task, point int) (registers, sharedBytes int, ok bool)
	// Threads of a block of that point.
	Threads func(task, point int) int
}
