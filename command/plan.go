package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bench/algorithms/kernel"
	"bench/framework/experiment"
	"bench/framework/plan"
)

func (a *app) planCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "plan CONFIG...",
		Short: "Show the points of configs, one a line, without running them",
		Long: `Plan prints what bench run would run on this machine: one point a line with its
version, device, parameters and tunables, and the reason where it would be skipped.

EXIT STATUS
  0    planned, also where points or all of them are skipped
  2    bad config or usage`,
		Example: `  bench plan configs/fft.json
  bench plan configs/fft.json --processor GPU`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			for _, path := range args {
				s, err := a.subject(path)
				if err != nil {
					return err
				}
				x, err := a.open(cmd.Context(), s, f)
				if err != nil {
					return err
				}
				x.Close()
				a.printPlan(path, x.Plan)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&f.wisdom, "wisdom", "", wisdomHelp)
	cmd.Flags().StringVar(&f.processor, "processor", "auto", "auto, CPU or GPU: which versions run")
	cmd.Flags().StringVar(&f.device, "device", "cuda:0", "the GPU: cuda:0, cuda:1, …, or sim to verify without one")
	return cmd
}

func (a *app) printPlan(path string, p *plan.Plan) {
	for _, line := range p.LeftOut {
		fmt.Fprintln(a.err, line)
	}
	skipped := 0
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, pt := range p.Points {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t", pt.ID, pt.Algorithm, pt.Version, pt.Device)
		for _, n := range pt.ParamOrder {
			fmt.Fprintf(w, "%s=%s ", n, pt.Params[n])
		}
		fmt.Fprint(w, "\t")
		for _, n := range pt.TunableOrder {
			fmt.Fprintf(w, "%s=%s ", n, pt.Tunables[n])
		}
		if pt.Tuned != "" {
			fmt.Fprintf(w, "\t%s", pt.Tuned)
		}
		if pt.Skip != "" {
			skipped++
			fmt.Fprintf(w, "\tskipped: %s", pt.Skip)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintf(a.out, "%s: %d points, %d of them skipped\n", path, len(p.Points), skipped)
}

func (a *app) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate CONFIG...",
		Short: "Check configs against the schema and the algorithms",
		Long: `Validate reads each config, checks it against the schema, reads its constraints, plans
it as for a machine with a GPU, with the problems of verify.at, evaluates what it says of
kernels at its points, and prints one line a mistake: file:line:column, where in the JSON, and what would be right.

EXIT STATUS
  0    every config is good
  2    a mistake in a config, or bad usage`,
		Example: `  bench validate configs/*.json`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := 0
			for _, path := range args {
				if isSchema(path) {
					fmt.Fprintf(a.out, "%s: the schema of configs, no config\n", path)
					continue
				}
				n, err := a.validate(cmd.Context(), path)
				if err != nil {
					bad++
					fmt.Fprintln(a.err, err)
					continue
				}
				fmt.Fprintf(a.out, "%s: good, %d points where all versions run\n", path, n)
			}
			if bad > 0 {
				return usageError(nil)
			}
			return nil
		},
	}
}

// isSchema reports whether a file is the schema of configs, which lies among them.
func isSchema(path string) bool {
	var file struct {
		Schema string `json:"$schema"`
	}
	text, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(text, &file) == nil && strings.Contains(file.Schema, "json-schema.org")
}

func (a *app) validate(ctx context.Context, path string) (points int, err error) {
	s, err := a.subject(path)
	if err != nil {
		return 0, err
	}
	gpu := plan.AnyGPU()
	x, err := experiment.Open(ctx, s, experiment.Options{Facts: gpu})
	if err != nil {
		return 0, err
	}
	defer x.Close()
	if s.Config.CUDA != nil {
		if err := kernel.CheckPoints(s.Config, x.Plan.Points, *gpu); err != nil {
			return 0, err
		}
		if _, err := x.Verification(); err != nil { // the values of verify.at
			return 0, err
		}
	}
	return len(x.Plan.Points), nil
}
