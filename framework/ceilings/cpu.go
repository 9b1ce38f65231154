package ceilings

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

const (
	// copyTime is how many seconds each way to copy is tried, fmaPass how
	// long one pass of multiply-adds takes and fmaPasses how many count.
	copyTime  = 0.05
	fmaPass   = 4e-3
	fmaPasses = 3
	// cacheTimes is the size of the buffers together as a multiple of the caches' size; leastCopy and
	// mostCopy bound it, in bytes.
	cacheTimes = 4
	leastCopy  = 64 << 20
	mostCopy   = 4 << 30
	// chunk is the number of bytes of which the buffers of a worker are a multiple.
	chunk = 2 << 20

	noFile = -1 // of an anonymous mapping
)

// fmaKernel is a loop of independent fused multiply-adds that stay in
// registers.
type fmaKernel struct {
	flops float64 // of one iteration, two per multiply-add
	// run adds 1·1 to each of the chains' lanes once per iteration, and
	// returns the number of lanes and their final value, or NaN if they
	// differ. In float32 they stop at 2^24.
	run func(iterations int64) (lanes int, each float64)
}

// lanes returns what run returns, for lanes in memory.
func lanes[T float32 | float64](x []T) (int, float64) {
	for _, v := range x {
		if v != x[0] {
			return len(x), math.NaN()
		}
	}
	return len(x), float64(x[0])
}

// CPU measures the ceilings of that many threads, each bound to its own CPU if there are enough: bytes copied
// per second, read plus written, between buffers of four times the last-level cache; and fused multiply-adds
// in float32 and float64, two FLOPs each. The copy is the faster of Go's copy and, on amd64, one with
// non-temporal stores, which do not read the destination first. CPU takes about a quarter of a second.
func CPU(workers int) (copyBytesPerSecond, fma32, fma64 float64, err error) {
	if workers < 1 {
		return 0, 0, 0, fmt.Errorf("CPU ceilings: %d workers, want at least 1", workers)
	}
	t, free := newTeam(workers)
	defer free()
	if copyBytesPerSecond, err = t.copyRate(); err != nil {
		return 0, 0, 0, fmt.Errorf("CPU ceilings: %w", err)
	}
	single, double := fmaKernels()
	for _, k := range single {
		fma32 = max(fma32, t.fmaRate(k))
	}
	for _, k := range double {
		fma64 = max(fma64, t.fmaRate(k))
	}
	return copyBytesPerSecond, fma32, fma64, nil
}

// team is a group of threads that do the same at the same time.
type team struct {
	cpus machine.CPUs
	jobs []chan func(worker int)
	done sync.WaitGroup
}

func newTeam(workers int) (t *team, free func()) {
	t = &team{cpus: machine.Live.Best(machine.AllowedCPUs(), workers)}
	processors := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(processors, workers))
	for i := range workers {
		jobs := make(chan func(int))
		t.jobs = append(t.jobs, jobs)
		go func() {
			runtime.LockOSThread() // for good: the thread ends with its affinity
			if len(t.cpus) == workers {
				linux.SchedSetaffinity(0, t.cpus[i:i+1].Set()) //nolint:errcheck // unbound, it is slower at worst
			}
			for job := range jobs {
				job(i)
				t.done.Done()
			}
		}()
	}
	return t, func() {
		for _, jobs := range t.jobs {
			close(jobs)
		}
		runtime.GOMAXPROCS(processors)
	}
}

// run has every worker do job and returns the seconds until the last is done.
func (t *team) run(job func(worker int)) float64 {
	t.done.Add(len(t.jobs))
	start := time.Now()
	for _, jobs := range t.jobs {
		jobs <- job
	}
	t.done.Wait()
	return time.Since(start).Seconds()
}

// copyRate returns the highest rate of all passes and ways to copy.
func (t *team) copyRate() (float64, error) {
	each, err := copyBytes(machine.Live.LastLevelCache(t.cpus), freeBytes(machine.Live), len(t.jobs))
	if err != nil {
		return 0, err
	}
	type pair struct{ dst, src []byte }
	buffers := make([]pair, len(t.jobs))
	errs := make([]error, len(t.jobs))
	// Each worker touches its own pages first, so that they are in its memory.
	t.run(func(w int) {
		p, err := linux.Mmap(noFile, 0, 2*each, linux.PROT_READ|linux.PROT_WRITE, linux.MAP_PRIVATE|linux.MAP_ANON)
		if err != nil {
			errs[w] = fmt.Errorf("%d bytes for a copy: %w", 2*each, err)
			return
		}
		linux.Madvise(p, linux.MADV_HUGEPAGE) //nolint:errcheck // fewer page faults where it works
		randomize(p[each:], uint64(w))
		copy(p[:each], p[each:])
		buffers[w] = pair{p[:each], p[each:]}
	})
	defer func() {
		for _, b := range buffers {
			if b.dst != nil {
				linux.Munmap(b.dst[:2*each]) //nolint:errcheck // it is what Mmap gave
			}
		}
	}()
	if err := errors.Join(errs...); err != nil {
		return 0, err
	}
	least := math.Inf(1)
	for _, way := range waysToCopy() {
		copies := func(w int) { way(buffers[w].dst, buffers[w].src) }
		least = min(least, shortest(func() float64 { return t.run(copies) }))
	}
	return float64(2*each*len(t.jobs)) / least, nil
}

// freeBytes returns the free memory of a machine; if that is unknown, the largest number.
func freeBytes(m machine.Tree) int64 {
	if free, total := m.Memory(); total > 0 {
		return free
	}
	return math.MaxInt64
}

// waysToCopy returns the ways to copy that this processor has.
func waysToCopy() []func(dst, src []byte) {
	ways := []func(dst, src []byte){func(dst, src []byte) { copy(dst, src) }}
	if w := streamingCopy(); w != nil {
		ways = append(ways, w)
	}
	return ways
}

// shortest returns the least seconds that a pass takes: of two passes, or of as many as copyTime has room
// for.
func shortest(pass func() (seconds float64)) float64 {
	least, spent := math.Inf(1), 0.0
	for passes := 0; passes < 2 || spent < copyTime; passes++ {
		seconds := pass()
		least = min(least, seconds)
		spent += seconds
	}
	return least
}

// randomize fills b, whose length is a multiple of 8. Data matter: an AMD EPYC of the
// fifth generation copies zeros 1.24 times as fast.
func randomize(b []byte, seed uint64) {
	r := rand.NewPCG(0, seed)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
	for i := range words {
		words[i] = r.Uint64()
	}
}

// copyBytes returns the length of one worker's source. With its destination and the other workers' buffers it
// is cacheTimes the last-level caches, but no more than an eighth of the free memory.
func copyBytes(caches, free int64, workers int) (int, error) {
	total := min(max(cacheTimes*caches, leastCopy), mostCopy, free/8)
	each := total / int64(2*workers) / chunk * chunk
	if each == 0 {
		return 0, fmt.Errorf("too little memory is free for copies by %d workers", workers)
	}
	return int(each), nil
}

// fmaRate returns the FLOPs per second of the fastest pass. It counts only the time that the threads had a
// CPU. Other programs then do not lower the rate, and do not make a few iterations look like a pass.
func (t *team) fmaRate(k fmaKernel) float64 {
	spent := make([]float64, len(t.jobs))
	pass := func(iterations int64) float64 {
		t.run(func(w int) {
			start := threadTime()
			k.run(iterations)
			spent[w] = threadTime() - start
		})
		return slices.Max(spent)
	}
	iterations, seconds := int64(1000), 0.0
	for seconds < fmaPass/4 { // the clock ramps up meanwhile
		iterations *= 2
		seconds = pass(iterations)
	}
	iterations = max(1, int64(float64(iterations)*fmaPass/seconds))
	fastest := math.Inf(1)
	for range fmaPasses {
		fastest = min(fastest, pass(iterations))
	}
	return k.flops * float64(iterations) * float64(len(t.jobs)) / fastest
}

// threadTime returns how many seconds this thread had a CPU.
func threadTime() float64 {
	var t linux.Timespec
	if err := linux.ClockGettime(linux.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // Linux has had it since 2.6.12
	}
	return float64(t.Nano()) * 1e-9
}

// portableFMA returns the kernel of processors without one in assembly.
func portableFMA() fmaKernel {
	const chains = 8
	return fmaKernel{2 * chains, func(iterations int64) (int, float64) {
		one := 1.0
		var x [chains]float64
		for range iterations {
			for i := range x {
				x[i] = math.FMA(one, one, x[i])
			}
		}
		return lanes(x[:])
	}}
}

// start returns the address of a slice that is not empty.
func start(b []byte) unsafe.Pointer { return unsafe.Pointer(&b[0]) }
