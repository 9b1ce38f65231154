package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"bench/framework/record"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version and commit",
		Example: `  bench version`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			t := record.ThisTool()
			fmt.Fprintf(a.out, "bench %s", t.Version)
			if t.Commit != "" {
				fmt.Fprintf(a.out, " (commit %.12s)", t.Commit)
			}
			_, err := fmt.Fprintf(a.out, " %s %s\n", t.Platform, t.Go)
			return err
		},
	}
}
