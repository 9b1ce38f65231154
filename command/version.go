package command

import (
	"io"

	"github.com/spf13/cobra"

	"example.org/bench/framework/record"
)

func (a *app) versionCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and commit",
		Long: `Version prints the version, the commit, the platform and the Go that built it.

EXIT STATUS
  0    printed
  1    the output cannot be written
  2    bad usage`,
		Example: `  bench version`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if f.json {
				return a.printJSON(record.ThisTool())
			}
			_, err := io.WriteString(a.out, record.ThisTool().Line())
			return err
		},
	}
	f.flag(cmd, "json")
	return cmd
}
