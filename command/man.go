package command

import (
	"github.com/spf13/cobra"

	"example.org/bench/command/manual"
	"example.org/bench/framework/record"
)

// manCommand writes the manual pages of this program from its help. The program may have more algorithms
// than bench.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages, one per verb, into a folder",
		Long: `Man writes bench.1 and one page per verb, bench-VERB.1, into DIR, which it creates. man
reads them from a folder man1 below one that MANPATH names.

EXIT STATUS
  0    written
  1    a page cannot be written
  2    bad usage`,
		Example: `  bench man ~/.local/share/man/man1      then: man bench-run`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return failure(manual.Write(a.root(), "bench "+record.ThisTool().Version, args[0]))
		},
	}
}
