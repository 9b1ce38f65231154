// Package grammar checks which flags of a verb go together, and suggests what a mistyped verb or flag was
// meant to be.
package grammar

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/bench/framework/config"
)

// A verb declares by these annotations which of its flags apply together. Check refuses others.
const (
	OnlyWith = "bench_only_with" // the flag that this one requires
	NotWith  = "bench_not_with"  // the flags that this one excludes
)

// Needs declares that a flag qualifies another one, and means nothing without it.
func Needs(cmd *cobra.Command, name, other string) {
	annotate(cmd, name, OnlyWith, other)
}

// Excludes declares that a flag cannot be combined with any of the others.
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

// Suggest rewords the error of a flag: for a mistyped flag it names the nearest one, for a value what is
// accepted.
func Suggest(cmd *cobra.Command, err error) error {
	if value := (*pflag.ValueRequiredError)(nil); errors.As(err, &value) {
		f := value.GetFlag()
		return fmt.Errorf("--%s needs a value: %s", f.Name, f.Usage)
	}
	if value := (*pflag.InvalidValueError)(nil); errors.As(err, &value) {
		f := value.GetFlag()
		return fmt.Errorf("--%s %q: want %s", f.Name, value.GetValue(), wanted(f.Value.Type(), value.Unwrap()))
	}
	word, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return fmt.Errorf("%w; %s --help lists what there is", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if n := config.Nearest(word, names); n != "" {
		return fmt.Errorf("%w; did you mean --%s? %s --help lists all", err, n, cmd.CommandPath())
	}
	return fmt.Errorf("%w; %s --help lists what there is", err, cmd.CommandPath())
}

// wanted returns what a flag of a type accepts; for an unknown type, why it did not accept a value.
func wanted(kind string, err error) string {
	switch kind {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number of 0 or more"
	case "float64":
		return "a number"
	case "bool":
		return "true or false, or the flag alone"
	}
	return strings.TrimPrefix(err.Error(), "want ")
}

// Arguments rewords the errors of a verb, and of each verb below it, about missing and superfluous
// arguments, with its usage line and its first example; without any argument with all examples.
func Arguments(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		Arguments(below)
	}
	check := cmd.Args
	switch {
	case !cmd.HasParent():
		return
	case cmd.Name() == "help": // cobra's own check, which prints the program's help for any word
		check = func(help *cobra.Command, args []string) error {
			if found, _, err := help.Root().Find(args); err != nil || found == help.Root() {
				return KnownVerb(help.Root(), args)
			}
			return nil
		}
	case check == nil:
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil || !isCobras(err) {
			return err
		}
		usage := "want bench " + strings.TrimPrefix(cmd.Parent().CommandPath()+" "+cmd.Use, "bench ")
		missing := positional(cmd.Use)
		if len(args) == 0 && len(missing) > 0 && strings.Contains(cmd.Example, "\n") {
			return fmt.Errorf("%s is missing: %s, as in\n%s", missing[0], usage, cmd.Example)
		}
		if example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n"); example != "" {
			if example, _, _ = strings.Cut(example, "   "); !strings.HasSuffix(usage, example) {
				usage += ", as in: " + example
			}
		}
		if len(args) < len(missing) {
			return fmt.Errorf("%s is missing: %s", missing[len(args)], usage)
		}
		most := len(args)
		for most > 0 && check(cmd, args[:most]) != nil {
			most--
		}
		return fmt.Errorf("%q is one argument too many: %s", args[most], usage)
	}
}

// isCobras reports whether an error comes from cobra's own checks of arguments.
func isCobras(err error) bool {
	for _, begin := range []string{"requires at least ", "accepts ", "unknown command "} {
		if strings.HasPrefix(err.Error(), begin) {
			return true
		}
	}
	return false
}

// positional returns the required arguments of a usage line.
func positional(use string) (names []string) {
	words := strings.Fields(use)[1:]
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "["):
			return names
		case strings.HasPrefix(w, "-"), i > 0 && strings.HasPrefix(words[i-1], "--"):
		default:
			names = append(names, strings.TrimSuffix(w, "..."))
		}
	}
	return names
}

// KnownVerb refuses a word that is not a verb and names the nearest one.
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
