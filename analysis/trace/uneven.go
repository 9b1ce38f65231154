package trace

import (
	"cmp"
	"math"
	"slices"
)

// Where the blocks of a launch differ, more of them are executed.
const (
	// unevenBlocks is the largest number of blocks that are executed then.
	unevenBlocks = 64
	// settled is the standard error of the mean of a block's work, relative to that mean, at which no
	// further block is executed.
	settled = 0.03
	// even is the deviation of blocks' work, relative to its mean, below which any of them stand for all.
	even = 0.05
	// evenKept is the number of blocks that then stand for all, strata that where they deviate more.
	evenKept = 3
	strata   = 4
)

// Kept tells whether the instructions of a block's warps are kept.
func (b *Block) Kept() bool { return len(b.Warps) > 0 && len(b.Warps[0].Steps) > 0 }

// work is what a block does, by its instructions and by its sectors of global memory.
func (b *Block) work() [2]float64 {
	n := 0
	for i := range b.Warps {
		n += b.Warps[i].Total
	}
	return [2]float64{float64(n), b.Counts.GlobalSectors}
}

// deviation is the standard deviation of the blocks' work, relative to its mean: of instructions or of
// sectors, whichever deviate more.
func (l *Launch) deviation() float64 {
	n, most := float64(len(l.Blocks)), 0.0
	if n < 2 {
		return 0
	}
	for k := range 2 {
		var sum, squares float64
		for _, b := range l.Blocks {
			x := b.work()[k]
			sum += x
			squares += x * x
		}
		if mean := sum / n; mean > 0 {
			most = max(most, math.Sqrt(max(0, squares/n-mean*mean)*n/(n-1))/mean)
		}
	}
	return most
}

// another returns a further block to execute after n, if these have not settled the mean of a block's work.
func (l *Launch) another(n int) (int, bool) {
	all := l.Grid.Count()
	if n >= min(all, unevenBlocks) || l.deviation() <= settled*math.Sqrt(float64(n)) {
		return 0, false
	}
	executed := map[int]bool{}
	for _, b := range l.Blocks {
		executed[b.Number] = true
	}
	// The fractional parts of multiples of the golden ratio lie evenly between 0 and 1 however many they are,
	// and meet no row of a grid more than another.
	for k := n; k < 2*n+unevenBlocks; k++ {
		_, part := math.Modf(float64(k) * (math.Phi - 1))
		if at := int(part * float64(all)); !executed[at] {
			return at, true
		}
	}
	return 0, false
}

// represent puts the blocks that stand for all first; the others lose the instructions of their warps.
// Where blocks differ, these are the medians of strata of equal size, by work.
func (l *Launch) represent() {
	var known []*Block
	for _, b := range l.Blocks {
		if b.Kept() {
			known = append(known, b)
		}
	}
	n := min(evenKept, len(known))
	if l.deviation() > even && len(known) > evenKept {
		n = strata
		slices.SortStableFunc(known, func(a, b *Block) int { return cmp.Compare(a.work()[0]+a.work()[1], b.work()[0]+b.work()[1]) })
		var middle []*Block
		for _, k := range []int{2, 0, 3, 1} { // a large one beside a small one
			middle = append(middle, known[(2*k+1)*len(known)/(2*strata)])
		}
		known = middle
	}
	first := known[:n]
	rest := slices.DeleteFunc(slices.Clone(l.Blocks), func(b *Block) bool { return slices.Contains(first, b) })
	for _, b := range rest {
		for i := range b.Warps {
			b.Warps[i].Steps, b.Warps[i].Sectors = nil, nil
		}
	}
	l.Blocks = append(slices.Clone(first), rest...)
}

// Mean is the mean of the executed blocks' instructions, relative to that of the blocks that stand for all.
func (l *Launch) Mean() float64 {
	var all, kept, n float64
	for _, b := range l.Blocks {
		w := b.work()[0]
		all += w
		if b.Kept() {
			kept += w
			n++
		}
	}
	if kept == 0 {
		return 1
	}
	return all / float64(len(l.Blocks)) * n / kept
}

// Uneven is the work of the busiest multiprocessor, relative to the mean, where each has share blocks from
// the beginning. For a hundred it is about 2.6 standard errors of a share's mean above 1, and at most as if
// all blocks were the largest.
func (l *Launch) Uneven(share, multiprocessors int) float64 {
	d := l.deviation()
	if d <= even || share < 1 || multiprocessors < 2 {
		return 1
	}
	var sum, most float64
	for _, b := range l.Blocks {
		w := b.work()[0]
		sum, most = sum+w, max(most, w)
	}
	largest := most * float64(len(l.Blocks)) / max(1, sum)
	above := 0.85 * math.Sqrt(2*math.Log(float64(multiprocessors)))
	return max(1, min(largest, 1+above*d/math.Sqrt(float64(share))))
}
