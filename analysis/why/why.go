// Package why explains the points of runs: what bounds each, what would make it faster, and why the times of
// two differ. Workers execute some blocks of the kernels (Operation); package bound judges.
package why

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/energy"
	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/nvrtc"
)

// Explained is a point of a run with what bounds it.
type Explained struct {
	Point plan.Point `json:"point"` // the point
	Why   bound.Why  `json:"why"`   // what bounds it
	// Counted is what the point's counters say beside the model, for a run that has counters
	// (docs/counters.md).
	Counted *bound.Counts `json:"counted,omitempty"`
	// Energy is what its energy goes to, if it was measured or the GPU has a calibration
	// (docs/why.md#energy).
	Energy *energy.Why `json:"energy,omitempty"`
	// Against is the point with which this one is compared by --against: another version, or the same with
	// other tunables, at the same parameters.
	Against *Against `json:"against,omitempty"`
}

// Against is what one point is compared with.
type Against struct {
	Point plan.Point `json:"point"` // its point
	Why   bound.Why  `json:"why"`   // what bounds that
	// Differences are what changed from that point to this one, in words.
	Differences []string `json:"differences"`
}

// Options choose among the points of a run.
type Options struct {
	Versions []string // none: all
	// Against is a version or tunables, NAME=VALUE with commas; empty: no other point.
	Against string
	// Folder holds the run's files, if the run was read from there.
	Folder string
	// Calibration is what the GPU's energy goes to; nil: what is kept for each GPU.
	Calibration *energy.Model
}

// ErrNothingToExplain is the error of a run without a point that can be explained.
var ErrNothingToExplain = errors.New("no point to explain")

// ErrNoPTX is wrapped by the error of kernels of CUDA that cannot be explained here.
var ErrNoPTX = errors.New("what kernels do is read from their PTX")

// readsPTX returns an error that says why CUDA's kernels cannot be explained here.
func readsPTX() error {
	if _, err := nvrtc.Open(); err != nil {
		return fmt.Errorf("%w: %w", ErrNoPTX, err)
	}
	return nil
}

// Explainable returns an error that says why none of the subject's kernels can be explained here on a device.
// An empty device is the one that runs them by default.
func Explainable(s experiment.Subject, device string) error {
	if engine.OpenCL(cmp.Or(device, s.GPU())) {
		return nil
	}
	return readsPTX()
}

// DeviceOf returns the GPU whose points of a run can be explained: one of CUDA if there is any.
func DeviceOf(run *record.Run) (device string) {
	for _, r := range run.Rows {
		if r.Processor == framework.GPU && (device == "" || engine.OpenCL(device)) {
			device = r.Device
		}
	}
	return device
}

// Explain explains the points of a run that are ok and ran on a GPU, one after the other.
func Explain(ctx context.Context, s experiment.Subject, run *record.Run, opt Options, done func(Explained)) error {
	x := newExplainer(s, run)
	defer x.engine.Close()
	var rows []*record.Row
	for i := range run.Rows {
		r := &run.Rows[i]
		if r.Processor == framework.GPU && r.Status == record.OK && r.Time.Median.IsSet() && (len(opt.Versions) == 0 || slices.Contains(opt.Versions, r.Version)) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("%w: want points of a GPU that are ok and have a time%s", ErrNothingToExplain, ofVersions(opt.Versions))
	}
	joules := NewEnergies(run, opt.Folder, opt.Calibration)
	explained := 0
	for _, r := range rows {
		other, err := x.other(s, r, opt.Against)
		if err != nil {
			return err
		}
		if opt.Against != "" && other == nil {
			continue // it is the other one itself
		}
		why, err := x.of(ctx, r)
		if err != nil {
			return err
		}
		e := Explained{Point: x.point(r), Why: why.ByCounters(r.Counters, inputOf(x.run, r).Ceilings.Launch), Counted: bound.CountsOf(why, r, run.Info.Limits(r.Device, r.PowerMode)), Energy: joules.Of(r, why)}
		if other != nil {
			w, err := x.of(ctx, other)
			if err != nil {
				return err
			}
			e.Against = &Against{Point: x.point(other), Why: w, Differences: bound.Differences(why, w)}
		}
		explained++
		done(e)
	}
	if explained == 0 {
		return fmt.Errorf("%w: no point other than %s itself", ErrNothingToExplain, opt.Against)
	}
	return nil
}

func ofVersions(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", of " + strings.Join(names, ", ")
}

type explainer struct {
	run    *record.Run
	engine *engine.Engine
	timed  bool // bound.Input.Timed
}

func newExplainer(s experiment.Subject, run *record.Run) *explainer {
	return &explainer{run: run, engine: engine.New(engine.Options{Choices: engine.Choices{Seed: run.Info.Seed, Root: "/"}, Config: s.Config, Factory: s.Factory, Workers: runtime.GOMAXPROCS(0)})}
}

// point returns the point of a row.
func (x *explainer) point(r *record.Row) plan.Point {
	p := plan.Point{ID: r.Point, Algorithm: r.Algorithm, Version: r.Version, Processor: r.Processor, Device: r.Device, PowerMode: r.PowerMode,
		Params: r.Params.Values(), Tunables: framework.Values{}, Peer: slices.Contains(x.run.Info.Peers, r.Version)}
	for _, c := range x.run.Columns.Params {
		p.ParamOrder = append(p.ParamOrder, c.Name)
		if framework.UsageParam(c.Name) != nil {
			p.Usage = append(p.Usage, c.Name)
		}
	}
	for _, c := range x.run.Columns.Tunables {
		if v := r.Tunables.Get(c.Name); v.IsSet() {
			p.Tunables[c.Name] = v
			p.TunableOrder = append(p.TunableOrder, c.Name)
		}
	}
	return p
}

// inputOf returns what a run has of the point of a row.
func inputOf(run *record.Run, r *record.Row) bound.Input {
	in := bound.Input{Double: record.IsDouble(r.Params),
		Work: framework.Work{NominalFLOPs: r.Work.NominalFLOPs.Int(), NominalBytes: r.Memory.NominalBytes.Int()}}
	if r.Time.Median.IsSet() {
		in.Time = r.Time.Median.Float()
	}
	if c := r.Time.Clock.Float(); c > 0 && !math.IsNaN(c) {
		in.Clock = c
	}
	if by := r.State["throttled_by"]; by != "" && by != "none" {
		in.Limited = by
	}
	for _, d := range run.Info.Devices {
		if d.ID == r.Device && (d.PowerMode == "" || d.PowerMode == r.PowerMode) && d.Facts != nil {
			in.Facts, in.Ceilings = *d.Facts, d.Ceilings
		}
	}
	return in
}

// of explains the point of a row.
func (x *explainer) of(ctx context.Context, r *record.Row) (bound.Why, error) {
	in := inputOf(x.run, r)
	if engine.OpenCL(r.Device) {
		return bound.ExplainOpenCL(in, r.Floor.Float()), nil
	}
	in.Timed = x.timed
	if in.Facts.Multiprocessors == 0 {
		in.Missing = "the run has no facts of its GPU"
	}
	return Of(ctx, x.engine, x.point(r), in)
}

// other returns the row with which a row is compared; nil if that is the row itself, or none is asked for.
// Tunables that the run has not measured make a row without a time.
func (x *explainer) other(s experiment.Subject, r *record.Row, against string) (*record.Row, error) {
	if against == "" {
		return nil, nil
	}
	tunables, isVersion := framework.Values{}, !strings.Contains(against, "=")
	if !isVersion {
		tunables = r.Tunables.Values()
		for _, word := range strings.Split(against, ",") {
			name, text, _ := strings.Cut(word, "=")
			var n int64
			if _, err := fmt.Sscan(text, &n); err != nil || !tunables[name].IsSet() {
				return nil, fmt.Errorf("--against %s: %q is no tunable of version %s with a whole number", against, word, r.Version)
			}
			tunables[name] = framework.IntValue(n)
		}
	} else if s.Factory.VersionOn(against, framework.GPU) == nil {
		return nil, fmt.Errorf("--against %s: %s has no such version for the GPU", against, r.Algorithm)
	}
	same := func(a, b framework.Values) bool { return fmt.Sprint(a) == fmt.Sprint(b) }
	for i := range x.run.Rows {
		o := &x.run.Rows[i]
		if o.Device != r.Device || o.PowerMode != r.PowerMode || !same(o.Params.Values(), r.Params.Values()) || o.Status != record.OK {
			continue
		}
		if isVersion && o.Version == against || !isVersion && o.Version == r.Version && same(o.Tunables.Values(), tunables) {
			if o == r {
				return nil, nil
			}
			return o, nil
		}
	}
	if isVersion {
		return nil, fmt.Errorf("--against %s: the run has no such point at %s that is ok", against, x.point(r).Settings())
	}
	return unmeasured(r, tunables), nil
}

// unmeasured returns a row with other tunables. It has no time.
func unmeasured(r *record.Row, tunables framework.Values) *record.Row {
	other := *r
	other.Tunables, other.Time = framework.SettingsOf(tunables, nil), record.Statistics{}
	other.Time.Clock = r.Time.Clock
	return &other
}
