package judge

import (
	"context"

	"bench/framework"
	"bench/framework/experiment"
)

// warm has workers started that a judgement takes.
func (t *Task) warm(opt Options) {
	opt.Spare.Ready(opt.Device)
	if !t.c {
		opt.Spare.Ready("sim")
	}
}

// CompileAhead has the candidate compiled for a GPU, into the compiler's cache, while another is
// judged, where that disturbs nothing (experiment.CompileAhead). The GPU is one that the task has
// been judged on before. end ends it.
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
		return nothing // the judgement says it
	}
	done := x.CompileAhead(ctx, x.Plan.Points)
	return func() {
		done()
		x.Close()
	}
}
