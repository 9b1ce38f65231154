package engine

import (
	"errors"
	"fmt"
	"math"

	"bench/cuda"
	"bench/framework"
	"bench/framework/machine"
	"bench/framework/measure"
	"bench/framework/record"
	"bench/framework/stats"
	"bench/terminal/digits"
)

const (
	// storedPerCycle is bytes that no core of a CPU and no multiprocessor of a GPU stores more of
	// in a cycle: two vectors of 512 bits, or the four bytes of each thread of a warp. Most store half of it.
	storedPerCycle = 128
	// fastestCPU is a clock in Hz that no CPU reaches.
	fastestCPU = 8e9
	// memoryMargin is what the memory's rate may be above the one that the driver's facts say.
	memoryMargin = 2
)

// floor is the least seconds in which a run can write so many bytes of an answer, each once: on a GPU
// with those facts, whose SM clock was measured as clock (Hz), and on so many CPUs where they are nil.
func floor(bytes int64, facts *cuda.Facts, clock float64, cpus int) float64 {
	if facts == nil {
		return float64(bytes) / (storedPerCycle * fastestCPU * float64(max(1, cpus)))
	}
	var least float64
	if hz := max(float64(facts.ClockHz), clock); hz > 0 && facts.Multiprocessors > 0 {
		least = float64(bytes) / (storedPerCycle * hz * float64(facts.Multiprocessors))
	}
	const edges = 2 // of the memory's clock that carry data
	rate := edges * float64(facts.MemoryClockHz) * float64(facts.MemoryBusBits) / 8
	if beyond := bytes - int64(facts.L2Bytes); beyond > 0 && rate > 0 && facts.L2Bytes > 0 && !facts.Integrated {
		least = max(least, float64(beyond)/(memoryMargin*rate))
	}
	return least
}

// below says in one line that a time is less than writing the answer takes; empty where it is not, or
// where how much a run writes is not known.
func (w *worker) below(alg framework.BaseAlgorithm, seconds, clock float64) string {
	x, ok := alg.(framework.Writer)
	if !ok {
		return ""
	}
	var facts *cuda.Facts
	if _, gpu := alg.(framework.GPUAlgorithm); gpu {
		if w.device == nil {
			return ""
		}
		f := w.device.Facts()
		facts = &f
	}
	least := floor(x.Written(), facts, clock, len(machine.AllowedCPUs()))
	if seconds >= least {
		return ""
	}
	return fmt.Sprintf("a run takes %s, less than the %s that it takes to write the %d bytes of the answer: what is timed is not all of the run",
		digits.Stated(seconds, "s"), digits.Stated(least, "s"), x.Written())
}

// impossible makes a point impossible of which a series is faster than its answer can be written.
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

// notPossible drops the times of a point, which cannot be so.
func notPossible(res *record.Result, why error) {
	res.Status, res.Reason, res.Cause = record.Impossible, oneLine(why), cause(why)
	res.Cold, res.Hot, res.Rate, res.Energy = nil, nil, nil, nil
}
