package measure

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// Alternation holds samples of two algorithms taken in turns, A B B A and so on, so that drift
// affects both alike. Entries 2q and 2q+1 are of quad q, in the order taken.
type Alternation struct {
	A []float64 `json:"a_s"`
	B []float64 `json:"b_s"`
	// BatchA and BatchB are the numbers of runs whose mean is a sample of a and of b.
	BatchA int `json:"batch_a"`
	BatchB int `json:"batch_b"`
	// Dropped counts quads left out because the SM clock was too low.
	Dropped int     `json:"dropped_quads,omitempty"`
	ClockHz float64 `json:"clock_Hz,omitempty"`
	// Caches is the state of the caches before each run, or before the batch.
	Caches config.Caches `json:"caches"`
	Notes  []string      `json:"notes,omitempty"`
}

// turns says how long to alternate: at least this many quads and seconds. Once there are a few
// quads, none begins after the limit.
type turns struct {
	quads          int
	seconds, limit float64
	start          time.Time
}

func newTurns(m config.Measure) turns {
	return turns{(m.MinSamples + 1) / 2, m.MinTime, m.Timeout, time.Now()}
}

// leastQuads is how many quads are taken whatever the limit.
const leastQuads = 2

func (t turns) more(done int) bool {
	elapsed := time.Since(t.start).Seconds()
	if done < leastQuads {
		return true
	}
	return elapsed < t.limit && (done < t.quads || elapsed < t.seconds)
}

// order is the order of one quad: 0 is A, 1 is B.
var order = [4]int{0, 1, 1, 0}

func (x *Alternation) add(quad [4]float64) {
	x.A = append(x.A, quad[0], quad[3])
	x.B = append(x.B, quad[1], quad[2])
}

// Alternate times a and b in turns for MinSamples samples of each and MinTime seconds, whichever is
// longer, and at most Timeout. After each change from one to the other, half a millisecond of runs
// is untimed, so that caches are as in Hot and the other's worker threads are idle. If the settings
// ask for cold caches, these are flushed before each run instead.
func (t *CPUTimer) Alternate(a, b framework.CPUAlgorithm) (*Alternation, error) {
	if t.m.CPUCaches == config.Cold {
		return t.alternateCold(a, b)
	}
	cpus, restore := prepare(max(a.Workers(), b.Workers()), 0)
	defer restore()
	algs := [2]framework.CPUAlgorithm{a, b}
	var batch [2]int
	var run [2]float64
	for i, alg := range algs {
		var err error
		if run[i], err = t.warmUp(alg); err != nil {
			return nil, err
		}
		t.Warm.ran(alg)
		if batch[i] = 1; !resets(alg) {
			batch[i] = t.batch(run[i])
		}
	}
	if err := t.pinWhereAsked(cpus, a, b); err != nil {
		return nil, err
	}
	if alike := max(run[0], run[1]) < 4*min(run[0], run[1]); alike && !resets(a) && !resets(b) {
		// Longer samples would be interrupted more often than shorter ones.
		batch[0] = max(batch[0], batch[1])
		batch[1] = batch[0]
	}
	x := &Alternation{BatchA: batch[0], BatchB: batch[1], Caches: config.Hot}
	limit := newTurns(t.m)
	var apart [2]*apart // nil: all runs of a turn together
	if min(run[0], run[1]) >= apartRun {
		for i, alg := range algs {
			var err error
			if apart[i], err = t.apart(alg, min(run[0], run[1])); err != nil {
				return nil, &OneOf{i, err}
			}
		}
	}
	// Each version is proved after a quad that it cannot foresee.
	prove := [2]int{-1, -1}
	for i, alg := range algs {
		if t.proofs[alg] != nil && !resets(alg) {
			prove[i] = rand.IntN(max(limit.quads, 1))
		}
	}
	for done, last := 0, -1; ; done++ {
		more := limit.more(done)
		for i, alg := range algs {
			if at := prove[i]; at < 0 || done <= at && more {
				continue
			}
			err := apart[i].end()
			if err == nil {
				err = t.proveTurns(alg, batch[i])
			}
			if err != nil {
				return nil, &OneOf{i, err}
			}
			prove[i], last = -1, -1
		}
		if !more {
			break
		}
		var quad [4]float64
		for i, which := range order {
			alg := algs[which]
			if which != last {
				if err := t.proofs[alg].either(); err != nil {
					return nil, err
				}
				if err := settle(alg); err != nil {
					return nil, err
				}
			}
			last = which
			var compared bool
			var err error
			if apart[which] != nil {
				quad[i], err = apart[which].time(batch[which])
			} else if quad[i], err = timeRuns(alg, batch[which]); err == nil {
				compared, err = t.proofs[alg].ended(false)
			}
			if err != nil {
				return nil, &OneOf{which, err}
			}
			if compared {
				last = -1 // bring caches back to the state of Hot
			}
		}
		x.add(quad)
	}
	t.Warm.ran(b)
	for i, alg := range algs {
		err := rightClock(alg, batch[i])
		if err == nil {
			err = errors.Join(apart[i].end(), intact(alg))
		}
		if err != nil {
			return nil, &OneOf{i, err}
		}
	}
	return x, nil
}

// OneOf is the error of one of two versions that take turns.
type OneOf struct {
	Which int // 0: the first, 1: the second
	Err   error
}

func (o *OneOf) Error() string {
	return [2]string{"the first", "the second"}[o.Which] + ": " + o.Err.Error()
}

// Unwrap returns the version's own error.
func (o *OneOf) Unwrap() error { return o.Err }

// proveTurns proves that batches of so many runs compute in turns with another version.
func (t *CPUTimer) proveTurns(alg framework.CPUAlgorithm, batch int) error {
	h, err := newHotProof(alg, t.proofs[alg], batch)
	if err != nil {
		return err
	}
	if err := h.spots(); err != nil {
		return err
	}
	if _, err := h.overwritten(1); err != nil {
		return err
	}
	return intact(alg)
}

// intact returns an error if the machine code of alg has changed since it was loaded.
func intact(alg framework.BaseAlgorithm) error {
	if k, ok := alg.(framework.CodeKeeper); ok {
		return k.Intact()
	}
	return nil
}

// settle runs alg, untimed, for settleTime or once.
func settle(alg framework.CPUAlgorithm) error {
	const settleTime = 500 * time.Microsecond
	for start := time.Now(); ; {
		if _, err := timeRuns(alg, 1); err != nil {
			return err
		}
		if time.Since(start) >= settleTime {
			return nil
		}
	}
}

func resets(alg framework.BaseAlgorithm) bool {
	_, yes := alg.(framework.Resetter)
	return yes
}

// restore restores the inputs of a version that changes them.
func restore(alg framework.BaseAlgorithm) error {
	if r, ok := alg.(framework.Resetter); ok {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
	}
	return nil
}

// timeRuns returns the mean seconds of n runs. The inputs are restored before.
func timeRuns(alg framework.CPUAlgorithm, n int) (float64, error) {
	if err := restore(alg); err != nil {
		return 0, err
	}
	begin := time.Now()
	for range n {
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
	}
	return time.Since(begin).Seconds() / float64(n), nil
}

// Alternate times a and b in turns, with the L2 cache flushed before each run as in Cold, for as
// long as the CPU's Alternate does. A quad during which the SM clock was too low is repeated.
func (t *GPUTimer) Alternate(a, b framework.GPUAlgorithm) (*Alternation, error) {
	defer func(was bool) { t.Trials = was }(t.Trials)
	t.Trials = true
	algs := [2]framework.GPUAlgorithm{a, b}
	var before [2]func() error
	warm := func() error {
		for _, alg := range algs {
			if err := t.warmUp(alg.Stream(), repetition(alg)); err != nil {
				return err
			}
		}
		return nil
	}
	for i, alg := range algs {
		before[i] = t.beforeCold(alg, t.proofs[alg])
		t.proofs[alg].begin()
	}
	if err := warm(); err != nil {
		return nil, err
	}
	n := 1
	if t.opencl != nil {
		longest := 0.0
		for i, alg := range algs {
			s, err := t.time(alg.Stream(), before[i], alg.Run)
			if err != nil {
				return nil, &OneOf{i, err}
			}
			longest = max(longest, s.seconds)
		}
		n = t.repeats(longest)
		t.coarse(longest, n)
	}
	x := &Alternation{BatchA: n, BatchB: n, Caches: t.flush.kind.Caches()}
	judge := newClockJudge[[4]float64](t)
	limit := newTurns(t.m)
	for limit.more(len(x.A) / 2) {
		var quad [4]float64
		var w window
		early := false
		for i, which := range order {
			s, err := t.times(n, algs[which].Stream(), before[which], algs[which].Run)
			if err != nil {
				return nil, err
			}
			quad[i] = s.seconds
			if _, err := t.proofs[algs[which]].ended(false); err != nil {
				return nil, &OneOf{which, err}
			}
			w.add(s.window)
			early = early || s.early
		}
		if early {
			t.note("a run took over %v to queue, so its samples may hold launch latency", openAfter)
		}
		// In a series of judgements the clock need not be known, since it is the same for both versions.
		enough := t.Series && len(judge.pending)+1 >= max(limit.quads, leastQuads)
		good, low := judge.judge(quad, w, enough)
		if low {
			if err := warm(); err != nil {
				return nil, err
			}
		}
		for _, q := range good {
			x.add(q)
		}
	}
	x.Dropped, x.ClockHz = judge.dropped, judge.accepted.hertz()
	x.Notes = t.Notes()
	if len(x.A) == 0 {
		return nil, errors.New("no quad was accepted")
	}
	return x, nil
}
