package measure

import (
	"errors"
	"math"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// rewritten returns the seconds of a run before which all words that overwriting writes are exchanged twice:
// the run finds what the run before left, written anew. It and what follows it find caches as overwriting
// leaves them.
func (t *GPUTimer) rewritten(alg framework.GPUAlgorithm, proof *Proof, n int) (seconds float64, err error) {
	s, answers := alg.Stream(), answersOf(alg)
	if m, tells := alg.(framework.MemoryOverwriter); tells {
		answers = m.Overwritten()
	}
	again := t.newDisturbed(alg, proof, n, func() error {
		return errors.Join(t.exchange(s, answers, everyWord), t.exchange(s, answers, everyWord))
	}, nil)
	defer again.close()
	for range fewestIdle {
		if err := again.time(); err != nil {
			return 0, err
		}
	}
	return again.least, nil
}

// disturbed is batches of runs with a change before each run.
type disturbed struct {
	t            *GPUTimer
	alg          framework.GPUAlgorithm
	proof        *Proof
	n            int
	sets         []int // inputs by run; nil: those in place
	once         func() error
	work, beside *batch
	least        float64 // seconds of a run, without what is done between runs
}

// newDisturbed makes batches of n runs.
func (t *GPUTimer) newDisturbed(alg framework.GPUAlgorithm, proof *Proof, n int, change func() error, sets []int) *disturbed {
	d := &disturbed{t: t, alg: alg, proof: proof, n: n, sets: sets, least: math.Inf(1)}
	once := func(run func() error) func() error {
		i := 0
		return func() error {
			if sets != nil {
				if err := proof.place(sets[i%n]); err != nil {
					return err
				}
			}
			i++
			if err := change(); err != nil {
				return err
			}
			if err := run(); err != nil {
				return err
			}
			return proof.add()
		}
	}
	d.once = once(alg.Run)
	d.work = t.batchOf(alg.Stream(), n, once(alg.Run))
	d.beside = t.batchOf(alg.Stream(), n, once(func() error { return nil }))
	return d
}

// time times a batch and compares its answers.
func (d *disturbed) time() error {
	s := d.alg.Stream()
	if d.sets != nil { // a graph does not tell which set it left in place
		if err := d.proof.place(d.sets[d.n-1]); err != nil {
			return err
		}
	}
	rest, err := d.t.time(s, nil, d.beside.enqueue)
	if err != nil {
		return err
	}
	var all sample
	sum, err := d.proof.sum(func() (err error) {
		all, err = d.t.time(s, nil, d.work.enqueue)
		return err
	})
	if err != nil {
		return err
	}
	want := uint64(d.n) * d.proof.verified[d.proof.set]
	if d.sets != nil {
		want = 0
		for _, set := range d.sets {
			want += d.proof.verified[set]
		}
	}
	if sum != want {
		// The last answer is still there. A single run may do what a run in a batch does not.
		if err := d.proof.compare(true); err != nil {
			return err
		}
		if err := d.proof.each(s, d.t, d.once, d.n); err != nil {
			return err
		}
	}
	d.least = min(d.least, (all.seconds-rest.seconds)/float64(d.n))
	d.proof.compared += d.n
	return nil
}

func (d *disturbed) close() {
	d.work.close()
	d.beside.close()
}

// batchOf returns a batch of n runs, as a graph if possible.
func (t *GPUTimer) batchOf(s gpu.Stream, n int, run func() error) *batch {
	b := &batch{runs: n, stream: s, run: run}
	if g, err := t.capture(s, run, n); err == nil {
		b.graph = g
	}
	return b
}
