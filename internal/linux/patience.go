package linux

import (
	"context"
	"time"
)

// mostLook is the longest time between two looks of WithRunningTime at the clock.
const mostLook = 250 * time.Millisecond

// WithRunningTime is context.WithTimeout whose limit counts the time in which this process runs. Of the
// time in which it stands still, stopped or with its whole machine, no more counts than between two looks
// at the clock, an eighth of the limit at most.
func WithRunningTime(parent context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	look := max(min(limit/16, mostLook), time.Millisecond)
	go func() {
		defer cancel()
		tick := time.NewTicker(look)
		defer tick.Stop()
		last := time.Now()
		for rest := limit; rest > 0; {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			now := time.Now()
			rest -= min(now.Sub(last), 2*look)
			last = now
		}
	}()
	return ctx, cancel
}
