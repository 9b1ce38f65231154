package measure

import (
	"errors"
	"fmt"
	"math"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/opencl"
)

// Releaser runs a job at a rate.
//
// Meanwhile the garbage collector is off and, as with CPUTimer, threads are confined to as many
// CPUs as there are workers. Real-time settings are put in force as far as the system permits
// (Force).
type Releaser struct {
	Job     Job
	Workers int // threads that the job computes with; 0 if it does not compute on the CPU
	Rate    Rate
	Measure config.Measure
	Root    machine.Tree
	// Clocks reads clocks in Hz by name.
	Clocks func() map[string]float64
}

// enter prepares the process, and leave restores it.
func (r *Releaser) enter() (p *livePacer, f Force, leave func(), err error) {
	_, restore := prepare(r.Workers, 1)
	f, undo := enforce(r.Root, r.Rate.Spin)
	leave = func() { undo(); restore() }
	if p, err = newLivePacer(r.Rate.Spin); err != nil {
		leave()
	}
	return p, f, leave, err
}

// Series measures latencies at the rate, or at the highest one that meets its deadlines.
func (r *Releaser) Series() (*Released, error) {
	p, force, leave, err := r.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	before := r.Clocks()
	var out *Released
	if r.Rate.Hz > 0 {
		out, err = releases(p, r.Job, r.Rate, r.Rate.Hz, leadOf(r.Rate.Hz), Releases(r.Measure, r.Rate.Hz), nil)
	} else {
		out, err = highest(p, r.Job, r.Rate, r.Measure)
	}
	if err != nil {
		return nil, err
	}
	out.Before, out.After, out.Force = before, r.Clocks(), force
	return out, nil
}

// Sustain runs the job at a rate. Between releases it reports how many runs have ended at the time
// of the release, so that windows hold whole periods.
func (r *Releaser) Sustain(hz float64) Sustain {
	return func(stop func(elapsed float64, runs int64) bool) (int64, float64, error) {
		p, _, leave, err := r.enter()
		if err != nil {
			return 0, 0, err
		}
		defer leave()
		return sustainAt(p, r.Job, hz, stop)
	}
}

func sustainAt(p pacer, job Job, hz float64, stop func(float64, int64) bool) (runs int64, seconds float64, err error) {
	if job.Rest != nil {
		if err := job.Rest(); err != nil {
			return 0, 0, err
		}
	}
	g := grid{first: p.now(), period: nano / hz}
	stop(0, 0)
	ended := g.first // end of the last run
	_, err = g.run(p, job, 0, math.MaxInt64, math.MaxInt64, func(x released) bool {
		// After an overrun the next period begins at the run's end.
		elapsed := float64(max(x.due, ended)-g.first) / nano
		runs, ended = x.index+1, x.ended
		return x.index == 0 || !stop(elapsed, x.index)
	})
	return runs, float64(ended-g.first) / nano, err
}

// CPUJob returns the job of running a version.
func CPUJob(alg framework.BaseAlgorithm) Job { return Job{Run: alg.Run, Rest: resetOf(alg)} }

// resetOf returns the function that restores inputs; nil for a version that does not change them.
func resetOf(alg framework.BaseAlgorithm) func() error {
	r, ok := alg.(framework.Resetter)
	if !ok {
		return nil
	}
	return func() error {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
		return nil
	}
}

// GPUJob returns the job of running a version, from its launch until the host knows that it has
// ended. end frees its resources.
func GPUJob(d gpu.Device, alg framework.GPUAlgorithm, spin bool) (job Job, end func() error, err error) {
	s := alg.Stream()
	wait, end, err := Waiter(d, s, spin)
	if err != nil {
		return Job{}, nil, err
	}
	job.Run = func() error {
		if err := alg.Run(); err != nil {
			return errors.Join(err, d.Synchronize(s))
		}
		return wait()
	}
	if reset := resetOf(alg); reset != nil {
		job.Rest = func() error {
			if err := reset(); err != nil {
				return err
			}
			return d.Synchronize(s)
		}
	}
	return job, end, nil
}

// Waiter returns a function that waits for the work of a stream, spinning or asleep. end frees its
// resources. A driver of OpenCL may spin where it is asked to sleep.
func Waiter(d gpu.Device, s gpu.Stream, spin bool) (wait, end func() error, err error) {
	var e interface {
		Record(gpu.Stream) error
		Destroy() error
	}
	var ended func() error
	spinning := func(passed func() (bool, error)) func() error {
		return func() error {
			for {
				if is, err := passed(); is || err != nil {
					return err
				}
			}
		}
	}
	switch d := d.(type) {
	case *opencl.Device:
		w := d.NewWaiter()
		if e, ended = w, w.Wait; spin {
			ended = spinning(w.Passed)
		}
	case *driver.GPU:
		made := d.NewSleepingEvent
		if spin {
			made = d.NewEvent
		}
		w, err := made()
		if err != nil {
			return nil, nil, err
		}
		if e, ended = w, w.Wait; spin {
			ended = spinning(w.Passed)
		}
	default:
		return nil, nil, fmt.Errorf("%s cannot be timed", d.ID())
	}
	return func() error {
		if err := e.Record(s); err != nil {
			return err
		}
		return ended()
	}, e.Destroy, nil
}
