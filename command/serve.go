package command

import (
	"context"
	"os"
	"strings"

	"example.org/bench/analysis/why"
	"example.org/bench/command/serve"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/judge"
	"example.org/bench/framework/powermode"
	"example.org/bench/internal/terminal"
)

// serve answers a program's requests.
func (a *app) serve(ctx context.Context, protocol bool) error {
	b := &serve.Bench{Verb: a.captured, Task: serve.Tasks(a.factory), Options: judge.Options{Choices: engine.Choices{Root: "/"}, PowerMode: powermode.CurrentName("/"), Explain: why.Judged}}
	if protocol {
		return ranError(serve.Protocol(ctx, b, os.Stdin, os.Stdout))
	}
	return ranError(serve.Lines(ctx, b, os.Stdin, terminal.Whole(a.out)))
}

// captured runs a command line and returns what it prints.
func (a *app) captured(ctx context.Context, args []string) (status int, out, said string) {
	var printed, noted strings.Builder
	b := app{registry: a.registry, out: &printed, err: &noted, unread: a.unread}
	status = b.run(ctx, args)
	return status, printed.String(), noted.String()
}
