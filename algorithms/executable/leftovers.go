package executable

import (
	"context"
	"os/exec"
	"time"

	"example.org/bench/framework"
	"example.org/bench/internal/linux"
)

// outputTime is how long another process may hold a program's output open after the program exits.
const outputTime = time.Second

// leftovers counts the processes that a program's executions left behind and that were ended.
type leftovers struct {
	env   framework.Env
	ended []linux.Process
}

// run executes a program once. When the program exits or ctx is done, run ends every process that the program
// started.
func (l *leftovers) run(ctx context.Context, cmd *exec.Cmd) error {
	cmd.WaitDelay = outputTime
	left, err := linux.Run(ctx, cmd, linux.Limits{})
	if ctx.Err() == nil {
		l.ended = append(l.ended, left...)
	}
	return err
}

// tell notes the leftovers with the point.
func (l *leftovers) tell() {
	if note := linux.Left(l.ended, "the program"); note != "" {
		l.env.Remark("%s", note)
	}
	l.ended = nil
}
