package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/bench/tuning/knn"
	"example.org/bench/tuning/search"
)

// predictFlags are the flags of bench predict.
type predictFlags struct {
	choices
	tunables []string
	where    []string
	axis     string
	sizes    []int64
	log      bool
}

func (a *app) predictCommand() *cobra.Command {
	var f predictFlags
	cmd := &cobra.Command{
		Use:   "predict RUN...",
		Short: "Predict tunables by size from finished runs",
		Long: `Predict takes finished runs and searches, your own or published tables. It reports how well the
best value of a tunable is predicted for sizes left out, and predicts it for --sizes.
With a run for m and one for R of the tridiagonal partition method, it also predicts the
sub-system size of every recursive step.

EXIT STATUS
  0    predicted
  2    bad usage, or a folder that holds neither run nor search
  130  interrupted`,
		Example: `  bench predict results/literature/rtxa5000-partition --sizes 300000,4500000`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.predict(args, f) },
	}
	f.flag(cmd, "versions: versions to learn from; for one size, the rows of the last one named count", "seed: which sizes are left out", "json: print one JSON object a tunable, a line each")
	flags := cmd.Flags()
	flags.StringSliceVar(&f.tunables, "tunable", []string{"m", "R"}, "tunables to predict")
	flags.StringSliceVar(&f.where, "where", nil, "NAME=VALUE of parameters that the rows must have")
	flags.StringVar(&f.axis, "axis", "N", "the parameter to predict by")
	flags.Int64SliceVar(&f.sizes, "sizes", nil, "sizes to predict for")
	flags.BoolVar(&f.log, "log", false, "measure distance between logarithms of sizes")
	return cmd
}

// predict reports what runs teach: how well a tunable is predicted, and the requested predictions.
func (a *app) predict(dirs []string, t predictFlags) error {
	where, err := knn.ParseWhere(t.where)
	if err != nil {
		return usageError(err)
	}
	if t.axis == "" || len(t.tunables) == 0 {
		return usageError(errors.New("--axis and --tunable may not be empty"))
	}
	for _, n := range t.sizes {
		if n < 1 {
			return usageError(fmt.Errorf("--sizes %d: want at least 1", n))
		}
	}
	q := knn.Question{Tunables: t.tunables, Choice: knn.Choice{Parameter: t.axis, Versions: t.versions, Where: where},
		Options: knn.Options{Log: t.log}, Sizes: t.sizes, Seed: t.Seed}
	var all []knn.Prediction
	for _, dir := range dirs {
		run, err := search.ReadFinished(dir)
		if err != nil {
			return usageError(err)
		}
		list, err := q.Ask(dir, run)
		if err != nil {
			return usageError(err)
		}
		all = append(all, list...)
	}
	return printRows(a, all, t.json, q.Text)
}
