package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"bench/framework/record"
	"bench/plots"
)

func (a *app) plotCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the plots of a results folder again",
		Long: `Plot reads the CSVs and run.json of a results folder and draws its plots, SVG and
PNG, into the same folder. For an interrupted run it draws the points that
the journal holds.

EXIT STATUS
  0    drawn
  1    a plot cannot be drawn or written
  2    bad usage, or DIR holds no results that can be read
  130  interrupted`,
		Example: `  bench plot results/fft`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			run, err := record.Read(args[0])
			if err != nil {
				return usageError(err)
			}
			if part := run.Unfinished(); part != "" {
				fmt.Fprintf(a.err, "%s: %s\n", args[0], part)
			}
			files, err := plots.All(run, args[0])
			if err != nil {
				return &statusError{exitBad, err}
			}
			for _, f := range files {
				fmt.Fprintln(a.out, f)
			}
			return nil
		},
	}
}
