package measure

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"time"

	"example.org/bench/framework/config"
	"example.org/bench/framework/digest"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
	"example.org/bench/internal/terminal/digits"
)

//go:embed gpu_clock.cl
var clockSourceCL string

// openclTiming times work on a device of OpenCL, from the start of its first command to the end of its last
// one. It does so by the device's stamps, if these agree with the host's clock; or between two kernels, if
// stamps slow commands down (gpu_opencl_between.go); otherwise by the host's clock, from before the first
// command is queued until all have ended.
type openclTiming struct {
	d    *opencl.Device
	pass gpu.Kernel  // computes for a number of steps
	out  gpu.Pointer // what pass writes
	rate float64     // steps of pass in a second
	// byHost says why the device's stamps are not believed; empty if they are.
	byHost string
	// step is the seconds between two values of the device's clock.
	step float64
	// hold is for how many seconds pass keeps the queue busy while work of several commands is queued, so that
	// no launch latency falls between them; 0 for none.
	hold float64
	// between is set if work is timed between two kernels, and aside if that work has a queue of its own.
	between, aside bool
	// stampCost is the seconds by which stamps of its own lengthen a command, if between is set.
	stampCost float64
	// odd counts the samples with impossible stamps, and inRow those since the last possible ones.
	odd, inRow int
}

// NewOpenCLTimer prepares timing on a device of OpenCL.
func NewOpenCLTimer(d *opencl.Device, m config.Measure) (*GPUTimer, error) {
	t := &GPUTimer{device: d, opencl: &openclTiming{d: d}, m: m, clock: &smClock{rate: 1}, sleep: time.Sleep}
	if err := t.openOpenCL(); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the timer of %s: %w", d.ID(), err), t.Close())
	}
	return t, nil
}

func (t *GPUTimer) openOpenCL() (err error) {
	o := t.opencl
	t.module, err = o.d.Compile(gpu.Source{Name: "gpu_clock.cl", Text: clockSourceCL, Kernels: []string{"pass_steps", "read_lines", "exchange_words"}})
	if err != nil {
		return err
	}
	if o.pass, err = t.module.Kernel("pass_steps"); err != nil {
		return err
	}
	if t.exchanger, err = t.module.Kernel("exchange_words"); err != nil {
		return err
	}
	if o.out, err = o.d.Alloc(4); err != nil {
		return err
	}
	if t.flush, err = newFlush(o.d, t.module, t.m); err != nil {
		return fmt.Errorf("buffer that flushes the caches: %w", err)
	}
	if t.digest, err = digest.New(o.d); err != nil {
		return err
	}
	if err := t.calibrateOpenCL(); err != nil {
		return fmt.Errorf("compare the device's clock with the host's: %w", err)
	}
	if o.byHost == "" {
		if err := t.chooseBetween(); err != nil {
			return fmt.Errorf("find out what time stamps cost: %w", err)
		}
	}
	return t.overheadOpenCL()
}

func (o *openclTiming) close() error {
	out := o.out
	o.out = 0
	return o.d.Free(out)
}

// overheadOpenCL times the least work that there is, which is part of every sample: nothing between two kernels,
// otherwise an empty kernel.
func (t *GPUTimer) overheadOpenCL() error {
	o := t.opencl
	least := func() error { return o.passFor(0) }
	if o.between {
		least = func() error { return nil }
	}
	var x []float64
	for tries := 0; len(x) < 51 && tries < 10*51; tries++ {
		one, err := t.timeOpenCL(nil, least)
		if err != nil {
			return err
		}
		if !one.early {
			x = append(x, one.seconds)
		}
	}
	if len(x) > 0 {
		t.Overhead = max(0, stats.Summarize(x).Median)
	}
	if o.byHost == "" {
		return nil
	}
	t.doubt = fmt.Sprintf("times are the host's, because %s: single runs include %s of launching and waiting, and runs back to back a batch's share of it",
		o.byHost, digits.Stated(t.Overhead, "s"))
	return nil
}

// Once returns the seconds that a device of OpenCL takes for what work queues, or 0 if unknown.
func (t *GPUTimer) Once(work func() error) (float64, error) {
	x, err := t.timeOpenCL(nil, work)
	if x.early {
		x.seconds = 0
	}
	return x.seconds, err
}

// Timing says what times a device of OpenCL; empty for another device.
func (t *GPUTimer) Timing() string {
	o := t.opencl
	switch {
	case o == nil:
		return ""
	case o.byHost != "":
		return fmt.Sprintf("the host's clock, because %s; launching and waiting take %s", o.byHost, digits.Stated(t.Overhead, "s"))
	}
	said := fmt.Sprintf("events, in steps of %s; they show %s of the host's time", digits.Stated(o.step, "s"), digits.Percent(t.TimerRate))
	if o.between {
		said += fmt.Sprintf("; as they lengthen each command by %s, runs have none and lie between two kernels that have, %s apart with nothing between them",
			digits.Stated(o.stampCost, "s"), digits.Stated(t.Overhead, "s"))
	}
	return said
}

// passFor queues pass for so many steps.
func (o *openclTiming) passFor(steps float64) error {
	return o.pass.Launch(0, gpu.Launch{}, o.out, uint32(min(max(steps, 1), math.MaxUint32)))
}

// errOddStamps is the error of a device whose stamps were good at first.
var errOddStamps = errors.New("the device's time stamps are impossible: an event ends before it starts, or takes longer than the host's clock shows")

// timeOpenCL is GPUTimer.time.
func (t *GPUTimer) timeOpenCL(before, work func() error) (x sample, err error) {
	o := t.opencl
	if before != nil {
		if err := before(); err != nil {
			return x, err
		}
	}
	if o.between {
		return t.timeBetween(work)
	}
	if o.byHost != "" {
		if err := o.d.Synchronize(0); err != nil {
			return x, err
		}
	} else if o.hold > 0 {
		if err := o.passFor(o.hold * o.rate); err != nil {
			return x, err
		}
	}
	var span *opencl.Span
	if o.byHost == "" {
		span = o.d.Record()
	}
	begin := time.Now()
	err = work()
	x.launch = time.Since(begin).Seconds()
	if span != nil {
		span.End()
		defer func() { err = errors.Join(err, span.Release()) }()
	}
	if e := o.d.Synchronize(0); err == nil {
		err = e
	}
	host := time.Since(begin).Seconds()
	t.busy = time.Now()
	if err != nil {
		return x, err
	}
	if span == nil {
		x.seconds = host
		return x, nil
	}
	if span.Commands == 0 {
		return x, nil // work of nothing takes no time
	}
	s, err := span.Stamps()
	if err != nil {
		return x, err
	}
	x.seconds = float64(int64(s.End-s.Start)) * 1e-9
	if odd, err := t.oddStamps(s, x.seconds, o.hold+host); odd || err != nil {
		return sample{early: true}, err
	}
	// The first command began while others were still to be queued: time may have passed between them.
	if x.early = span.Commands > 1 && s.Queued > s.Start; x.early {
		o.hold = min(max(2*o.hold, heldFor(x.launch)), openAfter.Seconds())
	}
	return x, nil
}

// heldFor is how long a kernel is to keep the queue busy while the host queues work for so many seconds.
func heldFor(queueing float64) float64 { return 1.5*queueing + 20e-6 }

// oddStamps reports whether stamps are impossible for work of so many seconds that the host saw last host
// seconds. The error is errOddStamps if that was so too often in a row.
func (t *GPUTimer) oddStamps(s opencl.Stamps, seconds, host float64) (bool, error) {
	o := t.opencl
	if s.Start != 0 && seconds >= 0 && seconds <= host*(1+hostOff)+o.step {
		o.inRow = 0
		return false, nil
	}
	o.odd++
	if o.inRow++; o.inRow > mostOdd {
		return true, errOddStamps
	}
	t.note("samples with impossible time stamps are left out: they end before they start, or last longer than by the host's clock")
	return true, nil
}

// mostOdd is how many samples in a row may have impossible stamps.
const mostOdd = 20

// mostRepeats bounds the runs of a cold sample.
const mostRepeats = 64

// repeats returns how many runs a cold sample is the mean of, if one takes so many seconds: several where the step
// of the device's clock is coarse beside a run, so that the mean is known to a four-hundredth.
func (t *GPUTimer) repeats(seconds float64) int {
	if t.opencl == nil || t.opencl.byHost != "" || seconds <= 0 {
		return 1
	}
	n := math.Ceil(400 * t.opencl.step / seconds)
	return int(min(max(n, 1), mostRepeats))
}

// times times n runs as time does, and returns their mean.
func (t *GPUTimer) times(n int, s gpu.Stream, before, work func() error) (sample, error) {
	if n == 1 {
		return t.time(s, before, work)
	}
	var all sample
	for range n {
		x, err := t.time(s, before, work)
		if err != nil {
			return x, err
		}
		if x.early {
			return x, nil
		}
		all.seconds += x.seconds / float64(n)
		all.launch += x.launch / float64(n)
	}
	return all, nil
}

// coarse notes that the device's clock is coarse beside runs of so many seconds, of which a sample is the
// mean of n.
func (t *GPUTimer) coarse(seconds float64, n int) {
	if n == 1 {
		return
	}
	step := t.opencl.step
	what := fmt.Sprintf("each sample is the mean of %d runs", n)
	if seconds < step {
		what += ", and a run is shorter than the step: its cold time is known to a part of the step at best"
	}
	t.note("the device's clock has steps of %s: %s", digits.Stated(step, "s"), what)
}

// hostRuns is the most runs of a batch by the host's clock, and hostShare the least share of it that is not overhead.
// betweenRuns is the most between two kernels: a batch that the driver's queue does not hold is halved.
const (
	hostRuns    = 1000
	hostShare   = 0.99
	betweenRuns = 1000
)

// perRun returns the seconds of a run of a batch of n runs that took so many. It subtracts the time of
// nothing between two kernels, which weighs too much in a batch of short runs that a queue holds.
func (t *GPUTimer) perRun(seconds float64, n int) float64 {
	if t.opencl != nil && t.opencl.between {
		seconds = max(seconds-t.Overhead, 0)
	}
	return seconds / float64(n)
}

// fill sets the number of runs of a batch without a graph, of which one takes so many seconds.
func (o *openclTiming) fill(t *GPUTimer, b *batch, seconds float64) error {
	least, most := batchSeconds, queuedRuns
	if t.Series {
		least = shortSeconds
	}
	switch {
	case o.byHost != "":
		least, most = max(least, t.Overhead/(1-hostShare)), hostRuns
	case o.between:
		most = betweenRuns
	}
	b.runs = runsFor(least, max(seconds-t.Overhead, seconds/10), 1, most)
	return t.shrink(b)
}
