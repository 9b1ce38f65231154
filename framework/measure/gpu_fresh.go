package measure

import (
	"fmt"
	"math"
	"time"

	"example.org/bench/framework"
)

// freshGPUSeconds is what a single run on inputs that were just copied may take beside runs back to back:
// instructions and the addresses of pages have to come from memory.
const freshGPUSeconds = 10e-6

// proveFresh compares runs on inputs that earlier runs had, which take seconds, with runs on inputs that no
// run had. The latter have to compute, whatever a version keeps. The error is Idle if the former do not. cold
// is set for cold runs. At the end the earlier inputs are in place, with their answer.
//
// Cold runs differ by nothing else: on an H100 they took 0.94 to 1.03 times as long as the first run on such
// inputs, at 108 points of 15 configs (results/h100-timed-runs). Drawing inputs may slow the GPU down, for
// example if its clock falls meanwhile. Runs on the earlier inputs are therefore timed after drawing, too,
// and the slower time counts.
func (t *GPUTimer) proveFresh(alg framework.GPUAlgorithm, proof *Proof, seconds float64, cold bool) error {
	drawer, ok := proof.others.(framework.Refresher)
	if !ok || proof.over == nil {
		return nil
	}
	share, beside := exchangedShare, freshGPUSeconds
	if cold {
		share, beside = t.idles()
	}
	s := alg.Stream()
	single := func(fresh bool) (float64, error) {
		x, err := t.time(s, func() error {
			if err := drawer.Fresh(); err != nil {
				return fmt.Errorf("draw other inputs: %w", err)
			}
			if !fresh {
				if err := proof.place(proof.set); err != nil {
					return err
				}
			}
			if err := proof.overwrite(); err != nil || !cold {
				return err
			}
			return t.flush.enqueue(s)
		}, alg.Run)
		return x.seconds, err
	}
	// The shortest of each, which were disturbed least.
	again, other := math.Inf(1), math.Inf(1)
	known := seconds
	idle := func() bool { return known < share*(other-beside) }
	for done, start := 0, time.Now(); more(done, 1, time.Since(start), idle()); done++ {
		x, err := single(true)
		if err != nil {
			return err
		}
		if other = min(other, x); !idle() {
			continue
		}
		if x, err = single(false); err != nil {
			return err
		}
		again = min(again, x)
		known = max(seconds, again)
	}
	if idle() {
		return &Idle{Hot: known, Other: other, Exchanged: true, Cold: cold}
	}
	if err := proof.place(proof.set); err != nil {
		return err
	}
	if err := t.anew(alg, proof); err != nil {
		return err
	}
	return proof.compare(true)
}
