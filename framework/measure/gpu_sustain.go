package measure

import (
	"errors"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// Sustain keeps the device busy with runs back to back until stop, called with the seconds since the start
// and the number of finished runs, returns true. Then it waits for the device. It returns the number of runs
// and the wall time that they took. At most two batches of about 10 ms (or two runs, if those are longer) are
// queued, and the host sleeps while it waits. A version with Reset has it before each run, inside the window;
// SustainRestoring measures what it takes.
func (t *GPUTimer) Sustain(alg framework.GPUAlgorithm, stop func(elapsed float64, runs int64) bool) (runs int64, seconds float64, err error) {
	if _, resets := alg.(framework.Resetter); resets {
		return t.sustainOneByOne(alg.Stream(), repetition(alg), stop)
	}
	if err := t.warmUp(alg.Stream(), alg.Run); err != nil {
		return 0, 0, err
	}
	b, err := t.newBatch(alg)
	if err != nil {
		return 0, 0, err
	}
	runs, seconds, err = t.sustain(b, stop)
	return runs, seconds, errors.Join(err, b.close())
}

// SustainRestoring sustains the restoring of inputs alone that alg, a framework.Resetter, does before each
// run.
func (t *GPUTimer) SustainRestoring(alg framework.GPUAlgorithm, stop func(elapsed float64, runs int64) bool) (runs int64, seconds float64, err error) {
	return t.sustainOneByOne(alg.Stream(), alg.(framework.Resetter).Reset, stop)
}

func (t *GPUTimer) sustainOneByOne(s gpu.Stream, run func() error, stop func(float64, int64) bool) (runs int64, seconds float64, err error) {
	if err := t.warmUp(s, run); err != nil {
		return 0, 0, err
	}
	return t.sustain(&batch{runs: 1, stream: s, run: run}, stop)
}

func (t *GPUTimer) sustain(b *batch, stop func(float64, int64) bool) (runs int64, seconds float64, err error) {
	const queuedSeconds = 10e-3
	one, err := t.time(b.stream, nil, b.enqueue)
	if err != nil {
		return 0, 0, err
	}
	repeats := runsFor(queuedSeconds, one.seconds, 1, max(1, queuedRuns/max(1, b.launches())))
	passed, err := t.newWaiter()
	if err != nil {
		return 0, 0, err
	}
	defer passed.Destroy()
	queued, err := t.newWaiter()
	if err != nil {
		return 0, 0, err
	}
	defer queued.Destroy()

	begin := time.Now()
	for n := 0; ; n++ {
		for range repeats {
			if err := b.enqueue(); err != nil {
				return runs, 0, errors.Join(err, t.device.Synchronize(b.stream))
			}
			runs += int64(b.runs)
		}
		if err := queued.Record(b.stream); err != nil {
			return runs, 0, err
		}
		if n > 0 {
			if err := passed.Wait(); err != nil {
				return runs, 0, err
			}
		}
		passed, queued = queued, passed
		finished := max(0, runs-int64(repeats*b.runs)) // all but the last queued batch
		if stop(time.Since(begin).Seconds(), finished) {
			break
		}
	}
	err = t.device.Synchronize(b.stream)
	return runs, time.Since(begin).Seconds(), err
}

// waiter waits, without keeping a processor busy, for what was queued before Record.
type waiter interface {
	Record(gpu.Stream) error
	Wait() error
	Destroy() error
}

func (t *GPUTimer) newWaiter() (waiter, error) {
	if t.opencl != nil {
		return t.opencl.d.NewWaiter(), nil
	}
	return t.gpu.NewSleepingEvent()
}

// launches returns how many calls enqueue the batch, as far as known.
func (b *batch) launches() int {
	if b.graph != nil {
		return 1
	}
	return b.runs
}
