package trace

import (
	"math"
	"testing"

	"example.org/bench/analysis/ptx"
)

// of is a launch of blocks of one warp each, with so many instructions, all kept.
func of(grid int, work ...int) *Launch {
	l := &Launch{Grid: ptx.Dim3{X: grid, Y: 1, Z: 1}}
	for n, w := range work {
		l.Blocks = append(l.Blocks, &Block{Number: n, Warps: []Warp{{Total: w, Steps: make([]Step, 1)}}})
	}
	return l
}

// Where blocks do alike, no further one is executed, and the first stand for all.
func TestEvenBlocks(t *testing.T) {
	l := of(1000, 100, 100, 101, 100, 99, 100)
	if at, more := l.another(6); more {
		t.Errorf("block %d too", at)
	}
	l.represent()
	for i, b := range l.Blocks {
		if b.Number != i || (b.Warps[0].Steps != nil) != (i < evenKept) {
			t.Errorf("place %d: block %d with %d steps", i, b.Number, len(b.Warps[0].Steps))
		}
	}
	if l.Uneven(1, 100) != 1 || math.Abs(l.Mean()-1) > 0.01 {
		t.Errorf("%g, %g", l.Uneven(1, 100), l.Mean())
	}
}

// Where they differ, others are, each once, until their mean is known; some of each size stand for all.
func TestUnevenBlocks(t *testing.T) {
	l := of(1000, 10, 1000, 10, 1000, 10, 1000)
	seen := map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true}
	for n := len(l.Blocks); ; n++ {
		at, more := l.another(n)
		if !more {
			break
		}
		if at < 0 || at >= 1000 || seen[at] {
			t.Fatalf("block %d", at)
		}
		seen[at] = true
		l.Blocks = append(l.Blocks, &Block{Number: at, Warps: []Warp{{Total: 10 + 990*(n%2), Steps: make([]Step, 1)}}})
	}
	if len(l.Blocks) != unevenBlocks {
		t.Errorf("%d blocks", len(l.Blocks))
	}
	l.represent()
	large, small := 0, 0
	for i, b := range l.Blocks {
		switch {
		case i >= strata && b.Warps[0].Steps != nil:
			t.Errorf("block %d is kept", b.Number)
		case i < strata && b.Warps[0].Total == 1000:
			large++
		case i < strata:
			small++
		}
	}
	if large != 2 || small != 2 || math.Abs(l.Mean()-1) > 0.05 {
		t.Errorf("%d large, %d small, mean %g", large, small, l.Mean())
	}
	// With one block each the worst multiprocessor has a large one; with many they even out.
	if one, many := l.Uneven(1, 132), l.Uneven(10000, 132); math.Abs(one-2) > 0.05 || many < 1 || many > 1.1 {
		t.Errorf("%g, %g", one, many)
	}
	few := of(3, 10, 1000, 10)
	if at, more := few.another(3); more {
		t.Errorf("block %d of three", at)
	}
}
