package measure

import (
	"errors"
	"math"
	"time"

	"example.org/bench/gpu/opencl"
)

// timeBetween times work from the end of a kernel, which keeps the device busy while work is queued, to the
// start of a kernel after work. It asks the commands of work for no stamps; in a queue of their own they have
// none.
func (t *GPUTimer) timeBetween(work func() error) (x sample, err error) {
	o := t.opencl
	begin := time.Now()
	opening, err := o.record(o.hold)
	if err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, opening.Release()) }()
	if o.aside {
		if err = o.d.Aside(opening); err != nil {
			return x, errors.Join(err, o.d.Back())
		}
	}
	queued := time.Now()
	err = work()
	x.launch = time.Since(queued).Seconds()
	if o.aside {
		err = errors.Join(err, o.d.Back())
	}
	closing, e := o.record(0)
	if e != nil {
		return x, errors.Join(err, e)
	}
	defer func() { err = errors.Join(err, closing.Release()) }()
	queueing := time.Since(begin).Seconds()
	if e := o.d.Synchronize(0); err == nil {
		err = e
	}
	host := time.Since(begin).Seconds()
	t.busy = time.Now()
	if err != nil {
		return x, err
	}
	from, err := opening.Stamps()
	if err != nil {
		return x, err
	}
	to, err := closing.Stamps()
	if err != nil {
		return x, err
	}
	x.seconds = float64(int64(to.Start-from.End)) * 1e-9
	if odd, err := t.oddStamps(from, x.seconds, host); odd || err != nil {
		return sample{early: true}, err
	}
	o.hold = min(max(0.9*o.hold, heldFor(queueing)), openAfter.Seconds())
	if x.early = to.Queued > from.End; x.early {
		o.hold = min(2*o.hold, openAfter.Seconds())
	}
	return x, nil
}

// record queues a kernel of so many seconds and records it.
func (o *openclTiming) record(seconds float64) (*opencl.Span, error) {
	s := o.d.Record()
	err := o.passFor(seconds * o.rate)
	s.End()
	if err != nil {
		return nil, errors.Join(err, s.Release())
	}
	return s, nil
}

const (
	// costCommands is how many kernels show what stamps cost one of them, and costTries how often.
	costCommands, costTries = 64, 7
	// costShare and costSeconds are how much of an empty kernel stamps may take.
	costShare, costSeconds = 0.2, 0.5e-6
)

// chooseBetween has runs timed between two kernels if stamps of their own lengthen commands by more than
// costShare, in the queue in which commands then take the least time. It leaves a CPU out: its driver reads
// the host's clock at next to no cost, and its commands wait for other programs, which would look like the
// cost of stamps.
func (t *GPUTimer) chooseBetween() error {
	o := t.opencl
	if o.d.Facts().OpenCL.Type == "CPU" {
		return nil
	}
	stamped, err := t.emptyKernel()
	if err != nil {
		return err
	}
	least, aside := stamped, false
	o.between = true
	for _, o.aside = range []bool{false, true} {
		one, err := t.emptyKernel()
		if err != nil {
			return err
		}
		// A second queue is to be worth it.
		if one < least-costSeconds {
			least, aside = one, o.aside
		}
	}
	o.aside = aside
	o.stampCost = stamped - least
	if o.stampCost <= max(costSeconds, costShare*least) || math.IsInf(stamped, 1) {
		o.withOwnStamps()
		return nil
	}
	return t.checkBetween()
}

// emptyKernel returns the least seconds that an empty kernel takes among others like it, beyond the time of
// no kernel.
func (t *GPUTimer) emptyKernel() (float64, error) {
	o := t.opencl
	found := [2]float64{math.Inf(1), math.Inf(1)}
	for range costTries {
		for i, n := range []int{0, costCommands} {
			if !o.between {
				o.hold = shortHold.Seconds()
			}
			x, err := t.timeOpenCL(nil, func() error {
				for range n {
					if err := o.passFor(0); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return 0, err
			}
			if !x.early {
				found[i] = min(found[i], x.seconds)
			}
		}
	}
	if math.IsInf(found[0], 1) || math.IsInf(found[1], 1) {
		return math.Inf(1), nil // nothing of this can be queued as a whole
	}
	return (found[1] - found[0]) / costCommands, nil
}

// checkBetween goes back to stamps of each command if a kernel does not take as long between two others as by its own.
func (t *GPUTimer) checkBetween() error {
	o := t.opencl
	var found [2]float64
	for i, between := range []bool{true, false} {
		found[i] = math.Inf(1)
		o.between = between
		for range costTries {
			x, err := t.timeOpenCL(nil, func() error { return o.passFor(shortHold.Seconds() * o.rate) })
			if err != nil {
				return err
			}
			if !x.early {
				found[i] = min(found[i], x.seconds)
			}
		}
	}
	if o.between = math.Abs(found[0]/found[1]-1) <= hostOff; !o.between {
		o.withOwnStamps()
	}
	return nil
}

// withOwnStamps has each command timed by stamps of its own.
func (o *openclTiming) withOwnStamps() {
	o.between, o.aside, o.stampCost, o.hold = false, false, 0, 0
}
