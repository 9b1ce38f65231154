package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bench/tuning/exchange"
	"bench/tuning/recorded"
	"bench/tuning/search"
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
	needs(cmd, "known", "forecast")
	excludes(cmd, "reference", "manifest", "out", "forecast")
	return cmd
}

// transfers prints the published portability tables' form for recorded
// spaces, and for the sweep points that the folders of searches have in common.
func (a *app) transfers(paths []string, f transferFlags) error {
	if err := recorded.Distinct(paths); err != nil {
		return usageError(err)
	}
	groups, err := exchange.Comparable(paths, f.manifest, a.note)
	if err != nil {
		return usageError(err)
	}
	var all []recorded.Transfer
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		list, err := recorded.Transfers(groups[name])
		if err != nil {
			return usageError(err)
		}
		all = append(all, list...)
	}
	if f.out != "" {
		if err := recorded.WriteTransfers(all, f.out); err != nil {
			return &statusError{exitBad, err}
		}
	}
	if f.json {
		return printLines(a, all)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "BEST OF\tON\t%s\tPERFORMANCE\n", strings.Join(all[0].Parameters, "\t"))
	for _, t := range all {
		fmt.Fprintf(w, "%s\t%s", t.From, t.To)
		for i := range t.Settings {
			fmt.Fprintf(w, "\t%s", t.Setting(i))
		}
		fmt.Fprintf(w, "\t%s\n", t.Text())
	}
	return w.Flush()
}

// judge compares the choices of searches with an exhaustive one of the same
// config.
func (a *app) judge(dirs []string, f transferFlags) error {
	reference, err := search.OpenReference(f.reference)
	if err != nil {
		return usageError(fmt.Errorf("--reference: %w", err))
	}
	var all []search.Quality
	for _, dir := range dirs {
		report, err := search.Read(dir)
		if err != nil {
			return usageError(err)
		}
		list, err := reference.Qualities(report, func(format string, args ...any) {
			fmt.Fprintf(a.err, dir+": "+format+"\n", args...)
		})
		if err != nil {
			return usageError(fmt.Errorf("%s: %w", dir, err))
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return usageError(fmt.Errorf("--reference %s: no sweep point of the other folders is in it whole", f.reference))
	}
	if f.json {
		return printLines(a, all)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ALGORITHM\tVERSION\tSTRATEGY\tSIZES\tAVERAGE PERFORMANCE\tΦ\tEVALUATIONS\tOF")
	for _, q := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%.4f\t%d\t%d\n", q.Algorithm, q.Version, q.Strategy, q.Sizes, itemRate(q.Performance), q.Phi, q.Evaluations, q.Points)
	}
	return w.Flush()
}

// itemRate is items per second with the prefix that suits it.
func itemRate(x float64) string {
	for _, p := range []struct {
		factor float64
		prefix string
	}{{1e9, "G "}, {1e6, "M "}, {1e3, "k "}} {
		if x >= p.factor {
			return fmt.Sprintf("%.4g %sitems/s", x/p.factor, p.prefix)
		}
	}
	return fmt.Sprintf("%.4g items/s", x)
}
