package measure

import (
	"fmt"
	"math"
	"time"

	"example.org/bench/gpu/opencl"
	"example.org/bench/internal/terminal/digits"
)

// stepsOfClock is how many commands show the step of the device's clock.
const stepsOfClock = 16

// stamped is one command that kept the device busy, as its stamps and the host show it.
type stamped struct {
	opencl.Stamps
	host   float64 // seconds, from before it was queued until it had ended
	failed error   // of asking for the stamps
}

// seconds returns the time between start and end.
func (s stamped) seconds() float64 { return float64(int64(s.End-s.Start)) * 1e-9 }

// stepOf returns the seconds between two values of the device's clock: what the driver claims, or more if all
// differences of stamps are multiples of more.
func stepOf(claimed int64, list []stamped) float64 {
	var common uint64
	for i, s := range list {
		common = divisor(common, s.End-s.Start)
		if i > 0 {
			common = divisor(common, s.Start-list[i-1].Start)
		}
	}
	return float64(max(claimed, int64(common), 1)) * 1e-9
}

// divisor returns the greatest common divisor.
func divisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// stampsWrong says what is wrong with the stamps of commands that were queued one after the other, each after
// the one before had ended; empty if nothing is.
func stampsWrong(list []stamped) string {
	zero, same, backwards, again := 0, 0, 0, 0
	for i, s := range list {
		if s.failed != nil {
			return fmt.Sprintf("its events have no times (%v)", s.failed)
		}
		switch {
		case s.Start == 0 && s.End == 0:
			zero++
		case math.Abs(s.seconds()) > 1000*s.host:
			return fmt.Sprintf("start and end of its events are of different clocks: they are %s apart", digits.Stated(math.Abs(s.seconds()), "s"))
		case s.seconds() < 0:
			backwards++
		case s.End == s.Start:
			same++
		}
		if i > 0 && s.Start < list[i-1].Start && zero == 0 {
			return "its clock goes backwards from event to event"
		}
		if i > 0 && s.Start == list[0].Start && s.End == list[0].End {
			again++
		}
	}
	switch n := len(list); {
	case zero == n:
		return "all time stamps of its events are zero"
	case zero > 0:
		return fmt.Sprintf("%d of %d events have time stamps of zero", zero, n)
	case backwards > 0:
		return fmt.Sprintf("%d of %d events end before they start", backwards, n)
	case n > 1 && again == n-1:
		return fmt.Sprintf("all its events have the same time stamps, from %d to %d", list[0].Start, list[0].End)
	case same == n:
		return "its events start and end at the same time"
	}
	for i, s := range list {
		if i > 0 && s.Start < list[i-1].End {
			return fmt.Sprintf("its events overlap, by %s, and the commands did not", digits.Stated(float64(list[i-1].End-s.Start)*1e-9, "s"))
		}
	}
	return ""
}

// calibrateOpenCL compares the device's stamps with the host's clock, once per context, and finds how fast the
// device passes time.
func (t *GPUTimer) calibrateOpenCL() error {
	o := t.opencl
	if _, err := o.stampedFor(1); err != nil { // the first launch loads the kernel
		return err
	}
	o.rate = 1e5
	for steps := o.rate; ; steps *= 4 {
		s, err := o.stampedFor(steps)
		if err != nil {
			return err
		}
		o.rate = steps / s.host
		if s.host > shortHold.Seconds() || steps >= math.MaxUint32/4 {
			break
		}
	}
	var all []stamped
	for i := range stepsOfClock { // of lengths that have no common divisor but the clock's step
		s, err := o.stampedFor(o.rate * 20e-6 * (1 + float64(i)/stepsOfClock))
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	found := passed{host: math.Inf(1)}
	shortest, longest := math.Inf(1), math.Inf(1) // the host's clock can only show too much
	for range holds {
		var pair [2]stamped
		for i, d := range []time.Duration{shortHold, longHold} {
			var err error
			if pair[i], err = o.stampedFor(d.Seconds() * o.rate); err != nil {
				return err
			}
			all = append(all, pair[i])
		}
		if stampsWrong(all) != "" {
			break
		}
		short, long := passed{events: pair[0].seconds(), host: pair[0].host}, passed{events: pair[1].seconds(), host: pair[1].host}
		shortest, longest = min(shortest, short.host), min(longest, long.host)
		p := betweenHolds(short, long, shortest, longest)
		if p.events <= 0 || p.host <= 0 {
			continue // the host was held up
		}
		if found = p; math.Abs(p.events/p.host-1) <= hostOff {
			break
		}
	}
	o.step = stepOf(o.d.Facts().OpenCL.ResolutionNs, all)
	if o.byHost = stampsWrong(all); o.byHost != "" {
		return nil
	}
	if math.IsInf(found.host, 1) {
		o.byHost = "its events could not be compared with the host's clock"
		return nil
	}
	t.TimerRate = found.events / found.host
	if off := math.Abs(t.TimerRate - 1); off > hostOff {
		o.byHost = "its events show " + digits.Percent(t.TimerRate) + " of the host's time"
	}
	return nil
}

// stampedFor keeps the device busy for so many steps.
func (o *openclTiming) stampedFor(steps float64) (s stamped, err error) {
	span := o.d.Record()
	defer span.Release() //nolint:errcheck // a driver that cannot is found out by the next command
	begin := time.Now()
	if err := o.passFor(steps); err != nil {
		return s, err
	}
	span.End()
	if err := o.d.Synchronize(0); err != nil {
		return s, err
	}
	s.host = time.Since(begin).Seconds()
	s.Stamps, s.failed = span.Stamps()
	return s, nil
}
