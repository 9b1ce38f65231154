package strategy

import (
	"cmp"
	"math"
	"slices"

	"example.org/bench/tuning"
)

// haste returns the weight of candidate c, the pool's i: one over the seconds that the candidate takes. These
// are the predicted seconds of compiling, shared among the compilers, those for which a point holds the
// device, and those of changing a parameter.
func (b *searcher) haste() func(i, c int) float32 {
	compiles := !math.IsNaN(b.usual)
	if len(b.ran) == 0 || !compiles && b.settings == nil {
		return func(int, int) float32 { return 1 }
	}
	run := 0.0
	for _, s := range b.ran {
		run += s / float64(len(b.ran))
	}
	share := math.Exp(b.usual) / float64(max(1, b.search.Compilers))
	return func(i, c int) float32 {
		takes := run + b.change(c)
		if compiles {
			takes += share * math.Exp(float64(b.model.dear[i]))
		}
		return float32(1 / takes)
	}
}

// dear is the seconds from which on compiling a point is cut short if nothing is expected of the point any
// more. Below that, the next point waits until the compiler's process has started again.
const dear = 1

// Doubts reports whether a pending point is dear to compile and predicted to be invalid or among those whose
// costs count by less (bendAt).
func (b *searcher) Doubts(p tuning.Proposal) bool {
	m := b.model
	if m == nil || b.taught != nil || b.second != nil || !(math.Exp(b.usual) >= dear) {
		return false
	}
	at := slices.Index(m.points, b.first[p.Task]+p.Point)
	return at >= 0 && m.offset+dot(m.factor[at][:at], m.target[:at]) > bendAt
}

// Forget keeps the point from being proposed again. The model believes in the point until the model is made
// anew.
func (b *searcher) Forget(p tuning.Proposal) {
	c := b.first[p.Task] + p.Point
	b.pending = slices.DeleteFunc(b.pending, func(q int) bool { return q == c })
}

// change returns the seconds that the change from the candidate proposed last to this one takes.
func (b *searcher) change(candidate int) float64 {
	if b.settings == nil || b.settings[candidate] == b.search.Switching.On {
		return 0
	}
	return b.search.Switching.Seconds
}

// inStays orders the points of the design: first those that need no change, then those of each setting
// together.
func (b *searcher) inStays() {
	if b.settings == nil {
		return
	}
	on := b.search.Switching.On
	slices.SortStableFunc(b.design, func(c, d int) int {
		x, y := b.settings[c], b.settings[d]
		if (x == on) != (y == on) {
			if x == on {
				return -1
			}
			return 1
		}
		return cmp.Compare(x, y)
	})
}
