package command

import (
	"github.com/spf13/cobra"

	"example.org/bench/tuning"
	"example.org/bench/tuning/strategy"
)

// strategyFlags choose strategies and how long they search.
type strategyFlags struct {
	strategies []string
	options    []string
	budget     tuning.Budget
}

func (f *strategyFlags) add(cmd *cobra.Command, what string) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.strategies, "strategy", []string{strategy.Default}, "the strategy, see above")
	flags.StringSliceVar(&f.options, "option", nil, "a strategy's own settings, NAME=VALUE")
	f.budget = tuning.Budget{Text: "200", Evaluations: 200}
	flags.Var(&f.budget, "budget", what+"; or a time (60s, 10m); or auto: until improvement is unlikely")
}

// chosen returns the strategies that the flags name.
func (f *strategyFlags) chosen() ([]tuning.Info, error) { return strategy.Choose(f.strategies) }

// optionsOf returns the settings of --option for the strategies.
func (f *strategyFlags) optionsOf(strategies []tuning.Info) (map[string]float64, error) {
	return strategy.Settings(strategies, f.options)
}
