package judge

import (
	"context"
	"fmt"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
)

// beyond compares a C function that is faster in turns with the baseline in a process of its own. What the function
// leaves in the process that they share, such as a timer or a thread, may slow down the baseline there.
func (r *referee) beyond(ctx context.Context, pairs []*experiment.Pair, names [2]string, opt experiment.Options) error {
	r.step("baseline", "the baseline by itself")
	x, alone, err := experiment.OpenPairs(ctx, []experiment.Subject{r.withoutSensors()}, names, opt)
	if err != nil {
		return err
	}
	defer x.Close()
	var candidate, slowed [][]float64 // by problem and repeat
	for i, p := range pairs {
		a, b := p.MediansByRepeat()
		own, err := alone[i].Alone(ctx, x.Engine, len(a))
		if err != nil {
			return &BaselineError{err.Error()}
		}
		for k := range own {
			a[k], b[k] = a[k]/own[k], b[k]/own[k]
		}
		slowed, candidate = append(slowed, a), append(candidate, b)
	}
	ratio, err := compare.EffectOf(together(candidate))
	if err != nil {
		return &experiment.RunError{Err: err}
	}
	r.out.Apart = ratioOf(ratio)
	if verdictOf(ratio, r.task.Config.Judge.Same) == Faster {
		return nil
	}
	baseline, err := compare.EffectOf(together(slowed))
	if err != nil {
		return &experiment.RunError{Err: err}
	}
	return r.slowed(ratio, baseline)
}

// slowed decides about a candidate that is faster than the baseline beside it, but not surely faster than the baseline
// alone. ratio is the candidate's time divided by that of the baseline alone, and baseline is the time of the baseline
// beside the candidate divided by the same. If the baseline was slowed down, that is the candidate's fault, which is
// returned; otherwise the verdict is Unknown.
func (r *referee) slowed(ratio, baseline *compare.Effect) error {
	text := fmt.Sprintf("%.3f of the time of the baseline in a process of its own (95 %% interval %.3f to %.3f)", ratio.Value, ratio.Low, ratio.High)
	if baseline.P <= shown && baseline.Value > 1 {
		return disturbs("the baseline takes %.2f times as long beside it as in a process of its own (95 %% interval %.2f to %.2f); it takes %s", baseline.Value, baseline.Low, baseline.High, text)
	}
	r.out.Verdict, r.out.Reason = Unknown, "faster beside the baseline; it takes "+text
	return nil
}
