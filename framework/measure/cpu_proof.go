package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"example.org/bench/framework"
	"example.org/bench/internal/linux"
)

// Prove makes the following series of alg proved (Proof), if alg lets its answer be overwritten and verified
// again. The answer of alg was just verified; verify verifies it again. others has a second set of inputs,
// which is in place; nil if there is none.
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
	// idleCPUShare is idleShare for a CPU. It is lower because overwriting the answer also changes
	// the caches, and other programs run meanwhile.
	idleCPUShare = 0.5
	// idleCPUSeconds is the error that reading the clock and overwriting a few bytes may cause.
	idleCPUSeconds = 1e-6
)

// shortRun is the length of a run in seconds below which the clock is read around a batch.
const shortRun = 20e-6

// longRun is the processor time in seconds from which on no branch predictor remembers a run's
// branches from the run before.
const longRun = 1e-3

// proveHot compares runs back to back that find the answer of the run before with runs that find it
// overwritten, with runs that find either set of inputs, and with runs on inputs that no run had
// before.
func (t *CPUTimer) proveHot(alg framework.CPUAlgorithm, proof *Proof, batch int, series *Series) error {
	h, err := newHotProof(alg, proof, batch)
	if err != nil {
		return err
	}
	if err := h.spots(); err != nil {
		return err
	}
	if series.Overwritten, err = h.overwritten(h.batches); err != nil {
		return err
	}
	if proof.others == nil {
		return nil
	}
	exchanged := func() (float64, error) {
		return separateRuns(alg, h.n, h.clock, func() error { return h.settle(rand.IntN(2)) })
	}
	if err := h.against(max(h.batches, 2), 2, exchangedShare, idleCPUSeconds, exchanged); err != nil {
		return err
	}
	return h.provesFresh()
}

// hotProof times batches of n runs of a version back to back, in turns with batches in which
// something is changed before each run. Times are processor times, which other programs do not
// lengthen.
type hotProof struct {
	alg     framework.CPUAlgorithm
	proof   *Proof
	n       int
	batches int     // of each
	one     float64 // seconds of a run by the clock, the shortest back to back
	clock   func() time.Duration
}

// At most freshBatches of at most freshRuns are on inputs that no run had before, because these
// take longer to draw than to use.
const (
	freshBatches = 2
	freshRuns    = 2
	// freshSeconds is what such a run may take in addition.
	freshSeconds = 100e-6
	// freshShare is the least share of the time of a long run on such inputs that runs back to back take if
	// they compute. The run before had new inputs too: code and tables are in caches, as are
	// the inputs, which were just written.
	freshShare = 0.7
)

func newHotProof(alg framework.CPUAlgorithm, proof *Proof, batch int) (*hotProof, error) {
	h := &hotProof{alg: alg, proof: proof, n: max(1, min(batch, provedRuns)), batches: provedBatches, clock: processorTime}
	var err error
	if h.one, err = timeRuns(alg, 1); err != nil {
		return nil, err
	}
	if float64(h.n)*h.one > provedSeconds {
		h.batches = 2
	}
	return h, nil
}

// spots makes successive runs find a few elements of the answer overwritten, which takes too little
// time for them to notice, and compares their answers.
func (h *hotProof) spots() error {
	o, ok := h.alg.(framework.SpotOverwriter)
	if !ok {
		return nil
	}
	for range max(2, int(min(provedRuns, provedSeconds/h.one))/2) {
		if err := h.alg.Run(); err != nil {
			return fmt.Errorf("run: %w", err)
		}
		o.OverwriteSpots(framework.Poison)
		if err := h.alg.Run(); err != nil {
			return fmt.Errorf("run: %w", err)
		}
		h.proof.run++
		if err := h.proof.compare(true); err != nil {
			return err
		}
	}
	return nil
}

// overwritten returns the seconds of a run that finds its answer overwritten. The error is Idle if runs back
// to back take much less. Overwriting also destroys what a version makes once, such as a workspace. Runs back
// to back that take much less are therefore also compared with runs that each follow a run on the other set
// of inputs.
func (h *hotProof) overwritten(batches int) (seconds float64, err error) {
	idle := func(hot, other float64) bool { return h.idle(hot, other, idleCPUShare, idleCPUSeconds) }
	ways := []func() error{h.proof.overwrite, h.settled}
	if h.proof.others == nil {
		ways = ways[:1]
	}
	var found *Idle
	for _, before := range ways {
		timed := func() (float64, error) { return overwrittenBatch(h.alg, before, h.n) }
		if h.one >= shortRun {
			timed = func() (float64, error) { return separateRuns(h.alg, h.n, h.clock, before) }
		}
		hot, other, err := h.turns(batches, 1, idle, timed)
		if err != nil {
			return 0, err
		}
		if !idle(hot, other) {
			return max(other, 0), nil
		}
		found = &Idle{Hot: hot, Other: other}
	}
	return 0, found
}

func (h *hotProof) settled() error { return h.settle(h.proof.set) }

// settle prepares a run on a set of inputs: it overwrites the answer and all that the version keeps, and runs
// the version on the other set. The answer, and what the version keeps, are then of that other set.
func (h *hotProof) settle(set int) error {
	if err := h.proof.place(1 - set); err != nil {
		return err
	}
	if err := h.proof.overwrite(); err != nil {
		return err
	}
	if err := h.alg.Run(); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	return h.proof.place(set)
}

// against returns Idle if runs back to back, on the slower of the sets, take less than share of the time of
// runs by timed, which are on other inputs and may take beside more seconds. share holds for long runs.
func (h *hotProof) against(batches, sets int, share, beside float64, timed func() (float64, error)) error {
	is := func(hot, other float64) bool {
		if other >= longRun {
			return h.idle(hot, other, share, beside)
		}
		return h.idle(hot, other, exchangedCPUShare, beside)
	}
	hot, other, err := h.turns(batches, sets, is, timed)
	if err != nil {
		return err
	}
	if is(hot, other) {
		return &Idle{Hot: hot, Other: other, Exchanged: true}
	}
	return nil
}

// idle reports whether runs back to back of hot seconds do not compute, if other runs take other seconds,
// beside of these for something else. A run that waits has so little processor time that chance decides: the
// difference must also be a part of the run's own time.
func (h *hotProof) idle(hot, other, share, beside float64) bool {
	const leastPart = 0.25
	return hot < share*(other-beside) && other-hot > leastPart*h.one
}

// turns returns the seconds of a run back to back, on the slower of the sets, and of a run by timed. Each is
// the shortest of some batches. The answer of the last run of each batch is compared.
func (h *hotProof) turns(batches, sets int, is func(hot, other float64) bool, timed func() (float64, error)) (hot, other float64, err error) {
	other = math.Inf(1)
	var found [2]float64 // by set of inputs
	for done, start := 0, time.Now(); more(done, batches, time.Since(start), is(hot, other)); done++ {
		if sets > 1 {
			if err := h.proof.use(done % sets); err != nil {
				return 0, 0, err
			}
		}
		if err := rightClock(h.alg, h.n); err != nil {
			return 0, 0, err
		}
		set, begin := h.proof.set, h.clock()
		one, err := timeRuns(h.alg, h.n)
		if err != nil {
			return 0, 0, err
		}
		h.one = min(h.one, one)
		plain := (h.clock() - begin).Seconds() / float64(h.n)
		x, err := timed()
		if err != nil {
			return 0, 0, err
		}
		if other = min(other, x); found[set] == 0 || plain < found[set] {
			found[set] = plain
		}
		hot = max(found[0], found[1])
		h.proof.run++
		if err := h.proof.compare(true); err != nil {
			return 0, 0, err
		}
	}
	return hot, other, nil
}

// provesFresh compares runs back to back with runs on inputs that no run had before. Times are of the calling
// thread: what drawing leaves to do goes on in other threads.
func (h *hotProof) provesFresh() error {
	if _, ok := h.proof.others.(framework.Refresher); !ok {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h.clock = threadTime
	return h.against(freshBatches, 2, freshShare, freshSeconds, h.fresh)
}

// fresh returns the mean seconds of runs on inputs that no run had before, each after another run on such
// inputs. It ends with a run on the earlier inputs.
func (h *hotProof) fresh() (float64, error) {
	draw := func() error {
		if err := h.proof.others.(framework.Refresher).Fresh(); err != nil {
			return fmt.Errorf("draw other inputs: %w", err)
		}
		return nil
	}
	seconds, err := separateRuns(h.alg, min(h.n, freshRuns), h.clock, func() error {
		if err := draw(); err != nil {
			return err
		}
		if err := h.proof.overwrite(); err != nil {
			return err
		}
		if err := h.alg.Run(); err != nil {
			return fmt.Errorf("run: %w", err)
		}
		return draw()
	})
	if err != nil {
		return 0, err
	}
	if err := h.proof.place(h.proof.set); err != nil {
		return 0, err
	}
	_, err = timeRuns(h.alg, 1)
	return seconds, err
}

// processorTime returns the processor time of this process's threads, or the clock's time if that
// is unknown.
func processorTime() time.Duration {
	var t linux.Timespec
	if linux.ClockGettime(linux.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}

var started = time.Now()

// threadTime returns the processor time of the calling thread, or the clock's time if that is unknown.
func threadTime() time.Duration {
	var t linux.Timespec
	if linux.ClockGettime(linux.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}

// separateRuns returns the mean seconds of n runs by clock, a clock of processor time. Before each run it
// calls before, untimed.
func separateRuns(alg framework.CPUAlgorithm, n int, clock func() time.Duration, before func() error) (float64, error) {
	var sum time.Duration
	for range n {
		if err := before(); err != nil {
			return 0, err
		}
		begin := clock()
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
		sum += clock() - begin
	}
	return sum.Seconds() / float64(n), nil
}

// overwrittenBatch is separateRuns for short runs. It returns the difference between a batch and the calls of
// before alone, which find all that they touch in caches.
func overwrittenBatch(alg framework.CPUAlgorithm, before func() error, n int) (float64, error) {
	begin := processorTime()
	for range n {
		if err := before(); err != nil {
			return 0, err
		}
	}
	beside := processorTime() - begin
	begin = processorTime()
	for range n {
		if err := before(); err != nil {
			return 0, err
		}
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
	}
	return (processorTime() - begin - beside).Seconds() / float64(n), nil
}
