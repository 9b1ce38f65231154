package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/digest"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
)

// Prove makes the following series of alg proved (Proof), until end is called. The answer on the device was
// overwritten by framework.Poison, made again and verified; verify verifies it again. others has a second set
// of inputs, which is in place; nil if there is none.
func (t *GPUTimer) Prove(alg framework.GPUAlgorithm, others framework.Alternator, verify func() ([]framework.Check, error)) (end func(), err error) {
	p := newProof(alg, others, verify)
	if len(answersOf(alg)) > 0 {
		s := alg.Stream()
		p.varies = false
		p.sum = func(enqueue func() error) (uint64, error) {
			if err := t.digest.Clear(s); err != nil {
				return 0, err
			}
			if err := enqueue(); err != nil {
				return 0, err
			}
			return t.digest.Sum(s)
		}
		p.add = func() error {
			for _, x := range answersOf(alg) {
				if err := t.digest.Add(x.At, x.Bytes, s); err != nil {
					return err
				}
			}
			return nil
		}
		if err := p.keep(); err != nil {
			return nil, err
		}
		if others != nil {
			if err := t.verifyOther(alg, p); err != nil {
				return nil, err
			}
		}
	}
	if t.proofs == nil {
		t.proofs = map[framework.GPUAlgorithm]*Proof{}
	}
	t.proofs[alg] = p
	return func() { delete(t.proofs, alg) }, nil
}

// keep keeps the digest of the present, verified answer.
func (p *Proof) keep() (err error) {
	if p.verified[p.set], err = p.sum(p.add); err != nil {
		return fmt.Errorf("digest of the answer: %w", err)
	}
	return nil
}

// verifyOther keeps the digest of the answer to the inputs that are not in place.
func (t *GPUTimer) verifyOther(alg framework.GPUAlgorithm, p *Proof) error {
	if err := p.use(1 - p.set); err != nil {
		return err
	}
	if err := t.anew(alg, p); err != nil {
		return err
	}
	checks, err := p.verify()
	if err != nil {
		return err
	}
	for _, c := range checks {
		if !c.OK() {
			return &Differs{Checks: checks}
		}
	}
	return p.keep()
}

// anew overwrites the answer and makes it again, from the inputs that are in place.
func (t *GPUTimer) anew(alg framework.GPUAlgorithm, p *Proof) error {
	if err := p.overwrite(); err != nil {
		return err
	}
	if err := repetition(alg)(); err != nil {
		return err
	}
	return t.device.Synchronize(alg.Stream())
}

// answersOf returns the pieces of device memory that hold the answer. There are none if a version
// does not state them, or copies them to the host itself.
func answersOf(alg framework.GPUAlgorithm) (list []framework.Transfer) {
	said, ok := alg.(framework.Transferrer)
	if !ok {
		return nil
	}
	t := said.Transfers()
	if t.Within {
		return nil
	}
	for _, x := range t.Out {
		if x.At == 0 || x.Bytes >= digest.MostBytes {
			return nil
		}
		list = append(list, x)
	}
	return list
}

const (
	// provedRuns is how many runs of a batch find the answer of the run before overwritten.
	// provedBatches is how many such batches there are, if they take no longer than provedSeconds.
	provedRuns    = 32
	provedBatches = 5
	provedSeconds = 20e-3
	// idleShare is the least share of the time with an overwritten answer that runs back to back
	// take if they compute, except for idleSeconds, the possible error of the difference of events.
	// On an H100 it was 0.98 to 1.13 of the 159 points of six configs (results/h100-timed-runs).
	idleShare   = 0.85
	idleSeconds = 1e-6
)

// idles returns idleShare and idleSeconds for the device. Less is known of a device of OpenCL: its caches may
// be a CPU's, which overwriting changes, and its clock may be coarse or the host's.
func (t *GPUTimer) idles() (share, seconds float64) {
	if o := t.opencl; o != nil {
		return openclIdleShare(o.d.Facts().OpenCL), idleSeconds + 2*o.step + t.Overhead
	}
	return idleShare, idleSeconds
}

// openclIdleShare returns the idleShare of a device of OpenCL: that of a CPU, or less if the device is a CPU.
// Events of a CPU use wall time, so that other programs count, and the threads of a run lose their caches.
// PoCL on two busy CPUs had 0.46.
func openclIdleShare(of *gpu.OpenCL) float64 {
	if of.Type == "CPU" {
		return exchangedShare
	}
	return idleCPUShare
}

// proveHot compares runs back to back that find the answer of the run before with runs that find
// other bytes there: bytes of one value, or the answer with words exchanged in unpredictable
// places. It also compares them with runs that find either set of inputs, in an unpredictable
// order, and with runs on inputs that no run had before. It times, in turns, batches of each, and batches of
// what is done between the latter runs without these, and compares every answer.
func (t *GPUTimer) proveHot(alg framework.GPUAlgorithm, proof *Proof, plain *batch, series *Series) error {
	if _, launches := alg.(GraphLauncher); launches || proof.over == nil || proof.add == nil {
		return nil
	}
	s, answers := alg.Stream(), answersOf(alg)
	n := max(1, min(plain.runs, provedRuns))
	found := math.Inf(1) // the shortest, which was disturbed least
	plainly := func() error {
		one, err := t.time(s, nil, plain.enqueue)
		found = min(found, one.seconds/float64(plain.runs))
		return err
	}
	// These batches come first after the series, because overwriting may also reset what the
	// version keeps.
	for range 2 {
		if err := plainly(); err != nil {
			return err
		}
	}
	whole, err := t.whole(alg, proof)
	if err != nil {
		return err
	}
	batches := provedBatches
	if float64(n)*stats.Median(series.Samples) > provedSeconds {
		batches = 1
	}
	seen := 0
	overwritten := t.newDisturbed(alg, proof, n, func() error {
		if seen++; whole && seen%2 == 0 {
			return t.exchange(s, answers, 1+rand.Uint64N(math.MaxUint64))
		}
		return proof.overwrite()
	}, nil)
	defer overwritten.close()
	share, beside := t.idles()
	idle := func() bool { return found < share*(overwritten.least-beside) }
	for done, start := 0, time.Now(); more(done, batches, time.Since(start), idle()); done++ {
		if err := plainly(); err != nil {
			return err
		}
		if err := overwritten.time(); err != nil {
			return err
		}
	}
	series.Overwritten = overwritten.least
	if idle() {
		// The run may have to read from memory what overwriting took out of caches.
		for start, quick := time.Now(), found; time.Since(start) < idleTime; { // a version may stop only after many runs
			found = math.Inf(1)
			if err := plainly(); err != nil {
				return err
			}
			if share*found <= quick {
				break
			}
		}
		if found, err = t.rewritten(alg, proof, n); err != nil {
			return err
		}
	}
	if idle() {
		return &Idle{Hot: found, Other: overwritten.least}
	}
	if proof.others == nil {
		return nil
	}
	sets := make([]int, n)
	for i := range sets {
		sets[i] = rand.IntN(2)
	}
	exchanged := t.newDisturbed(alg, proof, n, proof.overwrite, sets)
	defer exchanged.close()
	slower := 0.0 // of both sets
	idle = func() bool { return slower < exchangedShare*(exchanged.least-beside) }
	for done, start := 0, time.Now(); more(done, 1, time.Since(start), idle()); done++ {
		for set := range 2 {
			if err := proof.use(set); err != nil {
				return err
			}
			found = math.Inf(1)
			for range 2 { // the first run finds the other's answer
				if err := plainly(); err != nil {
					return err
				}
			}
			slower = max(slower, found)
		}
		if err := exchanged.time(); err != nil {
			return err
		}
	}
	if idle() {
		return &Idle{Hot: slower, Other: exchanged.least, Exchanged: true}
	}
	return t.proveFresh(alg, proof, slower, false)
}

// whole reports whether runs write every word of the answer, so that its earlier contents do not
// matter. If they do not, the answer is right again after the next overwriting and run.
func (t *GPUTimer) whole(alg framework.GPUAlgorithm, proof *Proof) (bool, error) {
	sum, err := proof.sum(func() error {
		if err := proof.overwrite(); err != nil {
			return err
		}
		if err := alg.Run(); err != nil {
			return err
		}
		if err := t.exchange(alg.Stream(), answersOf(alg), everyWord); err != nil {
			return err
		}
		if err := alg.Run(); err != nil {
			return err
		}
		return proof.add()
	})
	return sum == proof.verified[proof.set], err
}

// each verifies the answers of runs one by one if some, or the bits of all, differed from the
// verified ones.
func (p *Proof) each(s gpu.Stream, t *GPUTimer, run func() error, n int) error {
	p.begin()
	for i := range n {
		if err := run(); err != nil {
			return err
		}
		if err := t.device.Synchronize(s); err != nil {
			return err
		}
		p.run++
		if err := p.compare(i == n-1); err != nil {
			return err
		}
	}
	return nil
}

// everyWord is the seed by which exchange exchanges all words.
const everyWord = 0

// exchange exchanges neighbouring words of the answer at random by a seed, or all of them for everyWord.
func (t *GPUTimer) exchange(s gpu.Stream, answers []framework.Transfer, seed uint64) error {
	for _, x := range answers {
		shape := gpu.Launch{Grid: gpu.Dim3{X: 8 * t.device.Facts().Multiprocessors}, Block: gpu.Dim3{X: threadsOf(t.device)}}
		if err := t.exchanger.Launch(s, shape, x.At, uint64(x.Bytes/8), seed); err != nil {
			return fmt.Errorf("overwrite the answer: %w", err)
		}
	}
	return nil
}
