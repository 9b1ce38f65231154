package judge

import (
	"fmt"
	"strings"

	"bench/framework"
	"bench/framework/compare"
	"bench/framework/record"
	"bench/terminal"
	"bench/terminal/digits"
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
	Verdict Verdict `json:"verdict"`
	// Reason is what decided, in one line; empty if the ratio did.
	Reason string `json:"reason,omitempty"`
	// Kind is how the candidate cheats.
	Kind record.Cause `json:"kind,omitempty"`
	// Line is the place of the fault, as FILE:LINE; empty if unknown.
	Line string `json:"line,omitempty"`

	Task      string `json:"task"`
	Candidate string `json:"candidate"`
	SHA256    string `json:"sha256"` // of the candidate
	Version   string `json:"version"`
	Baseline  string `json:"baseline"`
	Device    string `json:"device"`
	Seed      uint64 `json:"seed"`

	// Ratio is the candidate's time divided by the baseline's, as the geometric mean over all
	// problems; nil if nothing was timed in turns. Energy is the same for a run's energy.
	Ratio  *Ratio `json:"ratio,omitempty"`
	Energy *Ratio `json:"energy,omitempty"`
	// Control is the baseline's time divided by that of another instance of itself.
	Control *Interval `json:"control,omitempty"`
	// Problems are the problems that were timed.
	Problems  []Problem  `json:"problems,omitempty"`
	Simulator *Simulator `json:"simulator,omitempty"`
	// Verified is how many problems had right answers on the device.
	Verified int      `json:"verified"`
	Why      []Bound  `json:"why,omitempty"`
	Notes    []string `json:"notes,omitempty"`
	// Sandbox is what confined the candidate; nil if no part of it ran.
	Sandbox *Sandbox `json:"sandbox,omitempty"`
	Elapsed float64  `json:"elapsed_s"`
	// Phases are the seconds of the phases that took place: simulate, verify, alone, turns, why and
	// energy.
	Phases map[string]float64 `json:"phases_s,omitempty"`
	Tool   record.Tool        `json:"tool"`
}

// Ratio is a ratio of candidate to baseline with its 95 % interval.
type Ratio struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// P is the probability of a ratio at least as far from 1 if there is no difference.
	P       float64 `json:"p"`
	Repeats int     `json:"repeats"`
}

// Interval is a geometric mean with its 95 % interval.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Problem is the result of one problem.
type Problem struct {
	Name   string `json:"name"`
	Hidden bool   `json:"hidden,omitempty"`
	Ratio  *Ratio `json:"ratio,omitempty"`
	Energy *Ratio `json:"energy,omitempty"`
	// Time and Baseline are medians of one run, in turns.
	Time     float64 `json:"time_s,omitempty"`
	Baseline float64 `json:"baseline_s,omitempty"`
	// FloorShare is the least time in which the answer can be written, divided by Time; 0 if
	// unknown, or if the problem is hidden.
	FloorShare   float64                `json:"floor_share,omitempty"`
	Verification framework.Verification `json:"verification,omitempty"`
}

// Simulator is the result of the simulator.
type Simulator struct {
	// OK is how many problems had right answers and no mistake.
	OK int `json:"ok"`
	// Timed is how many of these are timed too; they are the smallest.
	Timed int `json:"timed,omitempty"`
	// Skipped is why the simulator did not run; empty if it did.
	Skipped  string   `json:"skipped,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Bound is what bounds the candidate at a problem, and the most promising change.
type Bound struct {
	Problem string  `json:"problem"`
	Class   string  `json:"class"`
	Share   float64 `json:"share,omitempty"` // of the time in which the bound is busy
	Change  string  `json:"change,omitempty"`
	Gain    float64 `json:"gain,omitempty"` // the time divided by the time after the change
	Missing string  `json:"missing,omitempty"`
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
