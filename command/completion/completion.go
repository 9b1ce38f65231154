// Package completion provides shell completions: configs, algorithms, folders, and the values of flags.
package completion

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/tuning/strategy"
)

// Program is the source of the completions.
type Program struct {
	Registry *framework.Registry
	// Versions returns the versions of an algorithm or config, as a verb takes it; none where it cannot
	// be read.
	Versions func(ctx context.Context, name string) []framework.Version
	Formats  []string          // of bench export
	Refuse   func(error) error // makes an error a usage error
}

// Add completes the verbs' arguments and flags.
func (p Program) Add(root *cobra.Command) {
	configs := []cobra.Completion{"json"}
	for _, c := range root.Commands() {
		switch c.Name() {
		case "run", "plan", "validate", "ab", "tune":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return configs, cobra.ShellCompDirectiveFilterFileExt
			}
		case "list", "verify":
			c.ValidArgsFunction = p.algorithm
		case "plot", "compare", "man", "predict":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
		case "replay", "import", "export", "transfer", "report":
			c.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
		default:
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
		p.flags(c)
	}
	p.refuseOtherShells(root)
}

// refuseOtherShells makes bench completion fail without the name of a known shell. cobra would print
// help, which a shell would run as its script.
func (p Program) refuseOtherShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic("completion: " + err.Error()) // it was created just now
	}
	var shells []string
	for _, s := range c.Commands() {
		shells = append(shells, s.Name())
	}
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return p.Refuse(fmt.Errorf("completion for which shell? want one of %s", strings.Join(shells, ", ")))
		}
		return p.Refuse(fmt.Errorf("completion for %q: want one of %s", args[0], strings.Join(shells, ", ")))
	}
}

// flags completes the values of flags. The values are computed when a shell asks, because each start of
// the program calls flags for each verb.
func (p Program) flags(c *cobra.Command) {
	for name, list := range map[string]func() []cobra.Completion{
		"processor": func() []cobra.Completion { return []cobra.Completion{"auto", "CPU", "GPU"} },
		"strategy": func() (list []cobra.Completion) {
			for _, s := range strategy.All() {
				list = append(list, s.Name+"\t"+s.Doc)
			}
			return list
		},
		"metric": func() (list []cobra.Completion) {
			for _, m := range compare.Metrics() {
				list = append(list, m.Name)
			}
			return list
		},
		"objective": func() []cobra.Completion { return []cobra.Completion{"time", "energy", "edp"} },
		"to":        func() []cobra.Completion { return p.Formats },
		"by":        compare.DimensionNames,
	} {
		Flag(c, name, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return list(), cobra.ShellCompDirectiveNoFileComp
		})
	}
	for _, name := range []string{"out", "root", "plots", "train", "reference"} {
		Flag(c, name, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
	Flag(c, "versions", p.versions)
}

// Flag completes a flag, if the verb has it.
func Flag(c *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if c.Flags().Lookup(flag) == nil {
		return
	}
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("completion: " + err.Error()) // the flag was looked up
	}
}

// algorithm offers the algorithms' names, and files where a path is being typed.
func (p Program) algorithm(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if c.Name() == "list" && len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, n := range p.Registry.Names() {
		if strings.HasPrefix(n, typed) && !slices.Contains(args, n) {
			names = append(names, n+"\t"+p.Registry.Algorithm(n).Doc)
		}
	}
	if typed != "" && len(names) == 0 {
		return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return names, cobra.ShellCompDirectiveDefault
}

// versions offers the versions of the preceding algorithms or configs; the flag takes several, separated
// by commas.
func (p Program) versions(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	var names []cobra.Completion
	for _, arg := range args {
		for _, v := range p.Versions(c.Context(), arg) {
			if full := before + v.Name; strings.HasPrefix(full, typed) {
				names = append(names, full+"\t"+v.Doc)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
