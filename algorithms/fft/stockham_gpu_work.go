package fft

import (
	"slices"

	"example.org/bench/framework"
)

// addWork adds what stages do to w.
func addWork(w framework.Work, stages []stage, transforms int) framework.Work {
	for _, s := range stages {
		x := s.work(transforms)
		w.FLOPs += x.FLOPs
		w.LoadBytes += x.LoadBytes
		w.StoreBytes += x.StoreBytes
	}
	return w
}

// The counts below follow butterfly.cuh, stockham.cuh and stockham.cu operation
// by operation; a fused multiply-add is two, as profilers count.

const (
	multiplyFLOPs = 6 // of two complex numbers
	halfFLOPs     = 4 // by ±√½ ± i√½
)

// turnFLOPs is function turn, by exp(-2πik/64).
func turnFLOPs(k int) int64 {
	switch {
	case k%16 == 0:
		return 0
	case k%8 == 0:
		return halfFLOPs
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
	switch r {
	case 8:
		a = 2
	case 64:
		a = 8
	}
	b := r / a
	total := int64(b)*dftFLOPs(a) + int64(a)*dftFLOPs(b)
	for m := range a {
		turn := func(n int) int64 { return turnFLOPs(n * m * (64 / r)) }
		for n := range b {
			total += turn(n)
		}
		// The next butterfly adds and subtracts n and n + b/2. Where one is a
		// product by √½, the compiler multiplies in both: two more, real and
		// imaginary.
		for n := range b / 2 {
			if turn(n) == halfFLOPs || turn(n+b/2) == halfFLOPs {
				total += 2
			}
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

// requested is how many different table entries the threads of one warp ask
// for at once, where thread i asks for entry(i): threads that ask for the same
// are served together, and profilers count it once.
func requested(entry func(thread int) int) int64 {
	var seen [32]int
	n := 0
	for thread := range 32 {
		e := entry(thread)
		if !slices.Contains(seen[:n], e) {
			seen[n] = e
			n++
		}
	}
	return int64(n)
}

// warpLoads is how many twiddle factors one warp loads in Tile::run.
func (t tile) warpLoads() int64 {
	var total int64
	t.steps(func(ns, r int) {
		if ns == 1 {
			return
		}
		byColumn := t.columnIn
		if ns*r == t.size {
			byColumn = t.columnOut
		}
		for j := range t.distinctAt(ns) {
			total += int64(log2(r)) * requested(func(thread int) int {
				lane, _ := t.position(thread, byColumn)
				return (lane + j*t.lanes()) % ns
			})
		}
	})
	return total
}

// rotationFLOPs is function rotation for multiples of factor.
func (p pass) rotationFLOPs(factor int) int64 {
	switch {
	case factor >= 1<<p.fineBits():
		return 0
	case p.double:
		return 22
	}
	return 14
}

// twiddleFLOPs is function twiddle.
func (p pass) twiddleFLOPs() int64 {
	total := p.rotationFLOPs(1) + multiplyFLOPs*int64(2*p.points-1)
	for b := range log2(p.points) {
		total += p.rotationFLOPs(p.lanes() << b)
	}
	return total
}

// turnLoads is how many rotations all warps load for one transform.
func (p pass) turnLoads() int64 {
	if p.ns == 1 {
		return 0
	}
	var total int64
	for first := 0; first < p.stride*p.lanes(); first += 32 {
		block, thread := first/p.threads(), first%p.threads()
		at := func(factor func(lane int) int) int64 {
			return requested(func(i int) int {
				lane, column := p.position(thread+i, p.columnIn)
				return (block*p.columns + column) % p.ns * factor(lane) >> p.fineBits()
			})
		}
		total += at(func(lane int) int { return lane })
		for b := range log2(p.points) {
			total += at(func(int) int { return p.lanes() << b })
		}
	}
	return total
}

// blocks of the pass for this many transforms.
func (p pass) blocks(batch int) int { return (batch*p.stride + p.columns - 1) / p.columns }

// work counts the pass over batch transforms; threads beyond the last column
// compute, but move no elements.
func (p pass) work(batch int) framework.Work {
	flops := p.threadFLOPs()
	if p.ns > 1 {
		flops += p.twiddleFLOPs()
	}
	threads := int64(p.blocks(batch)) * int64(p.threads())
	element := int64(2 * p.realBytes())
	elements := int64(batch) * int64(p.stride) * int64(p.size)
	return framework.Work{
		FLOPs:      threads * flops,
		LoadBytes:  element * (elements + threads/32*p.warpLoads() + int64(batch)*p.turnLoads()),
		StoreBytes: element * elements,
	}
}
