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
	"bench/framework"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/framework/record"
)

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [ALGORITHM | CONFIG...]",
		Short: "Check the answers of every version over sizes, odd batches and edges",
		Long: `Verify runs every version of the algorithms (all without arguments) once on each of
their verification problems and compares with the double-precision reference.
Nothing is timed. A config is checked at its own points, or with {"cuda": …} on the
problems of verify.at. Without --device it checks the CPU versions and, where there is
a GPU, the GPU versions on cuda:0; --device sim runs the GPU kernels in the
simulator, with g++ instead of a GPU, in an order of warps that --seed permutes.
A point that has nothing to compare with (verify.none of a config) is ok if it ran;
the table says so.

With --counts the GPU versions that are not a library's run once each under Nsight
Compute (ncu), on one problem or at all points of a config, and their own counts of
FLOPs and of bytes requested from global memory are compared with the profiler's
(a fused multiply-add is 2 FLOPs; atomic operations count neither here nor there).
More than 2 % off for FLOPs, or 5 % for bytes, is bad.

EXIT STATUS
  0    every point is ok or skipped
  1    a point failed, was wrong or timed out, or none of an algorithm or config was ok (each
       skipped, or no GPU for them); with --counts: a count is off, a version did not run, or
       there is no ncu or no GPU
  2    bad config or usage
  130  interrupted`,
		Example: `  bench verify
  bench verify fft --device sim
  bench verify configs/polybench/*.json --device sim
  bench verify --counts fft scan
  BENCH_WORKER_PREFIX="compute-sanitizer --tool racecheck" bench verify fft --device cuda:0`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.counts {
				return a.counts(cmd.Context(), args, f)
			}
			return a.verify(cmd.Context(), args, f)
		},
	}
	cmd.Flags().StringVar(&f.device, "device", "", "cuda:0, cuda:1, …, sim or cpu")
	cmd.Flags().StringSliceVar(&f.versions, "versions", nil, "versions to check; all without")
	cmd.Flags().BoolVar(&f.counts, "counts", false, "hold the GPU versions' counts of FLOPs and bytes against Nsight Compute")
	cmd.Flags().StringVar(&f.profile, "profile", "", "with --counts: file to keep the profiler's own tables in")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the random inputs and of the simulator's order")
	return cmd
}

type verifyFlags struct {
	device   string
	versions []string
	counts   bool
	profile  string
	seed     uint64
}

func (a *app) verify(ctx context.Context, names []string, flags verifyFlags) error {
	if flags.device != "" && flags.device != "cpu" && flags.device != "sim" {
		if _, err := engine.ParseDevice(flags.device); err != nil {
			return usageError(fmt.Errorf("--device: %w", err))
		}
	}
	if len(names) == 0 {
		names = a.registry.Names()
	}
	bad := false
	for _, name := range names {
		s, err := a.named(name)
		if err != nil {
			return err
		}
		s = s.Choose(flags.versions...)
		devices := []string{flags.device}
		if flags.device == "" {
			devices = []string{"cpu", "cuda:0"}
		}
		if s.Factory.External { // on its own device
			devices = []string{"cpu"}
		}
		all := tally{}
		for _, d := range devices {
			sum, err := a.verifyOn(ctx, s, d, flags)
			if err != nil {
				return err
			}
			all.ok, all.skipped, all.bad = all.ok+sum.ok, all.skipped+sum.skipped, all.bad+sum.bad
		}
		if why := all.nothing(); why != "" {
			fmt.Fprintf(a.err, "%s: nothing was verified: %s\n", name, why)
		}
		bad = bad || all.bad > 0 || all.ok == 0
	}
	if bad {
		return &statusError{exitBad, nil}
	}
	return nil
}

// verifyOn checks one algorithm on one device. A GPU that was not asked for
// by name may be absent: then there is no point.
func (a *app) verifyOn(ctx context.Context, s experiment.Subject, device string, flags verifyFlags) (sum *tally, err error) {
	sum = &tally{out: a.err}
	opt := experiment.Options{Device: device, Must: true, Seed: flags.seed, For: experiment.Verification}
	f := s.Factory
	switch {
	case f.External: // finds its device by itself
		opt.Device = ""
	case !runsOn(f, device):
		if flags.device != "" {
			return nil, usageError(fmt.Errorf("%s has no version for %s", f.Name, device))
		}
		return sum, nil
	case flags.device == "" && !asksFor(f, s.Config.Versions, device):
		return sum, nil
	case device != "cpu":
		opt.Processor = "GPU"
	}
	x, err := experiment.Open(ctx, s, opt)
	if none := (*experiment.NoDevice)(nil); flags.device == "" && errors.As(err, &none) {
		fmt.Fprintf(a.err, "GPU versions of %s not verified: %v\n", f.Name, none.Err)
		return sum, nil
	}
	if err != nil {
		return nil, openError(err)
	}
	defer x.Close()
	err = x.Engine.Run(ctx, x.Plan.Points, x.Facts, nil, sum, func(r record.Result) error {
		sum.add(r)
		return nil
	})
	if errors.Is(err, engine.ErrInterrupted) {
		return nil, &statusError{exitInterrupted, errors.New("interrupted")}
	}
	if err != nil {
		return nil, &statusError{exitBad, err}
	}
	sum.print(a, f.Name, device)
	return sum, nil
}

// runsOn reports whether the algorithm has versions for the device's processor.
func runsOn(f *framework.Factory, device string) bool {
	p := framework.GPU
	if device == "cpu" {
		p = framework.CPU
	}
	return slices.ContainsFunc(f.Versions, func(v framework.Version) bool { return v.Processor == p })
}

// asksFor reports whether one of the versions chosen runs on the device's
// processor; a name that is no version's is the plan's to refuse.
func asksFor(f *framework.Factory, names []string, device string) bool {
	p := framework.GPU
	if device == "cpu" {
		p = framework.CPU
	}
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return f.Version(n) == nil || f.VersionOn(n, p) != nil })
}

// tally counts verification results by version.
type tally struct {
	out              interface{ Write([]byte) (int, error) }
	ok, skipped, bad int
	order            []string
	versions         map[string]*versionTally
}

type versionTally struct {
	ok, skipped, bad int
	worst            framework.Check // largest error by bound
	skip             string
	unchecked        int // of ok, without anything to compare with
	whyUnchecked     string
}

// nothing says why no point ran; empty where one did.
func (t *tally) nothing() string {
	switch {
	case t.ok+t.bad > 0:
		return ""
	case t.skipped > 0:
		return "every point is skipped"
	}
	return "no version could run here; GPU versions need a GPU, or --device sim for kernels that are not a library's"
}

func (t *tally) Started(plan.Point)       {}
func (t *tally) Phase(plan.Point, string) {}

// Done prints what is not good at once.
func (t *tally) Done(r *record.Result) {
	if r.Status != record.OK && r.Status != record.Skipped {
		fmt.Fprintf(t.out, "%s: %s: %s\n", r.Point.Key(), r.Status, r.Reason)
	}
}

func (t *tally) add(r record.Result) {
	if t.versions == nil {
		t.versions = map[string]*versionTally{}
	}
	v := t.versions[r.Point.Version]
	if v == nil {
		v = &versionTally{}
		t.versions[r.Point.Version] = v
		t.order = append(t.order, r.Point.Version)
	}
	switch r.Status {
	case record.OK:
		t.ok++
		v.ok++
		if len(r.Checks) == 0 {
			v.unchecked++
			v.whyUnchecked = strings.Join(r.Notes, "; ")
		}
	case record.Skipped:
		t.skipped++
		v.skipped++
		v.skip = r.Reason
	default:
		v.bad++
		t.bad++
	}
	for _, c := range r.Checks {
		if v.worst.Bound == 0 || c.Error*v.worst.Bound > v.worst.Error*c.Bound {
			v.worst = c
		}
	}
}

func (t *tally) print(a *app, algorithm, device string) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s on %s\tOK\tBAD\tSKIPPED\tLARGEST ERROR BY BOUND\n", algorithm, device)
	for _, name := range t.order {
		v := t.versions[name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t", name, v.ok, v.bad, v.skipped)
		if v.worst.Bound > 0 {
			fmt.Fprintf(w, "%.2g of %.2g (%s)", v.worst.Error, v.worst.Bound, v.worst.Metric)
		}
		if v.unchecked > 0 {
			if v.worst.Bound > 0 {
				fmt.Fprint(w, "; ")
			}
			fmt.Fprint(w, v.remark())
		}
		if v.skipped > 0 && v.ok+v.bad == 0 {
			fmt.Fprintf(w, " %s", v.skip)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// remark says of how many points no answer was compared, and why.
func (v *versionTally) remark() string {
	points := "1 point has"
	if v.unchecked > 1 {
		points = fmt.Sprintf("%d points have", v.unchecked)
	}
	why := cmp.Or(strings.TrimPrefix(v.whyUnchecked, kernel.NotVerified), "the version reports no error")
	return fmt.Sprintf("%s nothing to compare with: %s", points, why)
}
