package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/command/completion"
	"example.org/bench/command/scaffold"
	"example.org/bench/framework/config"
)

func (a *app) newCommand() *cobra.Command {
	names := scaffold.Names()
	var template string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a small working example: kernels, a program, or an algorithm in Go",
		Long: `New writes an example to start from, which runs as it is and is verified:

` + scaffold.List() + `
All but go are a folder NAME with the sources, their config NAME.json, and the schema
that explains its keys in an editor. New never overwrites a file.

EXIT STATUS
  0    written
  1    a file cannot be written, or algorithms/all.go has changed in form
  2    bad usage: a name that is taken or invalid, or template go outside bench's tree`,
		Example: `  bench new mykernel
  bench new mine --template transpose
  bench validate mykernel/mykernel.json
  bench verify mykernel/mykernel.json --device sim
  bench run mykernel/mykernel.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if !slices.Contains(names, template) {
				return usageError(errors.New("--template " + config.NoneOf(template, names)))
			}
			return a.new(template, args[0])
		},
	}
	cmd.Flags().StringVar(&template, "template", names[0], "which example: "+strings.Join(names, ", "))
	completion.Flag(cmd, "template", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// new writes an example, and prints its files and the next commands.
func (a *app) new(template, name string) error {
	var files []string
	var err error
	if template == scaffold.Go {
		if a.registry.Algorithm(name) != nil {
			return usageError(fmt.Errorf("there is an algorithm %s already; want another name", name))
		}
		files, err = scaffold.WriteGo(name)
	} else {
		files, err = scaffold.Write(template, name)
	}
	for _, f := range files {
		fmt.Fprintln(a.out, f)
	}
	switch name := (*scaffold.NameError)(nil); {
	case errors.As(err, &name):
		return usageError(err)
	case err != nil:
		return failure(err)
	}
	fmt.Fprint(a.out, scaffold.Next(template, name, files))
	return nil
}
