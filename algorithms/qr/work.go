package qr

import (
	"math/bits"

	"example.org/bench/framework"
)

// What each GPU version executes and requests in one run, counted from its
// code: additions and multiplications one each, a fused multiply-add two; reciprocals and
// roots by the special units none.

// times multiplies a Work's own counts.
func times(n int64, w framework.Work) framework.Work {
	return framework.Work{FLOPs: n * w.FLOPs, LoadBytes: n * w.LoadBytes, StoreBytes: n * w.StoreBytes}
}

// sized is a Work whose bytes were counted for float32.
func (s shape) sized(w framework.Work) framework.Work {
	w.LoadBytes *= s.size64() / 4
	w.StoreBytes *= s.size64() / 4
	return w
}

func plus(a, b framework.Work) framework.Work {
	return framework.Work{FLOPs: a.FLOPs + b.FLOPs, LoadBytes: a.LoadBytes + b.LoadBytes, StoreBytes: a.StoreBytes + b.StoreBytes}
}

func (g *looped) Work() framework.Work {
	return g.p.Nominal().Executing(g.p.sized(loopedWork(g.p.shape, g.version, g.threads)))
}

// loopedWork: a sum takes one addition for each thread but one; version 1 makes it in
// global memory, where each addition reads two elements and writes one, and
// all threads read the result, a warp as one element. A root takes a multiplication.
func loopedWork(s shape, version, threads int) framework.Work {
	m, t := int64(s.M), int64(threads)
	products := m // of one dot product
	if version == 3 {
		products = (m + t - 1) / t * t
	}
	sum := framework.Work{FLOPs: t - 1}
	vectors := int64(1) // times that a kernel reads its vectors
	if version == 1 {
		sum.LoadBytes, sum.StoreBytes = 4*(2*(t-1)+t/warpSize), 4*(t+t-1)
		vectors = 2
	}
	normalise := plus(sum, framework.Work{FLOPs: 2*products + m + t, LoadBytes: 4 * vectors * m, StoreBytes: 4 * m})
	project := plus(sum, framework.Work{FLOPs: 2*products + 2*m, LoadBytes: 4 * vectors * 2 * m, StoreBytes: 4 * m})

	n, cols := int64(s.N), int64(s.cols())
	w := framework.Work{
		FLOPs:      n, // norms
		LoadBytes:  4 * m * n,
		StoreBytes: 4 * (m*cols + n*cols), // every element of R once
	}
	for _, p := range s.passes() {
		for k := range cols {
			if k >= int64(p.first) {
				w = plus(w, normalise)
			}
			w = plus(w, times(cols-max(k+1, int64(p.first)), project))
		}
	}
	return times(int64(s.Batch), w)
}

func (g *block) Work() framework.Work {
	return g.p.Nominal().Executing(g.p.sized(times(int64(g.p.Batch), blockWork(g.version, g.threads))))
}

// blockWork is that of one matrix.
func blockWork(version, threads int) framework.Work {
	const n = side
	const pairs = n * (n - 1) / 2 // of columns, one being projected
	w := framework.Work{LoadBytes: 4 * n * n, StoreBytes: 2 * 4 * n * n}
	if version >= 7 {
		const sum = 5 * warpSize
		w.FLOPs = n*(3*warpSize+sum+n+warpSize+1) + pairs*(3*warpSize+sum+4*warpSize)
		return w
	}
	t := int64(threads)
	const tree = n - 1
	groups := t / n
	w.FLOPs = n*(2*t+groups*tree+n+1) + pairs*(n+tree+2*n)
	switch version {
	case 5:
		w.StoreBytes += 4 * (n + pairs) // R's zeros were written first
	case 4:
		// Vectors, products and sums: of the norm in every group, and of every
		// pair in one. A warp reads a sum as one element.
		w.StoreBytes += 4 * (n + pairs)
		w.LoadBytes += 4 * (n*(t+2*tree*groups+t/warpSize+n) + pairs*(2*n+2*tree+n/warpSize+2*n))
		w.StoreBytes += 4 * (n*(t+tree*groups+n) + pairs*(n+tree+n))
	}
	return w
}

func (g *registers) Work() framework.Work {
	matrices := int64((g.p.Batch + g.matrices - 1) / g.matrices * g.matrices)
	w := times(matrices, registersWork(g.t, g.g))
	w.StoreBytes = int64(g.p.Batch) * 2 * 4 * side * side
	return g.p.Nominal().Executing(g.p.sized(w))
}

// registersWork is that of one matrix: of every step the products of the
// columns that a thread has left, and their updates.
func registersWork(t, g int) framework.Work {
	rows, teams := int64(side/g), int64(t/g)
	own := side / teams
	product := 2*(rows-2) + 2 + 1 + int64(bits.Len(uint(g))-1)
	step := (own + 1) * own / 2 * teams * (product + 2 + 2*rows)
	if t > warpSize {
		step += side * product // every warp makes the norm itself
	}
	return framework.Work{FLOPs: int64(t)*step + side*side, LoadBytes: 4 * side * side, StoreBytes: 2 * 4 * side * side}
}

func (g *tiles) Work() framework.Work {
	return g.p.Nominal().Executing(g.p.sized(times(int64(g.Batch), g.tiling.work())))
}

// active counts the pieces of 32·vector rows that meet a panel, and the warps
// that have one.
func (t tiling) active(panel int) (pieces, warps int64) {
	piece := 32 * t.vector
	for w := range t.threads / warpSize {
		any := int64(0)
		for s := range t.steps {
			begin := s*t.threads*t.vector + w*piece
			if begin+piece > panel*t.width && begin < t.M {
				pieces++
				any = 1
			}
		}
		warps += any
	}
	return pieces, warps
}

// scatterFLOPs are the additions of a lane that sums n values over a warp by
// halving them.
func scatterFLOPs(n int) int64 {
	additions := int64(0)
	for half, d := n/2, 16; d > 0; half, d = half/2, d/2 {
		additions += int64(max(half, 1))
	}
	return additions
}

// work is that of one matrix.
func (t tiling) work() framework.Work {
	w, warps := int64(t.width), int64(t.threads/warpSize)
	factored, all := t.factored(), t.all()
	total := framework.Work{
		LoadBytes:  4 * int64(t.sizeA()),
		StoreBytes: 4 * int64(t.sizeQ()+t.sizeR()),
	}
	for k := range factored {
		pieces, with := t.active(k)
		elements := pieces * 32 * int64(t.vector) * w // of the panel

		// Products and their sums, over lanes, over warps by each warp; the
		// substitution by one lane per column; the update.
		apply := framework.Work{
			FLOPs: 2*elements*w + with*32*(w*w/int64(t.sums()))*scatterFLOPs(t.sums()) +
				warps*(warps*w*w+w*w*w) + 2*elements*w,
		}
		load := framework.Work{LoadBytes: 4 * (elements + w*w)}
		total = plus(total, times(int64(factored-1-k+all-k), apply))
		total = plus(total, times(int64(factored-1-k+all-k-1), load)) // a tile holds its own panel

		// Of each column: products with all, sums over lanes and warps, the
		// reflection's scalars in every lane, scaling, and the update of those
		// after it.
		lane := warps + int64(bits.Len(uint(32/t.width))-1) + scalarFLOPs
		factor := framework.Work{
			FLOPs:      w*(2*elements+with*32*(w-1)+warps*32*lane) + elements + elements*(w-1),
			StoreBytes: 4 * (elements + w*w),
		}
		total = plus(total, factor)
	}
	return total
}

// scalarFLOPs make norm, scale, τ and a column's factor.
const scalarFLOPs = 10
