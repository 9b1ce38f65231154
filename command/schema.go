package command

import (
	"github.com/spf13/cobra"

	"example.org/bench/configs"
	"example.org/bench/internal/terminal"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of configs, for editors",
		Long: `Schema prints the JSON schema (draft-07) that configs are checked against. An editor
that reads the key "$schema" of a config then completes and explains its keys;
bench new writes the schema beside its config.

EXIT STATUS
  0    printed
  1    it cannot be written
  2    bad usage`,
		Example: `  bench schema > config.schema.json`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if _, err := terminal.Whole(a.out).Write(configs.Schema); err != nil {
				return failure(err)
			}
			return nil
		},
	}
}
