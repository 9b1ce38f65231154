package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bench/framework/compare"
	"bench/tuning/strategy"
)

// complete tells the shell what may follow: configs, algorithms, folders, and
// the values of flags.
func (a *app) complete(root *cobra.Command) {
	configs := []cobra.Completion{"json"}
	for _, c := range root.Commands() {
		switch c.Name() {
		case "run", "plan", "validate", "ab", "tune":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return configs, cobra.ShellCompDirectiveFilterFileExt
			}
		case "list", "verify":
			c.ValidArgsFunction = a.completeAlgorithm
		case "plot", "compare", "man", "predict":
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
		case "replay", "import", "export", "transfer", "report":
			c.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
		default:
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
		a.completeFlags(c)
	}
	refuseOtherShells(root)
}

// refuseOtherShells makes bench completion fail without the name of a shell that
// it knows; cobra's prints help instead, which a shell would run as its script.
func refuseOtherShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic("command: " + err.Error()) // it was made just now
	}
	var shells []string
	for _, s := range c.Commands() {
		shells = append(shells, s.Name())
	}
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError(fmt.Errorf("completion for which shell? want one of %s", strings.Join(shells, ", ")))
		}
		return usageError(fmt.Errorf("completion for %q: want one of %s", args[0], strings.Join(shells, ", ")))
	}
}

func (a *app) completeFlags(c *cobra.Command) {
	var strategies, metrics []cobra.Completion
	for _, s := range strategy.All() {
		strategies = append(strategies, s.Name+"\t"+s.Doc)
	}
	for _, m := range compare.Metrics() {
		metrics = append(metrics, m.Name)
	}
	for name, values := range map[string][]cobra.Completion{
		"processor": {"auto", "CPU", "GPU"},
		"strategy":  strategies,
		"metric":    metrics,
		"objective": {"time", "energy", "edp"},
		"to":        exportFormats(),
		"by":        compare.DimensionNames(),
	} {
		completeFlag(c, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	for _, name := range []string{"out", "root", "plots", "train", "reference"} {
		completeFlag(c, name, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
	completeFlag(c, "versions", a.completeVersions)
}

// completeFlag is for flags that not every verb has.
func completeFlag(c *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if c.Flags().Lookup(flag) == nil {
		return
	}
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("command: " + err.Error()) // the flag was looked up
	}
}

// completeAlgorithm offers the algorithms' names, and files where what is
// typed is a path.
func (a *app) completeAlgorithm(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if c.Name() == "list" && len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, n := range a.registry.Names() {
		if strings.HasPrefix(n, typed) && !slices.Contains(args, n) {
			names = append(names, n+"\t"+a.registry.Algorithm(n).Doc)
		}
	}
	if typed != "" && len(names) == 0 {
		return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completeVersions offers the versions of the algorithms, or configs, that
// stand before; the flag takes several with commas.
func (a *app) completeVersions(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	var names []cobra.Completion
	for _, arg := range args {
		s, err := a.named(c.Context(), arg, choices{})
		if err != nil {
			continue
		}
		for _, v := range s.Factory.Versions {
			if full := before + v.Name; strings.HasPrefix(full, typed) {
				names = append(names, full+"\t"+v.Doc)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
