package bound

import "slices"

// The counters by which Nsight Compute's section "GPU Speed Of Light" names what bounds a kernel, in percent
// of the GPU's peak, and those that say which memory it is.
const (
	computeCounter = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
	memoryCounter  = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
	dramCounter    = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
	l2Counter      = "lts__throughput.avg.pct_of_peak_sustained_elapsed"
	l1Counter      = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"
	elapsedCounter = "sm__cycles_elapsed.max"
	activeCounter  = "sm__cycles_active.max"
)

// nearlyAll is the least share of the counter of memories at which one memory's counter is the one that it is
// of.
const nearlyAll = 0.99

// Deciding are the counters that decide the class. Without the three of single memories the class is memory,
// whichever it is. The last two tell how much of the counted time is the kernel: a range of CUPTI is some 0.2
// ms longer, in which the GPU is idle; the profiler's is longer by the time of a launch.
var Deciding = []string{computeCounter, memoryCounter, dramCounter, l2Counter, l1Counter, elapsedCounter, activeCounter}

// ByCounters returns w with the class that the counters of a run tell, by the profiler's rule: what the model
// says that the time goes to if both are below 60 %, else the busier one. Without the first two and the last
// two of Deciding, w is unchanged. It is sure if the model is sure of the same class. launch is the seconds
// of a launch beside the work of its blocks.
func (w Why) ByCounters(counted map[string]float64, launch float64) Why {
	compute, ok := counted[computeCounter]
	memory, ok2 := counted[memoryCounter]
	elapsed, active := counted[elapsedCounter], counted[activeCounter]
	if !ok || !ok2 || active <= 0 || elapsed < active {
		return w
	}
	before := w.Class
	active = min(elapsed, active+launch*w.Clock)
	compute, memory = min(100, compute*elapsed/active), min(100, memory*elapsed/active)
	parts := Why{}
	parts.use("compute", Compute, compute/100)
	parts.use("memory and caches", Memory, memory/100)
	parts.rank()
	busiest := L2 // its own counter may have more than that of memories
	switch {
	case counted[dramCounter] >= nearlyAll*counted[memoryCounter], counted[dramCounter] >= max(counted[l2Counter], counted[l1Counter]):
		busiest = Memory
	case counted[l1Counter] >= nearlyAll*counted[memoryCounter]:
		busiest = L1
	}
	if busiest == L1 && slices.ContainsFunc(w.Uses, func(u Use) bool { return u.Class == SharedMem }) {
		busiest = SharedMem
	}
	w.Share, w.Next, w.Second, w.Margin = parts.Share, parts.Next, parts.Second, parts.Margin
	w.Counted = true
	switch {
	case parts.Share < busyEnough:
		w.Class = w.Otherwise
		if w.Class == "" { // the code is not known
			w.Class = Latency
		}
	case parts.Uses[0].Class == Memory:
		w.Class = busiest
	default:
		w.Class, w.Unit = Compute, "counted"
		if n := slices.IndexFunc(w.Uses, func(u Use) bool { return u.Class == Compute }); n >= 0 {
			w.Unit = w.Uses[n].What
		}
		if w.Limited {
			w.Class = Clock
		}
	}
	w.Sure = w.Sure && w.Class == before
	return w
}

// clearly is how far a share must be from being busy enough, and from that of another kind of part. nearly is
// how near the model's time must be to the measured one. Both are about the differences between the model's
// shares and times and counted ones.
const (
	clearly = 1.2
	nearly  = 1.4
)

// sure reports whether the model's class is likely to be the profiler's, if the model's time is near times the measured one.
// It is not if a part of the GPU is nearly busy enough, or nearly as busy as a part of
// another kind.
func (w *Why) sure(near float64) bool {
	var memory, compute, others float64
	for _, u := range w.Uses {
		switch u.Class {
		case Memory, L2, L1, SharedMem:
			memory = max(memory, u.Share)
		case Compute:
			compute = max(compute, u.Share)
		default:
			others = max(others, u.Share)
		}
	}
	most := max(memory, compute)
	return near > 1/nearly && near < nearly &&
		(most < busyEnough/clearly || most >= busyEnough*clearly && most >= clearly*min(memory, compute) && most > others)
}
