package engine

import (
	"errors"
	"fmt"
	"math"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal/digits"
)

const (
	// storedPerCycle is more bytes than any core of a CPU or multiprocessor of a GPU stores in a
	// cycle: two vectors of 512 bits, or four bytes for each thread of a warp. Most store half of
	// it.
	storedPerCycle = 128
	// fastestCPU is a clock in Hz that no CPU reaches.
	fastestCPU = 8e9
	// memoryMargin is how many times the memory's rate in the driver's facts the real one may be.
	memoryMargin = 2
)

// floor returns the least time in which a run can write the bytes of an answer, each once. It is
// for a GPU with these facts, whose SM clock was measured as clock (Hz), or for cpus CPUs if the
// facts are nil.
func floor(bytes int64, facts *gpu.Facts, clock float64, cpus int) float64 {
	if facts == nil {
		return float64(bytes) / (storedPerCycle * fastestCPU * float64(max(1, cpus)))
	}
	var least float64
	hz := max(float64(facts.ClockHz), clock)
	if facts.OpenCL != nil { // drivers tell a base clock, or that of a moment
		hz = max(2*hz, fastestCPU/2)
	}
	if hz > 0 && facts.Multiprocessors > 0 {
		least = float64(bytes) / (storedPerCycle * hz * float64(facts.Multiprocessors))
	}
	const edges = 2 // edges of the memory's clock that carry data
	rate := edges * float64(facts.MemoryClockHz) * float64(facts.MemoryBusBits) / 8
	if beyond := bytes - int64(facts.L2Bytes); beyond > 0 && rate > 0 && facts.L2Bytes > 0 && !facts.Integrated {
		least = max(least, float64(beyond)/(memoryMargin*rate))
	}
	return least
}

// floorOf returns the least time in which a version can write its answer, and the answer's bytes. Both
// are 0 if it is unknown how much a run writes.
func (w *worker) floorOf(alg framework.BaseAlgorithm, clock float64) (least float64, bytes int64) {
	x, ok := alg.(framework.Writer)
	if !ok {
		return 0, 0
	}
	var facts *gpu.Facts
	if _, gpu := alg.(framework.GPUAlgorithm); gpu {
		if w.device == nil {
			return 0, 0
		}
		f := w.device.Facts()
		facts = &f
	}
	bytes = x.Written()
	return floor(bytes, facts, clock, len(machine.AllowedCPUs())), bytes
}

// below says in one line that a time is less than the least time to write the answer. It is empty if the time
// is not less, or if it is unknown how much a run writes.
func (w *worker) below(alg framework.BaseAlgorithm, seconds, clock float64) string {
	least, bytes := w.floorOf(alg, clock)
	if seconds >= least {
		return ""
	}
	return fmt.Sprintf("a run takes %s, less than the %s that it takes to write the %d bytes of the answer: what is timed is not all of the run",
		digits.Stated(seconds, "s"), digits.Stated(least, "s"), bytes)
}

// impossible marks a point as impossible if one of its series is faster than its answer can be
// written.
func (w *worker) impossible(alg framework.BaseAlgorithm, res *record.Result) {
	least, clock := math.Inf(1), 0.0
	for _, s := range []*measure.Series{res.Cold, res.Hot} {
		if s != nil && len(s.Samples) > 0 {
			least, clock = min(least, stats.Median(s.Samples)), max(clock, s.ClockHz)
		}
	}
	if why := w.below(alg, least, clock); why != "" {
		notPossible(res, errors.New(why))
	}
}

// notPossible drops the impossible times of a point.
func notPossible(res *record.Result, why error) {
	res.Status, res.Reason, res.Cause = record.Impossible, oneLine(why), cause(why)
	res.Cold, res.Hot, res.Rate, res.Energy, res.Stages = nil, nil, nil, nil, nil
}
