package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"bench/command/grammar"
	"bench/framework/config"
	"bench/framework/judge"
	"bench/powermode"
	"bench/terminal"
)

func (a *app) judgeCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "judge TASK.json CANDIDATE",
		Short: "Judge a kernel or a C function against a task's baseline: right, honest, faster?",
		Long: `Judge says of a candidate, a .cu, .ptx, .cubin or .c file, whether it is right and how fast
it is against the baseline of a task: a config with the key "judge" (docs/judging.md).
The file replaces the source of the version that the task names. The task is trusted, the
candidate is not; but this is not a sandbox, and a C function runs as your program.

A kernel is verified in the simulator, where every access to memory is checked; then on the
device, at the task's problems and hidden ones; then timed alone, where its timed runs have
to compute; then timed in turns with the baseline, as bench ab does it, after a control. The
first of these that it fails decides. --device sim verifies only. The seed of the inputs is
drawn, unless --seed gives one.
` + judge.StatusHelp,
		Example: `  bench judge sum.json faster.cu
  bench judge sum.json faster.cu --device sim --json
  bench judge dot.json unrolled.c --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.judgeOne(cmd.Context(), args[0], args[1], f) },
	}
	f.devices(cmd, "", grammar.OneGPU, grammar.CPU, grammar.Simulator)
	f.flag(cmd, "json", "quiet")
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the random inputs; 0: one is drawn")
	return cmd
}

// task reads a task.
func (a *app) task(path string) (*judge.Task, error) {
	c, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	return judge.NewTask(c, a.factory)
}

func (a *app) judgeOne(ctx context.Context, task, candidate string, f choices) error {
	if err := f.check(); err != nil {
		return err
	}
	t, err := a.task(task)
	if err != nil {
		return usageError(err)
	}
	step := func(what string) { a.note("%s: %s", candidate, what) }
	if f.quiet || f.json {
		step = nil
	}
	said, err := t.JudgeFile(ctx, candidate, judge.Options{Device: f.device, Seed: f.seed, Root: "/", PowerMode: powermode.CurrentName("/"), Step: step})
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
