package fft

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

//go:embed large_fused.cu
var fusedSource string

// fused is both passes of a transform in one kernel, chunk by chunk of so
// many transforms, with what lies between the passes in the L2 cache.
type fused struct {
	one, two pass
	chunk    int
	lag      int // chunks that pass 1 is ahead of pass 2
}

// ring is the places for chunks between the passes: as many again as the lag,
// so that pass 1 seldom waits for pass 2.
func (f fused) ring() int { return 2 * f.lag }

func planFused(n, s, elements, lag int, like tile) (fused, error) {
	var f fused
	passes, err := planPasses(n, s, like)
	if err != nil {
		return f, err
	}
	if len(passes) != 2 {
		return f, fmt.Errorf("CHUNK = %d wants two passes; N = %d takes %d of S = %d", elements, n, len(passes), s)
	}
	if elements < n || elements%n != 0 {
		return f, fmt.Errorf("CHUNK = %d is not a multiple of N = %d", elements, n)
	}
	if lag < 1 {
		return f, fmt.Errorf("LAG = %d: pass 2 needs pass 1 at least 1 chunk ahead", lag)
	}
	return fused{one: passes[0], two: passes[1], chunk: elements / n, lag: lag}, nil
}

func (f fused) threads() int { return f.one.threads() }

func (f fused) sharedBytes() int { return max(f.one.sharedBytes(), f.two.sharedBytes()) }

func (f fused) chunks(transforms int) int { return (transforms + f.chunk - 1) / f.chunk }

// counterBytes is two counters a chunk.
func (f fused) counterBytes(transforms int) int64 { return 8 * int64(f.chunks(transforms)) }

func (f fused) betweenElements(int) int64 {
	return int64(f.ring()) * int64(f.chunk) * int64(f.one.size) * int64(f.one.stride)
}

func (f fused) shape(transforms int, facts gpu.Facts, kernel gpu.Kernel) (gpu.Launch, error) {
	each, err := kernel.ActiveBlocks(f.threads(), f.sharedBytes())
	if err != nil {
		return gpu.Launch{}, err
	}
	return gpu.Launch{
		Grid:        gpu.Dim3{X: max(1, each) * max(1, facts.Multiprocessors)},
		Block:       gpu.Dim3{X: f.threads()},
		SharedBytes: f.sharedBytes(),
		Cooperative: true,
	}, nil
}

func (f fused) tables() [][]complex128 {
	return [][]complex128{f.one.stepTable(), f.two.stepTable(), f.two.turnTable()}
}

func (f fused) count(transforms int) any { return int32(transforms) }

func (f fused) source(inverse bool) gpu.Source {
	source := f.one.source(inverse)
	for name, value := range map[string]int{
		"COLUMNS2": f.two.columns, "PAD_SHIFT2": f.two.shift, "PAD_WIDTH2": f.two.width,
		"FINE_BITS": f.two.fineBits(), "CHUNK": f.chunk, "LAG": f.lag, "RING": f.ring(),
	} {
		source.Defines[name] = strconv.Itoa(value)
	}
	delete(source.Defines, "NS")
	source.Name, source.Text, source.Kernels = "large_fused.cu", fusedSource, []string{"fused"}
	return source
}

func (f fused) work(transforms int) framework.Work {
	return addWork(framework.Work{}, []stage{f.one, f.two}, transforms)
}
