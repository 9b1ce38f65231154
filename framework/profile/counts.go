// Package profile compares versions' own counts of FLOPs and bytes with what a GPU's counters say of a run.
package profile

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// How far a version's own counts may be from the GPU's.
const (
	flopsBound = 0.02
	bytesBound = 0.05
)

// Counted is one version's Work with what the GPU counted of a run.
type Counted struct {
	Point  plan.Point
	Work   framework.Work
	GPU    Run
	Failed string // why there is nothing to compare; empty: there is
}

// Run is what the GPU counted of one run of so many kernels.
type Run struct {
	Kernels                      int
	FLOPs, LoadBytes, StoreBytes int64
}

// The counters: thread instructions whose predicate was on, and bytes that global loads (also those that copy to
// shared memory) and stores asked for (Nsight Compute, Kernel Profiling Guide, metrics reference).
const (
	instructions = "smsp__sass_thread_inst_executed_op_%s_pred_on.sum"
	globalBytes  = "smsp__sass_data_bytes_mem_global_op_%s.sum"
)

// flopsOf says how many operations an instruction counts for.
var flopsOf = map[string]int64{"fadd": 1, "fmul": 1, "ffma": 2, "dadd": 1, "dmul": 1, "dfma": 2}

// counters are the names of all that is counted.
func counters() []string {
	list := []string{fmt.Sprintf(globalBytes, "ld"), fmt.Sprintf(globalBytes, "ldgsts"), fmt.Sprintf(globalBytes, "st")}
	for _, op := range slices.Sorted(maps.Keys(flopsOf)) {
		list = append(list, fmt.Sprintf(instructions, op))
	}
	return list
}

// runOf adds up the counters of a run. Its error names one that is missing or no count.
func runOf(c record.Counters) (r Run, err error) {
	number := func(name string) int64 {
		x, has := c.Values[name]
		if (!has || !(x >= 0 && x <= mostCounted)) && err == nil {
			err = fmt.Errorf("%s is %v, want a count", name, x)
		}
		return int64(x)
	}
	r.Kernels = c.Kernels
	for op, each := range flopsOf {
		r.FLOPs += each * number(fmt.Sprintf(instructions, op))
	}
	r.LoadBytes = number(fmt.Sprintf(globalBytes, "ld")) + number(fmt.Sprintf(globalBytes, "ldgsts"))
	r.StoreBytes = number(fmt.Sprintf(globalBytes, "st"))
	return r, err
}

// mostCounted is up to where numbers tell every count apart.
const mostCounted = 1 << 53

// Quantity is one compared count.
type Quantity struct {
	Own, Counted int64
	bound        float64
}

// Quantities are FLOPs, bytes loaded, and bytes stored to memory or to other
// blocks.
func (c Counted) Quantities() [3]Quantity {
	return [3]Quantity{
		{c.Work.FLOPs, c.GPU.FLOPs, flopsBound},
		{c.Work.LoadBytes, c.GPU.LoadBytes, bytesBound},
		{c.Work.StoreBytes + c.Work.ClusterBytes, c.GPU.StoreBytes, bytesBound},
	}
}

// Off is the own count's distance from the GPU's, relative to it; ±Inf
// where only one of them is 0.
func (q Quantity) Off() float64 {
	switch {
	case q.Own == q.Counted:
		return 0
	case q.Counted == 0:
		return math.Inf(1)
	}
	return float64(q.Own)/float64(q.Counted) - 1
}

func (q Quantity) ok() bool { return math.Abs(q.Off()) <= q.bound }

// OK reports whether all counts are within their bounds of the GPU's.
func (c Counted) OK() bool {
	all := c.Quantities()
	return c.Failed == "" && !slices.ContainsFunc(all[:], func(q Quantity) bool { return !q.ok() })
}

// CountSubject counts the GPU versions of an algorithm, each at one problem, or a config's at
// all its points; there are none of a program's. The error is that of experiment.Open,
// or engine.ErrInterrupted.
func CountSubject(ctx context.Context, s experiment.Subject, device string, seed uint64) ([]Counted, error) {
	if s.Factory.External || !s.RunsOn(device) {
		return nil, nil
	}
	x, err := experiment.Open(ctx, s, experiment.Options{Processor: string(framework.GPU), Device: device, Must: true, Choices: engine.Choices{Seed: seed}, For: experiment.Profile})
	if err != nil {
		return nil, err
	}
	x.Close()
	config := *x.Config
	config.Counters = counters()
	e := engine.New(x.EngineOptions(&config))
	defer e.Close()
	end := "" // why no other point can be counted
	var done []Counted
	for _, p := range x.Plan.Points {
		r, err := e.Measure(ctx, p, x.Facts, engine.Unseen{}, nil)
		if err != nil {
			return nil, err
		}
		c := Counted{Point: p, Work: r.Work, Failed: end}
		switch {
		case r.Status == record.Wrong:
			c.Failed = "wrong: " + r.Reason
		case r.Status != record.OK:
			c.Failed = r.Reason
		case end == "":
			counted, refused, err := e.Counters(ctx, p)
			if err != nil {
				return nil, err
			}
			if c.Failed = counted.Absent; refused {
				end = counted.Absent
			}
			if c.Failed == "" {
				if c.GPU, err = runOf(counted); err != nil {
					c.Failed = err.Error()
				}
			}
		}
		done = append(done, c)
	}
	return done, nil
}
