package measure

import (
	"fmt"
	"math/rand/v2"
	"time"

	"bench/framework"
	"bench/terminal/digits"
)

const (
	// comparedOf: of so many timed runs that follow each other, the answer of one, chosen
	// at random, is compared with the verified one.
	comparedOf = 8
	// slowShare is the share of a series' time that verifying may take where the answers
	// of a version differ from run to run within their bounds, and no digest will do.
	slowShare = 0.1
)

// Proof shows that timed runs compute. Before a run whatever earlier runs left of the answer is
// overwritten, and the inputs are one of two sets, at random, where the version has two; of eight runs one, chosen at random, and the last of each series have their
// answer compared with the verified one.
type Proof struct {
	// verify checks the answer of the last run.
	verify func() ([]framework.Check, error)
	// add enqueues that the digest of the answer is added to a sum, and sum returns the sum of
	// what enqueue adds; verified are those of the verified answers, by set of inputs. nil: there are no digests.
	add      func() error
	sum      func(enqueue func() error) (uint64, error)
	verified [2]uint64
	// over overwrites; nil: the version does not let it.
	over framework.Overwriter
	// others has a second set of inputs; nil: there is one.
	others framework.Alternator
	set    int // which is in place

	run      int // of this series, from 1
	chosen   int // the run of these eight that is compared
	compared int
	varies   bool          // there is no digest, or the answers' bits differ from run to run
	slow     time.Duration // that verifying took in this series
	began    time.Time     // the series
}

// Differs is the error of a series of which a run left a wrong answer, though the answer
// before was right.
type Differs struct {
	// Run is which of the series' timed runs, from 1; 0: one before, on the other inputs.
	Run    int
	Checks []framework.Check
}

// Idle is the error of a version whose runs back to back are much faster where they find the
// answer of the run before than where that was overwritten, or where they find other inputs: they do not compute there.
type Idle struct {
	// Seconds of a run back to back, and of one before which its answer was overwritten, or its
	// inputs exchanged; on a CPU of processors, so that other programs do not count.
	Hot, Other float64
	Exchanged  bool
}

func (i *Idle) Error() string {
	const overwritten = "a run back to back takes %s where it finds the answer of the run before, and %s where that was overwritten: it does not compute there"
	const exchanged = "a run back to back takes %s where it finds the inputs of the run before, and %s where those were exchanged: it does not compute there"
	form := overwritten
	if i.Exchanged {
		form = exchanged
	}
	return fmt.Sprintf(form, digits.Stated(i.Hot, "s"), digits.Stated(i.Other, "s"))
}

// exchangedShare of the time with exchanged inputs is what runs back to back take at least that
// compute, on the slower set, on a GPU: exchanging takes other data out of caches, which are some three times as fast as what is
// behind. exchangedCPUShare is it on a CPU, which needs some twenty times as long where it has not learnt the branches
// that an input takes.
const (
	exchangedShare    = 0.1
	exchangedCPUShare = 0.02
)

const (
	// Runs are said to be idle once they were that in so many batches, and for so long: until
	// then something else that goes on may have made those longer whose answer was overwritten.
	idleBatches = 40
	idleTime    = 2 * time.Second
	fewestIdle  = 12 // batches, however long they take
)

// more tells whether another batch is to be made, after so many in that time; idle: as it
// looks now runs do not compute.
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

// newProof is that of a version whose answer was just verified; verify does it again.
// The inputs in place are the second set of others, which may be nil.
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

// overwrite destroys the answer, always by the same bytes: what no run writes is then in the
// digests of all. What a version reads it leaves, and inputs that a run changed it may leave
// destroyed: Reset follows.
func (p *Proof) overwrite() error {
	if p == nil || p.over == nil {
		return nil
	}
	if err := p.over.Overwrite(framework.Poison); err != nil {
		return fmt.Errorf("overwrite the answer: %w", err)
	}
	return nil
}

// place puts a set of inputs in place. Reset follows.
func (p *Proof) place(set int) error {
	if err := p.others.Use(set); err != nil {
		return fmt.Errorf("exchange the inputs: %w", err)
	}
	p.set = set
	return nil
}

// use is place, where there are two sets and the other one is in place.
func (p *Proof) use(set int) error {
	if p == nil || p.others == nil || set == p.set {
		return nil
	}
	return p.place(set)
}

// either puts one of the sets in place, at random. Reset follows.
func (p *Proof) either() error { return p.use(rand.IntN(2)) }

// ready prepares a run of a series by itself: either set of inputs, and no answer. Reset follows.
func (p *Proof) ready() error {
	if err := p.either(); err != nil {
		return err
	}
	return p.overwrite()
}

// ended is told of each timed run, or batch of runs, once it has ended. compared says whether
// the answer was looked at, which changes what caches hold.
func (p *Proof) ended(last bool) (compared bool, err error) {
	if p == nil {
		return false, nil
	}
	if p.run%comparedOf == 0 {
		p.chosen = p.run + rand.IntN(comparedOf)
	}
	p.run++
	if last || p.run-1 == p.chosen {
		return true, p.compare(last)
	}
	return false, nil
}

// compare holds the answer of the last run against the verified one.
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
	begin := time.Now()
	checks, err := p.verify()
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
	p.varies = true
	return nil
}
