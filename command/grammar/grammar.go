// Package grammar says which flags of a verb go together, and what a mistyped verb or flag
// was meant to be.
package grammar

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bench/framework/config"
)

// A verb declares by these annotations which of its flags apply together; Check refuses
// the others.
const (
	OnlyWith = "bench_only_with" // the flag that this one needs
	NotWith  = "bench_not_with"  // the flags that this one does not go with
)

// Needs declares that a flag says more of another, and means nothing without it.
func Needs(cmd *cobra.Command, name, other string) {
	annotate(cmd, name, OnlyWith, other)
}

// Excludes declares that a flag does not go with any of the others.
func Excludes(cmd *cobra.Command, name string, others ...string) {
	annotate(cmd, name, NotWith, others...)
}

func annotate(cmd *cobra.Command, name, key string, values ...string) {
	for _, n := range append(values, name) {
		if cmd.Flags().Lookup(n) == nil {
			panic("grammar: no flag " + n)
		}
	}
	if err := cmd.Flags().SetAnnotation(name, key, values); err != nil {
		panic("grammar: " + err.Error()) // the flag was looked up
	}
}

// Check refuses flags that do not apply together.
func Check(cmd *cobra.Command, _ []string) (err error) {
	flags := cmd.Flags()
	flags.Visit(func(f *pflag.Flag) {
		for _, other := range f.Annotations[OnlyWith] {
			if err == nil && !flags.Changed(other) {
				err = fmt.Errorf("--%s goes with --%s, which is not given", f.Name, other)
			}
		}
		for _, other := range f.Annotations[NotWith] {
			if err == nil && flags.Changed(other) {
				err = fmt.Errorf("--%s does not go with --%s", other, f.Name)
			}
		}
	})
	return err
}

// Suggest makes a mistyped flag's error name the nearest one.
func Suggest(cmd *cobra.Command, err error) error {
	word, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if n := config.Nearest(word, names); n != "" {
		return fmt.Errorf("%w; did you mean --%s? bench %s --help lists all", err, n, cmd.Name())
	}
	return fmt.Errorf("%w; bench %s --help lists what there is", err, cmd.Name())
}

// KnownVerb refuses a word that is not a verb, and names the nearest.
func KnownVerb(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("%q is not a verb%s", args[0], config.Choice(args[0], names, "verbs"))
}
