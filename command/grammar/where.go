package grammar

import "github.com/spf13/cobra"

// Where checks arguments by one rule where a flag is set, else by another.
func Where(set *bool, then, otherwise cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if *set {
			return then(cmd, args)
		}
		return otherwise(cmd, args)
	}
}
