package executable

import (
	"context"
	"os/exec"
	"time"

	"bench/framework"
	"bench/linux"
)

// outputTime is how long somebody else may hold a program's output open.
const outputTime = time.Second

// leftovers are the processes that a program's executions left and that were ended.
type leftovers struct {
	env   framework.Env
	ended []linux.Process
}

// run executes a program once and ends, with ctx or after it, all that it started.
func (l *leftovers) run(ctx context.Context, cmd *exec.Cmd) error {
	cmd.WaitDelay = outputTime
	left, err := linux.Run(ctx, cmd, linux.Limits{})
	if ctx.Err() == nil {
		l.ended = append(l.ended, left...)
	}
	return err
}

// tell notes them with the point.
func (l *leftovers) tell() {
	if note := linux.Left(l.ended, "the program"); note != "" {
		l.env.Remark("%s", note)
	}
	l.ended = nil
}
