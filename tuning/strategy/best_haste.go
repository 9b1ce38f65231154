package strategy

import (
	"cmp"
	"math"
	"slices"
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
