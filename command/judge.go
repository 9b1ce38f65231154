package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/bench/analysis/why"
	"example.org/bench/command/grammar"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/judge"
	"example.org/bench/framework/powermode"
	"example.org/bench/internal/terminal"
)

func (a *app) judgeCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "judge TASK.json CANDIDATE",
		Short: "Judge a kernel or a C function against a task's baseline: right, honest, faster?",
		Long:  judge.Help,
		Example: `  bench judge sum.json faster.cu
  bench judge dot.json unrolled.c --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.judgeOne(cmd.Context(), args[0], args[1], f) },
	}
	f.devices(cmd, "", grammar.OneGPU, grammar.CPU, grammar.Simulator)
	f.flag(cmd, "json", "quiet", "new-seed: seed of the random inputs, from 1 (default: a new one each time, which the judgement has)")
	return cmd
}

func (a *app) judgeOne(ctx context.Context, task, candidate string, f choices) error {
	if err := f.check(); err != nil {
		return err
	}
	t, err := judge.LoadTask(task, a.factory)
	if err != nil {
		return usageError(err)
	}
	step := func(what string) { a.note("%s: %s", candidate, what) }
	if f.quiet || f.json {
		step = nil
	}
	said, err := t.JudgeFile(ctx, candidate, judge.Options{Choices: engine.Choices{Seed: f.Seed, Root: "/"}, Device: f.Device, PowerMode: powermode.CurrentName("/"), Explain: why.Judged, Step: step})
	if err != nil {
		return openError(err)
	}
	if f.json {
		err = a.printJSON(said)
	} else {
		_, err = fmt.Fprint(a.out, said.Text(terminal.PaletteOf(a.out)))
	}
	if status := judge.Statuses[said.Verdict]; err == nil && status != exitGood {
		return &statusError{status, nil}
	}
	return err
}
