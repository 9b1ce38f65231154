package measure

import "time"

// judgedSeconds is the least time over which the SM clock is judged, because the device's time may
// tick in steps of 1 us.
const judgedSeconds = 1e-3

// Back-off after low clocks, as in nvbench: 0.05 s, growing from the third in a row on to at most
// 0.5 s. Unlike in nvbench, the sum is bounded. After it samples are kept, so that a device that
// never reaches the clock still gets its row.
const (
	firstDelay   = 50 * time.Millisecond
	longestDelay = 500 * time.Millisecond
	delayGrowth  = 1.5
	longestSleep = 3 * time.Second
)

// clockJudge holds samples back until the SM clock around them is known, and
// drops them if it was too low.
type clockJudge[T any] struct {
	floor    float64 // Hz; samples below are dropped
	sleep    func(time.Duration)
	pending  []T    // samples whose clock is not judged yet
	window   window // around pending
	accepted window // around the samples kept
	dropped  int
	low      int // judgements in a row that were too low
	delay    time.Duration
	slept    time.Duration
}

func newClockJudge[T any](t *GPUTimer) *clockJudge[T] {
	return &clockJudge[T]{floor: t.m.ClockFraction * t.clock.highest, sleep: t.sleep}
}

// exhausted reports whether samples are kept whatever the clock.
func (g *clockJudge[T]) exhausted() bool { return g.slept >= longestSleep }

// judge takes a sample and the window around it. It returns the samples to keep, until the next
// call. low means that they were dropped instead, and the device was given time to recover and
// should be warmed up again. anyway keeps them whatever the clock, known or not.
func (g *clockJudge[T]) judge(x T, w window, anyway bool) (good []T, low bool) {
	g.pending = append(g.pending, x)
	g.window.add(w)
	if w.valid() && g.window.seconds < judgedSeconds && !anyway {
		return nil, false
	}
	judged, around := g.pending, g.window
	g.pending, g.window = g.pending[:0], window{}
	if hz := around.hertz(); hz > 0 && hz < g.floor && !g.exhausted() && !anyway {
		g.dropped += len(judged)
		g.recover()
		return nil, true
	}
	g.low = 0
	g.accepted.add(around)
	return judged, false
}

// recover gives the device time to recover.
func (g *clockJudge[T]) recover() {
	switch g.low++; {
	case g.low == 1:
		g.delay = firstDelay
	case g.low > 2:
		g.delay = min(time.Duration(float64(g.delay)*delayGrowth), longestDelay)
	}
	g.sleep(g.delay)
	g.slept += g.delay
}
