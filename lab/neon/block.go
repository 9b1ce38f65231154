package main

import (
	"fmt"
	"slices"
	"strings"
)

// value is what an instruction of a block writes to a vector register.
type value int

// block is straight-line vector code whose values get registers once all of
// it is known.
type block struct {
	a    arrangement
	code []step
	// class is the values that must share a register: an accumulator and what
	// it becomes.
	class map[value]value
	// next is the class that must lie in the register after a class's.
	next, previous map[value]value
	fixed          map[value]int // values that came in a register, and keep it
	taken          map[value]int // values that came in one which is free after them
	values         int
}

// step is one instruction.
type step struct {
	kind    kind
	defines value // none: -1
	uses    []value
	text    func(register func(value) int) string
}

const none value = -1

func newBlock(a arrangement) *block {
	return &block{a: a, class: map[value]value{}, next: map[value]value{}, previous: map[value]value{}, fixed: map[value]int{}, taken: map[value]int{}}
}

func (b *block) fresh() value {
	v := value(b.values)
	b.values++
	b.class[v] = v
	return v
}

// in is a value that the register already holds, and keeps; an accumulator
// keeps its last one.
func (b *block) in(register int) value {
	v := b.fresh()
	b.fixed[v] = register
	return v
}

// take is a value that the register holds until its last use.
func (b *block) take(register int) value {
	v := b.fresh()
	b.taken[v] = register
	return v
}

func (b *block) define(k kind, text func(d int, r func(value) int) string, uses ...value) value {
	v := b.fresh()
	b.code = append(b.code, step{k, v, uses, func(r func(value) int) string { return text(r(v), r) }})
	return v
}

// instruction adds one without a result in a vector register.
func (b *block) instruction(text string) {
	b.code = append(b.code, step{integer, none, nil, func(func(value) int) string { return text }})
}

// load reads 16 bytes at an address in Go's notation.
func (b *block) load(address string) value {
	return b.define(loading, func(d int, _ func(value) int) string { return fmt.Sprintf("FMOVQ %s, F%d", address, d) })
}

// load8 reads 8 bytes into the lower half.
func (b *block) load8(address string) value {
	return b.define(loading, func(d int, _ func(value) int) string { return fmt.Sprintf("FMOVD %s, F%d", address, d) })
}

// load4 reads 4 bytes into lane 0 and sets the rest to zero.
func (b *block) load4(address string) value {
	return b.define(loading, func(d int, _ func(value) int) string { return fmt.Sprintf("FMOVS %s, F%d", address, d) })
}

func (b *block) three(op string, x, y value) value {
	return b.define(arithmetic, func(d int, r func(value) int) string { return encode3(op, b.a, d, r(x), r(y)) }, x, y)
}

func (b *block) add(x, y value) value { return b.three("FADD", x, y) }
func (b *block) sub(x, y value) value { return b.three("FSUB", x, y) }
func (b *block) mul(x, y value) value { return b.three("FMUL", x, y) }

// element is x·y[lane].
func (b *block) element(x, y value, lane int) value {
	return b.define(arithmetic, func(d int, r func(value) int) string { return encodeElement("FMUL", b.a, d, r(x), r(y), lane) }, x, y)
}

// onto makes v take the place of accumulator.
func (b *block) onto(k kind, accumulator value, text func(d int, r func(value) int) string, uses ...value) value {
	v := b.define(k, text, append(uses, accumulator)...)
	b.class[v] = b.class[accumulator]
	return v
}

// fma is accumulator + x·y; the accumulator is gone.
func (b *block) fma(accumulator, x, y value) value {
	return b.onto(fused, accumulator, func(d int, r func(value) int) string {
		return fmt.Sprintf("VFMLA V%d.%s, V%d.%s, V%d.%s", r(y), b.a.plan9(), r(x), b.a.plan9(), d, b.a.plan9())
	}, x, y)
}

// fms is accumulator - x·y.
func (b *block) fms(accumulator, x, y value) value {
	return b.onto(fused, accumulator, func(d int, r func(value) int) string {
		return fmt.Sprintf("VFMLS V%d.%s, V%d.%s, V%d.%s", r(y), b.a.plan9(), r(x), b.a.plan9(), d, b.a.plan9())
	}, x, y)
}

// fmaElement is accumulator + x·y[lane], fmsElement the difference.
func (b *block) fmaElement(accumulator, x, y value, lane int) value {
	return b.onto(fused, accumulator, func(d int, r func(value) int) string { return encodeElement("FMLA", b.a, d, r(x), r(y), lane) }, x, y)
}

func (b *block) fmsElement(accumulator, x, y value, lane int) value {
	return b.onto(fused, accumulator, func(d int, r func(value) int) string { return encodeElement("FMLS", b.a, d, r(x), r(y), lane) }, x, y)
}

// over is op of an accumulator in a register and x, in the same register.
func (b *block) over(register int, op string, x value) {
	v := b.in(register)
	b.onto(arithmetic, v, func(d int, r func(value) int) string { return encode3(op, b.a, d, d, r(x)) }, x)
}

// dup is a lane of x in all lanes.
func (b *block) dup(x value, lane int) value {
	return b.define(moving, func(d int, r func(value) int) string {
		return fmt.Sprintf("VDUP V%d.%s[%d], V%d.%s", r(x), b.a.lane(), lane, d, b.a.plan9())
	}, x)
}

// copy is x in another register.
func (b *block) copy(x value) value {
	return b.define(moving, func(d int, r func(value) int) string { return fmt.Sprintf("VMOV V%d.B16, V%d.B16", r(x), d) }, x)
}

// trn1 and trn2 take the even and the odd lanes of x and y in turn.
func (b *block) trn1(a arrangement, x, y value) value { return b.permute("VTRN1", a, x, y) }
func (b *block) trn2(a arrangement, x, y value) value { return b.permute("VTRN2", a, x, y) }

func (b *block) permute(op string, a arrangement, x, y value) value {
	return b.define(moving, func(d int, r func(value) int) string {
		return fmt.Sprintf("%s V%d.%s, V%d.%s, V%d.%s", op, r(y), a.plan9(), r(x), a.plan9(), d, a.plan9())
	}, x, y)
}

// transpose exchanges rows and lanes of as many vectors as there are lanes; what
// lane q becomes is number q.
func transpose(b *block, x []value) []value {
	if b.a == d2 {
		return []value{b.trn1(d2, x[0], x[1]), b.trn2(d2, x[0], x[1])}
	}
	even0, odd0 := b.trn1(s4, x[0], x[1]), b.trn2(s4, x[0], x[1])
	even1, odd1 := b.trn1(s4, x[2], x[3]), b.trn2(s4, x[2], x[3])
	return []value{b.trn1(d2, even0, even1), b.trn1(d2, odd0, odd1), b.trn2(d2, even0, even1), b.trn2(d2, odd0, odd1)}
}

// reciprocal is 1/x by Newton's method: an estimate of 8 bits, and steps that
// double them.
func (b *block) reciprocal(x value) value {
	r := b.define(arithmetic, func(d int, r func(value) int) string { return encode2("FRECPE", b.a, d, r(x)) }, x)
	for bits := 8; bits < [...]int{24, 53}[b.a]; bits *= 2 {
		before := r
		step := b.define(stepping, func(d int, r func(value) int) string { return encode3("FRECPS", b.a, d, r(x), r(before)) }, x, before)
		r = b.mul(before, step)
	}
	return r
}

// to copies x to a register that outlasts the block.
func (b *block) to(register int, x value) {
	b.code = append(b.code, step{moving, none, []value{x, b.in(register)}, func(r func(value) int) string {
		return fmt.Sprintf("VMOV V%d.B16, V%d.B16", r(x), register)
	}})
}

// loadHigh reads 8 bytes at a pointer into x's upper half.
func (b *block) loadHigh(x value, pointer string) value {
	return b.onto(loading, x, func(d int, _ func(value) int) string { return fmt.Sprintf("VLD1 (%s), V%d.D[1]", pointer, d) })
}

// writes adds an instruction that only stores.
func (b *block) writes(k kind, x value, text string, arguments ...any) {
	b.code = append(b.code, step{k, none, []value{x}, func(r func(value) int) string {
		return fmt.Sprintf(text, append([]any{r(x)}, arguments...)...)
	}})
}

// store writes 16 bytes at a pointer.
func (b *block) store(x value, pointer string) {
	b.writes(storing, x, "VST1 [V%d.%s], (%s)", b.a.plan9(), pointer)
}

// store8 writes the lower half at an address, storeHigh the upper at a pointer.
func (b *block) store8(x value, address string) { b.writes(storing, x, "FMOVD F%d, %s", address) }
func (b *block) store4(x value, address string) { b.writes(storing, x, "FMOVS F%d, %s", address) }
func (b *block) storeHigh(x value, pointer string) {
	b.writes(storingLane, x, "VST1 V%d.D[1], (%s)", pointer)
}

// storePair writes x and y to 32 bytes at a pointer. They get neighbouring
// registers.
func (b *block) storePair(x, y value, pointer string) {
	p, q := b.class[x], b.class[y]
	_, paired := b.next[p]
	_, follows := b.previous[q]
	if paired || follows || p == q {
		panic(fmt.Sprintf("%d and %d cannot lie side by side", x, y))
	}
	b.next[p], b.previous[q] = q, p
	b.code = append(b.code, step{storing2, none, []value{x, y}, func(r func(value) int) string {
		return fmt.Sprintf("VST1 [V%d.%s, V%d.%s], (%s)", r(x), b.a.plan9(), r(y), b.a.plan9(), pointer)
	}})
}

// lines orders the code, gives every value a register and writes the code.
func (b *block) lines() []string {
	b.checkAccumulators()
	for limit := 32 - len(b.fixed); limit > 0; limit-- {
		if code := b.ordered(limit); code != nil {
			if text := b.allocated(code); text != nil {
				return text
			}
		}
	}
	panic("out of registers")
}

// allocated is the code with registers, nil if there are too few.
func (b *block) allocated(code []step) []string {
	last := map[value]int{}
	for i, s := range code {
		for _, v := range append(slices.Clone(s.uses), s.defines) {
			if v != none {
				last[b.class[v]] = i
			}
		}
	}
	busy := map[int]bool{}
	place := map[value]int{}
	for v, r := range b.fixed {
		busy[r] = true
		place[v] = r
	}
	for v, r := range b.taken {
		busy[r] = true
		place[v] = r
	}
	var text []string
	for i, s := range code {
		// What ends here may be overwritten by what begins here.
		for _, v := range s.uses {
			c := b.class[v]
			if _, kept := b.fixed[c]; !kept && last[c] == i && (s.defines == none || b.class[s.defines] != c) {
				delete(busy, place[c])
			}
		}
		if s.defines != none {
			if !b.allocate(b.class[s.defines], busy, place) {
				return nil
			}
		}
		text = append(text, s.text(func(v value) int { return place[b.class[v]] }))
	}
	return text
}

// allocate finds a register for a class, and for its neighbour too.
func (b *block) allocate(c value, busy map[int]bool, place map[value]int) bool {
	if _, ok := place[c]; ok {
		return true
	}
	first, second := c, none
	if n, ok := b.next[c]; ok {
		second = n
	} else if p, ok := b.previous[c]; ok {
		first, second = p, c
	}
	// Registers 2k and 2k+1 are for neighbours: a single one goes where the
	// other of two is taken, if it can.
	if second == none {
		for _, half := range []bool{true, false} {
			for r := range 32 {
				if !busy[r] && (busy[r^1] || !half) {
					busy[r], place[c] = true, r
					return true
				}
			}
		}
		return false
	}
	for r := 0; r < 32; r += 2 {
		if !busy[r] && !busy[r+1] {
			busy[r], busy[r+1] = true, true
			place[first], place[second] = r, r+1
			return true
		}
	}
	return false
}

// checkAccumulators panics if an accumulator is used after something took its
// place.
func (b *block) checkAccumulators() {
	latest := map[value]value{}
	for _, s := range b.code {
		for _, v := range s.uses {
			if l, ok := latest[b.class[v]]; ok && l != v {
				panic(fmt.Sprintf("value %d is used after %d took its place", v, l))
			}
		}
		if s.defines != none {
			latest[b.class[s.defines]] = s.defines
		}
	}
}

// costs says what the block does, and what bounds it on a Cortex-A57.
func (b *block) costs() []string {
	var operations, fusedOnes, moves, uops, vector, read, written int
	for _, s := range b.code {
		uops += s.kind.uops
		vector += s.kind.vector
		switch s.kind {
		case arithmetic:
			operations++
		case fused, stepping:
			operations++
			fusedOnes++
		case moving:
			moves++
		}
		text := s.text(func(value) int { return 0 })
		bytes := transferred(text)
		if s.defines == none {
			written += bytes
		} else {
			read += bytes
		}
	}
	return []string{
		fmt.Sprintf("%d operations (%d multiply-adds), %d moves; %d bytes read, %d written.", operations, fusedOnes, moves, read, written),
		fmt.Sprintf("Cortex-A57: at least %d cycles of the vector pipes, %d of the front end.", (vector+1)/2, (uops+dispatchWidth-1)/dispatchWidth),
	}
}

// transferred is the bytes that an instruction reads or writes.
func transferred(text string) int {
	op, rest, _ := strings.Cut(text, " ")
	switch op {
	case "FMOVQ":
		return 16
	case "FMOVD":
		return 8
	case "FMOVS", "MOVWU.P", "MOVWU":
		return 4
	case "VST1":
		switch strings.Count(rest, "V") {
		case 2:
			return 32
		default:
			if strings.Contains(rest, "D[1]") {
				return 8
			}
			return 16
		}
	case "VLD1":
		return 8
	case "VLD1R":
		if strings.Contains(rest, ".D2") {
			return 8
		}
		return 4
	}
	return 0
}
