package command

import (
	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/tuning/exchange"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/search"
)

type transferFlags struct {
	choices
	manifest  string
	reference string
	forecast  bool
	known     []string
}

func (a *app) transferCommand() *cobra.Command {
	var f transferFlags
	cmd := &cobra.Command{
		Use:   "transfer SPACE.csv.gz|SEARCH|RUN...",
		Short: "Show how tunables found in one place perform in another",
		Long: `Transfer prints how the best point of each recorded space performs in the others: one
kernel on several GPUs. Folders of searches are compared by their sweep points, and folders
of runs by theirs, each version with its least time.

With --forecast it says how much of the optimum the best of each keeps on a device where
nothing has run: the median, and an interval that holds 80 %, of the pairs of devices that are
known. These are among what is given, which may be of several kernels, and in the transfer.csv
files of --known. Those of the same kernel count where there are nine or more, or else all. Each known
pair is forecast in the same way from those that its target has no part in, and the share of these
that were in their intervals is printed. Spaces are named KERNEL-DEVICE.

With --reference, the folder of an exhaustive search, it judges what each search chose
by the times that the exhaustive one measured: the average performance over the sweep
points, and Φ, the harmonic mean of the least time divided by that of the choice.

EXIT STATUS
  0    printed
  1    results could not be written
  2    bad usage, or a file that cannot be read
  130  interrupted`,
		Example: `  bench transfer gemm-A100.csv.gz gemm-H200.csv.gz
  bench transfer gemm-A100.csv.gz --forecast --known results/tuning-transfer/transfer.csv
  bench transfer results/tune-scan-best --reference results/tune-scan-exhaustive`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := folderNotFile(f.out); err != nil {
				return usageError(err)
			}
			switch {
			case f.forecast:
				return a.forecast(args, f)
			case f.reference == "":
				return a.transfers(args, f)
			}
			return a.judge(args, f)
		},
	}
	f.flag(cmd, "json: print one JSON object a row, a line each", "out: folder for transfer.csv (default: none)")
	cmd.Flags().StringVar(&f.manifest, "manifest", "", "manifest.json of the recorded spaces")
	cmd.Flags().StringVar(&f.reference, "reference", "", "folder of an exhaustive search, by whose times the searches given are judged")
	cmd.Flags().BoolVar(&f.forecast, "forecast", false, "how much of the optimum each best keeps where nothing has run, by the pairs of devices that are known")
	cmd.Flags().StringSliceVar(&f.known, "known", nil, "transfer.csv of pairs that are known")
	grammar.Needs(cmd, "known", "forecast")
	grammar.Excludes(cmd, "reference", "manifest", "out", "forecast")
	return cmd
}

// transfers prints recorded spaces, and the sweep points that the folders of searches have in common, in
// the form of the published portability tables.
func (a *app) transfers(paths []string, f transferFlags) error {
	all, err := exchange.Transfers(paths, f.manifest, a.note)
	if err != nil {
		return usageError(err)
	}
	return printTransfers(a, all, f, all, recorded.TransfersText)
}

// forecast reports what share of the optimum the best of the spaces keeps on a device where nothing has run.
func (a *app) forecast(paths []string, f transferFlags) error {
	all, measured, err := exchange.Forecasts(paths, f.manifest, f.known, a.note)
	if err != nil {
		return usageError(err)
	}
	return printTransfers(a, all, f, measured, recorded.ForecastsText)
}

// printTransfers prints a list, and writes the transfers if --out is given.
func printTransfers[T any](a *app, all []T, f transferFlags, transfers []recorded.Transfer, text func([]T) string) error {
	if f.out != "" {
		if err := recorded.WriteTransfers(transfers, f.out); err != nil {
			return failure(err)
		}
	}
	return printRows(a, all, f.json, text)
}

// judge compares the choices of searches with an exhaustive search of the same config.
func (a *app) judge(dirs []string, f transferFlags) error {
	all, err := search.Judge(f.reference, dirs, a.note)
	if err != nil {
		return usageError(err)
	}
	return printRows(a, all, f.json, search.QualitiesText)
}
