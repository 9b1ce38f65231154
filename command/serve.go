package command

import (
	"context"
	"os"
	"strings"

	"bench/command/serve"
	"bench/framework/judge"
	"bench/powermode"
)

// serve answers requests of a program.
func (a *app) serve(ctx context.Context, protocol bool) error {
	b := &serve.Bench{Verb: a.captured, Task: serve.Tasks(a.task), Options: judge.Options{Root: "/", PowerMode: powermode.CurrentName("/")}}
	if protocol {
		return ranError(serve.Protocol(ctx, b, os.Stdin, os.Stdout))
	}
	return ranError(serve.Lines(ctx, b, os.Stdin, a.out))
}

// captured runs a command line, and gives what it prints.
func (a *app) captured(ctx context.Context, args []string) (status int, out, said string) {
	var printed, noted strings.Builder
	b := *a
	b.out, b.err = &printed, &noted
	status = b.run(ctx, args)
	return status, printed.String(), noted.String()
}
