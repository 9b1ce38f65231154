package measure

import (
	"errors"
	"fmt"
	"time"

	"bench/framework"
)

// Alternation is samples of two algorithms taken in turns, A B B A and so on,
// so that what drifts meets both alike. Entries 2q and 2q+1 are of quad q, in
// the order taken.
type Alternation struct {
	A []float64 `json:"a_s"`
	B []float64 `json:"b_s"`
	// BatchA and BatchB are the runs that one sample is the mean of.
	BatchA int `json:"batch_a"`
	BatchB int `json:"batch_b"`
	// Dropped counts quads left out because the SM clock was too low.
	Dropped int      `json:"dropped_quads,omitempty"`
	ClockHz float64  `json:"clock_Hz,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// turns says how long to alternate: at least so many quads and so many
// seconds, and no quad begins after the limit once there are a few.
type turns struct {
	quads          int
	seconds, limit float64
	start          time.Time
}

// leastQuads are taken whatever the limit.
const leastQuads = 2

func (t turns) more(done int) bool {
	elapsed := time.Since(t.start).Seconds()
	if done < leastQuads {
		return true
	}
	return elapsed < t.limit && (done < t.quads || elapsed < t.seconds)
}

// order is one quad: 0 is A, 1 is B.
var order = [4]int{0, 1, 1, 0}

func (x *Alternation) add(quad [4]float64) {
	x.A = append(x.A, quad[0], quad[3])
	x.B = append(x.B, quad[1], quad[2])
}

// Alternate times a and b in turns for MinSamples samples of each and MinTime
// seconds, whichever is longer, and at most Timeout. After each change from one
// to the other, half a millisecond of runs goes untimed: caches are then as in
// Hot, and worker threads of the other have come to rest.
func (t *CPUTimer) Alternate(a, b framework.CPUAlgorithm) (*Alternation, error) {
	restore := prepare(max(a.Workers(), b.Workers()), 0)
	defer restore()
	algs := [2]framework.CPUAlgorithm{a, b}
	var batch [2]int
	var run [2]float64
	for i, alg := range algs {
		var err error
		if run[i], err = t.warmUp(alg); err != nil {
			return nil, err
		}
		if batch[i] = 1; !resets(alg) {
			batch[i] = t.batch(run[i])
		}
	}
	if alike := max(run[0], run[1]) < 4*min(run[0], run[1]); alike && !resets(a) && !resets(b) {
		// Samples that take unlike times meet interruptions unlike often.
		batch[0] = max(batch[0], batch[1])
		batch[1] = batch[0]
	}
	x := &Alternation{BatchA: batch[0], BatchB: batch[1]}
	limit := t.turns()
	for done, last := 0, -1; limit.more(done); done++ {
		var quad [4]float64
		for i, which := range order {
			alg := algs[which]
			if which != last {
				if err := settle(alg); err != nil {
					return nil, err
				}
			}
			last = which
			s, err := timeRuns(alg, batch[which])
			if err != nil {
				return nil, err
			}
			quad[i] = s
		}
		x.add(quad)
	}
	return x, nil
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

func (t *CPUTimer) turns() turns {
	return turns{(t.m.MinSamples + 1) / 2, t.m.MinTime, t.m.Timeout, time.Now()}
}

func resets(alg framework.BaseAlgorithm) bool {
	_, yes := alg.(framework.Resetter)
	return yes
}

// timeRuns is the mean seconds of n runs, inputs restored before.
func timeRuns(alg framework.CPUAlgorithm, n int) (float64, error) {
	if r, ok := alg.(framework.Resetter); ok {
		if err := r.Reset(); err != nil {
			return 0, fmt.Errorf("reset: %w", err)
		}
	}
	begin := time.Now()
	for range n {
		if err := alg.Run(); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
	}
	return time.Since(begin).Seconds() / float64(n), nil
}

// Alternate times a and b in turns, with the L2 cache flushed before each run
// as in Cold, for as long as the CPU's Alternate does. A quad in which the SM
// clock was too low is taken again.
func (t *GPUTimer) Alternate(a, b framework.GPUAlgorithm) (*Alternation, error) {
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
		before[i] = t.beforeCold(alg)
	}
	if err := t.gpu.ResetPersistingCache(); err != nil {
		return nil, err
	}
	if err := warm(); err != nil {
		return nil, err
	}
	x := &Alternation{BatchA: 1, BatchB: 1}
	g := &clockJudge{floor: t.m.ClockFraction * t.clock.highest, sleep: t.sleep}
	limit := turns{(t.m.MinSamples + 1) / 2, t.m.MinTime, t.m.Timeout, time.Now()}
	for limit.more(len(x.A) / 2) {
		var quad [4]float64
		var w window
		early := false
		for i, which := range order {
			s, err := t.time(algs[which].Stream(), before[which], algs[which].Run)
			if err != nil {
				return nil, err
			}
			quad[i] = s.seconds
			w.cycles += s.window.cycles
			w.seconds += s.window.seconds
			early = early || s.early
		}
		if early {
			t.note("a run took over %v to queue, so its samples may hold launch latency", openAfter)
		}
		if g.low(quad, w) {
			if err := warm(); err != nil {
				return nil, err
			}
			continue
		}
		for _, q := range g.take() {
			x.add(q)
		}
	}
	x.Dropped, x.ClockHz = g.dropped, g.accepted.hertz()
	x.Notes = t.Notes()
	if len(x.A) == 0 {
		return nil, errors.New("no quad was accepted")
	}
	return x, nil
}

// beforeCold restores the inputs, where the version changes them, and flushes
// the L2 cache.
func (t *GPUTimer) beforeCold(alg framework.GPUAlgorithm) func() error {
	s := alg.Stream()
	flush := func() error { return t.gpu.SetAsync(t.flush, 0, t.flushBytes, s) }
	r, ok := alg.(framework.Resetter)
	if !ok {
		return flush
	}
	return func() error {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
		return flush()
	}
}

// clockJudge holds quads back until the SM clock around them is known, and
// drops them where it was too low.
type clockJudge struct {
	floor    float64 // Hz
	sleep    func(time.Duration)
	pending  [][4]float64
	ready    [][4]float64
	window   window
	accepted window
	dropped  int
	slept    time.Duration
}

// low takes a quad; true means that it and those pending were dropped.
func (g *clockJudge) low(quad [4]float64, w window) bool {
	g.pending = append(g.pending, quad)
	g.window.cycles += w.cycles
	g.window.seconds += w.seconds
	if w.valid() && g.window.seconds < judgedSeconds {
		return false
	}
	hz := g.window.hertz()
	drop := hz > 0 && hz < g.floor && g.slept < longestSleep
	if drop {
		g.dropped += len(g.pending)
		g.sleep(firstDelay)
		g.slept += firstDelay
	} else {
		g.ready = append(g.ready, g.pending...)
		g.accepted.cycles += g.window.cycles
		g.accepted.seconds += g.window.seconds
	}
	g.pending, g.window = nil, window{}
	return drop
}

// take returns the quads whose clock was judged good.
func (g *clockJudge) take() [][4]float64 {
	q := g.ready
	g.ready = nil
	return q
}
