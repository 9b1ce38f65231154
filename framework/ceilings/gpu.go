package ceilings

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

//go:embed gpu_ceilings.cu
var ceilingsSource string

// GPU measures the ceilings of gpu: bytes copied per second, read plus written, by the faster of the driver's
// copy and a kernel of 16-byte loads; fused multiply-adds in float32 and float64, counted as two operations
// each; and what else bounds kernels. Each is the best of several runs. All take little more than a second.
func GPU(gpu *driver.GPU) (l record.Ceilings, err error) {
	d := &device{gpu: gpu}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.open(); err != nil {
		return l, fmt.Errorf("measure the GPU's ceilings: %w", err)
	}
	if l.Copy, err = d.copyRate(); err != nil {
		return l, fmt.Errorf("measure the copy ceiling: %w", err)
	}
	if l.FMA, err = d.fmaRate("fma32", float32(0.999), float32(0.5)); err != nil {
		return l, fmt.Errorf("measure the float32 ceiling: %w", err)
	}
	if l.FMA64, err = d.fmaRate("fma64", 0.999, 0.5); err != nil {
		return l, fmt.Errorf("measure the float64 ceiling: %w", err)
	}
	return l, d.details(&l)
}

var kernelNames = []string{"fill", "copy", "fma32", "fma64", "special", "read_l2", "write_l2", "read_l2_sectors", "read_sectors", "write_sectors", "read_shared", "read_constants", "chase", "chase_shared", "empty",
	"add_integer", "add_float", "add_words"}

// device is a GPU with what its runs need.
type device struct {
	gpu        *driver.GPU
	module     gpu.Module
	stream     gpu.Stream
	start, end *driver.Event
}

const (
	ceilingThreads = 256
	// gentleThreads issue on half of a multiprocessor's schedulers: more would take a
	// board to its power limit, where its clock, and with it the power, changes while
	// the load does not.
	gentleThreads = 64
)

func (d *device) open() (err error) {
	if err = d.gpu.Bind(); err != nil {
		return err
	}
	d.module, err = d.gpu.Compile(gpu.Source{
		Name: "gpu_ceilings.cu", Text: ceilingsSource, Kernels: kernelNames,
	})
	if err != nil {
		return err
	}
	if d.stream, err = d.gpu.NewStream(); err != nil {
		return err
	}
	if d.start, err = d.gpu.NewEvent(); err != nil {
		return err
	}
	d.end, err = d.gpu.NewEvent()
	return err
}

func (d *device) close() error {
	errs := []error{d.start.Destroy(), d.end.Destroy(), d.gpu.DestroyStream(d.stream)}
	if d.module != nil {
		errs = append(errs, d.module.Unload())
	}
	return errors.Join(errs...)
}

// best returns the shortest of runs that take budget of wall time, three at least.
func (d *device) best(budget time.Duration, before, enqueue func() error) (float64, error) {
	least := math.Inf(1)
	for n, begin := 0, time.Now(); n < 3 || time.Since(begin) < budget; n++ {
		x, err := d.time(before, enqueue)
		if err != nil {
			return 0, err
		}
		least = min(least, x)
	}
	if !(least > 0) {
		return 0, errors.New("it takes no time by the GPU's events")
	}
	return least, nil
}

// time returns the seconds of what enqueue puts into the stream, behind what before puts there.
func (d *device) time(before, enqueue func() error) (float64, error) {
	if before != nil {
		if err := before(); err != nil {
			return 0, err
		}
	}
	if err := d.start.Record(d.stream); err != nil {
		return 0, err
	}
	if err := enqueue(); err != nil {
		return 0, err
	}
	if err := d.end.Record(d.stream); err != nil {
		return 0, err
	}
	if err := d.gpu.Synchronize(d.stream); err != nil {
		return 0, err
	}
	return d.end.Since(d.start)
}

func (d *device) copyRate() (rate float64, err error) {
	free, _, err := d.gpu.Memory()
	if err != nil {
		return 0, err
	}
	bytes := min(int64(1)<<30, free/4) &^ 0xfff
	if bytes == 0 {
		return 0, fmt.Errorf("%d bytes of device memory free: %w", free, gpu.ErrOutOfMemory)
	}
	in, err := d.gpu.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.gpu.Free(in)) }()
	out, err := d.gpu.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.gpu.Free(out)) }()
	fill, err := d.module.Kernel("fill")
	if err != nil {
		return 0, err
	}
	kernel, err := d.module.Kernel("copy")
	if err != nil {
		return 0, err
	}
	wide := gpu.Launch{Grid: gpu.Dim3{X: 8 * d.gpu.Facts().Multiprocessors}, Block: gpu.Dim3{X: ceilingThreads}}
	for _, p := range []gpu.Pointer{in, out} {
		if err := fill.Launch(d.stream, wide, p, bytes/4); err != nil {
			return 0, err
		}
	}
	elements := bytes / 16
	tiled := gpu.Launch{
		Grid:  gpu.Dim3{X: int((elements + 4*ceilingThreads - 1) / (4 * ceilingThreads))},
		Block: gpu.Dim3{X: ceilingThreads},
	}
	for _, enqueue := range []func() error{
		func() error { return d.gpu.CopyAsync(out, in, bytes, d.stream) },
		func() error { return kernel.Launch(d.stream, tiled, out, in, elements) },
	} {
		seconds, err := d.best(100*time.Millisecond, nil, enqueue)
		if err != nil {
			return 0, err
		}
		rate = max(rate, 2*float64(bytes)/seconds)
	}
	return rate, nil
}

// fmaRate runs the named kernel with a and b in its own precision.
func (d *device) fmaRate(name string, a, b any) (float64, error) {
	const perRound = 2 * 8 * 16 // operations of a thread, as in gpu_ceilings.cu
	m, err := d.multiplyAdd(name, a, b, false)
	if err != nil {
		return 0, err
	}
	defer m.free()
	seconds, err := d.best(80*time.Millisecond, nil, m.enqueue)
	if err != nil {
		return 0, err
	}
	return m.threads * perRound * float64(m.rounds) / seconds, nil
}

// multiplyAdd is a kernel that keeps the GPU busy for about 3 ms.
type multiplyAdd struct {
	enqueue func() error
	threads float64
	rounds  int32
	free    func() error
}

// multiplyAdd makes a launch that fills the GPU four times or, gently, one of gentleThreads
// on each multiprocessor.
func (d *device) multiplyAdd(name string, a, b any, gently bool) (*multiplyAdd, error) {
	kernel, err := d.module.Kernel(name)
	if err != nil {
		return nil, err
	}
	blocks, threads := 1, gentleThreads
	if !gently {
		threads = ceilingThreads
		if blocks, err = kernel.ActiveBlocks(threads, 0); err != nil {
			return nil, err
		}
		blocks *= 4
	}
	out, err := d.gpu.Alloc(8)
	if err != nil {
		return nil, err
	}
	shape := gpu.Launch{Grid: gpu.Dim3{X: blocks * d.gpu.Facts().Multiprocessors}, Block: gpu.Dim3{X: threads}}
	m := &multiplyAdd{threads: float64(shape.Grid.X * threads), rounds: 16, free: func() error { return d.gpu.Free(out) }}
	m.enqueue = func() error { return kernel.Launch(d.stream, shape, out, a, b, m.rounds) }
	const most = 1 << 20
	for m.rounds < most { // to 3 ms, so that launch and tail weigh little
		x, err := d.time(nil, m.enqueue)
		if err != nil {
			return nil, errors.Join(err, m.free())
		}
		if x >= 3e-3 {
			break
		}
		m.rounds = int32(min(most, max(2, 4e-3/max(x, 1e-6))*float64(m.rounds)))
	}
	return m, nil
}

// Busy returns load, which keeps half of the GPU busy with multiply-adds for so many seconds, to about 3 ms,
// and end, which ends that.
func Busy(gpu *driver.GPU) (load func(seconds float64) error, end func() error, err error) {
	d := &device{gpu: gpu}
	if err := d.open(); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("a load for the GPU: %w", err), d.close())
	}
	m, err := d.multiplyAdd("fma32", float32(0.999), float32(0.5), true)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("a load for the GPU: %w", err), d.close())
	}
	load = func(seconds float64) error {
		for begin := time.Now(); time.Since(begin).Seconds() < seconds; {
			if _, err := d.time(nil, m.enqueue); err != nil {
				return err
			}
		}
		return nil
	}
	return load, func() error { return errors.Join(m.free(), d.close()) }, nil
}
