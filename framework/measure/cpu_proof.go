package measure

import (
	"fmt"
	"math"
	"time"

	"bench/framework"
	"bench/linux"
)

// Prove has the series of alg to come proved (Proof), where it lets its answer be overwritten
// and verified again. Its answer was just verified; verify does it again. others has a second
// set of inputs, which are in place; nil: there is none.
func (t *CPUTimer) Prove(alg framework.CPUAlgorithm, others framework.Alternator, verify func() ([]framework.Check, error)) {
	if _, ok := alg.(framework.Overwriter); !ok {
		return
	}
	if t.proofs == nil {
		t.proofs = map[framework.CPUAlgorithm]*Proof{}
	}
	t.proofs[alg] = newProof(alg, others, verify)
}

const (
	// idleCPUShare is idleShare of a CPU: what overwrites the answer also changes what is in
	// caches, and other programs run beside.
	idleCPUShare = 0.5
	// idleCPUSeconds is what reading the clock and overwriting few bytes may be wrong by.
	idleCPUSeconds = 1e-6
)

// shortRun is the length of a run in seconds below which the clock is read around a batch.
const shortRun = 20e-6

// proveHot holds runs back to back that find the answer of the run before against runs that
// find it overwritten, and against runs that find either set of inputs: the shortest of some batches of each, in turns. The answer of the last
// run of each batch is compared. Times are of processors, which what else runs does not lengthen.
func (t *CPUTimer) proveHot(alg framework.CPUAlgorithm, proof *Proof, batch int, series *Series) error {
	n := max(1, min(batch, provedRuns))
	batches := provedBatches
	one, err := timeRuns(alg, 1)
	if err != nil {
		return err
	}
	if float64(n)*one > provedSeconds {
		batches = 2
	}
	timed := overwrittenBatch
	if one >= shortRun {
		timed = func(alg framework.CPUAlgorithm, proof *Proof, n int) (float64, error) {
			return separateRuns(alg, n, proof.overwrite)
		}
	}
	other := math.Inf(1)
	var found [2]float64 // by set of inputs
	slower := func() float64 { return max(found[0], found[1]) }
	turns := func(batches int, share float64, sets int, timed func(framework.CPUAlgorithm, *Proof, int) (float64, error)) (idle bool, err error) {
		other, found = math.Inf(1), [2]float64{}
		is := func() bool { return slower() < share*(other-idleCPUSeconds) }
		for done, start := 0, time.Now(); more(done, batches, time.Since(start), is()); done++ {
			if sets > 1 {
				if err := proof.use(done % sets); err != nil {
					return false, err
				}
			}
			if err := rightClock(alg, n); err != nil {
				return false, err
			}
			set, begin := proof.set, processorTime()
			if _, err := timeRuns(alg, n); err != nil {
				return false, err
			}
			plain := (processorTime() - begin).Seconds() / float64(n)
			x, err := timed(alg, proof, n)
			if err != nil {
				return false, err
			}
			if other = min(other, x); found[set] == 0 || plain < found[set] {
				found[set] = plain
			}
			proof.run++
			if err := proof.compare(true); err != nil {
				return false, err
			}
		}
		return is(), nil
	}
	idle, err := turns(batches, idleCPUShare, 1, timed)
	if err != nil {
		return err
	}
	series.Overwritten = max(other, 0)
	if idle {
		return &Idle{Hot: slower(), Other: other}
	}
	if proof.others == nil {
		return nil
	}
	idle, err = turns(max(batches, 2), exchangedCPUShare, 2, func(alg framework.CPUAlgorithm, proof *Proof, n int) (float64, error) {
		return separateRuns(alg, n, proof.ready)
	})
	if idle {
		return &Idle{Hot: slower(), Other: other, Exchanged: true}
	}
	return err
}

// processorTime is what the threads of this process have taken of processors; the clock where
// that is not told.
func processorTime() time.Duration {
	var t linux.Timespec
	if linux.ClockGettime(linux.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}

var started = time.Now()

// separateRuns is the mean seconds of n runs, before each of which something is done that is
// not timed.
func separateRuns(alg framework.CPUAlgorithm, n int, before func() error) (float64, error) {
	var sum time.Duration
	for range n {
		if err := before(); err != nil {
			return 0, err
		}
		begin := processorTime()
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
		sum += processorTime() - begin
	}
	return sum.Seconds() / float64(n), nil
}

// overwrittenBatch is the same of short runs: the difference of a batch and of the
// overwriting alone, which finds all that they touch in caches.
func overwrittenBatch(alg framework.CPUAlgorithm, proof *Proof, n int) (float64, error) {
	begin := processorTime()
	for range n {
		if err := proof.overwrite(); err != nil {
			return 0, err
		}
	}
	beside := processorTime() - begin
	begin = processorTime()
	for range n {
		if err := proof.overwrite(); err != nil {
			return 0, err
		}
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
	}
	return (processorTime() - begin - beside).Seconds() / float64(n), nil
}
