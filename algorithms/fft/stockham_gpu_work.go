package fft

import "bench/framework"

// The counts below follow stockham.cuh and stockham.cu operation by
// operation; a fused multiply-add is two, as profilers count.

const multiplyFLOPs = 6 // of two complex numbers

// turnFLOPs is Turn by exp(-2πik/32).
func turnFLOPs(k int) int64 {
	switch {
	case k%8 == 0:
		return 0
	case k%4 == 0:
		return 4
	}
	return multiplyFLOPs
}

// dftFLOPs is struct Dft of r points.
func dftFLOPs(r int) int64 {
	switch r {
	case 1:
		return 0
	case 2:
		return 4
	case 4:
		return 16
	}
	a := 4
	if r == 8 {
		a = 2
	}
	b := r / a
	total := int64(b)*dftFLOPs(a) + int64(a)*dftFLOPs(b)
	for n := range b {
		for m := range a {
			total += turnFLOPs(n * m * (32 / r))
		}
	}
	return total
}

// distinctAt is how many different sets of twiddle factors a thread's
// butterflies use in the step at ns.
func (t tile) distinctAt(ns int) int {
	return max(1, min(ns/t.lanes(), t.points/t.radixAt(ns)))
}

// threadFLOPs is what one thread does in Tile::run.
func (t tile) threadFLOPs() int64 {
	var total int64
	t.steps(func(ns, r int) {
		groups := int64(t.points / r)
		total += groups * dftFLOPs(r)
		if ns > 1 {
			powers := int64(r - 1 - log2(r))
			total += multiplyFLOPs * (int64(t.distinctAt(ns))*powers + groups*int64(r-1))
		}
	})
	return total
}

// threadLoads is how many twiddle factors one thread loads in Tile::run.
func (t tile) threadLoads() int64 {
	var total int64
	t.steps(func(ns, r int) {
		if ns > 1 {
			total += int64(t.distinctAt(ns) * log2(r))
		}
	})
	return total
}

// rotationFLOPs is function rotation of stockham.cu.
func (p pass) rotationFLOPs() int64 {
	switch {
	case p.fineBits() == 0:
		return 0
	case p.double:
		return 22
	}
	return 14
}

// blocks of the pass for this many transforms.
func (p pass) blocks(batch int) int { return (batch*p.stride + p.columns - 1) / p.columns }

// work counts the pass over batch transforms; threads beyond the last column
// compute, but move no elements.
func (p pass) work(batch int) framework.Work {
	flops, loads := p.threadFLOPs(), p.threadLoads()
	if p.ns > 1 {
		rotations := int64(1 + log2(p.points))
		flops += rotations*p.rotationFLOPs() + multiplyFLOPs*int64(2*p.points-1)
		loads += rotations
	}
	threads := int64(p.blocks(batch)) * int64(p.threads())
	element := int64(2 * p.realBytes())
	elements := int64(batch) * int64(p.stride) * int64(p.size)
	return framework.Work{
		FLOPs:      threads * flops,
		LoadBytes:  element * (elements + threads*loads),
		StoreBytes: element * elements,
	}
}
