package ceilings

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
)

//go:embed opencl_ceilings.cl
var openclSource string

const (
	// copyTimes is the size of each side of a copy as a multiple of the cache of the device's memory.
	copyTimes = 4
	// leastCopied and mostCopied bound that size, in bytes.
	leastCopied, mostCopied = 32 << 20, 256 << 20
	// itemsPerUnit is how many work-items a compute unit has in the multiply-adds: more than any device holds at once.
	itemsPerUnit = 4096
	chains       = 8
	// openclBudget is the wall time of each of copies and multiply-adds, detailBudget of each other ceiling.
	openclBudget, detailBudget = 200 * time.Millisecond, 50 * time.Millisecond
)

// openclCeilings is a device of OpenCL with what its runs need.
type openclCeilings struct {
	d        *opencl.Device
	module   gpu.Module
	measured func(work func() error) (float64, error)
	from, to gpu.Pointer // of so many bytes
	bytes    int64
	threads  int        // of a work-group
	grid     gpu.Launch // fills the device
}

// OpenCL measures the ceilings of a device of OpenCL: bytes copied per second, read plus written;
// multiply-adds in float32 and, if the device has it, float64, counted as two operations each; and what else
// bounds kernels. measured returns the seconds of what a function queues; 0 if unknown.
func OpenCL(d *opencl.Device, measured func(work func() error) (float64, error)) (l record.Ceilings, err error) {
	run := framework.GPURun{Env: framework.Env{Device: d}}
	defer func() {
		if err = errors.Join(err, run.PostRun()); err != nil {
			err = fmt.Errorf("measure the ceilings of %s: %w", d.ID(), err)
		}
	}()
	f := d.Facts()
	c := openclCeilings{d: d, measured: measured, threads: max(1, min(ceilingThreads, f.MaxThreadsBlock))}
	c.grid = gpu.Launch{Grid: gpu.Dim3{X: f.Multiprocessors * itemsPerUnit / c.threads}, Block: gpu.Dim3{X: c.threads}}
	if c.module, err = run.Compile(gpu.Source{Name: "opencl_ceilings.cl", Text: openclSource}); err != nil {
		return l, err
	}
	c.bytes = min(max(copyTimes*f.CacheBytes(), leastCopied), mostCopied)
	if f.OpenCL.MostAlloc > 0 {
		c.bytes = min(c.bytes, f.OpenCL.MostAlloc&^15)
	}
	if err := run.AllocEach(c.bytes, &c.from, &c.to); err != nil {
		return l, err
	}
	for _, p := range []gpu.Pointer{c.from, c.to} {
		if err := d.SetAsync(p, 0, c.bytes, 0); err != nil {
			return l, err
		}
	}
	if l.Copy, err = c.copyRate(); err != nil {
		return l, fmt.Errorf("copy: %w", err)
	}
	if l.FMA, err = c.fmaRate("fma32", float32(0.999), float32(0.5)); err != nil {
		return l, err
	}
	if slices.Contains(f.OpenCL.Extensions, "cl_khr_fp64") {
		if l.FMA64, err = c.fmaRate("fma64", 0.999, 0.5); err != nil {
			return l, err
		}
	}
	return l, c.details(&l)
}

// best returns the shortest of runs that take budget of wall time, three at least.
func (c *openclCeilings) best(budget time.Duration, work func() error) (float64, error) {
	least := math.Inf(1)
	for n, begin := 0, time.Now(); n < 3 || time.Since(begin) < budget; n++ {
		x, err := c.measured(work)
		if err != nil {
			return 0, err
		}
		if x > 0 {
			least = min(least, x)
		}
	}
	if math.IsInf(least, 1) {
		return 0, errors.New("a run takes no time")
	}
	return least, nil
}

func (c *openclCeilings) copyRate() (rate float64, err error) {
	copying, err := c.module.Kernel("copy")
	if err != nil {
		return 0, err
	}
	for _, work := range []func() error{
		func() error { return c.d.CopyAsync(c.to, c.from, c.bytes, 0) },
		func() error { return copying.Launch(0, c.grid, c.from, c.to, uint64(c.bytes/16)) },
	} {
		x, err := c.best(openclBudget, work)
		if err != nil {
			return 0, err
		}
		rate = max(rate, 2*float64(c.bytes)/x)
	}
	return rate, nil
}

// fmaRate returns the rate of the faster kernel: that of numbers, or that of vectors of eight.
func (c *openclCeilings) fmaRate(name string, a, b any) (fastest float64, err error) {
	for _, of := range []struct {
		suffix string
		lanes  float64
	}{{"", 1}, {"x8", 8}} {
		x, err := c.perSecond(openclBudget, name+of.suffix, 2*chains*of.lanes*c.items(), c.grid, func(rounds uint32) []any { return []any{c.to, rounds, a, b} })
		if err != nil {
			return 0, err
		}
		fastest = max(fastest, x)
	}
	return fastest, nil
}

// items returns how many work-items the grid has.
func (c *openclCeilings) items() float64 { return float64(c.grid.Grid.X) * float64(c.threads) }

// perSecond returns how much a kernel does per second, if each of its rounds counts for so much. Runs that
// are short beside the steps of the device's clock get more rounds.
func (c *openclCeilings) perSecond(budget time.Duration, name string, each float64, shape gpu.Launch, args func(rounds uint32) []any) (float64, error) {
	k, err := c.module.Kernel(name)
	if err != nil {
		return 0, err
	}
	const enough, most = 2e-3, 1 << 20
	rounds := uint32(16)
	for work := func() error { return k.Launch(0, shape, args(rounds)...) }; ; rounds *= 4 {
		x, err := c.measured(work)
		if err == nil && (x > enough || rounds >= most) {
			x, err = c.best(budget, work)
		}
		switch {
		case err != nil:
			return 0, fmt.Errorf("%s: %w", name, err)
		case x > enough || rounds >= most:
			return each * float64(rounds) / x, nil
		}
	}
}
