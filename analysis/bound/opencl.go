package bound

import (
	"fmt"
	"math"
)

// ExplainOpenCL judges a point of a device of OpenCL, which does not show what kernels execute. It judges by
// the bytes and operations that the problem needs at least, by the measured ceilings, and by the floor, which
// is the time of an empty measurement.
func ExplainOpenCL(in Input, floor float64) Why {
	w := Why{Class: Unknown, Time: in.Time, Clock: in.Clock, Uses: []Use{}, Changes: []Change{}, Kernels: []Kernel{},
		Missing: "OpenCL does not show what kernels execute: shares are of the bytes and operations that the problem needs at least"}
	c := in.Ceilings
	if c.Copy == 0 {
		w.Missing = "the run has no ceilings of its device (measure.ceilings)"
		return w
	}
	fma := c.FMA
	if in.Double {
		fma = c.FMA64
	}
	// A share that no unit can have is mentioned, and does not count.
	need := func(what string, class Class, share float64, impossible string) bool {
		if share > moreThanAll && !math.IsInf(share, 0) {
			w.Missing += fmt.Sprintf("; "+impossible, share)
			return false
		}
		w.use(what, class, share)
		return true
	}
	bytes := float64(in.Work.NominalBytes)
	if !need("memory (the problem's bytes)", Memory, bytes/c.Copy/in.Time, "its bytes are %.1f times what a copy moves in that time, so caches serve them") && c.L2 > 0 {
		need("L2 (the problem's bytes)", L2, bytes/c.L2/in.Time, "and %.1f times what the cache of memory gives: a nearer one serves them")
	}
	need("multiply-add (the problem's operations)", Compute, float64(in.Work.NominalFLOPs)/fma/in.Time, "its operations are %.1f times what multiply-adds do in that time, so others do them, or fewer are done")
	if !(floor > c.Launch) { // a run has at least one launch
		floor = c.Launch
	}
	w.use("launching (the event floor, or an empty launch)", Launch, min(floor/in.Time, 1))
	w.rank()
	if len(w.Uses) > 0 && w.Share >= busyEnough {
		w.Class, w.Sure = w.Uses[0].Class, true
	}
	if w.Class == Compute {
		w.Unit = "multiply-add"
	}
	return w
}
