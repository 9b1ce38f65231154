package pattern

import (
	_ "embed"
	"fmt"
	"math/bits"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

var (
	//go:embed kernels/mapped.cu
	mappedText string
	//go:embed kernels/mapped.cl
	mappedCL string
)

// mappedVersion returns one of the literature's mappings of terms to threads.
func mappedVersion(version int, doc string) framework.Version {
	of := func(s shape, v framework.Values) mapped { return mapped{s, version, int(v.Int("Y")), int(v.Int("Z"))} }
	return framework.Version{
		Name:      fmt.Sprint("v", version),
		Doc:       doc,
		Source:    literature,
		Processor: framework.GPU,
		Portable:  version <= 2,
		Tunables: []framework.Tunable{
			{Name: "Y", Doc: "patterns per block", Values: framework.PowersOfTwo(1, 32)},
			{Name: "Z", Doc: "shifts or gains per block (v4: gains)", Values: framework.PowersOfTwo(1, 64)},
		},
		Defaults: func(params framework.Values, facts gpu.Facts) framework.Values {
			n, threads := shapeOf(params).N, 256
			if facts.OpenCL != nil {
				threads = min(threads, facts.MaxThreadsBlock)
			}
			if version == 4 {
				return framework.IntValues("Y", 4, "Z", 4)
			}
			return framework.IntValues("Y", 1, "Z", min(64, max(1, threads/n)))
		},
		Valid: func(params, v framework.Values, facts gpu.Facts) error { return of(shapeOf(params), v).valid(facts) },
		Supports: func(params framework.Values, facts gpu.Facts) error {
			n := int(params.Int("N"))
			switch {
			case version >= 3 && n != warpSize:
				return fmt.Errorf("N = %d: sums over a warp need N = %d", n, warpSize)
			case n > facts.MaxThreadsBlock:
				return fmt.Errorf("N = %d threads per block; the device allows %d", n, facts.MaxThreadsBlock)
			}
			return nil
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			return of(s, v).plan(gpu.Facts{}).bytes(s)
		},
		New: newVersion(func(s shape, v framework.Values, facts gpu.Facts) gpuPlan { return of(s, v).plan(facts) }),
	}
}

// mapped is the shape of the launches of versions 1 to 4.
type mapped struct {
	shape
	version, y, z int
}

func (m mapped) valid(facts gpu.Facts) error {
	switch threads := m.N * m.y * m.z; {
	case m.y < 1 || m.z < 1:
		return fmt.Errorf("Y = %d, Z = %d: want at least 1", m.y, m.z)
	case m.z > 64:
		return fmt.Errorf("Z = %d: a block has at most 64 threads in that dimension", m.z)
	case threads > facts.MaxThreadsBlock:
		return fmt.Errorf("N·Y·Z = %d threads per block; the device allows %d", threads, facts.MaxThreadsBlock)
	case facts.OpenCL != nil && m.version == 2 && 4*(threads+m.y*m.z+m.y) > facts.SharedPerBlock:
		return fmt.Errorf("N·Y·Z = %d terms take %d bytes of local memory with their sums; the device has %d", threads, 4*(threads+m.y*m.z+m.y), facts.SharedPerBlock)
	}
	return nil
}

// powerWithin returns the largest power of two up to n, which is above zero.
func powerWithin(n int) int { return 1 << (bits.Len(uint(n)) - 1) }

// leastThreads is the number of threads in a block of kernel least.
const leastThreads = 256

func (m mapped) plan(facts gpu.Facts) gpuPlan {
	const terms, sums, shiftSlabs, gainSlabs, shifts = buffer("terms"), buffer("sums"), buffer("shift slabs"), buffer("gain slabs"), buffer("shifts")
	k, patterns := int64(m.K), int32(m.K)
	scratch := map[buffer]int64{
		shiftSlabs: 8 * k * int64(m.shiftSlabs()), gainSlabs: 8 * k * int64(m.gainSlabs()), shifts: 4 * k,
	}
	if m.version == 1 {
		most := int64(max(m.S, m.G))
		scratch[terms], scratch[sums] = 4*k*most*int64(m.N), 4*k*most
	}
	grid := func(slabs int) gpu.Dim3 { return gpu.Dim3{X: blocks(m.K, m.y), Y: slabs} }
	block := gpu.Dim3{X: m.N, Y: m.y, Z: m.z}
	first := gpu.Launch{Grid: grid(m.shiftSlabs()), Block: block}
	if m.version == 4 {
		first.Block.Z = 1
	}
	last := gpu.Launch{
		Grid:  gpu.Dim3{X: min(blocks(m.K, leastThreads), 4*max(1, facts.Multiprocessors))},
		Block: gpu.Dim3{X: leastThreads},
	}
	if facts.OpenCL != nil {
		last.Block.X = min(leastThreads, powerWithin(facts.MaxThreadsBlock))
	}
	p := gpuPlan{
		source: gpu.Source{
			Name: "mapped.cu", Text: mappedText, Headers: map[string]string{"match.cuh": matchText},
			Defines: defines(m.shape, "VERSION", m.version, "Y", m.y, "Z", m.z, "THREADS", last.Block.X),
			Kernels: []string{"shifts", "gains", "least"},
		},
		launches: []launch{
			{"shifts", first, []any{signalBuffer, weightsBuffer, templatesBuffer, terms, sums, shiftSlabs, patterns}},
			{"gains", gpu.Launch{Grid: grid(m.gainSlabs()), Block: block},
				[]any{signalBuffer, weightsBuffer, templatesBuffer, gainsBuffer, terms, sums, shiftSlabs, shifts, gainSlabs, patterns}},
			{"least", last, []any{gainSlabs, shifts, slotsBuffer, resultBuffer, patterns}},
		},
		scratch: scratch,
		slots:   last.Grid.X,
		form:    direct,
		work:    m.work(last.Grid.X),
	}
	if facts.OpenCL != nil { // work-groups do not wait for each other
		p.source.Name, p.source.Text = "mapped.cl", mappedCL
		p.source.Kernels = append(p.source.Kernels, "choose")
		p.launches[2].arguments = []any{gainSlabs, shifts, slotsBuffer, patterns}
		p.launches = append(p.launches, launch{"choose", gpu.Launch{Block: last.Block}, []any{slotsBuffer, resultBuffer, int32(p.slots)}})
		p.work.LoadBytes += 8*int64(p.slots) - slotLoads(p.slots)
		p.work.StoreBytes += 8*int64(p.slots) - slotStores(p.slots)
	}
	return p
}

// shiftSlabs returns how many blocks share the shifts of a pattern.
func (m mapped) shiftSlabs() int {
	if m.version == 4 {
		return 1
	}
	return blocks(m.S, m.z)
}

// gainSlabs returns how many blocks share the gains of a pattern.
func (m mapped) gainSlabs() int { return blocks(m.G, m.z) }

// work counts what the threads of existing patterns, shifts and gains execute, following mapped.cu. Kernel
// least has grid blocks.
func (m mapped) work(grid int) framework.Work {
	k, n, s, g := int64(m.K), int64(m.N), int64(m.S), int64(m.G)
	sum := n - 1 // additions of N terms
	if m.version >= 3 {
		sum = 5 * warpSize // every lane adds in every step
	}
	slabs := k * int64(m.gainSlabs())
	w := framework.Work{
		FLOPs: k * (s*(3*n+sum) + g*(4*n+sum)),
		// Kernel gains reads the slabs of shifts once per block; kernel least reads the slabs of gains, and
		// the shifts.
		LoadBytes:  m.requested(m.G, true) + 8*slabs*int64(m.shiftSlabs()) + 8*slabs + 4*k + slotLoads(grid),
		StoreBytes: 8*k*int64(m.shiftSlabs()) + 8*slabs + 4*k + resultBytes + slotStores(grid),
	}
	if m.version == 4 {
		w.LoadBytes += 4 * k * (2*n + int64(m.length()))
	} else {
		w.LoadBytes += m.requested(m.S, false)
	}
	if m.version == 1 {
		w.LoadBytes += 4 * k * (s + g) * (n + 1)
		w.StoreBytes += 4 * k * (s + g) * (n + 1)
	}
	return w
}

// requested returns the bytes of inputs that the threads of all patterns and of count shifts or gains
// request. What several threads of a warp request at once counts once, as in profilers.
func (m mapped) requested(count int, gains bool) int64 {
	type address struct{ what, at int }
	block := func(patterns, indices int) (bytes int64) {
		threads := m.N * m.y * m.z
		for first := 0; first < threads; first += warpSize {
			asked := map[address]bool{}
			for i := first; i < min(first+warpSize, threads); i++ {
				n, y, z := i%m.N, i/m.N%m.y, i/m.N/m.y
				if y >= patterns || z >= indices {
					continue
				}
				asked[address{0, n}], asked[address{1, n}] = true, true // signal, weight
				if gains {
					asked[address{2, z}] = true
					asked[address{3 + y, n}] = true // at the pattern's best shift
				} else {
					asked[address{3 + y, n + z}] = true
				}
			}
			bytes += 4 * int64(len(asked))
		}
		return bytes
	}
	parts := func(total, size int) map[int]int64 { // how many blocks have each size
		p := map[int]int64{size: int64(total / size)}
		if rest := total % size; rest > 0 {
			p[rest] = 1
		}
		return p
	}
	var total int64
	for patterns, a := range parts(m.K, m.y) {
		for indices, b := range parts(count, m.z) {
			if a*b > 0 {
				total += a * b * block(patterns, indices)
			}
		}
	}
	return total
}
