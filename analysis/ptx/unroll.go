package ptx

import (
	"slices"
	"strings"
)

// mostUnrolled is about the largest number of instructions of a loop that ptxas unrolls, as seen with NVRTC 11.8
// for sm_90. It unrolls a loop of one basic block that counts by a constant four times, what is left twice, and
// then once. Loads that need no result of those before them are then in flight together.
const mostUnrolled = 32

// counted is a loop of one basic block: code[from:to], which ends with the branch back.
type counted struct {
	from, to int
	test     int // the instruction that compares the counter
	step     int // the one that counts
}

// unroll unrolls the loops so, except those that begin at the instructions in not.
func (k *Kernel) unroll(not map[int]bool) {
	starts := append(k.blocks(), len(k.code))
	var loops []counted
	for n := range len(starts) - 1 {
		if l, ok := k.countedLoop(starts[n], starts[n+1]); ok && !not[l.from] {
			loops = append(loops, l)
		}
	}
	if loops == nil {
		return
	}
	old, moved := k.code, make([]int, len(k.code)+1)
	k.code = nil
	type leads struct{ at, target int } // to an instruction of old
	var out []leads
	own := map[int]int{} // targets of branches that lead into the new code
	at := 0
	emit := func(until int) {
		for ; at < until; at++ {
			moved[at] = len(k.code)
			k.code = append(k.code, old[at])
		}
	}
	for _, l := range loops {
		emit(l.from)
		begin := len(k.code)
		for _, times := range []int{4, 2} {
			head := len(k.code)
			enough := k.newRegister()
			k.code = append(k.code, enoughLeft(old, l, times, enough))
			skip := len(k.code)
			k.code = append(k.code, instruction{text: "bra", line: old[l.from].line, kind: branch, class: Control, cost: 1, guard: enough, unless: true, reconverge: -1})
			k.code = append(k.code, k.repeated(old, l, times)...)
			back := old[l.to-1] // to this loop's head, or out of it
			if times == 4 {
				own[len(k.code)] = head
				k.code = append(k.code, back)
				out = append(out, leads{len(k.code), l.to})
				k.code = append(k.code, instruction{text: "bra", line: back.line, kind: branch, class: Control, cost: 1, guard: -1, reconverge: -1})
			} else {
				back.unless = !back.unless
				out = append(out, leads{len(k.code), l.to})
				k.code = append(k.code, back)
			}
			own[skip] = len(k.code)
		}
		single := len(k.code)
		emit(l.to)
		moved[l.from] = begin
		own[len(k.code)-1] = single
	}
	emit(len(old))
	moved[len(old)] = len(k.code)
	for n := range k.code {
		i := &k.code[n]
		if i.kind == branch && i.target >= 0 {
			i.target = moved[i.target]
		}
		if i.targets != nil {
			i.targets = slices.Clone(i.targets)
			for t := range i.targets {
				i.targets[t] = moved[i.targets[t]]
			}
		}
	}
	for _, x := range out {
		k.code[x.at].target = moved[x.target]
	}
	for n, target := range own {
		k.code[n].target = target
	}
}

func (k *Kernel) newRegister() int32 {
	k.names = append(k.names, "")
	return int32(len(k.names) - 1)
}

// countedLoop tells whether a basic block is a loop that a compiler unrolls.
func (k *Kernel) countedLoop(from, to int) (l counted, ok bool) {
	l = counted{from: from, to: to, test: -1, step: -1}
	last := &k.code[to-1]
	if to-from > mostUnrolled || to-from < 3 || last.kind != branch || last.guard < 0 || last.target != from {
		return l, false
	}
	loads := 0
	for n := from; n < to-1; n++ {
		i := &k.code[n]
		switch i.kind {
		case load:
			loads++
		case store, compute, nothing:
		default:
			return l, false
		}
		if i.ordered || i.guard >= 0 || i.pair {
			return l, false
		}
		if len(i.dst) == 1 && i.dst[0].kind == register && i.dst[0].reg == last.guard {
			l.test = n
		}
	}
	if l.test < 0 {
		return l, false
	}
	test := &k.code[l.test]
	if !strings.HasPrefix(test.text, "setp.") || len(test.src) != 2 || test.src[0].kind != register || test.evaluate == nil {
		return l, false
	}
	for n := from; n < to-1; n++ {
		for _, o := range k.code[n].dst {
			if o.kind == register && test.src[1].kind == register && o.reg == test.src[1].reg {
				return l, false
			}
		}
		if k.counts(l, n) && k.code[n].dst[0].reg == test.src[0].reg {
			l.step = n
		}
	}
	return l, loads > 0 && l.step >= 0 && l.step < l.test
}

// counts tells whether an instruction of a loop adds a constant to a register that no other one writes.
func (k *Kernel) counts(l counted, n int) bool {
	i := &k.code[n]
	if !strings.HasPrefix(i.text, "add.") || i.evaluate == nil || i.class != Integer || len(i.src) != 2 || i.src[1].kind != immediate ||
		i.src[0].kind != register || len(i.dst) != 1 || i.dst[0].kind != register || i.dst[0].reg != i.src[0].reg {
		return false
	}
	for m := l.from; m < l.to; m++ {
		if m != n && slices.ContainsFunc(k.code[m].dst, func(o operand) bool { return o.kind == register && o.reg == i.dst[0].reg }) {
			return false
		}
	}
	return true
}

// enoughLeft returns an instruction that tells whether the loop goes on for so many times.
func enoughLeft(code []instruction, l counted, times int, to int32) instruction {
	test, step := code[l.test], code[l.step]
	enough := test
	enough.dst = []operand{{kind: register, reg: to}}
	unless := code[l.to-1].unless
	enough.evaluate = func(a, b, c uint64) uint64 {
		for range times - 1 {
			a = step.evaluate(a, step.src[1].imm, 0)
			if (test.evaluate(a, b, c)&1 != 0) == unless {
				return 0
			}
		}
		return 1
	}
	return enough
}

// repeated returns the loop's body so many times, without its branch. Each copy has registers of its own, and
// only the last one counts.
func (k *Kernel) repeated(code []instruction, l counted, times int) (out []instruction) {
	whole := &Kernel{code: code}
	renamed := map[int32]int32{}
	steps := map[int32]*instruction{} // by the register that counts
	for n := l.from; n < l.to-1; n++ {
		if whole.counts(l, n) {
			steps[code[n].dst[0].reg] = &code[n]
		}
	}
	passed := map[int32]int{} // how often each has counted
	counted := func(r int32, n int, to int32) instruction {
		i := *steps[r]
		i.dst = []operand{{kind: register, reg: to}}
		i.src = slices.Clone(i.src)
		i.src[1].imm *= uint64(n)
		return i
	}
	for copy := range times {
		last := copy == times-1
		for n := l.from; n < l.to-1; n++ {
			i := code[n]
			if n == l.test && !last {
				continue
			}
			if len(i.dst) == 1 && steps[i.dst[0].reg] != nil && i.dst[0].kind == register {
				r := i.dst[0].reg
				passed[r]++
				if last {
					out = append(out, counted(r, times, r))
					passed[r] = 0
				}
				continue
			}
			i.src, i.dst = slices.Clone(i.src), slices.Clone(i.dst)
			for x := range i.src {
				o := &i.src[x]
				if o.kind != register && o.kind != address || o.reg < 0 {
					continue
				}
				if r := o.reg; passed[r] > 0 {
					if s := steps[r]; o.kind == address && strings.HasSuffix(s.text, "64") {
						o.offset += int64(s.src[1].imm) * int64(passed[r])
					} else {
						o.reg = k.newRegister()
						out = append(out, counted(r, passed[r], o.reg))
					}
				} else if to, ok := renamed[r]; ok {
					o.reg = to
				}
			}
			for x := range i.dst {
				o := &i.dst[x]
				if o.kind != register {
					continue
				}
				if last {
					delete(renamed, o.reg)
					continue
				}
				to := k.newRegister()
				renamed[o.reg] = to
				o.reg = to
			}
			out = append(out, i)
		}
	}
	return out
}
