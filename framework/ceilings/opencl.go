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
	// copyTimes is how many times the cache of the device's memory each side of a copy has.
	copyTimes = 4
	// leastCopied and mostCopied bound it, in bytes.
	leastCopied, mostCopied = 32 << 20, 256 << 20
	// itemsPerUnit is how many work-items a compute unit has in the multiply-adds: more than any device holds at once.
	itemsPerUnit = 4096
	chains       = 8
	// openclBudget is the wall time of each ceiling.
	openclBudget = 200 * time.Millisecond
)

// OpenCL measures the ceilings of a device of OpenCL: bytes copied per second, read plus written, and
// multiply-adds in float32 and, if the device has it, float64, counted as two operations each. measured returns the
// seconds of what a function queues.
func OpenCL(d *opencl.Device, measured func(work func() error) (float64, error)) (l record.Ceilings, err error) {
	run := framework.GPURun{Env: framework.Env{Device: d}}
	defer func() {
		if err = errors.Join(err, run.PostRun()); err != nil {
			err = fmt.Errorf("measure the ceilings of %s: %w", d.ID(), err)
		}
	}()
	f := d.Facts()
	m, err := run.Compile(gpu.Source{Name: "opencl_ceilings.cl", Text: openclSource})
	if err != nil {
		return l, err
	}
	best := func(work func() error) (float64, error) {
		least := math.Inf(1)
		for n, begin := 0, time.Now(); n < 3 || time.Since(begin) < openclBudget; n++ {
			x, err := measured(work)
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
	threads := max(1, min(ceilingThreads, f.MaxThreadsBlock))

	bytes := min(max(copyTimes*f.CacheBytes(), leastCopied), mostCopied)
	if f.OpenCL.MostAlloc > 0 {
		bytes = min(bytes, f.OpenCL.MostAlloc&^15)
	}
	var from, to gpu.Pointer
	if err := run.AllocEach(bytes, &from, &to); err != nil {
		return l, err
	}
	for _, p := range []gpu.Pointer{from, to} {
		if err := d.SetAsync(p, 0, bytes, 0); err != nil {
			return l, err
		}
	}
	copying, err := m.Kernel("copy")
	if err != nil {
		return l, err
	}
	grid := gpu.Launch{Grid: gpu.Dim3{X: f.Multiprocessors * itemsPerUnit / threads}, Block: gpu.Dim3{X: threads}}
	for _, work := range []func() error{
		func() error { return d.CopyAsync(to, from, bytes, 0) },
		func() error { return copying.Launch(0, grid, from, to, uint64(bytes/16)) },
	} {
		x, err := best(work)
		if err != nil {
			return l, fmt.Errorf("copy: %w", err)
		}
		l.Copy = max(l.Copy, 2*float64(bytes)/x)
	}

	rate := func(name string, lanes float64, a, b any) (float64, error) {
		k, err := m.Kernel(name)
		if err != nil {
			return 0, err
		}
		// A device whose runs are short beside its clock gets longer ones.
		for turns := uint32(256); ; turns *= 4 {
			x, err := best(func() error { return k.Launch(0, grid, to, turns, a, b) })
			if err != nil {
				return 0, fmt.Errorf("%s: %w", name, err)
			}
			if x > 2e-3 || turns >= 1<<16 {
				return 2 * chains * lanes * float64(turns) * float64(grid.Grid.X) * float64(threads) / x, nil
			}
		}
	}
	faster := func(to *float64, name string, a, b any) error {
		for _, of := range []struct {
			suffix string
			lanes  float64
		}{{"", 1}, {"x8", 8}} {
			x, err := rate(name+of.suffix, of.lanes, a, b)
			if err != nil {
				return err
			}
			*to = max(*to, x)
		}
		return nil
	}
	if err := faster(&l.FMA, "fma32", float32(0.999), float32(0.5)); err != nil {
		return l, err
	}
	if slices.Contains(f.OpenCL.Extensions, "cl_khr_fp64") {
		err = faster(&l.FMA64, "fma64", 0.999, 0.5)
	}
	return l, err
}
