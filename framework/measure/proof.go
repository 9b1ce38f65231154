package measure

import (
	"fmt"
	"math/rand/v2"
	"time"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal/digits"
)

const (
	// comparedOf is the number of successive timed runs of which one, chosen at random, has its
	// answer compared with the verified one.
	comparedOf = 8
	// slowShare is the share of a series' time that verifying may take if the answers of a version
	// differ from run to run within their bounds, so that digests cannot be compared.
	slowShare = 0.1
)

// Proof shows that timed runs compute. Before a run, the answer of earlier runs is overwritten, and
// the inputs are one of two sets, at random, if the version has two. The answers of one run in
// eight, chosen at random, and of the last run of each series are compared with the verified one.
type Proof struct {
	// verify checks the answer of the last run.
	verify func() ([]framework.Check, error)
	// add enqueues the addition of the answer's digest to a sum, and sum returns that sum. verified
	// holds the sums of the verified answers, by set of inputs. They are nil if there are no
	// digests.
	add      func() error
	sum      func(enqueue func() error) (uint64, error)
	verified [2]uint64
	// over overwrites the answer; nil if the version does not let it.
	over framework.Overwriter
	// others has a second set of inputs; nil if there is only one.
	others framework.Alternator
	set    int // the set in place

	run      int // of this series, from 1
	chosen   int // the run of these eight that is compared
	compared int
	varies   bool          // there is no digest, or the answers' bits differ from run to run
	slow     time.Duration // time that verifying took in this series
	began    time.Time     // start of the series
}

// Differs is the error of a series in which a run left a wrong answer, though the answer before was
// right.
type Differs struct {
	// Run is the number of the timed run in the series, from 1; 0 for an earlier run on the other
	// inputs.
	Run    int
	Checks []framework.Check
}

// Idle is the error of a version whose runs back to back are much faster if they find the answer of
// the run before than if that was overwritten, or than on other inputs. Such runs do not compute.
type Idle struct {
	// Hot is the seconds of a run back to back, and Other of one before which the answer was
	// overwritten or the inputs exchanged. On a CPU they are processor times, so that other
	// programs do not count.
	Hot, Other float64
	Exchanged  bool
	// Cold is set if Hot is of a cold run on inputs that earlier runs had, and Other of a cold run on inputs
	// that no run had.
	Cold bool
}

func (i *Idle) Error() string {
	const overwritten = "a run back to back takes %s where it finds the answer of the run before, and %s where that was overwritten: it does not compute there"
	const exchanged = "a run back to back takes %s where it finds the inputs of the run before, and %s where those were exchanged: it does not compute there"
	const cold = "a cold run takes %s where runs had its inputs before, and %s where none had: it does not compute there"
	form := overwritten
	switch {
	case i.Cold:
		form = cold
	case i.Exchanged:
		form = exchanged
	}
	return fmt.Sprintf(form, digits.Stated(i.Hot, "s"), digits.Stated(i.Other, "s"))
}

// exchangedShare is the least share of the time with exchanged inputs that runs back to back on the slower
// set take on a GPU if they compute: exchanging takes other data out of caches, which are some three times as
// fast as the memory behind. exchangedCPUShare is the same for a CPU, which needs some twenty times as long
// while it has not learnt the branches that an input takes.
const (
	exchangedShare    = 0.1
	exchangedCPUShare = 0.02
)

const (
	// Runs are reported as idle only after so many idle batches, and after so long. Until then some
	// disturbance may have lengthened the runs whose answer was overwritten.
	idleBatches = 40
	idleTime    = 2 * time.Second
	fewestIdle  = 12 // batches, however long they take
)

// more reports whether to make another batch, after done batches in the elapsed time. idle is
// whether runs so far seem not to compute.
func more(done, batches int, elapsed time.Duration, idle bool) bool {
	if done < batches || !idle {
		return done < batches
	}
	return done < fewestIdle || done < idleBatches && elapsed < idleTime
}

func (d *Differs) Error() string {
	if d.Run == 0 {
		return "the answer to other inputs differs"
	}
	return fmt.Sprintf("the answer of timed run %d differs", d.Run)
}

// newProof returns the proof of a version whose answer was just verified; verify does so again. The
// inputs in place are the second set of others, which may be nil.
func newProof(alg framework.BaseAlgorithm, others framework.Alternator, verify func() ([]framework.Check, error)) *Proof {
	p := &Proof{verify: verify, varies: true, others: others}
	p.over, _ = alg.(framework.Overwriter)
	if others != nil {
		p.set = 1
	}
	return p
}

// begin begins a series.
func (p *Proof) begin() {
	if p == nil {
		return
	}
	p.run, p.slow, p.began = 0, 0, time.Now()
}

// overwrite destroys the answer, always with the same bytes, so that what no run writes is in all
// digests. It leaves what a version reads. It may leave inputs destroyed that a run changed; the
// caller then calls Reset.
func (p *Proof) overwrite() error {
	if p == nil || p.over == nil {
		return nil
	}
	if err := p.over.Overwrite(framework.Poison); err != nil {
		return fmt.Errorf("overwrite the answer: %w", err)
	}
	return nil
}

// place puts a set of inputs in place. The caller then calls Reset.
func (p *Proof) place(set int) error {
	if err := p.others.Use(set); err != nil {
		return fmt.Errorf("exchange the inputs: %w", err)
	}
	p.set = set
	return nil
}

// use is place if there are two sets and the other one is in place.
func (p *Proof) use(set int) error {
	if p == nil || p.others == nil || set == p.set {
		return nil
	}
	return p.place(set)
}

// either puts one of the sets in place, at random. The caller then calls Reset.
func (p *Proof) either() error { return p.use(rand.IntN(2)) }

// ready prepares a single run of a series: it chooses inputs and destroys the answer. The caller
// then calls Reset.
func (p *Proof) ready() error {
	if err := p.either(); err != nil {
		return err
	}
	return p.overwrite()
}

// ended is called after each timed run or batch of runs. compared reports whether it looked at the
// answer, which changes what caches hold.
func (p *Proof) ended(last bool) (compared bool, err error) {
	if p == nil {
		return false, nil
	}
	if chosen := p.next(); !chosen && !last {
		return false, nil
	}
	return true, p.compare(last)
}

// next counts a run and reports whether it is the one of these eight whose answer is compared.
func (p *Proof) next() bool {
	if p.run%comparedOf == 0 {
		p.chosen = p.run + rand.IntN(comparedOf)
	}
	p.run++
	return p.run-1 == p.chosen
}

// endedFresh is called after each timed run on inputs that no run had before. It verifies the answers of one
// run in eight, as far as time allows, but of one run at least.
func (p *Proof) endedFresh(fresh framework.FreshVerifier) error {
	if !p.next() || p.run > comparedOf && p.slow.Seconds() > slowShare*time.Since(p.began).Seconds() {
		return nil
	}
	return p.judge(fresh.VerifyFresh)
}

// compare compares the answer of the last run with the verified one.
func (p *Proof) compare(last bool) error {
	if p.sum != nil {
		sum, err := p.sum(p.add)
		if err != nil {
			return fmt.Errorf("compare the answer of a timed run: %w", err)
		}
		if sum == p.verified[p.set] {
			p.compared++
			return nil
		}
	}
	if !last && p.varies && p.slow.Seconds() > slowShare*time.Since(p.began).Seconds() {
		return nil
	}
	p.varies = true
	return p.judge(p.verify)
}

// judge verifies the answer of the last run.
func (p *Proof) judge(verify func() ([]framework.Check, error)) error {
	begin := time.Now()
	checks, err := verify()
	if err != nil {
		return fmt.Errorf("verify the answer of timed run %d: %w", p.run, err)
	}
	p.slow += time.Since(begin)
	for _, c := range checks {
		if !c.OK() {
			return &Differs{Run: p.run, Checks: checks}
		}
	}
	p.compared++
	return nil
}
