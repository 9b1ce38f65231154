package engine

import (
	_ "embed"
	"errors"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

//go:embed beside.cu
var besideText string

const (
	// beat is the period of a load that computes for a share of the time.
	beat = 10 * time.Millisecond
	// copyBytes is how much one copy of a load reads, and writes.
	copyBytes = 4 << 20
	// leastCopied is the least size of the buffer, and cacheTimesCopied its least multiple of the
	// L2 cache, so that copies go to memory.
	leastCopied      = 64 << 20
	cacheTimesCopied = 2
	// batchTime is roughly how long copies run before they are waited for, and mostCopies the most
	// copies of a batch.
	batchTime  = 2 * time.Millisecond
	mostCopies = 256

	loadThreads = 256
)

// gpuLoad keeps a GPU at work. It belongs to the thread that opened it.
type gpuLoad struct {
	framework.GPURun
	gpu        *driver.GPU
	load       framework.Beside
	kernel     gpu.Kernel
	blocks     int
	in, out    gpu.Pointer
	bytes      int64 // of in, and of out
	begin, end *driver.Event
	passed     *driver.Event // waited for asleep
}

// openGPULoad prepares a load on the GPU.
func openGPULoad(gpu *driver.GPU, load framework.Beside) (l *gpuLoad, err error) {
	l = &gpuLoad{GPURun: framework.GPURun{Env: framework.Env{Device: gpu}}, gpu: gpu, load: load}
	if err := l.open(); err != nil {
		return nil, errors.Join(err, l.PostRun())
	}
	return l, nil
}

func (l *gpuLoad) open() (err error) {
	for _, e := range []struct {
		to  **driver.Event
		new func() (*driver.Event, error)
	}{{&l.begin, l.gpu.NewEvent}, {&l.end, l.gpu.NewEvent}, {&l.passed, l.gpu.NewSleepingEvent}} {
		x, err := e.new()
		if err != nil {
			return err
		}
		*e.to = x
		l.AtPostRun(x.Destroy)
	}
	if l.load.GPU > 0 {
		if l.out, err = l.Alloc(4); err != nil {
			return err
		}
		if l.kernel, err = l.Kernel(gpu.Source{Name: "beside.cu", Text: besideText, Kernels: []string{"compute_for"}}); err != nil {
			return err
		}
		// All blocks run at once. Blocks that follow others would compute for as long again.
		active, err := l.kernel.ActiveBlocks(loadThreads, 0)
		l.blocks = max(1, active) * max(1, l.gpu.Facts().Multiprocessors)
		return err
	}
	l.bytes = max(leastCopied, cacheTimesCopied*int64(l.gpu.Facts().L2Bytes)) / copyBytes * copyBytes
	content := make([]uint64, l.bytes/8)
	for i := range content { // constant data might move faster
		content[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	if l.in, err = framework.AllocCopy(&l.GPURun, content); err != nil {
		return err
	}
	l.out, err = l.Alloc(l.bytes)
	return err
}

// keep keeps the GPU at work until quit is closed. It returns the share of the time that the GPU
// computed, or the bytes per second that it copied.
func (l *gpuLoad) keep(quit <-chan struct{}) (reached float64, err error) {
	begin, done := time.Now(), 0.0
	for {
		select {
		case <-quit:
			return done / time.Since(begin).Seconds(), nil
		default:
		}
		var more, due float64
		if l.load.GPU > 0 {
			more, err = l.compute(time.Duration(l.load.GPU * float64(beat)))
			due = (done + more) / l.load.GPU
		} else {
			more, err = l.copy(time.Since(begin), int64(done))
			due = (done + more) / l.load.GPUBandwidth
		}
		if err != nil {
			return 0, err
		}
		done += more
		if ahead := due - time.Since(begin).Seconds(); ahead > 0 {
			time.Sleep(time.Duration(ahead * float64(time.Second)))
		}
	}
}

// compute returns for how many seconds the GPU computed.
func (l *gpuLoad) compute(d time.Duration) (seconds float64, err error) {
	if err := l.begin.Record(0); err != nil {
		return 0, err
	}
	shape := gpu.Launch{Grid: gpu.Dim3{X: l.blocks}, Block: gpu.Dim3{X: loadThreads}}
	if err := l.kernel.Launch(0, shape, l.out, uint64(d)); err != nil {
		return 0, err
	}
	if err := errors.Join(l.end.Record(0), l.wait()); err != nil {
		return 0, err
	}
	return l.end.Since(l.begin)
}

// copy returns how many bytes were read and written: as many as are due after the time that passed,
// within limits.
func (l *gpuLoad) copy(passed time.Duration, done int64) (bytes float64, err error) {
	due := l.load.GPUBandwidth*(passed+batchTime).Seconds() - float64(done)
	n := int64(min(max(1, due/(2*copyBytes)), mostCopies))
	first := done / 2 % l.bytes / copyBytes
	for i := range n {
		at := gpu.Pointer((first + i) * copyBytes % l.bytes)
		if err := l.gpu.CopyAsync(l.out+at, l.in+at, copyBytes, 0); err != nil {
			return 0, err
		}
	}
	return float64(n * 2 * copyBytes), l.wait()
}

func (l *gpuLoad) wait() error {
	if err := l.passed.Record(0); err != nil {
		return err
	}
	return l.passed.Wait()
}
