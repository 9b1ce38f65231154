package judge

import (
	"fmt"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Verdict is the outcome of a judgement.
type Verdict string

// The verdicts.
const (
	Faster Verdict = "faster"
	// Equal is a candidate within the task's judge.same of the baseline.
	Equal  Verdict = "same"
	Slower Verdict = "slower"
	// Unknown is a right candidate whose times show neither a difference nor that there is none.
	Unknown Verdict = "unknown"
	// Verified is a right candidate that was not timed, as in the simulator.
	Verified Verdict = "verified"
	// Wrong is a candidate with a wrong answer or none: it fails, or makes a mistake that the
	// simulator names.
	Wrong Verdict = "wrong"
	// Cheats is a candidate that is right where it is checked, but is wrong or does not compute
	// where it is timed.
	Cheats         Verdict = "cheats"
	DoesNotCompile Verdict = "does not compile"
	// Impossible is a candidate with a time in which its answer cannot be written.
	Impossible Verdict = "impossible"
	// TimedOut is a candidate that exceeds a time limit of the task.
	TimedOut Verdict = "timeout"
	// Refused is a candidate that is not judged, because the task does not accept its kind.
	Refused Verdict = "refused"
)

// Verdicts lists all verdicts, the best first.
var Verdicts = []Verdict{Faster, Verified, Equal, Unknown, Slower, Wrong, Cheats, Impossible, DoesNotCompile, TimedOut, Refused}

// Statuses are the exit statuses of bench judge by verdict. They are a contract. 1, 2 and 130 mean
// what they mean for every verb.
var Statuses = map[Verdict]int{Faster: 0, Verified: 0, Equal: 3, Unknown: 4, Slower: 5, Wrong: 10, Cheats: 11, DoesNotCompile: 12, TimedOut: 13, Refused: 14, Impossible: 15}

// Judgement is the result of judging a candidate, also in JSON.
type Judgement struct {
	// Verdict is "faster", "verified", "same", "unknown", "slower", "wrong", "cheats", "does not compile",
	// "timeout", "refused" or "impossible".
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // what decided, in one line; absent where the ratio did
	// Kind is how the candidate cheats: "left behind", "timed run", "idle run", "changed clock", "changed
	// code" or "disturbed baseline".
	Kind record.Cause `json:"kind,omitempty"`
	// Line is the place of the fault, as FILE:LINE; empty if unknown.
	Line string `json:"line,omitempty"`

	Task      string `json:"task"`      // the task's file
	Candidate string `json:"candidate"` // the candidate's file
	SHA256    string `json:"sha256"`    // of the candidate
	Version   string `json:"version"`   // whose source it replaces
	Baseline  string `json:"baseline"`  // what it is timed against
	Device    string `json:"device"`    // "cpu", "cuda:0", "sim"
	Seed      uint64 `json:"seed"`      // of the random inputs

	// Ratio is the candidate's time divided by the baseline's, held against Control repeat by repeat, as the
	// geometric mean over all problems; absent where nothing was timed in turns.
	Ratio  *Ratio `json:"ratio,omitempty"`
	Energy *Ratio `json:"energy,omitempty"` // the same of the energy of one run, where a sensor measures it
	// Control is the baseline's time divided by that of another instance of itself, over all problems.
	Control *Interval `json:"control,omitempty"`
	// Apart is the time divided by that of the baseline in a process of its own, of a C function that Ratio
	// says is faster.
	Apart     *Ratio     `json:"apart,omitempty"`
	Problems  []Problem  `json:"problems,omitempty"`  // those that were timed
	Simulator *Simulator `json:"simulator,omitempty"` // what it says; absent for C functions
	Verified  int        `json:"verified"`            // problems with right answers on the device, before anything is timed
	Why       []Bound    `json:"why,omitempty"`       // what bounds the candidate, at each problem of a GPU
	Notes     []string   `json:"notes,omitempty"`     // remarks
	// Sandbox is what kept the candidate apart (docs/judging.md#the-sandbox); absent of what was refused.
	Sandbox *Sandbox `json:"sandbox,omitempty"`
	Elapsed float64  `json:"elapsed_s"` // that the judgement took
	// Phases are the seconds of the phases that took place: simulate, verify, alone (the candidate alone),
	// turns, baseline (in a process of its own), why and energy.
	Phases map[string]float64 `json:"phases_s,omitempty"`
	Tool   record.Tool        `json:"tool"` // the program, as of bench version
}

// Ratio is a ratio of candidate to baseline with its 95 % interval.
type Ratio struct {
	Value float64 `json:"value"` // geometric mean over the repeats, and over the problems if it is of all
	Low   float64 `json:"low"`   // lower end of its 95 % interval
	High  float64 `json:"high"`  // upper end of it
	// P is the probability of a ratio at least as far from 1 if there is no difference (the paired t test of
	// the logarithms).
	P       float64 `json:"p"`
	Repeats int     `json:"repeats"` // with new instances
}

// Interval is a geometric mean with its 95 % interval.
type Interval struct {
	Value float64 `json:"value"` // geometric mean over problems and repeats
	Low   float64 `json:"low"`   // end of its 95 % interval
	High  float64 `json:"high"`  // end of its 95 % interval
}

// Problem is the result of one problem.
type Problem struct {
	Name     string  `json:"name"`                 // what distinguishes it from the others; "hidden 1" of one that is not told
	Hidden   bool    `json:"hidden,omitempty"`     // true: of "judge.hidden"
	Ratio    *Ratio  `json:"ratio,omitempty"`      // as "ratio", of this problem
	Energy   *Ratio  `json:"energy,omitempty"`     // as "energy", of this problem
	Time     float64 `json:"time_s,omitempty"`     // median of the candidate's runs, in turns
	Baseline float64 `json:"baseline_s,omitempty"` // median of the baseline's
	// FloorShare is the least time in which the answer can be written (docs/measuring.md#timed-runs-compute)
	// divided by Time; above 1 the verdict is "impossible". Absent of a hidden problem, and where it is
	// unknown how much a run writes.
	FloorShare   float64                `json:"floor_share,omitempty"`
	Verification framework.Verification `json:"verification,omitempty"` // how the answers were checked (docs/measuring.md#correctness): "full", or "none"
}

// Simulator is the result of the simulator.
type Simulator struct {
	OK       int      `json:"ok"`                 // problems with right answers and no mistake
	Timed    int      `json:"timed,omitempty"`    // those of them that are timed too: the smallest, as many as it has time for
	Skipped  string   `json:"skipped,omitempty"`  // why it was not asked
	Warnings []string `json:"warnings,omitempty"` // what CUDA does not define, and GPUs do
}

// Bound is what bounds the candidate at a problem, and the most promising change.
type Bound struct {
	Problem string  `json:"problem"`           // its parameters
	Class   string  `json:"class"`             // what bounds it (docs/why.md)
	Share   float64 `json:"share,omitempty"`   // of the time in which the bound is busy
	Change  string  `json:"change,omitempty"`  // what promises most
	Gain    float64 `json:"gain,omitempty"`    // the time divided by the time after the change
	Missing string  `json:"missing,omitempty"` // why something is unknown
}

func ratioOf(e *compare.Effect) *Ratio {
	if e == nil {
		return nil
	}
	return &Ratio{Value: e.Value, Low: e.Low, High: e.High, P: e.P, Repeats: len(e.Ratios)}
}

func (r *Ratio) text() string {
	return intervalText(r.Value, r.Low, r.High)
}

func intervalText(x, low, high float64) string {
	return digits.Known(x, digits.Half(x, low, high), "") + " (95 % interval " + digits.Ends(x, low, high, "") + ")"
}

// Text returns the judgement for people.
func (j *Judgement) Text(colours terminal.Palette) string {
	var b strings.Builder
	colour := terminal.Red
	switch j.Verdict {
	case Faster, Verified:
		colour = terminal.Green
	case Equal, Slower, Unknown:
		colour = terminal.Yellow
	}
	fmt.Fprintf(&b, "%s on %s: %s", j.Candidate, j.Device, colours.Paint(colour, string(j.Verdict)))
	if j.Kind != "" {
		fmt.Fprintf(&b, ", %s", j.Kind)
	}
	b.WriteString("\n")
	if j.Reason != "" {
		fmt.Fprintf(&b, "  %s\n", j.Reason)
	}
	if j.Ratio != nil {
		fmt.Fprintf(&b, "  time, %s / %s: %s over %s\n", j.Version, j.Baseline, j.Ratio.text(), terminal.Count(j.Ratio.Repeats, "repeat"))
		fmt.Fprintf(&b, "  control, %s / %[1]s: %s\n", j.Baseline, intervalText(j.Control.Value, j.Control.Low, j.Control.High))
	}
	if j.Apart != nil {
		fmt.Fprintf(&b, "  by %s in a process of its own: %s\n", j.Baseline, j.Apart.text())
	}
	if j.Energy != nil {
		fmt.Fprintf(&b, "  energy: %s\n", j.Energy.text())
	}
	for _, p := range j.Problems {
		if p.Ratio != nil {
			fmt.Fprintf(&b, "  %s: %s and %s, %s\n", p.Name, digits.Scaled(p.Time, "s"), digits.Scaled(p.Baseline, "s"), p.Ratio.text())
		}
	}
	if s := j.Simulator; s != nil {
		if s.Skipped != "" {
			fmt.Fprintf(&b, "  simulator: not asked: %s\n", s.Skipped)
		} else {
			fmt.Fprintf(&b, "  simulator: %s right\n", terminal.Count(s.OK, "problem"))
		}
		for _, w := range s.Warnings {
			fmt.Fprintf(&b, "  simulator: %s\n", w)
		}
	}
	for _, w := range j.Why {
		fmt.Fprintf(&b, "  why, %s: %s", w.Problem, w.Class)
		if w.Change != "" {
			fmt.Fprintf(&b, "; %s: about %.2f×", w.Change, w.Gain)
		}
		if w.Missing != "" {
			fmt.Fprintf(&b, "; missing: %s", w.Missing)
		}
		b.WriteString("\n")
	}
	if s := j.Sandbox; s != nil && len(s.Missing) > 0 {
		fmt.Fprintf(&b, "  not confined: %s\n", strings.Join(s.Missing, "; "))
	}
	for _, n := range j.Notes {
		fmt.Fprintf(&b, "  %s\n", n)
	}
	return b.String()
}
