package command

import (
	"io"

	"github.com/spf13/cobra"

	"example.org/bench/framework"
)

func (a *app) listCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "list [ALGORITHM | CONFIG]",
		Short: "Show algorithms; for one, its versions, parameters, tunables and counted formulas",
		Long: `List shows what this program has built in, or the algorithm that a config defines.

EXIT STATUS
  0    listed
  1    the output cannot be written
  2    bad config or usage, or no such algorithm`,
		Example: `  bench list
  bench list fft
  bench list configs/polybench/gemm.json      the algorithm that a config defines`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if f.json {
					all := []framework.Description{}
					for _, name := range a.registry.Names() {
						all = append(all, a.registry.Algorithm(name).Describe())
					}
					return a.printJSON(all)
				}
				_, err := io.WriteString(a.out, a.registry.Text()+ownAlgorithms)
				return err
			}
			s, err := a.named(c.Context(), args[0], f)
			if err != nil {
				return err
			}
			if f.json {
				return a.printJSON(s.Factory.Describe())
			}
			_, err = io.WriteString(a.out, s.Factory.Text())
			return err
		},
	}
	f.flag(cmd, "json")
	return cmd
}

// ownAlgorithms is printed below the built-in algorithms.
const ownAlgorithms = `
any program  "executable": "PATH" in a config runs a program as the algorithm
any kernel   "algorithm": {"cuda": …} in a config runs kernels of a .cu file; bench new makes an example
`
