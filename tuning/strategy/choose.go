package strategy

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/config"
	"example.org/bench/tuning"
)

// List returns a line for each strategy, and below it a line for each of its settings.
func List() string {
	var b strings.Builder
	var last []tuning.Option
	for _, s := range All() {
		fmt.Fprintf(&b, "  %-12s %s\n", s.Name, s.Doc)
		if slices.Equal(s.Options, last) {
			continue // the strategies are one but for the model
		}
		last = s.Options
		for _, o := range s.Options {
			fmt.Fprintf(&b, "  %-12s   %s=%v: %s\n", "", o.Name, o.Default, o.Doc)
		}
	}
	return b.String()
}

// Choose finds strategies by name, each named once.
func Choose(chosen []string) ([]tuning.Info, error) {
	var all []tuning.Info
	for i, name := range chosen {
		if slices.Contains(chosen[:i], name) {
			return nil, fmt.Errorf("--strategy %s is given twice; want each strategy once", name)
		}
		s := Find(name)
		if s == nil {
			var names []string
			for _, s := range All() {
				names = append(names, s.Name)
			}
			return nil, errors.New("--strategy " + config.NoneOf(name, names))
		}
		all = append(all, *s)
	}
	return all, nil
}

// Settings returns values by name, from texts NAME=NUMBER. Each name must be known to one of the strategies,
// and its value within the bounds.
func Settings(strategies []tuning.Info, given []string) (map[string]float64, error) {
	known := map[string]tuning.Option{}
	var names []string
	for _, s := range strategies {
		names = append(names, s.Name)
		for _, o := range s.Options {
			known[o.Name] = o
		}
	}
	values := map[string]float64{}
	for _, setting := range given {
		name, text, ok := strings.Cut(setting, "=")
		v, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("--option %q is not NAME=NUMBER", setting)
		}
		o, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("--option %s: %s has no such setting", name, strings.Join(names, ", "))
		}
		if err := o.Check(v); err != nil {
			return nil, fmt.Errorf("--option %s: %w", setting, err)
		}
		values[name] = v
	}
	return values, nil
}
