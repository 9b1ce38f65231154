package judge

import (
	"context"
	"fmt"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
)

// beyond holds a C function that is faster than its baseline in turns against the baseline in a process of its own: what
// the function leaves in their process, such as a timer or a thread, may slow down the baseline there.
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

// slowed is what it means that a candidate is faster than the baseline beside it, and not surely than the baseline alone,
// beside which the candidate has that ratio. The baseline beside the candidate takes baseline times as long.
func (r *referee) slowed(ratio, baseline *compare.Effect) error {
	text := fmt.Sprintf("%.3f of the time of the baseline in a process of its own (95 %% interval %.3f to %.3f)", ratio.Value, ratio.Low, ratio.High)
	if baseline.P <= shown && baseline.Value > 1 {
		return disturbs("the baseline takes %.2f times as long beside it as in a process of its own (95 %% interval %.2f to %.2f); it takes %s", baseline.Value, baseline.Low, baseline.High, text)
	}
	r.out.Verdict, r.out.Reason = Unknown, "faster beside the baseline; it takes "+text
	return nil
}
