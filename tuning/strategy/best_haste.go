package strategy

import (
	"cmp"
	"math"
	"slices"

	"example.org/bench/tuning"
)

// haste weighs candidate c, the pool's i, by one over what it takes: the seconds that compiling
// it is predicted to take, shared among the compilers, those for which a point holds the
// device, and those of changing what takes time to change.
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

// dear is from how many seconds on compiling a point is cut short where nothing is expected of
// it any more: below, the next point waits for the compiler's process to start again.
const dear = 1

// Doubts is where a pending point is predicted to be among those whose costs count by less
// (bendAt), invalid ones included, and compiling takes long.
func (b *searcher) Doubts(p tuning.Proposal) bool {
	m := b.model
	if m == nil || b.taught != nil || b.second != nil || !(math.Exp(b.usual) >= dear) {
		return false
	}
	at := slices.Index(m.points, b.first[p.Task]+p.Point)
	return at >= 0 && m.offset+dot(m.factor[at][:at], m.target[:at]) > bendAt
}

// Forget keeps the point from being proposed again: the model believes in it until it is
// made anew.
func (b *searcher) Forget(p tuning.Proposal) {
	c := b.first[p.Task] + p.Point
	b.pending = slices.DeleteFunc(b.pending, func(q int) bool { return q == c })
}

// change is the seconds that going to a candidate from the one proposed last takes.
func (b *searcher) change(candidate int) float64 {
	if b.settings == nil || b.settings[candidate] == b.search.Switching.On {
		return 0
	}
	return b.search.Switching.Seconds
}

// inStays has the points of the design that need no change first, and then those of each
// setting together.
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
