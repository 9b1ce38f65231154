package measure

import (
	"fmt"
	"math"
	"time"

	"bench/framework"
)

// Prove has the series of alg to come proved (Proof), where it lets its answer be overwritten
// and verified again. Its answer was just verified; verify does it again.
func (t *CPUTimer) Prove(alg framework.CPUAlgorithm, verify func() ([]framework.Check, error)) {
	if _, ok := alg.(framework.Overwriter); !ok {
		return
	}
	if t.proofs == nil {
		t.proofs = map[framework.CPUAlgorithm]*Proof{}
	}
	t.proofs[alg] = newProof(alg, verify)
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
// find it overwritten: the shortest of some batches of both, in turns. The answer of the last
// run of each batch is compared.
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
		timed = overwrittenRuns
	}
	found, overwritten := math.Inf(1), math.Inf(1)
	idle := func() bool { return found < idleCPUShare*(overwritten-idleCPUSeconds) }
	for done, start := 0, time.Now(); more(done, batches, time.Since(start), idle()); done++ {
		plain, err := timeRuns(alg, n)
		if err != nil {
			return err
		}
		other, err := timed(alg, proof, n)
		if err != nil {
			return err
		}
		found, overwritten = min(found, plain), min(overwritten, other)
		proof.run++
		if err := proof.compare(true); err != nil {
			return err
		}
	}
	series.Overwritten = max(overwritten, 0)
	if idle() {
		return &Idle{found, overwritten}
	}
	return nil
}

// overwrittenRuns is the mean seconds of n runs after overwriting.
func overwrittenRuns(alg framework.CPUAlgorithm, proof *Proof, n int) (float64, error) {
	var sum time.Duration
	for range n {
		if err := proof.overwrite(); err != nil {
			return 0, err
		}
		begin := time.Now()
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
		sum += time.Since(begin)
	}
	return sum.Seconds() / float64(n), nil
}

// overwrittenBatch is the same of short runs: the difference of a batch and of the
// overwriting alone, which finds all that they touch in caches.
func overwrittenBatch(alg framework.CPUAlgorithm, proof *Proof, n int) (float64, error) {
	begin := time.Now()
	for range n {
		if err := proof.overwrite(); err != nil {
			return 0, err
		}
	}
	beside := time.Since(begin)
	begin = time.Now()
	for range n {
		if err := proof.overwrite(); err != nil {
			return 0, err
		}
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
	}
	return (time.Since(begin) - beside).Seconds() / float64(n), nil
}
