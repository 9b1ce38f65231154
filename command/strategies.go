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

// strategyFlags choose strategies and how long they search.
type strategyFlags struct {
	strategies []string
	options    []string
	budget     budget
}

func (f *strategyFlags) add(cmd *cobra.Command, what string) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.strategies, "strategy", []string{strategy.Default}, "the strategy, see above")
	flags.StringSliceVar(&f.options, "option", nil, "a strategy's own settings, NAME=VALUE")
	f.budget = budget{text: "200", evaluations: 200}
	flags.Var(&f.budget, "budget", what+"; or a time (60s, 10m); or auto: until improvement is unlikely")
}

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
func (f *strategyFlags) chosen() ([]tuning.Info, error) {
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
func (f *strategyFlags) optionsOf(strategies []tuning.Info) (map[string]float64, error) {
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
