package judge

import (
	"context"

	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
)

// warm starts the workers that the next judgement needs.
func (t *Task) warm(opt Options) {
	opt.Spare.Ready(opt.Device)
	if !t.c {
		opt.Spare.Ready("sim")
	}
}

// CompileAhead compiles the candidate for a GPU, into the compiler's cache, while another is judged,
// if that disturbs nothing (experiment.CompileAhead). It does nothing unless the task was judged on
// the GPU before. end stops the compilation.
func (k *Case) CompileAhead(ctx context.Context, device string) (end func()) {
	nothing := func() {}
	if device == "" {
		device = "cuda:0"
	}
	facts := k.task.gpu(device)
	if k.refusal != nil || facts == nil {
		return nothing
	}
	x, err := experiment.Open(ctx, k.subject.Choose(k.task.Config.Judge.Version), experiment.Options{Device: device, Facts: facts, Processor: string(framework.GPU)})
	if err != nil {
		return nothing // the judgement reports the error
	}
	done := x.CompileAhead(ctx, x.Plan.Points)
	return func() {
		done()
		x.Close()
	}
}
