package board

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// The slack that keeps an honest file from being refused, however loaded the machine was.
const (
	// elapsedSlack is the largest ratio of times that two clocks show.
	elapsedSlack = 1.1
	// clockSlack is the largest ratio of the real clock to the highest one in the driver's facts.
	clockSlack = 1.5
	// windowSlackCPU and windowSlackGPU are the largest ratios by which runs in the power window may be faster than the fastest
	// sample: others may have had the processor while that was taken.
	windowSlackCPU, windowSlackGPU = 100, 10
	// ceilingSlack is the largest ratio of a point to the GPU's measured ceiling: others may have used the GPU while that was
	// measured.
	ceilingSlack = 10
	// handover is the slack between the end of a point and the start of the next, whose clocks are read one after the other.
	handover = time.Millisecond
)

// The most that a processor does in a cycle, twice that of the fastest known: of a CPU a core with two vector units of 512
// bits, of a GPU a multiprocessor with 128 lanes.
const (
	fastestCPU  = 8e9 // Hz
	cpuFLOPs    = 128
	cpuBytes    = 512
	gpuFLOPs    = 512
	memoryEdges = 2 * 2 // edges of the memory's clock that carry data, twice, because drivers report half of some clocks
	cacheTimes  = 4     // a problem of this many times the L2 cache's size comes from memory
)

// plausible refuses a run whose journal fits its files but says what no measurement gives. It cannot know whether a
// measurement took place: numbers that fit physics, each other and their sums pass.
func (f *File) plausible(name string) error {
	run, err := record.ReadJournal(f.RunFolder(name))
	if err != nil {
		return err
	}
	if hash := config.Sum([]byte(run.Info.Config.Text)); hash != run.Info.Config.Hash {
		return fmt.Errorf("runs/%s: its config's SHA-256 is %.12s…, the journal says %.12s…", name, hash, run.Info.Config.Hash)
	}
	return plausiblePoints(run, func(r record.Result, format string, args ...any) error {
		return fmt.Errorf("runs/%s: %s: %w", name, r.Point.Key(), fmt.Errorf(format, args...))
	})
}

// plausiblePoints checks the points against each other, and each in itself.
func plausiblePoints(run *record.Run, wrong func(r record.Result, format string, args ...any) error) error {
	type problem struct{ flops, bytes int64 }
	problems := map[string]problem{}
	var before *record.Result
	for _, r := range slices.SortedFunc(slices.Values(run.Results), func(a, b record.Result) int { return a.Started.Compare(b.Started) }) {
		if before != nil && r.Started.Add(handover).Before(ended(*before)) {
			return wrong(r, "it began before %s ended, and one runs at a time", before.Point.Key())
		}
		before = &r
		if r.Status != record.OK {
			continue
		}
		if err := plausiblePoint(run.Info, r); err != nil {
			return wrong(r, "%w", err)
		}
		key, own := fmt.Sprint(r.Point.ParamOrder, r.Point.Params), problem{r.Work.NominalFLOPs, r.Work.NominalBytes}
		if had, ok := problems[key]; ok && had != own {
			return wrong(r, "it counts %d nominal FLOPs and %d bytes, another version of the problem %d and %d", own.flops, own.bytes, had.flops, had.bytes)
		}
		problems[key] = own
	}
	return noneTwice(run.Results, wrong)
}

func ended(r record.Result) time.Time {
	return r.Started.Add(time.Duration(r.Elapsed * float64(time.Second)))
}

// plausiblePoint refuses a point that contradicts itself.
func plausiblePoint(info record.Info, r record.Result) error {
	if len(r.Checks) == 0 {
		return errors.New("it is ok, and no answer was checked")
	}
	for _, c := range r.Checks {
		if !c.OK() {
			return fmt.Errorf("it is ok, and its %s of %g is beyond the bound of %g", c.Metric, c.Error, c.Bound)
		}
	}
	took, shortest, clock := 0.0, math.Inf(1), 0.0
	for _, s := range []*measure.Series{r.Cold, r.Hot} {
		if s == nil {
			continue
		}
		for _, x := range s.Samples {
			if err := framework.CheckSeconds(x); err != nil {
				return fmt.Errorf("a sample %w", err)
			}
			took += x * float64(max(1, s.Batch))
			shortest = min(shortest, x)
		}
		clock = max(clock, s.ClockHz)
	}
	if math.IsInf(shortest, 1) {
		return errors.New("it is ok, and has no samples")
	}
	var phases float64
	for _, seconds := range r.Phases {
		phases += seconds
	}
	if e := r.Energy; e != nil && e.Absent == "" {
		if err := plausibleEnergy(info, r, shortest); err != nil {
			return err
		}
		took += e.Window
	}
	for what, seconds := range map[string]float64{"samples and window": took, "phases": phases} {
		if seconds > r.Elapsed*elapsedSlack {
			return fmt.Errorf("its %s take %.4g s, the whole point %.4g s", what, seconds, r.Elapsed)
		}
	}
	return plausibleSpeed(info, r, shortest, clock)
}

// plausibleEnergy checks the energy against its readings and the times of the runs.
func plausibleEnergy(info record.Info, r record.Result, shortest float64) error {
	e, slack := r.Energy, windowSlackGPU
	if r.Point.Processor == framework.CPU {
		slack = windowSlackCPU
	}
	err := e.Retrace(func(sensor, channel string) float64 {
		for _, s := range info.Sensors {
			for _, c := range s.Channels {
				if s.Name == sensor && c.Name == channel {
					return c.WrapsAt
				}
			}
		}
		return 0
	})
	if err != nil {
		return err
	}
	if e.Runs > 0 && e.Window/float64(e.Runs)*float64(slack) < shortest {
		return fmt.Errorf("its window has %d runs in %.4g s, and no sample took less than %.4g s", e.Runs, e.Window, shortest)
	}
	return nil
}

// plausibleSpeed refuses a speed that the processor cannot reach.
func plausibleSpeed(info record.Info, r record.Result, seconds, clock float64) error {
	flops, bytes := float64(max(r.Work.FLOPs, r.Work.NominalFLOPs))/seconds, float64(r.Work.NominalBytes)/seconds
	if r.Work.FLOPs > 0 { // a nominal count may be more than a version needs
		flops = float64(r.Work.FLOPs) / seconds
	}
	beyond := func(what string, is, most float64) error {
		if most > 0 && is > most {
			return fmt.Errorf("it does %.3g %s, more than %.3g, which the processor cannot", is, what, most)
		}
		return nil
	}
	if r.Point.Processor == framework.CPU {
		cycles := fastestCPU * float64(max(1, info.Machine.CPUs))
		return cmp.Or(beyond("FLOP/s", flops, cpuFLOPs*cycles), beyond("B/s", bytes, cpuBytes*cycles))
	}
	ceilings := info.Limits(r.Point.Device, r.Point.PowerMode)
	var facts gpu.Facts
	for _, d := range info.Devices {
		if d.ID == r.Point.Device && d.Facts != nil {
			facts = *d.Facts
		}
	}
	if facts.OpenCL != nil { // drivers report a base clock, or the present one
		return beyond("FLOP/s", flops, gpuFLOPs*fastestCPU*float64(facts.Multiprocessors))
	}
	memory := memoryEdges * float64(facts.MemoryClockHz) * float64(facts.MemoryBusBits) / 8
	chip := gpuFLOPs * float64(facts.Multiprocessors) * float64(facts.ClockHz)
	if err := cmp.Or(beyond("cycles/s", clock, clockSlack*float64(facts.ClockHz)), beyond("FLOP/s", flops, chip), beyond("FLOP/s", ceilings.FMA, chip)); err != nil {
		return err
	}
	if !facts.Integrated { // an integrated GPU's driver may report other memory, or none
		if err := beyond("B/s of a copy", ceilings.Copy, memory); err != nil {
			return err
		}
	}
	if r.Work.NominalBytes > cacheTimes*int64(facts.L2Bytes) {
		return beyond("B/s", bytes, ceilingSlack*ceilings.Copy)
	}
	return nil
}

// noneTwice refuses a point with the samples of another. Clocks this fine never give the same list twice.
func noneTwice(results []record.Result, wrong func(r record.Result, format string, args ...any) error) error {
	const fewest, values = 12, 8 // samples, and distinct ones among them
	seen := map[string]record.Result{}
	for _, r := range results {
		for _, s := range []*measure.Series{r.Cold, r.Hot} {
			if s == nil || len(s.Samples) < fewest {
				continue
			}
			different := map[float64]bool{}
			for _, x := range s.Samples {
				different[x] = true
			}
			key := fmt.Sprint(s.Samples[:fewest])
			if other, ok := seen[key]; ok && len(different) >= values {
				return wrong(r, "its samples are those of %s, instance %d", other.Point.Key(), other.Point.Instance+1)
			}
			seen[key] = r
		}
	}
	return nil
}
