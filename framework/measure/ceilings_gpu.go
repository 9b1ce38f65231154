package measure

import (
	_ "embed"
	"errors"
	"fmt"
	"time"

	"bench/cuda"
	"bench/cuda/driver"
)

//go:embed gpu_ceilings.cu
var ceilingsSource string

// GPUCeilings measures what gpu can do at most: bytes copied a second, read
// plus written, as the better of the driver's copy and a kernel of 16-byte
// loads; and fused multiply-adds in float32 and float64, counted as two
// operations each. Each is the best of several runs, under a second in all.
func GPUCeilings(gpu *driver.GPU) (copyBytesPerSecond, fma32, fma64 float64, err error) {
	c := &ceilings{gpu: gpu}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.open(); err != nil {
		return 0, 0, 0, fmt.Errorf("measure the GPU's ceilings: %w", err)
	}
	if copyBytesPerSecond, err = c.copyRate(); err != nil {
		return 0, 0, 0, fmt.Errorf("measure the copy ceiling: %w", err)
	}
	if fma32, err = c.fmaRate("fma32", float32(0.999), float32(0.5)); err != nil {
		return 0, 0, 0, fmt.Errorf("measure the float32 ceiling: %w", err)
	}
	if fma64, err = c.fmaRate("fma64", 0.999, 0.5); err != nil {
		return 0, 0, 0, fmt.Errorf("measure the float64 ceiling: %w", err)
	}
	return copyBytesPerSecond, fma32, fma64, nil
}

type ceilings struct {
	gpu        *driver.GPU
	module     cuda.Module
	stream     cuda.Stream
	start, end *driver.Event
}

const ceilingThreads = 256

func (c *ceilings) open() (err error) {
	if err = c.gpu.Bind(); err != nil {
		return err
	}
	c.module, err = c.gpu.Compile(cuda.Source{
		Name: "gpu_ceilings.cu", Text: ceilingsSource, Kernels: []string{"fill", "copy", "fma32", "fma64"},
	})
	if err != nil {
		return err
	}
	if c.stream, err = c.gpu.NewStream(); err != nil {
		return err
	}
	if c.start, err = c.gpu.NewEvent(); err != nil {
		return err
	}
	c.end, err = c.gpu.NewEvent()
	return err
}

func (c *ceilings) close() error {
	errs := []error{c.start.Destroy(), c.end.Destroy(), c.gpu.DestroyStream(c.stream)}
	if c.module != nil {
		errs = append(errs, c.module.Unload())
	}
	return errors.Join(errs...)
}

// best is the shortest of runs that take budget of wall time, three at least.
func (c *ceilings) best(budget time.Duration, enqueue func() error) (float64, error) {
	least := 0.0
	for n, begin := 0, time.Now(); n < 3 || time.Since(begin) < budget; n++ {
		x, err := c.time(enqueue)
		if err != nil {
			return 0, err
		}
		if least == 0 || x < least {
			least = x
		}
	}
	return least, nil
}

func (c *ceilings) time(enqueue func() error) (float64, error) {
	if err := c.start.Record(c.stream); err != nil {
		return 0, err
	}
	if err := enqueue(); err != nil {
		return 0, err
	}
	if err := c.end.Record(c.stream); err != nil {
		return 0, err
	}
	if err := c.gpu.Synchronize(c.stream); err != nil {
		return 0, err
	}
	return c.end.Since(c.start)
}

func (c *ceilings) copyRate() (rate float64, err error) {
	free, _, err := c.gpu.Memory()
	if err != nil {
		return 0, err
	}
	bytes := min(int64(1)<<30, free/4) &^ 0xfff
	if bytes == 0 {
		return 0, fmt.Errorf("%d bytes of device memory free: %w", free, cuda.ErrOutOfMemory)
	}
	in, err := c.gpu.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.gpu.Free(in)) }()
	out, err := c.gpu.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.gpu.Free(out)) }()
	fill, err := c.module.Kernel("fill")
	if err != nil {
		return 0, err
	}
	kernel, err := c.module.Kernel("copy")
	if err != nil {
		return 0, err
	}
	wide := cuda.Launch{Grid: cuda.Dim3{X: 8 * c.gpu.Facts().Multiprocessors}, Block: cuda.Dim3{X: ceilingThreads}}
	for _, p := range []cuda.Pointer{in, out} {
		if err := fill.Launch(c.stream, wide, p, bytes/4); err != nil {
			return 0, err
		}
	}
	elements := bytes / 16
	tiled := cuda.Launch{
		Grid:  cuda.Dim3{X: int((elements + 4*ceilingThreads - 1) / (4 * ceilingThreads))},
		Block: cuda.Dim3{X: ceilingThreads},
	}
	for _, enqueue := range []func() error{
		func() error { return c.gpu.CopyAsync(out, in, bytes, c.stream) },
		func() error { return kernel.Launch(c.stream, tiled, out, in, elements) },
	} {
		seconds, err := c.best(100*time.Millisecond, enqueue)
		if err != nil {
			return 0, err
		}
		rate = max(rate, 2*float64(bytes)/seconds)
	}
	return rate, nil
}

// fmaRate runs the named kernel with a and b in its own precision.
func (c *ceilings) fmaRate(name string, a, b any) (float64, error) {
	const perRound = 2 * 8 * 16 // operations of a thread, as in gpu_ceilings.cu
	kernel, err := c.module.Kernel(name)
	if err != nil {
		return 0, err
	}
	blocks, err := kernel.ActiveBlocks(ceilingThreads, 0)
	if err != nil {
		return 0, err
	}
	out, err := c.gpu.Alloc(8)
	if err != nil {
		return 0, err
	}
	defer c.gpu.Free(out)
	shape := cuda.Launch{
		Grid:  cuda.Dim3{X: 4 * blocks * c.gpu.Facts().Multiprocessors},
		Block: cuda.Dim3{X: ceilingThreads},
	}
	rounds := int32(16)
	enqueue := func() error { return kernel.Launch(c.stream, shape, out, a, b, rounds) }
	const most = 1 << 20
	for rounds < most { // to 3 ms, so that launch and tail weigh little
		x, err := c.time(enqueue)
		if err != nil {
			return 0, err
		}
		if x >= 3e-3 {
			break
		}
		rounds = int32(min(most, max(2, 4e-3/max(x, 1e-6))*float64(rounds)))
	}
	seconds, err := c.best(80*time.Millisecond, enqueue)
	if err != nil {
		return 0, err
	}
	return float64(shape.Grid.X) * ceilingThreads * perRound * float64(rounds) / seconds, nil
}
