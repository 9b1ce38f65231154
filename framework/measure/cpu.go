package measure

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
)

const (
	// leastSample is the shortest sample in seconds, and leastTicks the same in
	// steps of the clock: shorter runs are timed in batches. Reading the clock
	// twice then takes less than one part in five hundred.
	leastSample = 50e-6
	leastTicks  = 500
	// warmUpTime is how many seconds a version runs before it is timed: caches
	// and page tables fill, the clock ramps up. warmUpRuns is the least count.
	warmUpTime = 0.1
	warmUpRuns = 2
	// againTime is warmUpTime of processors that were busy moments before: their clock is up.
	againTime = 0.01
	// spareBytes is how much memory a version may allocate while it is timed
	// before the garbage collector runs after all.
	spareBytes = 1 << 30
)

// CPUTimer times versions that run on the CPU, by the monotonic clock.
//
// While it times, the garbage collector is off: it runs once before, and again only if a version allocates
// more than 1 GiB. GOMAXPROCS is the version's number of workers. If the process may use more CPUs than that,
// its threads are confined to as many CPUs as there are workers: the fastest ones, and one of each physical
// core first. The scheduler then cannot put two workers on one core or move them to a slow one. If the
// settings ask for it, each thread that computes is pinned to one of these CPUs.
type CPUTimer struct {
	// Warm is what Alternate of this timer or an earlier one left. If it is moments old, the next
	// timing needs less time to warm up.
	Warm Warm

	m          config.Measure
	resolution float64 // of the clock, seconds
	notes      []string
	proofs     map[framework.CPUAlgorithm]*Proof
}

// Warm is how many processors last ended timed runs, and when.
type Warm struct {
	at      time.Time
	workers int
}

// ran records the end of runs of alg.
func (w *Warm) ran(alg framework.CPUAlgorithm) { *w = Warm{time.Now(), workersOf(alg)} }

// of reports whether the processors of alg are still warm.
func (w Warm) of(alg framework.CPUAlgorithm) bool {
	return time.Since(w.at) < staysWarm && workersOf(alg) <= w.workers
}

// workersOf returns on how many processors alg runs, as prepare takes it.
func workersOf(alg framework.CPUAlgorithm) int {
	if n := alg.Workers(); n > 0 {
		return n
	}
	return len(machine.AllowedCPUs())
}

// NewCPUTimer measures the clock's resolution.
func NewCPUTimer(m config.Measure) *CPUTimer {
	return &CPUTimer{m: m, resolution: clockResolution()}
}

// clockResolution returns the smallest difference in seconds between two readings of the clock.
func clockResolution() float64 {
	start, least := time.Now(), time.Duration(math.MaxInt64)
	last := time.Since(start)
	for range 2000 {
		t := time.Since(start)
		if d := t - last; d > 0 {
			least = min(least, d)
		}
		last = t
	}
	if least == math.MaxInt64 {
		least = time.Since(start) // the clock did not tick within all readings
		for least == 0 {
			least = time.Since(start)
		}
	}
	return least.Seconds()
}

// Hot times runs of alg back to back until the stopping rule ends the series. If a version changes
// its inputs (framework.Resetter), they are restored before each run, outside the timed region, and
// each run is timed by itself.
func (t *CPUTimer) Hot(alg framework.CPUAlgorithm) (*Series, error) {
	cpus, restore := prepare(alg.Workers(), 0)
	defer restore()
	run, err := t.warmUp(alg)
	if err != nil {
		return nil, err
	}
	if err := t.pinWhereAsked(cpus, alg); err != nil {
		return nil, err
	}
	batch := 1
	resetter, resets := alg.(framework.Resetter)
	if !resets {
		batch = t.batch(run)
	}
	series := &Series{Batch: batch}
	rule := NewRule(t.m)
	rule.Clock(batch, t.resolution)
	proof := t.proofs[alg]
	proof.begin()
	for {
		if resets {
			if err := proof.ready(); err != nil {
				return nil, err
			}
			if err := resetter.Reset(); err != nil {
				return nil, fmt.Errorf("reset: %w", err)
			}
		}
		begin := time.Now()
		for range batch {
			if err := alg.Run(); err != nil {
				return nil, fmt.Errorf("run: %w", err)
			}
		}
		sample := time.Since(begin).Seconds() / float64(batch)
		series.Samples = append(series.Samples, sample)
		rule.Add(sample)
		var stop bool
		stop, series.Converged, series.Stop = rule.Done()
		compared, err := proof.ended(stop)
		if err != nil {
			return nil, err
		}
		if stop {
			series.Moved = rule.Moved()
			if proof != nil && !resets {
				err = t.proveHot(alg, proof, batch, series)
			}
			return series, err
		}
		if compared { // bring caches back to the state that runs leave
			if _, err := timeRuns(alg, 1); err != nil {
				return nil, err
			}
		}
	}
}

// warmUp runs alg for a while and returns the seconds of its fastest run.
func (t *CPUTimer) warmUp(alg framework.CPUAlgorithm) (float64, error) {
	start, fastest := time.Now(), math.Inf(1)
	least := warmUpTime
	if t.Warm.of(alg) {
		least = againTime
	}
	for runs := 0; runs < warmUpRuns || time.Since(start).Seconds() < least; runs++ {
		if r, ok := alg.(framework.Resetter); ok {
			if err := r.Reset(); err != nil {
				return 0, fmt.Errorf("reset: %w", err)
			}
		}
		begin := time.Now()
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
		fastest = min(fastest, time.Since(begin).Seconds())
	}
	return fastest, nil
}

// batch returns how many runs make one sample long enough.
func (t *CPUTimer) batch(run float64) int {
	least := max(leastSample, leastTicks*t.resolution)
	return int(math.Ceil(least / max(run, t.resolution)))
}

// Sustain runs alg back to back, and restores inputs if it changes them, until stop returns true.
// It calls stop after each run, or after a few milliseconds of short runs. It leaves one processor
// of the Go scheduler to the reader of the sensors.
func (t *CPUTimer) Sustain(alg framework.CPUAlgorithm, stop func(elapsed float64, runs int64) bool) (runs int64, seconds float64, err error) {
	resetter, resets := alg.(framework.Resetter)
	return t.sustain(alg, func() error {
		if resets {
			if err := resetter.Reset(); err != nil {
				return fmt.Errorf("reset: %w", err)
			}
		}
		if err := alg.Run(); err != nil {
			return fmt.Errorf("run: %w", err)
		}
		return nil
	}, stop)
}

// SustainRestoring sustains the restoring of inputs alone that alg, a framework.Resetter, does before each
// run.
func (t *CPUTimer) SustainRestoring(alg framework.CPUAlgorithm, stop func(elapsed float64, runs int64) bool) (runs int64, seconds float64, err error) {
	return t.sustain(alg, alg.(framework.Resetter).Reset, stop)
}

func (t *CPUTimer) sustain(alg framework.CPUAlgorithm, run func() error, stop func(float64, int64) bool) (runs int64, seconds float64, err error) {
	const ask = 1e-3 // about how many seconds between two calls of stop
	cpus, restore := prepare(alg.Workers(), 1)
	defer restore()
	if err := t.pinWhereAsked(cpus, alg); err != nil {
		return 0, 0, err
	}
	start := time.Now()
	for batch := int64(1); ; {
		for range batch {
			if err := run(); err != nil {
				return runs, time.Since(start).Seconds(), err
			}
		}
		runs += batch
		elapsed := time.Since(start).Seconds()
		if stop(elapsed, runs) {
			return runs, elapsed, nil
		}
		batch = max(1, min(2*batch, int64(ask*float64(runs)/elapsed)))
	}
}

// prepare prepares the process for timing a version of so many workers beside spare threads of the
// tool's own. It returns the CPUs that they may use and a function that undoes it. A version
// without workers may use all CPUs.
func prepare(workers, spare int) (cpus machine.CPUs, restore func()) {
	if workers == 0 {
		workers = len(machine.AllowedCPUs())
	}
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, held(&mem)+spareBytes))
	processors := runtime.GOMAXPROCS(workers + spare)
	cpus, free := confine(workers)
	return cpus, func() {
		free()
		runtime.GOMAXPROCS(processors)
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}
}

// held returns how many bytes the process has from the system, as debug.SetMemoryLimit counts.
func held(mem *runtime.MemStats) int64 { return int64(mem.Sys - mem.HeapReleased) }
