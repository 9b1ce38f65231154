package measure

import (
	"errors"
	"fmt"
	"time"

	"example.org/bench/framework"
)

const (
	// apartRun is the length of a run in seconds from which on foreign code takes turns run by run: reading the clock
	// takes a hundredth of that.
	apartRun = 5e-6
	// mostDrawing is the most time that drawing inputs for a run may take, as a multiple of the run.
	mostDrawing = 4
)

// apart times the runs of foreign code one by one. Each run finds its answer overwritten. Its inputs are new
// or, if drawing new ones takes too long, either of two sets. What a version keeps from earlier runs, itself
// or in another process, then saves it no time.
type apart struct {
	alg   framework.CPUAlgorithm
	proof *Proof
	fresh framework.FreshVerifier // nil: either set, none drawn
	drawn bool                    // since the last end
}

// apart returns nil for a version that is trusted, or not proved. run is the seconds of a run of the faster
// version.
func (t *CPUTimer) apart(alg framework.CPUAlgorithm, run float64) (*apart, error) {
	proof := t.proofs[alg]
	if _, foreign := alg.(framework.Renewer); !foreign || proof == nil {
		return nil, nil
	}
	proof.begin()
	a := &apart{alg: alg, proof: proof}
	fresh, ok := proof.others.(framework.FreshVerifier)
	if !ok {
		return a, nil
	}
	begin := time.Now()
	if err := a.draw(fresh); err != nil {
		return nil, err
	}
	if time.Since(begin).Seconds() <= mostDrawing*run {
		a.fresh = fresh
	}
	return a, a.end()
}

// time returns the mean seconds of n runs.
func (a *apart) time(n int) (float64, error) {
	var sum time.Duration
	for range n {
		if err := a.ready(); err != nil {
			return 0, err
		}
		if err := restore(a.alg); err != nil {
			return 0, err
		}
		begin := time.Now()
		if err := a.alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
		sum += time.Since(begin)
		var err error
		if a.fresh != nil {
			err = a.proof.endedFresh(a.fresh)
		} else {
			_, err = a.proof.ended(false)
		}
		if err != nil {
			return 0, err
		}
	}
	return sum.Seconds() / float64(n), nil
}

// ready prepares a run.
func (a *apart) ready() error {
	if a.fresh == nil {
		return a.proof.ready()
	}
	if err := a.draw(a.fresh); err != nil {
		return err
	}
	return a.proof.overwrite()
}

// draw puts inputs in place that no run had before.
func (a *apart) draw(fresh framework.FreshVerifier) error {
	a.drawn = true
	if err := fresh.Fresh(); err != nil {
		return fmt.Errorf("draw other inputs: %w", err)
	}
	return nil
}

// end puts a known set of inputs in place, with its answer.
func (a *apart) end() error {
	if a == nil || !a.drawn {
		return nil
	}
	a.drawn = false
	if err := a.proof.place(a.proof.set); err != nil {
		return err
	}
	if err := restore(a.alg); err != nil {
		return err
	}
	return errors.Join(a.proof.overwrite(), a.alg.Run())
}
