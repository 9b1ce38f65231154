package judge

import (
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
)

// shown is the largest p value of a difference that counts. A judge is asked more often than people
// compare, so only 1 % of candidates without a difference may be called faster or slower.
const shown = 0.01

// weigh sets the ratios of all problems and the verdict.
func (r *referee) weigh(pairs []*experiment.Pair) error {
	j, out := r.task.Config.Judge, r.out
	var control, treatment, beside [][]float64
	hidden := 0
	for _, p := range pairs {
		if p.Failure != "" {
			return &BaselineError{p.Failure}
		}
		problem := Problem{Name: p.Name, Hidden: r.isHidden(p.B, r.subject.Hidden()), Ratio: ratioOf(p.Result.Effect), Verification: p.VerificationB}
		problem.Baseline, problem.Time = p.Medians()
		switch {
		case problem.Hidden: // the share would tell the size
			hidden++
			problem.Name = fmt.Sprintf("hidden %d", hidden)
		case problem.Time > 0:
			problem.FloorShare = p.Floor() / problem.Time
		}
		out.Problems = append(out.Problems, problem)
		control, treatment = append(control, p.Result.Control.Ratios), append(treatment, p.Result.Treatment.Ratios)
		beside = append(beside, p.Beside())
		r.note(p)
	}
	all, err := compare.TurnsOf(together(control), together(treatment), nil, engine.Places)
	if err != nil {
		return &experiment.RunError{Err: err}
	}
	out.Ratio = ratioOf(all.Effect)
	out.Control = &Interval{all.Control.Value, all.Control.Low, all.Control.High}
	if out.Verdict = verdictOf(all.Effect, j.Same); out.Verdict != Faster {
		return nil
	}
	slowed, err := compare.EffectOf(together(beside))
	if err != nil {
		return &experiment.RunError{Err: err}
	}
	return disturbed(slowed)
}

// leastSlowed is the least ratio of the baseline's time beside a candidate that disturbs it to that beside itself.
// What other candidates leave in caches, or do to a clock, makes less of a difference.
const leastSlowed = 1.25

// disturbed returns the fault of a candidate beside which the baseline takes longer than beside itself; nil if it does
// not.
func disturbed(slowed *compare.Effect) error {
	if slowed.P > shown || slowed.Value < leastSlowed {
		return nil
	}
	return disturbs("the baseline takes %.2f times as long beside it as beside itself (95 %% interval %.2f to %.2f): something of it goes on meanwhile", slowed.Value, slowed.Low, slowed.High)
}

// disturbs returns the fault of a candidate that slows down the baseline.
func disturbs(format string, args ...any) error {
	return &fault{verdict: Cheats, kind: record.DisturbedBaseline, reason: fmt.Sprintf(format, args...)}
}

// note adds the remarks on a pair to the judgement, each once, unless its problem is hidden.
func (r *referee) note(p *experiment.Pair) {
	if r.isHidden(p.B, r.subject.Hidden()) {
		return
	}
	for _, n := range p.Notes {
		if n = r.tidy(n); !slices.Contains(r.out.Notes, n) {
			r.out.Notes = append(r.out.Notes, n)
		}
	}
}

// verdictOf returns the verdict of a ratio of times. same is how far from 1 the ratio of equal
// versions may be: a difference that is surely no larger counts as none, however significant it is.
func verdictOf(e *compare.Effect, same float64) Verdict {
	switch {
	case e.Within <= same:
		return Equal
	case e.P <= shown && e.Value < 1:
		return Faster
	case e.P <= shown && e.Value > 1:
		return Slower
	}
	return Unknown
}

// together returns the geometric means over problems, by repeat; nil if there are none.
func together(byProblem [][]float64) (means []float64) {
	if len(byProblem) == 0 {
		return nil
	}
	means = make([]float64, len(byProblem[0]))
	for i := range means {
		sum := 0.0
		for _, ratios := range byProblem {
			sum += math.Log(ratios[i])
		}
		means[i] = math.Exp(sum / float64(len(byProblem)))
	}
	return means
}
