package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/internal/terminal"
)

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [ALGORITHM | CONFIG...]",
		Short: "Check the answers of every version over sizes, odd batches and edges",
		Long: `Verify runs every version of the algorithms (all without arguments) once on each of
their verification problems and compares with the double-precision reference.
Nothing is timed. A config is checked at its own points, or with {"cuda": …} on the
problems of verify.at and, where --set gives a parameter of those, at its own points
too. Without --device it checks the CPU versions and, if there is
a GPU, the GPU versions on cuda:0. --device sim runs the GPU kernels in the
simulator, with g++ instead of a GPU, in an order of warps that --seed permutes.
There every access to memory is checked, and a mistake is named with its line, be it
visible in the answer or not; --plain leaves that out, for speed.
A point that has nothing to compare with (verify.none of a config) is ok if it ran;
the table says so.

With --counts the GPU counts one run of each GPU version, except a library's, on one
problem or at all points of a config, by NVIDIA's libcupti (CUDA 12.6 or later, compute
capability 7.5 on). The version's own counts of FLOPs and of bytes requested from global
memory are compared with these (a fused multiply-add is 2 FLOPs; neither counts atomic
operations). A difference of more than 2 % for FLOPs, or 5 % for bytes, is an error.

With --sanitize each GPU version, except a library's, runs under the tools of NVIDIA's
compute-sanitizer, one after the other: memcheck (accesses outside allocations), racecheck
(races in shared memory), initcheck (reads of memory that nothing wrote) and synccheck
(wrong barriers). What they report is an error, with the kernel, its line, block and thread.

EXIT STATUS
  0    every point is ok or skipped
  1    a point failed, was wrong or timed out, or none of an algorithm or config was ok (each
       skipped, or no GPU for them); with --sanitize: a tool reports something, or
       there is no compute-sanitizer; with --counts: a count is off, a version did not run, or
       no GPU counted it
  2    bad config or usage
  130  interrupted`,
		Example: `  bench verify
  bench verify fft --device sim
  bench verify configs/polybench/*.json --device sim
  bench verify --counts fft scan
  bench verify fft --sanitize
  bench verify mine.json --device cpu --dump mine-wrong`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.counts {
				return a.counts(cmd.Context(), args, f)
			}
			if f.sanitize {
				return a.sanitize(cmd.Context(), args, f)
			}
			return a.verify(cmd.Context(), args, f)
		},
	}
	f.Verify = framework.FullVerification
	f.devices(cmd, "", grammar.OneGPU, grammar.OneOpenCL, grammar.CPU, grammar.Simulator)
	f.flag(cmd, "set", "versions", "seed: seed of the random inputs and of the simulator's order", "json", "quiet", "verify", "dump")

	cmd.Flags().BoolVar(&f.plain, "plain", false, "with --device sim: do not check every access to memory, and run up to three times as fast")
	cmd.Flags().BoolVar(&f.counts, "counts", false, "compare the GPU versions' counts of FLOPs and bytes with the GPU's own")
	cmd.Flags().BoolVar(&f.sanitize, "sanitize", false, "run the GPU versions under compute-sanitizer's memcheck, racecheck, initcheck and synccheck")
	grammar.Excludes(cmd, "sanitize", "counts", "dump")
	grammar.Excludes(cmd, "counts", "json", "quiet", "verify", "dump")
	return cmd
}

type verifyFlags struct {
	choices
	counts   bool
	sanitize bool
	plain    bool
}

func (a *app) verify(ctx context.Context, names []string, flags verifyFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	printer := a
	if flags.json || flags.quiet {
		a = a.quietly()
	}
	documents := []*experiment.Tally{}
	said := terminal.Sayings{}
	bad, err := a.each(ctx, names, flags.choices, func(name string, s experiment.Subject) (bool, error) {
		var tallies []*experiment.Tally
		for _, d := range s.CheckedOn(flags.Device) {
			t, err := a.verifyOn(ctx, s, d, flags, said)
			if err != nil {
				return false, err
			}
			tallies = append(tallies, t)
			if len(t.Versions) > 0 {
				documents = append(documents, t)
			}
		}
		all := experiment.Sum(tallies)
		if why := all.Nothing(); why != "" {
			a.note("%s: nothing was verified: %s", name, why)
		}
		return all.Bad > 0 || all.OK == 0, nil
	})
	if err == nil && flags.json {
		err = printer.printJSON(documents)
	}
	if err != nil {
		return err
	}
	return verdict(bad)
}

// verifyOn checks one algorithm on one device. A GPU that was not asked for by name may be absent; then
// there is no point.
func (a *app) verifyOn(ctx context.Context, s experiment.Subject, device string, flags verifyFlags, said terminal.Sayings) (*experiment.Tally, error) {
	sum := &experiment.Tally{Algorithm: s.Factory.Name, Device: device}
	asked := flags.Device != ""
	opt := flags.Options
	opt.Device, opt.Checks = device, !flags.plain
	x, err := experiment.OpenCheck(ctx, s, opt, asked)
	if none := (*experiment.NoDevice)(nil); !asked && errors.As(err, &none) {
		fmt.Fprintf(a.err, "GPU versions of %s not verified: %s\n", s.Factory.Name, said.Once(s.Factory.Name, none.Err.Error()))
		return sum, nil
	}
	if err != nil || x == nil {
		return sum, openError(err)
	}
	defer x.Close()
	defer x.CompileAhead(ctx, x.Plan.Points)()
	if err := x.Check(ctx, x.Plan.Points, experiment.BadPoints{Out: a.err, Said: said}, sum); err != nil {
		return nil, openError(err)
	}
	fmt.Fprint(a.out, sum.Text(terminal.PaletteOf(a.out)))
	return sum, nil
}
