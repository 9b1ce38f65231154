package fft

import (
	"math/bits"
	"unsafe"

	"example.org/bench/framework"
)

// bytes64 allocates bytes aligned to a cache line. (Huge pages for what lies
// between the steps made no difference.)
func bytes64(n int) unsafe.Pointer {
	b := make([]byte, n+63)
	p := unsafe.Pointer(&b[0])
	return unsafe.Add(p, -uintptr(p)&63)
}

// table writes complex numbers as pairs of a precision's scalars.
type table struct {
	base   unsafe.Pointer
	double bool
}

func newTable(elements int, double bool) table {
	size := 8
	if double {
		size = 16
	}
	return table{bytes64(elements * size), double}
}

// set writes scalar i.
func (t table) set(i int, x float64) {
	if t.double {
		*(*float64)(unsafe.Add(t.base, 8*i)) = x
	} else {
		*(*float32)(unsafe.Add(t.base, 4*i)) = float32(x)
	}
}

// lanePlan transforms columns of n rows in passes: a first one of radix 2, 4
// or 8, then radix 8.
type lanePlan struct {
	k        *kernels
	n        int
	rowBytes int
	levels   []level // all but the last pass
	// resident is how many rows the first-level cache holds.
	resident int
	// at is the row of output i after the last pass.
	at []int
}

// level is one pass with twiddle factors.
type level struct {
	radix    int
	twiddles unsafe.Pointer
	kernel   int // of kernels.pass
}

// tileKiB is the share of a 32 KiB data cache that rows may take;
// the rest is for twiddle factors, input and output.
const tileKiB = 24

// newLanePlan plans for rows of so many bytes in a first-level cache.
func newLanePlan(k *kernels, n int, double bool, tile int) *lanePlan {
	size := 4
	if double {
		size = 8
	}
	p := &lanePlan{k: k, n: n, rowBytes: 2 * k.lanes * size}
	p.resident = tile / p.rowBytes
	first := [3]int{8, 2, 4}[(bits.Len(uint(n))-1)%3]
	for length, radix := n, first; length > 8; length, radix = length/radix, 8 {
		m := length / radix
		t := newTable(m*(radix-1), double)
		for i := range m {
			for j := 1; j < radix; j++ {
				w := unitRoot(i*j, length)
				at := 2 * (i*(radix-1) + j - 1)
				t.set(at, real(w))
				t.set(at+1, imag(w))
			}
		}
		p.levels = append(p.levels, level{radix, t.base, bits.Len(uint(radix)) - 2})
	}
	p.at = make([]int, n)
	for i := range p.at {
		rest, length := i, n
		for _, l := range p.levels {
			length /= l.radix
			p.at[i] += rest % l.radix * length
			rest /= l.radix
		}
		p.at[i] += rest
	}
	return p
}

// chunk is how many columns are worked on together.
func (p *lanePlan) chunk() int { return max(1, p.resident/p.n) }

// descend does the passes from level on over blocks that lie one after
// another in work, down to the last, which it leaves to last(work, q, count):
// count butterflies of which the first is number q. Once a block fits the
// first-level cache all its passes are done before the next block's.
func (p *lanePlan) descend(work unsafe.Pointer, from, length, blocks, q int, last func(work unsafe.Pointer, q, count int)) {
	if blocks > 1 && blocks*length > p.resident {
		for b := range blocks {
			p.descend(unsafe.Add(work, b*length*p.rowBytes), from, length, 1, q+b*length/8, last)
		}
		return
	}
	for ; from < len(p.levels); from++ {
		l := p.levels[from]
		m := length / l.radix
		p.k.pass[l.kernel](work, work, p.rowBytes, length*p.rowBytes, m, blocks, l.twiddles)
		length, blocks = m, blocks*l.radix
		if blocks*length > p.resident && from+1 < len(p.levels) {
			p.descend(work, from+1, length, blocks, q, last)
			return
		}
	}
	last(work, q, blocks*length/8)
}

// count adds all passes over e elements; firstKept and lastKept belong to the
// kernels that do the first and the last pass.
func (p *lanePlan) count(w *framework.Work, e int64, firstKept [3]int64, lastKept int64) {
	c := &p.k.costs
	size, lanes := int64(p.rowBytes/p.k.lanes), int64(p.k.lanes)
	kept := firstKept
	for _, l := range p.levels {
		radix := int64(l.radix)
		butterflies := e / radix
		w.FLOPs += butterflies * c.turnedFLOPs[l.kernel]
		w.LoadBytes += e*size + butterflies*kept[l.kernel]*size + butterflies*(radix-1)*size/lanes
		w.StoreBytes += e*size + butterflies*kept[l.kernel]*size
		kept = c.passKept
	}
	w.FLOPs += e / 8 * c.lastFLOPs
	w.LoadBytes += e*size + e/8*lastKept*size
	w.StoreBytes += e*size + e/8*lastKept*size
}
