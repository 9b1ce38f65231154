package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bench/tuning"
	"bench/tuning/strategy"
)

// tuneFlags are those of both searches, live and replayed, and of the replay
// alone.
type tuneFlags struct {
	strategies []string
	options    []string
	budget     int
	seed       uint64
	json       bool
	out        string

	replay   []string
	manifest string
	repeats  int
}

func (a *app) tuneCommand() *cobra.Command {
	var f tuneFlags
	var live liveFlags
	cmd := &cobra.Command{
		Use:   "tune CONFIG... | --replay FILE.csv.gz [FILE...]",
		Short: "Find the best tunables with few evaluations; measure strategies on recorded spaces",
		Long: `Tune searches the tunables of the versions of a config at each of its sweep points:
verified results only; a point that does not compile, does not launch or gives a wrong
answer is an evaluation too, and the strategy learns from it. The config's "tunables"
replace the values tried, and its "tuning_constraints" narrow them. The best trials are
measured again, in turns with the defaults. Written are trials.csv, tune.json, plots, the
recorded space of a sweep point whose every point was measured, and a wisdom file, which
bench run then uses. --strategy analytical with a described --device needs no GPU.

--replay measures strategies on a recorded space, without a GPU: how close to the
optimum they come, after how many evaluations. Standard 1 is the number of evaluations
until the median over the repeats reaches 95 % of the optimum, Standard 2 until their
5th percentile does. An evaluation is a point not evaluated before, valid or not. Several
files are the problem sizes of one search: what is measured is then the harmonic mean of the
fractions of their optima. The points of a space are shuffled in every repeat.

A recorded space is a CSV file, plain or gzip: a header; a column a parameter; time_ms
(empty where invalid); status (valid or invalid). A manifest declares the order of the
parameters' values; without one they ascend.

--train takes finished runs, one's own or published tables. With a config, --strategy knn
begins at every sweep point with what was fastest at the nearest one of those runs. Without, tune
reports how well the best value of a tunable is predicted of sizes left out, and
predicts it (--predict); with a run for m and one for R of the tridiagonal partition
method also the sub-system size of every recursive step.

The strategies:

` + strategyList() + `
EXIT STATUS
  0    searched
  1    results could not be written, or a strategy failed
  2    bad usage, or a file that is no recorded space
  130  interrupted`,
		Example: `  bench tune configs/scan.json --budget 60
  bench tune configs/fft.json --resume
  bench tune configs/tridiagonal-literature.json --strategy analytical --device jetson-tx1
  bench tune --replay gemm-RTX_3090.csv.gz --strategy best,random --budget 200 --repeats 50
  bench tune configs/tridiagonal.json --strategy knn --train results/tridiagonal --budget 10
  bench tune --train results/literature/rtxa5000-partition --predict 300000,4500000
  bench tune --replay n1024.csv.gz n4096.csv.gz --budget 60 --json`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(f.replay) > 0 {
				for _, name := range []string{"objective", "device", "resume", "wisdom", "confirm", "compilers", "compiled"} {
					if c.Flags().Changed(name) {
						return usageError(fmt.Errorf("--%s: a replay measures nothing; it is for a live search", name))
					}
				}
				f.replay = append(f.replay, args...)
				return a.replay(c.Context(), f)
			}
			return a.tuneLive(c.Context(), args, f, live)
		},
	}
	live.add(cmd)
	flags := cmd.Flags()
	flags.StringSliceVar(&f.strategies, "strategy", []string{defaultStrategy}, "strategies, see above")
	flags.StringSliceVar(&f.options, "option", nil, "a strategy's own settings, NAME=VALUE")
	flags.IntVar(&f.budget, "budget", 200, "evaluations; of a live search, a sweep point")
	flags.Uint64Var(&f.seed, "seed", 1, "the only source of chance")
	flags.BoolVar(&f.json, "json", false, "print one JSON object a strategy, a line each")
	flags.StringVar(&f.out, "out", "", "folder for the results (default results/tune-PREFIX, replay-SPACE, import-FILE or export-FILE; --transfer, and --replay with --json: none)")
	flags.StringSliceVar(&f.replay, "replay", nil, "recorded space; several are the sizes of one search")
	flags.StringVar(&f.manifest, "manifest", "", "manifest.json of the recorded spaces")
	flags.IntVar(&f.repeats, "repeats", 50, "replay: searches a strategy, in parallel on the cores")
	return cmd
}

// defaultStrategy is what tune searches with unless told.
const defaultStrategy = "best"

func strategyList() string {
	var b strings.Builder
	var last []tuning.Option
	for _, s := range strategy.All() {
		fmt.Fprintf(&b, "  %-12s %s\n", s.Name, s.Doc)
		if len(last) > 0 && slices.Equal(s.Options, last) {
			continue // the strategies are one but for the model
		}
		last = s.Options
		for _, o := range s.Options {
			fmt.Fprintf(&b, "  %-12s   %s=%v: %s\n", "", o.Name, o.Default, o.Doc)
		}
	}
	return b.String()
}

// chosen finds the strategies by name.
func (f *tuneFlags) chosen() ([]tuning.Info, error) {
	var all []tuning.Info
	for i, name := range f.strategies {
		if slices.Contains(f.strategies[:i], name) {
			return nil, fmt.Errorf("--strategy %s is given twice; want each strategy once", name)
		}
		s := strategy.Find(name)
		if s == nil {
			var names []string
			for _, s := range strategy.All() {
				names = append(names, s.Name)
			}
			return nil, fmt.Errorf("--strategy %q is none of %s", name, strings.Join(names, ", "))
		}
		all = append(all, *s)
	}
	return all, nil
}

// optionsOf are the settings of --option, each known to one of the strategies
// and within its bounds.
func (f *tuneFlags) optionsOf(strategies []tuning.Info) (map[string]float64, error) {
	known := map[string]tuning.Option{}
	for _, s := range strategies {
		for _, o := range s.Options {
			known[o.Name] = o
		}
	}
	values := map[string]float64{}
	for _, setting := range f.options {
		name, text, ok := strings.Cut(setting, "=")
		v, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("--option %q is not NAME=NUMBER", setting)
		}
		o, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("--option %s: %s has no such setting", name, strings.Join(f.strategies, ", "))
		}
		if err := o.Check(v); err != nil {
			return nil, fmt.Errorf("--option %s: %w", setting, err)
		}
		values[name] = v
	}
	return values, nil
}
