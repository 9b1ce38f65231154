package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/algorithms/kernel"
	"example.org/bench/command/grammar"
	"example.org/bench/command/interrupt"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/perf"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning/analytical"
	"example.org/bench/tuning/search"
)

func (a *app) planCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "plan CONFIG...",
		Short: "Show the points of configs, one per line, without running them",
		Long: `Plan prints what bench run would run on this machine: one point per line with its
version, device, parameters, memory and tunables, and the reason if it would be skipped.
With --device of a described GPU it is what would run there, as if all libraries were.
Its memory is that of the description; with --root of that board's copied files also
what was free when they were copied.

EXIT STATUS
  0    planned, even if some or all points are skipped
  1    the output cannot be written
  2    bad config or usage
  130  interrupted`,
		Example: `  bench plan configs/fft.json
  bench plan configs/fft.json --processor GPU
  bench plan configs/fft.json --device jetson-tx1      as on that board, by a model`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			documents := []experiment.Planned{}
			for _, path := range args {
				p, err := a.plan(cmd.Context(), path, f)
				if err != nil {
					return err
				}
				if doubt := analytical.Doubt(machine.Tree(f.Root), f.Device); doubt != "" {
					a.warn("%s", doubt)
				}
				if !f.json {
					for _, line := range p.Remarks() {
						fmt.Fprintln(a.err, line)
					}
					fmt.Fprint(a.out, p.Text(terminal.PaletteOf(a.out)))
				}
				documents = append(documents, *p)
			}
			if f.json {
				return a.printJSON(documents)
			}
			return nil
		},
	}
	f.devices(cmd, "", grammar.OneGPU, grammar.OneOpenCL, grammar.SeveralGPUs, grammar.CPU, grammar.Simulator, grammar.Described)
	f.flag(cmd, "each", "set", "versions", "processor", "root", "wisdom", "json")
	return cmd
}

// plan returns what a run of a config would be.
func (a *app) plan(ctx context.Context, path string, f choices) (*experiment.Planned, error) {
	s, err := a.subject(ctx, path, f)
	if err != nil {
		return nil, err
	}
	x, err := a.open(ctx, s, f)
	if err != nil {
		return nil, err
	}
	x.Close()
	a.sayTunables(x.wisdom)
	return x.Planned(path), nil
}

func (a *app) validateCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "validate CONFIG...",
		Short: "Check configs against the schema and the algorithms",
		Long: `Validate checks each config against the schema, reads its constraints, plans it as for
a machine with a GPU, with the problems of verify.at, and evaluates the expressions of
its kernels at its points. It prints one line per mistake: file:line:column, the JSON
path, what is wrong, and what would be right. A program that is not there is no mistake,
as it may be built later or elsewhere; the line then says so instead of good.

EXIT STATUS
  0    no mistake in any config
  1    the output cannot be written
  2    a mistake in a config, or bad usage
  130  interrupted`,
		Example: `  bench validate configs/*.json`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := false
			documents := []experiment.Validated{}
			for _, path := range args {
				n, absent, err := a.validateFile(cmd.Context(), path, f)
				if errors.Is(err, config.ErrSchema) { // it lies among them
					if !f.json {
						fmt.Fprintf(a.out, "%s: %v\n", path, config.ErrSchema)
					}
					continue
				}
				v := experiment.Validated{Config: path, Good: err == nil && absent == "", Points: n, Absent: absent}
				switch {
				case err != nil:
					bad = true
					v.Mistakes = strings.Split(err.Error(), "\n")
					fmt.Fprintln(a.err, err)
				case f.json:
				case absent != "":
					fmt.Fprintf(a.out, "%s: no mistake in its keys, but none of its %s runs here: %s\n", path, terminal.Count(n, "point"), absent)
				default:
					fmt.Fprintf(a.out, "%s: good, %s where all versions run\n", path, terminal.Count(n, "point"))
				}
				documents = append(documents, v)
			}
			if f.json {
				if err := a.printJSON(documents); err != nil {
					return err
				}
			}
			if bad {
				return usageError(nil)
			}
			return nil
		},
	}
	f.flag(cmd, "set", "json")
	return cmd
}

func (a *app) validateFile(ctx context.Context, path string, f choices) (points int, absent string, _ error) {
	c, err := interrupt.Await(ctx, func() (*config.Config, error) { return config.Draft(config.Find(path)) })
	return a.validate(ctx, c, err, f)
}

// validate finds mistakes in a config that was read, with that error.
func (a *app) validate(ctx context.Context, c *config.Config, err error, f choices) (points int, absent string, _ error) {
	return experiment.Validator{
		Factory: func(c *config.Config) (*framework.Factory, error) {
			if c.HasKernels() {
				return kernel.Draft(c)
			}
			return a.factory(c)
		},
		Apply: f.apply,
		Checks: []func(experiment.Subject) error{
			func(s experiment.Subject) error { return s.Config.CheckSensors(a.sensorNames()) },
			func(s experiment.Subject) error { return s.Config.CheckCounters(perf.Events()) },
			func(s experiment.Subject) (err error) {
				if s.Factory != nil {
					_, err = search.Constraints(s.Config, s.Factory)
				}
				return err
			},
		},
		Points: kernel.CheckPoints,
	}.Validate(ctx, c, err)
}
