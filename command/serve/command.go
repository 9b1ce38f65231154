package serve

import (
	"context"

	"github.com/spf13/cobra"
)

// Command returns the verb; run serves lines, or the protocol.
func Command(run func(ctx context.Context, protocol bool) error) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), protocol) },
	}
	cmd.Flags().BoolVar(&protocol, "mcp", false, "speak the Model Context Protocol")
	return cmd
}
