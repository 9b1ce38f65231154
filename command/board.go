package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"example.org/bench/command/board"
	"example.org/bench/command/boards"
	"example.org/bench/command/fleet"
	"example.org/bench/command/grammar"
)

// boardCommand returns the verb, with those that bench fleet runs on a board.
func (a *app) boardCommand() *cobra.Command {
	run := func(ctx context.Context, config, folder string, m board.Measuring) error {
		f := runFlags{choices: choices{out: folder, resume: m.Resume, modes: m.Modes, wisdom: "none", plotless: true}}
		f.Root, f.Device, f.Processor = m.Root, m.Device, "auto"
		return a.runAll(ctx, []string{config}, f)
	}
	fail := func(err error) error {
		if known := (*statusError)(nil); errors.As(err, &known) {
			return err
		}
		return ranError(err)
	}
	p := board.Program{Registry: a.registry, Out: a.out, Err: a.err, Run: run, Refuse: usageError, Fail: fail,
		Devices: grammar.Devices{grammar.OneGPU, grammar.OneOpenCL, grammar.CPU}}
	return fleet.OnBoard(p.Command(), failure)
}

func (a *app) boardsCommand() *cobra.Command {
	return boards.Program{Out: a.out, Refuse: usageError, Fail: failure}.Command()
}
