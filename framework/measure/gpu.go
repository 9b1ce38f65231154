package measure

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/digest"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

//go:embed gpu_clock.cu
var clockSource string

// ErrNoHot is returned by Hot for a version that must restore its inputs before each run and
// therefore cannot run back to back.
var ErrNoHot = errors.New("no back-to-back timing: the version changes its inputs and restores them before each run")

// GPUTimer times GPU versions by CUDA events or, on a device of OpenCL (NewOpenCLTimer), by its events or the
// host's clock. Each sample is queued while the stream is held back, so that no launch latency falls between
// the events. The SM clock is measured around each sample, so that samples of a throttled device can be left
// out. The methods run on the thread that is bound to the GPU.
type GPUTimer struct {
	// Overhead is the median seconds between two events with nothing between them. It is part of
	// every sample (of the whole batch in Hot) and not subtracted.
	Overhead float64
	// TimerRate is how many seconds the device's own timer shows in one second, or 0 if they could
	// not be compared. Windows of the SM clock are scaled by it.
	TimerRate float64
	// Bar is the argument of Rule.Bar for Cold; 0: none.
	Bar float64
	// Trials is set if series follow each other, as the trials of a search do. A device that was
	// busy moments ago is warmed up for less time than an idle one.
	Trials bool
	// Series is set if it counts whether runs compute, and not how long they take. A device that was busy
	// moments ago is then not warmed up, also by Alternate, and batches are short.
	Series bool

	device     gpu.Device
	gpu        *driver.GPU   // the device, if it is of CUDA, else nil
	opencl     *openclTiming // of a device of OpenCL, else nil
	m          config.Measure
	module     gpu.Module
	gate       *gate
	clock      *smClock
	pauses     *pauses
	holder     gpu.Kernel
	exchanger  gpu.Kernel
	start, end *driver.Event
	flush      *flush
	notes      []string
	doubt      string // a note about every result
	sleep      func(time.Duration)
	busy       time.Time // when the last timed work ended
	proofs     map[framework.GPUAlgorithm]*Proof
	digest     *digest.Digester
}

// NewGPUTimer prepares timing on gpu, which it binds to the calling thread.
func NewGPUTimer(gpu *driver.GPU, m config.Measure) (*GPUTimer, error) {
	t := &GPUTimer{device: gpu, gpu: gpu, m: m, sleep: time.Sleep}
	if err := t.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the GPU timer: %w", err), t.Close())
	}
	return t, nil
}

func (t *GPUTimer) open() error {
	if err := t.gpu.Bind(); err != nil {
		return err
	}
	facts := t.gpu.Facts()
	var err error
	t.module, err = t.gpu.Compile(gpu.Source{
		Name: "gpu_clock.cu", Text: clockSource, Kernels: []string{"hold_stream", "stamp_clock", "pass_time", "read_lines", "exchange_words", "count_pauses"},
	})
	if err != nil {
		return err
	}
	if t.gate, err = newGate(t.gpu, t.module); err != nil {
		return err
	}
	if t.clock, err = newSMClock(t.gpu, t.module, highestClock(machine.Live, facts)); err != nil {
		return err
	}
	if t.pauses, err = newPauses(t.gpu, t.module); err != nil {
		return err
	}
	if t.start, err = t.gpu.NewEvent(); err != nil {
		return err
	}
	if t.end, err = t.gpu.NewEvent(); err != nil {
		return err
	}
	if t.flush, err = newFlush(t.gpu, t.module, t.m); err != nil {
		return fmt.Errorf("buffer that flushes the L2 cache: %w", err)
	}
	if t.digest, err = digest.New(t.gpu); err != nil {
		return err
	}
	if t.holder, err = t.module.Kernel("pass_time"); err != nil {
		return err
	}
	if t.exchanger, err = t.module.Kernel("exchange_words"); err != nil {
		return err
	}
	if err := t.calibrate(); err != nil {
		return fmt.Errorf("compare the device's timer with the host's: %w", err)
	}
	return t.measureOverhead()
}

// Close frees the timer's device memory and events.
func (t *GPUTimer) Close() error {
	var errs []error
	if t.opencl != nil {
		errs = append(errs, t.opencl.close())
	}
	errs = append(errs, t.start.Destroy(), t.end.Destroy(), t.flush.close(), t.digest.Close())
	t.start, t.end, t.flush, t.digest = nil, nil, nil, nil
	if t.gate != nil {
		errs = append(errs, t.gate.memory.Free())
	}
	if t.clock != nil && t.clock.memory != nil {
		errs = append(errs, t.clock.memory.Free())
	}
	if t.pauses != nil {
		errs = append(errs, t.pauses.memory.Free())
	}
	if t.module != nil {
		errs = append(errs, t.module.Unload())
		t.module = nil
	}
	return errors.Join(errs...)
}

// Notes returns what to record with the results of the calls since the last Notes, such as a
// fallback or a doubt about every result.
func (t *GPUTimer) Notes() []string {
	n := t.notes
	t.notes = nil
	if t.doubt != "" {
		n = append(n, t.doubt)
	}
	return n
}

func (t *GPUTimer) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	for _, have := range t.notes {
		if have == n {
			return
		}
	}
	t.notes = append(t.notes, n)
}

// sample is one timed piece of work.
type sample struct {
	seconds float64
	launch  float64 // seconds that the host took to queue it
	window  window  // of the SM clock around it
	// early is set if the stream was released before all of the work was queued, so that seconds
	// may include launch latency.
	early bool
}

// time runs work once behind the gate, between the two events. before is queued ahead, untimed; it
// may be nil.
func (t *GPUTimer) time(s gpu.Stream, before, work func() error) (sample, error) {
	if t.opencl != nil {
		return t.timeOpenCL(before, work)
	}
	if before != nil {
		if err := before(); err != nil {
			return sample{}, err
		}
	}
	err := t.gate.shut(s)
	var launch time.Duration
	if err == nil {
		launch, err = t.enqueue(s, work)
	}
	early := t.gate.open()
	if e := t.device.Synchronize(s); err == nil {
		err = e
	}
	t.busy = time.Now()
	if err != nil {
		return sample{}, err
	}
	seconds, err := t.end.Since(t.start)
	if err != nil {
		return sample{}, err
	}
	return sample{seconds: seconds, launch: launch.Seconds(), window: t.clock.window(), early: early || t.gate.gaveUp()}, nil
}

// enqueue returns how long the host took to queue the work.
func (t *GPUTimer) enqueue(s gpu.Stream, work func() error) (launch time.Duration, err error) {
	if err := t.clock.stamp(s, first); err != nil {
		return 0, err
	}
	if err := t.start.Record(s); err != nil {
		return 0, err
	}
	begin := time.Now()
	if err := work(); err != nil {
		return 0, err
	}
	launch = time.Since(begin)
	if err := t.end.Record(s); err != nil {
		return 0, err
	}
	return launch, t.clock.stamp(s, last)
}

// measureOverhead times an empty sample 51 times.
func (t *GPUTimer) measureOverhead() error {
	var x []float64
	for len(x) < 51 {
		one, err := t.time(0, nil, func() error { return nil })
		if err != nil {
			return err
		}
		x = append(x, one.seconds)
	}
	t.Overhead = stats.Summarize(x).Median
	return nil
}

// warmUp runs the algorithm until the SM clock has ramped up. run is one repetition, with Reset if
// the version needs it.
func (t *GPUTimer) warmUp(s gpu.Stream, run func() error) error {
	begin := time.Now()
	if t.Series && begin.Sub(t.busy) < staysWarm {
		if err := run(); err != nil {
			return err
		}
		return t.device.Synchronize(s)
	}
	for r := (ramp{highest: t.clock.highest, runs: 1, warm: t.Trials && begin.Sub(t.busy) < staysWarm}); ; {
		if err := t.clock.stamp(s, first); err != nil {
			return err
		}
		for range r.runs {
			if err := run(); err != nil {
				return err
			}
		}
		if err := t.clock.stamp(s, last); err != nil {
			return err
		}
		if err := t.device.Synchronize(s); err != nil {
			return err
		}
		if r.over(time.Since(begin), t.clock.window()) {
			return nil
		}
	}
}

// staysWarm is how long an idle device or processor keeps its clocks high.
const staysWarm = 50 * time.Millisecond

// ramp decides when the SM clock has ramped up.
type ramp struct {
	highest  float64 // clock, in Hz
	runs     int     // of the next window
	warm     bool    // the device was busy moments before
	previous float64 // clock; 0 before the first window that could be judged
}

// over judges the last window, elapsed after the beginning, and reports whether the clock has
// ramped up.
//
// A device that was idle needs at least 25 ms: Triton reports times 30 % too long after shorter
// ones (triton-lang/triton issue 2306 and others). Some devices ramp for longer, which the clock
// shows. On a warm device the clock alone decides.
func (r *ramp) over(elapsed time.Duration, w window) bool {
	const least, most = 25 * time.Millisecond, 500 * time.Millisecond
	const ramped, steady = 0.97, 0.01 // of the highest clock; change between windows
	const mostRuns = 4096
	if elapsed >= most || elapsed >= least && !w.valid() {
		return true
	}
	if w.valid() && w.seconds < judgedSeconds && r.runs < mostRuns {
		r.runs *= 2
		return false
	}
	hz := w.hertz()
	settled := hz >= ramped*r.highest || math.Abs(hz-r.previous) < steady*r.previous
	r.previous = hz
	return settled && (r.warm || elapsed >= least)
}

// repetition returns a function for one untimed run, with Reset if the version needs it.
func repetition(alg framework.GPUAlgorithm) func() error {
	r, resets := alg.(framework.Resetter)
	if !resets {
		return alg.Run
	}
	return func() error {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
		return alg.Run()
	}
}
