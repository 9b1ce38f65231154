package bound

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal/digits"
)

// Class is what bounds a point.
type Class string

// The classes.
const (
	Memory    Class = "memory"
	L2        Class = "L2"
	L1        Class = "L1"            // cache, which looks up a line a cycle
	SharedMem Class = "shared memory" // the same unit
	Compute   Class = "compute"
	Latency   Class = "latency"
	Occupancy Class = "occupancy"
	Grid      Class = "grid" // too few blocks
	Tail      Class = "tail"
	Atomics   Class = "atomics"
	Constants Class = "constant cache"
	Launch    Class = "launch"
	Clock     Class = "clock"
	Unknown   Class = "unknown"
)

// busyEnough is the share of its time for which a part that bounds a kernel is busy, as in NVIDIA's profiler
// ("Nsight Compute", section GPU Speed Of Light: below 60 % of compute and memory it names latency).
const busyEnough = 0.6

// Input is what is known of a point.
type Input struct {
	Time    float64 // seconds of one run, caches cold
	Work    framework.Work
	Double  bool // the problem's precision
	Clock   float64
	Limited string // what held clocks down; empty: nothing, or unknown
	// Launches are the launches of one run, executed for this GPU. Missing is why there are none.
	Launches []*trace.Launch `json:"-"`
	Missing  string
	Facts    gpu.Facts
	Ceilings record.Ceilings
	Machine  Machine `json:"-"` // of the facts, the ceilings and the clock
	// Timed is set if only the model's time and what a run does are needed. Uses and changes, each of which
	// is simulated, then stay empty.
	Timed bool
	// Sharers is how many points are explained at the same time and share the memory; 0: one.
	Sharers int
}

// Why says what bounds a point.
type Why struct {
	// Class is memory, L2, L1, shared memory, compute, latency, occupancy, grid, tail, atomics, launch, clock
	// or unknown.
	Class  Class   `json:"class"`
	Unit   string  `json:"unit,omitempty"`       // of compute: the instructions that bound it
	Share  float64 `json:"share"`                // share of the time for which that part is busy
	Next   string  `json:"next,omitempty"`       // what is busy second most
	Second float64 `json:"next_share,omitempty"` // its share
	Margin float64 `json:"margin,omitempty"`     // "share" divided by "next_share"
	// Sure is set if the class is counted, or the model's time is near the measured one and its busiest part is
	// clearly the busiest.
	Sure    bool `json:"sure"`
	Counted bool `json:"class_counted,omitempty"` // the class and its shares are of the GPU's counters
	// Otherwise is what the time goes to if nothing is busy enough.
	Otherwise Class    `json:"otherwise,omitempty"`
	Limited   bool     `json:"clock_held_down,omitempty"` // the clock of the multiprocessors was held down
	Time      float64  `json:"time_s"`                    // measured, of one run with cold caches; 0: not measured
	Model     float64  `json:"model_s,omitempty"`         // by the model
	Uses      []Use    `json:"uses"`                      // what is busy, the busiest first
	Changes   []Change `json:"changes"`                   // at most three that promise most
	// Gains are of every change that the numbers suggest, also of those that promise less.
	Gains   map[string]float64 `json:"gains,omitempty"`
	Clock   float64            `json:"clock_Hz,omitempty"` // of the multiprocessors; absent: not measured
	Kernels []Kernel           `json:"kernels"`            // launches of one run; alike ones are one
	// Work is what one run does when runs follow each other, which its energy goes to.
	Work Work `json:"work"`
	// After is what one run would do with each change that the numbers suggest, by the change's name.
	After     map[string]Changed `json:"after,omitempty"`
	Missing   string             `json:"missing,omitempty"`   // why something is unknown; absent: nothing is
	Estimated []string           `json:"estimated,omitempty"` // values of the GPU that were not measured and come from a table
}

// Use is how busy a part of the GPU is.
type Use struct {
	What  string  `json:"what"`  // the part of the GPU
	Share float64 `json:"share"` // of the measured time
	Class Class   `json:"class"` // the class that it stands for
}

// Change is what would make a point faster.
type Change struct {
	Name string `json:"name"` // one word of the list in docs/why.md#changes
	Text string `json:"text"` // the finding, with numbers, and what to do
	// Gain is the time divided by the time with the change, by the model.
	Gain float64 `json:"gain"`
}

// moreThanAll is a share of a unit's time that no unit can have, allowing for errors of its rate.
const moreThanAll = 1.1

// leastGain is the gain that a change must promise.
const leastGain = 1.03

// mostChanges is how many changes are named.
const mostChanges = 3

// Explain judges a point.
func Explain(in Input) Why {
	in.Machine = MachineOf(in.Facts, in.Ceilings, in.Clock)
	w := Why{Class: Unknown, Time: in.Time, Clock: in.Clock, Missing: in.Missing, Estimated: in.Machine.Estimated, Uses: []Use{}, Changes: []Change{}, Kernels: []Kernel{}}
	if w.Missing == "" {
		w.Missing = missing(in.Launches)
	}
	measured := in.Time > 0
	switch {
	case w.Missing != "" && measured:
		w.nominal(in)
		return w
	case w.Missing != "":
		return w
	}
	e := newEstimate(in)
	w.Model, w.Work = e.base.total, e.work("", 1)
	if in.Timed {
		return w
	}
	if !measured {
		in.Time = w.Model
		e = newEstimate(in)
		w.Missing = "no time was measured: shares and class are of the model's"
	}
	w.Kernels = e.kernels()
	w.Uses = e.uses()
	w.classify(e)
	w.Changes, w.Gains = e.changes(w.Uses)
	w.After = e.after(w.Gains)
	return w
}

// missing returns why launches do not tell what the kernels do; empty if they do.
func missing(list []*trace.Launch) string {
	if len(list) == 0 {
		return "it launches no kernel of its own: a library's code is not known"
	}
	for _, l := range list {
		switch {
		case l.Unknown != "":
			return l.Unknown
		case len(l.Blocks) == 0:
			return "no block of kernel " + l.Kernel + " was executed"
		}
	}
	return ""
}

// nominal judges unknown code by the least that the problem needs.
func (w *Why) nominal(in Input) {
	fma := in.Machine.Rates[ptx.FP32]
	if in.Double {
		fma = in.Machine.Rates[ptx.FP64]
	}
	fma *= 2 * ptx.WarpSize * float64(in.Machine.Facts.Multiprocessors) * in.Machine.Clock
	w.use("memory (the problem's bytes)", Memory, float64(in.Work.NominalBytes)/in.Machine.DRAM/in.Time)
	if share := float64(in.Work.NominalFLOPs) / fma / in.Time; share > moreThanAll {
		w.Missing += fmt.Sprintf("; the problem's operations are %.1f times what these units do in that time, so others do them, such as tensor cores", share)
	} else {
		w.use("multiply-add (the problem's operations)", Compute, share)
	}
	w.rank()
	if len(w.Uses) > 0 && w.Uses[0].Share >= busyEnough {
		w.Class, w.Sure = w.Uses[0].Class, true
	}
	if w.Class == Compute {
		w.Unit = "multiply-add"
	}
}

func (w *Why) use(what string, c Class, share float64) {
	if share > 0 && !math.IsInf(share, 0) {
		w.Uses = append(w.Uses, Use{what, share, c})
	}
}

// rank sorts the uses, the busiest first.
func (w *Why) rank() {
	slices.SortStableFunc(w.Uses, func(a, b Use) int { return cmp.Compare(b.Share, a.Share) })
	if len(w.Uses) > 0 {
		w.Share = w.Uses[0].Share
	}
	if len(w.Uses) > 1 && w.Uses[1].Share > 0 {
		w.Next, w.Second = w.Uses[1].What, w.Uses[1].Share
		w.Margin = w.Share / w.Second
	}
}

// classify chooses the class: the part that is busy enough, else what the model says that the time goes to.
func (w *Why) classify(e *estimate) {
	w.rank()
	w.Limited, w.Otherwise = e.in.Limited != "", w.otherwise(e)
	w.Sure = w.sure(e.base.total / e.in.Time)
	if len(w.Uses) == 0 || w.Share < busyEnough {
		w.Class = w.Otherwise
		return
	}
	if w.Uses[0].Class == Launch { // of equally busy parts, one that the profiler counts
		if at := slices.IndexFunc(w.Uses, func(u Use) bool { return u.Class != Launch && u.Share >= max(busyEnough, w.Share/moreThanAll) }); at > 0 {
			w.Uses[0], w.Uses[at] = w.Uses[at], w.Uses[0]
			w.Share, w.Next, w.Second = w.Uses[0].Share, w.Uses[1].What, w.Uses[1].Share
			w.Margin = w.Share / w.Second
		}
	}
	w.Class = w.Uses[0].Class
	if w.Class == Compute {
		w.Unit = w.Uses[0].What
		if w.Limited {
			w.Class = Clock
		}
	}
}

// otherwise returns what the model says that the time goes to if no part is busy enough.
func (w *Why) otherwise(e *estimate) Class {
	type loss struct {
		class Class
		gain  float64
	}
	losses := []loss{
		{Launch, e.in.Time / max(e.in.Time-e.base.launches, e.in.Time/100)},
		{Grid, e.grid()}, {Tail, e.tail()}, {Atomics, e.gain(noAtomics)}, {Occupancy, e.gain(moreWarps)},
	}
	class, best := Latency, 1.25
	for _, l := range losses {
		if l.gain > best {
			class, best = l.class, l.gain
		}
	}
	return class
}

// Verdict returns the class with its share, its margin, and the error of the model's time.
func (w Why) Verdict() string {
	var parts []string
	if w.Class != Unknown {
		parts = append(parts, "bound by "+w.Title())
	} else {
		parts = append(parts, "unknown")
	}
	if slices.Contains([]Class{Memory, L2, SharedMem, L1, Compute, Clock}, w.Class) {
		parts[0] += fmt.Sprintf(", busy for %.0f %% of the time", 100*w.Share)
		if w.Margin > 0 {
			parts[0] += fmt.Sprintf(", %.2g times as long as %s", w.Margin, w.Next)
		}
	}
	if w.Time > 0 {
		parts = append(parts, digits.Stated(w.Time, "s"))
	}
	if w.Model > 0 {
		parts = append(parts, digits.Stated(w.Model, "s")+" by the model")
	}
	if w.Counted {
		parts = append(parts, "class by counters")
	}
	if !w.Sure && w.Class != Unknown {
		parts = append(parts, "not sure")
	}
	return strings.Join(parts, "; ")
}

// Title returns the class in words, with the unit of compute.
func (w Why) Title() string {
	if w.Class == Compute {
		return fmt.Sprintf("compute (%s)", w.Unit)
	}
	return string(w.Class)
}
