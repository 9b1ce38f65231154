package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bench/algorithms/kernel"
	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/engine"
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
		c, f, err := a.named(name)
		if err != nil {
			return err
		}
		if c == nil {
			c = &config.Config{Path: "verify", Algorithm: f.Name, Prefix: f.Name, Measure: config.DefaultMeasure()}
		}
		if flags.versions != nil {
			c.Versions = flags.versions
		}
		devices := []string{flags.device}
		if flags.device == "" {
			devices = []string{"cpu", "cuda:0"}
		}
		if f.External { // on its own device
			devices = []string{"cpu"}
		}
		all := tally{}
		for _, d := range devices {
			sum, err := a.verifyOn(ctx, c, f, d, flags)
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
func (a *app) verifyOn(ctx context.Context, c *config.Config, f *framework.Factory, device string, flags verifyFlags) (sum *tally, err error) {
	sum = &tally{out: a.err}
	eng := engine.New(engine.Options{Config: c, Factory: f, Seed: flags.seed, Workers: runtime.GOMAXPROCS(0),
		VerifyOnly: true, Root: "/"})
	defer eng.Close()
	machine := plan.Machine{Processor: "CPU", Device: device}
	var facts *cuda.Facts
	switch {
	case f.External: // finds its device by itself
		machine = plan.Machine{}
	case !runsOn(f, device):
		if flags.device != "" {
			return nil, usageError(fmt.Errorf("%s has no version for %s", f.Name, device))
		}
		return sum, nil
	case flags.device == "" && !asksFor(f, c.Versions, device):
		return sum, nil
	case device != "cpu":
		machine.Processor = "GPU"
		facts, err = eng.Device(ctx, device)
		switch {
		case err != nil && flags.device != "":
			return nil, &statusError{exitBad, fmt.Errorf("%s: %w", device, err)}
		case err != nil:
			fmt.Fprintf(a.err, "GPU versions of %s not verified: %v\n", f.Name, err)
			return sum, nil
		}
		machine.GPU = facts
	}
	points, err := verification(f, c, machine)
	if wrong := (*config.Errors)(nil); errors.As(err, &wrong) {
		return nil, usageError(err)
	}
	if err != nil {
		return nil, &statusError{exitBad, err}
	}
	err = eng.Run(ctx, points, facts, nil, sum, func(r record.Result) error {
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

// verification plans the algorithm's verification problems; a value may also
// set a tunable.
func verification(f *framework.Factory, base *config.Config, m plan.Machine) ([]plan.Point, error) {
	if base.Text != "" && (f.Verification == nil || base.CUDA == nil) { // a config's own points
		p, err := plan.Make(base, f, m)
		if err != nil {
			return nil, err
		}
		return p.Points, nil
	}
	if f.Verification == nil {
		return nil, fmt.Errorf("%s has no verification problems", f.Name)
	}
	var points []plan.Point
	for i, values := range f.Verification(m.Device) {
		p, err := verificationAt(f, base, m, values)
		if err != nil {
			blameProblem(err, base.Place(fmt.Sprintf("algorithm.cuda.verify.at[%d]", i)))
			return nil, err
		}
		points = append(points, p...)
	}
	return points, nil
}

// blameProblem gives faults that have no place of their own the problem's, where
// the config lists it.
func blameProblem(err error, at config.Position) {
	var wrong *config.Errors
	if at.Line == 0 || !errors.As(err, &wrong) {
		return
	}
	for i := range wrong.List {
		if wrong.List[i].Pos.Line == 0 {
			wrong.List[i].Pos = at
		}
	}
}

// verificationAt plans the config's versions on one problem.
func verificationAt(f *framework.Factory, base *config.Config, m plan.Machine, values framework.Values) ([]plan.Point, error) {
	c := *base
	c.Sweep = nil
	c.Static = slices.DeleteFunc(slices.Clone(base.Static), func(s config.Setting) bool {
		return values[strings.TrimLeft(s.Name, "-")].IsSet()
	})
	for name, v := range values {
		if f.Param(name) != nil {
			c.Static = append(c.Static, config.Setting{Name: name, Value: v})
		} else {
			c.Tunables = append(c.Tunables, config.Axis{Name: name, Values: []framework.Value{v}})
		}
	}
	p, err := plan.Make(&c, f, m)
	if err != nil {
		return nil, err
	}
	return p.Points, nil
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
