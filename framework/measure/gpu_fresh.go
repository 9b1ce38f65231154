package measure

import (
	"fmt"
	"math"
	"time"

	"bench/framework"
)

// freshGPUSeconds is what a single run on inputs that were just copied may take beside: instructions
// and the addresses of pages have to come from memory.
const freshGPUSeconds = 10e-6

// proveFresh holds runs that take so many seconds on inputs that runs had before, be they cold,
// against runs on inputs that none had: these have to compute, whatever a version keeps. The error
// is Idle if the others do not. The inputs of before are in place at the end, with their answer.
func (t *GPUTimer) proveFresh(alg framework.GPUAlgorithm, proof *Proof, seconds float64, cold bool) error {
	drawer, ok := proof.others.(framework.Refresher)
	if !ok || proof.over == nil {
		return nil
	}
	s := alg.Stream()
	before := func() error {
		if err := drawer.Fresh(); err != nil {
			return fmt.Errorf("draw other inputs: %w", err)
		}
		if err := proof.overwrite(); err != nil || !cold {
			return err
		}
		return t.flush.enqueue(s)
	}
	other := math.Inf(1) // the shortest, which was disturbed least
	idle := func() bool { return seconds < exchangedShare*(other-freshGPUSeconds) }
	for done, start := 0, time.Now(); more(done, 1, time.Since(start), idle()); done++ {
		x, err := t.time(s, before, alg.Run)
		if err != nil {
			return err
		}
		other = min(other, x.seconds)
	}
	if idle() {
		return &Idle{Hot: seconds, Other: other, Exchanged: true, Cold: cold}
	}
	if err := proof.place(proof.set); err != nil {
		return err
	}
	if err := t.anew(alg, proof); err != nil {
		return err
	}
	return proof.compare(true)
}
