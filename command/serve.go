package command

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bench/command/serve"
	"bench/framework/judge"
	"bench/powermode"
)

func (a *app) serveCommand() *cobra.Command {
	var protocol bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer requests of a program on standard input: judge, validate, verify, why, tune, list, doctor",
		Long: `Serve answers requests on standard input, one JSON object a line, on standard output, until
its input ends (docs/judging.md). They are answered one at a time, in their order: what
measures is alone. While a candidate is measured, the next one is compiled.

  {"id": 1, "method": "judge", "params": {"task": "task.json", "name": "mine.cu", "source": "…"}}

With --mcp it speaks the Model Context Protocol instead, with the same methods as tools:
programs that write kernels can call them.

EXIT STATUS
  0    the input ended
  1    requests could not be read, or answers not be written
  2    bad usage
  130  interrupted`,
		Example: `  bench serve < requests.jsonl
  bench serve --mcp      what an agent starts`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := &serve.Bench{Verb: a.captured, Task: serve.Tasks(a.task), Options: judge.Options{Root: "/", PowerMode: powermode.CurrentName("/")}}
			if protocol {
				return ranError(serve.Protocol(cmd.Context(), b, os.Stdin, os.Stdout))
			}
			return ranError(serve.Lines(cmd.Context(), b, os.Stdin, a.out))
		},
	}
	cmd.Flags().BoolVar(&protocol, "mcp", false, "speak the Model Context Protocol")
	return cmd
}

// captured runs a command line, and gives what it prints.
func (a *app) captured(ctx context.Context, args []string) (status int, out, said string) {
	var printed, noted strings.Builder
	b := *a
	b.out, b.err = &printed, &noted
	status = b.run(ctx, args)
	return status, printed.String(), noted.String()
}
