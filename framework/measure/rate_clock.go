package measure

import (
	"runtime"
	"syscall"
	"time"

	"example.org/bench/internal/linux"
)

// livePacer waits for releases by the system's monotonic clock. It spins, or sleeps until an
// absolute time (clock_nanosleep(2), TIMER_ABSTIME), so that errors do not add up from release to
// release. It allocates nothing.
type livePacer struct {
	spin   bool
	base   time.Time
	offset int64 // of CLOCK_MONOTONIC from base
	ts     linux.Timespec
	// yielded is when the Go scheduler last had this thread.
	yielded int64
}

func newLivePacer(spin bool) (*livePacer, error) {
	p := &livePacer{spin: spin, base: time.Now()}
	// Read one clock between two readings of the other, many times, and take the closest pair.
	for best, i := int64(1<<62), 0; i < 100; i++ {
		before := p.now()
		if err := linux.ClockGettime(linux.CLOCK_MONOTONIC, &p.ts); err != nil {
			return nil, err
		}
		after := p.now()
		if after-before < best {
			best, p.offset = after-before, p.ts.Nano()-(before+after)/2
		}
	}
	return p, nil
}

func (p *livePacer) now() int64 { return int64(time.Since(p.base)) }

func (p *livePacer) until(at int64) {
	if p.spin {
		for p.now() < at {
		}
		return
	}
	p.ts = linux.NsecToTimespec(at + p.offset)
	for linux.ClockNanosleep(linux.CLOCK_MONOTONIC, linux.TIMER_ABSTIME, &p.ts, nil) == syscall.EINTR {
	}
}

// Go's scheduler takes a thread away from a goroutine that has run for 10 ms. If there is time, it
// gets the thread earlier, between runs rather than within one.
const (
	yieldAfter = 4e6  // nanoseconds
	yieldRoom  = 50e3 // nanoseconds until the next release
)

func (p *livePacer) rest(at int64) {
	if now := p.now(); at-now > yieldRoom && now-p.yielded > yieldAfter {
		runtime.Gosched()
		p.yielded = p.now()
	}
}
