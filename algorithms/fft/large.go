package fft

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

//go:embed large_stay.cu
var staySource string

//go:embed large_halves.cu
var halvesSource string

//go:embed ahead.cuh
var aheadHeader string

// stay is one kernel whose blocks take one transform after another, fetching
// the next meanwhile. The tile is a whole transform, or with halves the
// transform of one half: its elements lie in registers while the other half's
// lie in shared memory.
type stay struct {
	tile
	halves bool
	fetch  int // copies issued at once
	// wide is the tile that the first exchange of AHEAD = 2 goes through.
	wide *tile
}

func planStay(n, s, ahead, fetch int, like tile) (stay, error) {
	t := stay{tile: like, halves: n == 2*s, fetch: fetch}
	t.size, t.columns = n, 1
	middle := t.middle()
	switch {
	case fetch < 1:
		return t, fmt.Errorf("FETCH = %d: AHEAD = %d wants at least 1", fetch, ahead)
	case like.double:
		return t, fmt.Errorf("AHEAD = %d transforms single precision only", ahead)
	case ahead == 2:
		steps := 0
		t.tile.steps(func(int, int) { steps++ })
		if n != s || steps != 3 {
			return t, fmt.Errorf("AHEAD = 2 wants N = S and three steps, r² < N ≤ r³; N = %d, S = %d, r = %d", n, s, like.radix)
		}
		t.tile = t.withPadding()
		wide := t.tile
		wide.split = false
		wide = wide.withPadding()
		t.wide = &wide
	case n == s:
		t.tile = t.withPadding()
	case t.halves && like.radix == like.points && middle >= 2 && middle <= like.points:
	default:
		return t, fmt.Errorf("AHEAD = 1 wants N = S, or N = 2·S from 2·P² to P³ and r = P; N = %d, S = %d, P = %d, r = %d",
			n, s, like.points, like.radix)
	}
	return t, nil
}

// middle is the radix of the second of three steps of halves; the others' is
// the points of a thread.
func (s stay) middle() int { return s.size / (s.points * s.points) }

func (s stay) threads() int {
	if s.halves {
		return s.size / s.points / 2
	}
	return s.size / s.points
}

func (s stay) sharedBytes() int {
	element := 2 * s.realBytes()
	if s.halves {
		return s.size/2*element + s.threads()*(s.points+1)*s.realBytes()
	}
	return s.nextElements()*element + s.tile.sharedBytes()
}

// nextElements is the room, in elements, where the next transform comes in.
func (s stay) nextElements() int {
	if s.wide == nil {
		return s.size
	}
	const pair = 2 // what lies behind stays aligned to 16 bytes
	return (s.wide.pad(s.size-1)/pair + 1) * pair
}

// shape is as many blocks as take the least rounds, no more: every round is
// then full, and no block waits for memory that a last, nearly empty round
// would leave idle.
func (s stay) shape(transforms int, facts gpu.Facts, kernel gpu.Kernel) (gpu.Launch, error) {
	each, err := kernel.ActiveBlocks(s.threads(), s.sharedBytes())
	if err != nil {
		return gpu.Launch{}, err
	}
	atOnce := max(1, each) * max(1, facts.Multiprocessors)
	rounds := (transforms + atOnce - 1) / atOnce
	return gpu.Launch{
		Grid:        gpu.Dim3{X: (transforms + rounds - 1) / rounds},
		Block:       gpu.Dim3{X: s.threads()},
		SharedBytes: s.sharedBytes(),
	}, nil
}

func (s stay) tables() [][]complex128 {
	if !s.halves {
		return [][]complex128{s.stepTable()}
	}
	return [][]complex128{append(powerTable(s.points, s.middle()), powerTable(s.points*s.middle(), s.points)...)}
}

func (s stay) count(transforms int) any { return int32(transforms) }

func (s stay) source(inverse bool) gpu.Source {
	source := pass{tile: s.tile, stride: 1, ns: 1}.source(inverse)
	for _, name := range []string{"COLUMNS", "STRIDE", "NS", "FINE_BITS"} {
		delete(source.Defines, name)
	}
	source.Defines["THREADS"] = strconv.Itoa(s.threads())
	source.Headers["ahead.cuh"] = aheadHeader
	source.Name, source.Text, source.Kernels = "large_stay.cu", staySource, []string{"stay"}
	source.Defines["FETCH"] = strconv.Itoa(s.fetch)
	source.Defines["NEXT"] = strconv.Itoa(s.nextElements())
	if s.wide != nil {
		source.Defines["WIDE"] = "1"
		source.Defines["WIDE_SHIFT"] = strconv.Itoa(s.wide.shift)
		source.Defines["WIDE_WIDTH"] = strconv.Itoa(s.wide.width)
	}
	if s.halves {
		source.Defines["MIDDLE"] = strconv.Itoa(s.middle())
		source.Name, source.Text, source.Kernels = "large_halves.cu", halvesSource, []string{"halves"}
	}
	return source
}

// work counts the kernel over this many transforms.
func (s stay) work(transforms int) framework.Work {
	flops, loads, threads := s.threadFLOPs(), s.tile.warpLoads(), int64(s.threads())
	if s.halves {
		p, middle := s.points, s.middle()
		powers := func(r int) int64 { return multiplyFLOPs * int64(r-1-log2(r)) }
		products := func(r int) int64 { return multiplyFLOPs * int64(r-1) }
		// Each thread does steps 1 and 2 for two halves, then two butterflies.
		flops = 2*dftFLOPs(p) +
			2*(powers(middle)+int64(p/middle)*(products(middle)+dftFLOPs(middle))) +
			2*(powers(p)+products(p)+dftFLOPs(p))
		loads = 2 * (int64(log2(middle))*requested(func(thread int) int { return thread % p }) +
			int64(log2(p))*requested(func(thread int) int { return thread }))
	}
	threads *= int64(transforms)
	element := int64(2 * s.realBytes())
	elements := int64(transforms) * int64(s.size)
	return framework.Work{
		FLOPs:      threads * flops,
		LoadBytes:  element * (elements + threads/32*loads),
		StoreBytes: element * elements,
	}
}
