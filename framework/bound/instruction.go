package bound

import (
	"math"

	"bench/cuda/ptx"
	"bench/cuda/trace"
)

// cost is about how many instructions of a GPU one of PTX is.
func (s *multiprocessor) cost(i *ptx.Instruction, x *trace.Step) float64 {
	c := float64(i.Cost)
	switch {
	case c > 4 && i.Class == ptx.Integer && s.ch&shifts != 0, c > 4 && i.Class != ptx.Integer && s.ch&approximate != 0:
		c = 2
	}
	if s.ch&together != 0 && x.Lanes < ptx.WarpSize {
		c *= float64(x.Lanes) / ptx.WarpSize
	}
	return math.Max(c, 1.0/ptx.WarpSize)
}

// others puts what of an instruction is of other classes than its own into their units; it
// is the share that is of its own.
func (s *multiprocessor) others(i *ptx.Instruction, t, cost float64) (own float64) {
	for _, p := range i.Parts {
		share := float64(p.Count) / float64(i.Cost)
		if p.Class == i.Class {
			own = share
			continue
		}
		s.unit[p.Class] = max(s.unit[p.Class], t) + cost*share/s.m.Rates[p.Class]
	}
	return own
}
