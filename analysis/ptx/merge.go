package ptx

import (
	"math/bits"
	"slices"
	"strings"
)

// widest is the largest number of bytes that a thread accesses at once.
const widest = 16

// merge joins loads of a basic block from adjacent words of shared memory into one, as ptxas does where it
// knows that the address is a multiple of their size.
func (k *Kernel) merge() {
	if !slices.ContainsFunc(k.code, func(i instruction) bool { return i.mergeable() }) {
		return
	}
	align := k.alignments()
	starts := append(k.blocks(), len(k.code))
	for n := range len(starts) - 1 {
		for first := starts[n]; first < starts[n+1]; first++ {
			if i := &k.code[first]; i.mergeable() {
				k.widen(first, starts[n+1], align)
			}
		}
	}
}

func (i *instruction) mergeable() bool {
	return i.kind == load && i.space == Shared && i.guard < 0 && !i.ordered && (i.bytes == 4 || i.bytes == 8) && i.src[0].kind == address &&
		!slices.ContainsFunc(i.dst, func(o operand) bool { return o.kind != register })
}

// widen merges a load with those that follow it in its block.
func (k *Kernel) widen(first, end int, align []uint64) {
	i := &k.code[first]
	at := i.src[0]
	base := placed(at.symbol)
	if at.reg >= 0 {
		base = min(base, align[at.reg])
	}
	for size := uint64(widest); size > uint64(i.bytes*i.count); size /= 2 {
		if base < size || uint64(at.offset)%size != 0 {
			continue
		}
		var parts []int // of the load, in order of their addresses
		for next := at.offset + int64(i.bytes*i.count); next < at.offset+int64(size); {
			n := k.following(first, end, next)
			if n < 0 {
				parts = nil
				break
			}
			parts = append(parts, n)
			next += int64(k.code[n].bytes * k.code[n].count)
		}
		if parts == nil {
			continue
		}
		i.dst = slices.Clone(i.dst)
		for _, n := range parts {
			other := &k.code[n]
			i.dst = append(i.dst, other.dst...)
			i.count += other.count
			other.kind, other.class, other.cost, other.dst, other.src = nothing, Free, 0, nil, nil
		}
		return
	}
}

// following returns the load from that offset to the address of the load first, if it may move up to that one;
// -1 where there is none.
func (k *Kernel) following(first, end int, offset int64) int {
	i := &k.code[first]
	for n := first + 1; n < end; n++ {
		x := &k.code[n]
		if x.mergeable() && x.bytes == i.bytes && x.src[0].reg == i.src[0].reg && x.src[0].symbol == i.src[0].symbol && x.src[0].offset == offset && x.signed == i.signed {
			for m := first + 1; m < n; m++ { // nothing between may need or change its results
				between := &k.code[m]
				between.find()
				for _, o := range x.dst {
					if slices.Contains(between.reads, o.reg) || slices.Contains(between.writes, o.reg) {
						return -1
					}
				}
			}
			return n
		}
		x.find()
		if x.ordered || x.kind == store && (x.space == Shared || x.space == Generic) || i.src[0].reg >= 0 && slices.Contains(x.writes, i.src[0].reg) {
			return -1
		}
	}
	return -1
}

// placed returns the power of two of which a variable's address is a multiple, at most widest.
func placed(v *variable) uint64 {
	if v == nil {
		return widest
	}
	return multiple(v.at)
}

func multiple(x uint64) uint64 { return 1 << bits.TrailingZeros64(x|widest) }

// alignments returns, for each register, the power of two of which all that is assigned to it is a multiple, at
// most widest.
func (k *Kernel) alignments() []uint64 {
	align := make([]uint64, len(k.names))
	for n := range align {
		align[n] = widest
	}
	of := func(o *operand) uint64 {
		switch o.kind {
		case register:
			return align[o.reg]
		case immediate:
			return multiple(o.imm)
		case symbolic:
			return placed(o.symbol)
		}
		return 1
	}
	for changed := true; changed; {
		changed = false
		for n := range k.code {
			i := &k.code[n]
			name, _, _ := strings.Cut(i.text, ".")
			a := uint64(1)
			if i.kind == compute && i.class != FP32 && i.class != FP64 && i.class != FP16 {
				switch src := i.src; {
				case (name == "mov" || name == "cvta" || name == "cvt") && len(src) == 1 && len(i.dst) == 1:
					a = of(&src[0])
				case (name == "add" || name == "sub" || name == "or" || name == "min" || name == "max") && len(src) == 2:
					a = min(of(&src[0]), of(&src[1]))
				case name == "selp" && len(src) == 3:
					a = min(of(&src[0]), of(&src[1]))
				case name == "mul" && len(src) == 2 && !strings.Contains(i.text, ".hi"):
					a = min(widest, of(&src[0])*of(&src[1]))
				case name == "mad" && len(src) == 3 && !strings.Contains(i.text, ".hi"):
					a = min(widest, of(&src[0])*of(&src[1]), of(&src[2]))
				case name == "and" && len(src) == 2:
					a = max(of(&src[0]), of(&src[1]))
				case name == "shl" && len(src) == 2 && src[1].kind == immediate && src[1].imm < 64:
					a = min(widest, of(&src[0])<<min(src[1].imm, 4))
				}
			}
			for _, o := range i.dst {
				if o.kind == register && a < align[o.reg] {
					align[o.reg], changed = a, true
				}
			}
		}
	}
	return align
}
