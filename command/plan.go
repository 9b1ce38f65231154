package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bench/algorithms/kernel"
	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/experiment"
	"bench/framework/machine"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/tuning/analytical"
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
			documents := []planned{}
			for _, path := range args {
				p, err := a.plan(cmd.Context(), path, f)
				if err != nil {
					return err
				}
				if doubt := rootDoubt(f); doubt != "" {
					a.warn("%s", doubt)
				}
				if !f.json {
					a.printPlan(p)
				}
				documents = append(documents, *p)
			}
			if f.json {
				return a.printJSON(documents)
			}
			return nil
		},
	}
	f.devices(cmd, "cuda:0", onCUDA, onSeveral, onCPU, inSim, described)
	f.flag(cmd, "each", "set", "versions", "processor", "root", "wisdom", "json")
	return cmd
}

// rootDoubt says what copied files do not tell of, or that they are another board's than the
// described one.
func rootDoubt(f choices) string {
	files := machine.Tree(f.root)
	if files.IsLive() {
		return ""
	}
	d, err := analytical.FindDevice(f.device)
	if err != nil {
		return "of the copied files (--root) only the power mode counts: GPU, libraries and memory are this machine's; --device with the name of a board plans for that"
	}
	if compatible := files.Text("proc/device-tree/compatible"); strings.Contains(compatible, "nvidia,tegra") && (d.SoC == "" || !strings.Contains(compatible, "nvidia,"+d.SoC)) {
		facts, _ := files.Facts()
		return fmt.Sprintf("the copied files (--root) are of %s, not of a %s (--device)", cmp.Or(facts.Board, "another board"), d.Facts.Name)
	}
	return ""
}

// planned is what bench plan says of a config, in JSON too.
type planned struct {
	Config  string       `json:"config"`
	Points  []plan.Point `json:"points"`
	LeftOut []string     `json:"left_out,omitempty"`
	Smaller []string     `json:"smaller_defaults,omitempty"`
	Assumed []string     `json:"assumed,omitempty"`
	// Memory is what each point that is not skipped takes.
	Memory  []pointMemory `json:"memory"`
	Skipped int           `json:"skipped"`
	// Seconds is about how long a run takes; PowerSeconds what power adds.
	Seconds      float64 `json:"about_s"`
	PowerSeconds float64 `json:"about_s_of_power"`
	// Board is a model of the time on the described board, with power; absent for others.
	Board float64 `json:"about_s_on_board,omitempty"`

	gpu *cuda.Facts
}

// pointMemory is the memory of one point.
type pointMemory struct {
	Point int `json:"point"`
	framework.Memory
}

func (a *app) plan(ctx context.Context, path string, f choices) (*planned, error) {
	s, err := a.subject(ctx, path, f)
	if err != nil {
		return nil, err
	}
	x, err := a.open(ctx, s, f)
	if err != nil {
		return nil, err
	}
	x.Close()
	p := &planned{Config: path, Points: x.Plan.Points, LeftOut: x.Plan.LeftOut, Smaller: x.Plan.Smaller, Assumed: x.Plan.Assumed, Memory: []pointMemory{}, gpu: x.Facts}
	for i := range p.Points {
		point := &p.Points[i]
		if point.Skip == "" {
			point.Skip = x.TooLarge(*point)
		}
		if point.Skip != "" {
			p.Skipped++
			continue
		}
		version := x.Factory.VersionOn(point.Version, point.Processor)
		p.Memory = append(p.Memory, pointMemory{point.ID, x.Factory.Memory(version, point.Params, point.Tunables, f.verify == verifications[1])})
	}
	together := float64(len(x.Crew)) // measure at the same time
	plain := experiment.Duration(x.Config, p.Points, false)
	p.Seconds, p.PowerSeconds = plain.Seconds()/together, (experiment.Duration(x.Config, p.Points, true)-plain).Seconds()/together
	if x.Facts != nil && x.Facts.Integrated {
		p.Board = experiment.OnBoard(x.Subject, p.Points, *x.Facts).Seconds()
	}
	return p, nil
}

func bytesText(bytes int64) string {
	if bytes >= 1<<30 {
		return fmt.Sprintf("%.3g GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%.3g MiB", float64(bytes)/(1<<20))
}

func (a *app) printPlan(p *planned) {
	for _, line := range slices.Concat(p.LeftOut, p.Smaller) {
		fmt.Fprintln(a.err, line)
	}
	if len(p.Assumed) > 0 {
		fmt.Fprintf(a.err, "taken to be on %s: the libraries of %s\n", p.gpu.Name, strings.Join(p.Assumed, ", "))
	}
	var why footnotes
	var largest int64
	memory := map[int]string{}
	for _, m := range p.Memory {
		largest = max(largest, m.Total())
		memory[m.Point] = bytesText(m.Total())
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, pt := range p.Points {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t", pt.ID, pt.Algorithm, pt.Version, pt.Device)
		for _, n := range pt.ParamOrder {
			fmt.Fprintf(w, "%s=%s ", n, pt.Params[n])
		}
		fmt.Fprintf(w, "\t%s\t", memory[pt.ID])
		for _, n := range pt.TunableOrder {
			fmt.Fprintf(w, "%s=%s ", n, pt.Tunables[n])
		}
		if pt.Tuned != "" {
			fmt.Fprintf(w, "\t%s", pt.Tuned)
		}
		if pt.Skip != "" {
			fmt.Fprintf(w, "\t%s%s", paletteOf(a.out).status(record.Skipped), why.mark(pt.Skip))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprint(a.out, why.text())
	fmt.Fprintf(a.out, "%s: %d points, %d of them skipped\n", p.Config, len(p.Points), p.Skipped)
	if largest > 0 {
		fmt.Fprintf(a.out, "a point takes at most %s of memory beside the tool itself", bytesText(largest))
		if p.gpu != nil && p.gpu.Integrated {
			fmt.Fprintf(a.out, "; GPU and CPU of %s share %.3g GiB", p.gpu.Name, float64(p.gpu.GlobalBytes)/(1<<30))
		}
		fmt.Fprintln(a.out)
	}
	if p.Board > 0 {
		fmt.Fprintf(a.out, "about %s on %s with power (a model: by the measure settings, the sensors' known averaging and a guess of the CPU's speed)\n", clock(p.Board), p.gpu.Name)
	} else if p.Seconds > 0 {
		fmt.Fprintf(a.out, "about %s to measure, and %s more where power is (by the measure settings; long kernels take longer)\n",
			clock(p.Seconds), clock(p.PowerSeconds))
	}
}

func (a *app) validateCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "validate CONFIG...",
		Short: "Check configs against the schema and the algorithms",
		Long: `Validate checks each config against the schema, reads its constraints, plans it as for
a machine with a GPU, with the problems of verify.at, and evaluates the expressions of
its kernels at its points. It prints one line per mistake: file:line:column, the JSON
path, what is wrong, and what would be right.

EXIT STATUS
  0    every config is good
  1    the output cannot be written
  2    a mistake in a config, or bad usage
  130  interrupted`,
		Example: `  bench validate configs/*.json`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := false
			documents := []validated{}
			for _, path := range args {
				n, err := a.validate(cmd.Context(), path, f)
				if errors.Is(err, config.ErrSchema) { // it lies among them
					if !f.json {
						fmt.Fprintf(a.out, "%s: %v\n", path, config.ErrSchema)
					}
					continue
				}
				v := validated{Config: path, Good: err == nil, Points: n}
				switch {
				case err != nil:
					bad = true
					v.Mistakes = strings.Split(err.Error(), "\n")
					fmt.Fprintln(a.err, err)
				case !f.json:
					fmt.Fprintf(a.out, "%s: good, %d points where all versions run\n", path, n)
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

// validated is what bench validate says of a config, in JSON.
type validated struct {
	Config   string   `json:"config"`
	Good     bool     `json:"good"`
	Points   int      `json:"points"`
	Mistakes []string `json:"mistakes,omitempty"`
}

func (a *app) validate(ctx context.Context, path string, f choices) (points int, err error) {
	s, err := a.subject(ctx, path, f)
	if err != nil {
		return 0, err
	}
	gpu := plan.AnyGPU()
	opt := experiment.Options{Facts: gpu}
	if len(s.Config.Constraints) > 0 { // it is for bench tune
		opt.For = experiment.Search
	}
	x, err := experiment.Open(ctx, s, opt)
	if err != nil {
		return 0, err
	}
	defer x.Close()
	if s.Config.CUDA != nil {
		if err := kernel.CheckPoints(s.Config, x.Plan.Points, *gpu); err != nil {
			return 0, err
		}
		if _, err := x.Verification(ctx); err != nil { // the values of verify.at
			return 0, err
		}
	}
	return len(x.Plan.Points), nil
}
