package main

import (
	"regexp"
	"slices"
	"strings"
)

// What a step costs on a Cortex-A57, the slowest core that the kernels are for:
// its front end hands on dispatchWidth micro-operations a cycle, and an
// instruction of two does not share a cycle with another of two. Source: Arm,
// Cortex-A57 Software Optimization Guide, chapters 2 and 3, as LLVM's model of
// that core has them.
const dispatchWidth = 3

type kind struct{ uops, vector, latency int } // vector: half cycles of the two pipes

var (
	loading     = kind{1, 0, 5}
	arithmetic  = kind{2, 2, 5}
	fused       = kind{1, 2, 10}
	stepping    = kind{2, 2, 9} // of Newton's method
	moving      = kind{1, 1, 3}
	storing     = kind{2, 0, 1}
	storing2    = kind{4, 0, 1}
	storingLane = kind{2, 1, 3}
	integer     = kind{1, 0, 1}
)

// ordered finds an order of the block's steps that keeps the front end and the
// vector pipes busy, with at most limit values at a time. It gives nil if it gets
// stuck.
func (b *block) ordered(limit int) []step {
	n := len(b.code)
	before, after := make([][]int, n), make([][]int, n)
	edge := func(i, j int) {
		if i >= 0 && i != j && !slices.Contains(before[j], i) {
			before[j], after[i] = append(before[j], i), append(after[i], j)
		}
	}
	b.dependences(edge)
	height := make([]int, n)
	for i := n - 1; i >= 0; i-- {
		for _, j := range after[i] {
			height[i] = max(height[i], height[j])
		}
		height[i] += b.code[i].kind.latency
	}
	users := map[value]int{}
	for _, s := range b.code {
		for _, v := range s.uses {
			users[b.class[v]]++
		}
	}
	live := map[value]bool{}
	for v := range b.taken {
		live[v] = true
	}
	var order []step
	done, ready := make([]bool, n), make([]int, n) // cycle of the result
	cycle, slots, pipes := 0, dispatchWidth, 0     // pipes: the half cycle until which they are busy
	for len(order) < n {
		best, bestScore := -1, 0
		for i, s := range b.code {
			if done[i] || slices.ContainsFunc(before[i], func(j int) bool { return !done[j] }) || !b.fits(s, live, users, limit) {
				continue
			}
			start := cycle
			for _, j := range before[i] {
				start = max(start, ready[j])
			}
			score := 4*height[i] - 6*max(0, start-cycle-window) - i
			if need := min(s.kind.uops, dispatchWidth); need > slots {
				score -= 10000
			} else if slots < dispatchWidth {
				score += 200 * need
			}
			if best < 0 || score > bestScore {
				best, bestScore = i, score
			}
		}
		if best < 0 {
			return nil
		}
		s := b.code[best]
		if min(s.kind.uops, dispatchWidth) > slots {
			cycle, slots = cycle+1, dispatchWidth
		}
		start := cycle
		for _, j := range before[best] {
			start = max(start, ready[j])
		}
		if s.kind.vector > 0 {
			pipes = max(pipes, 2*start) + s.kind.vector
			start = pipes / 2
		}
		ready[best] = start + s.kind.latency
		for u := s.kind.uops; u > 0; {
			if slots == 0 {
				cycle, slots = cycle+1, dispatchWidth
			}
			take := min(u, slots)
			u, slots = u-take, slots-take
		}
		if slots == 0 {
			cycle, slots = cycle+1, dispatchWidth
		}
		done[best] = true
		order = append(order, s)
		for _, v := range s.uses {
			c := b.class[v]
			if users[c]--; users[c] == 0 {
				delete(live, c)
			}
		}
		if s.defines != none {
			for _, c := range b.beside(b.class[s.defines]) {
				if !b.kept(c) && users[c] > 0 {
					live[c] = true
				}
			}
		}
	}
	return order
}

// window is how many cycles ahead of its operands a step may be handed on.
const window = 12

// spare is how many values' registers a load leaves.
const spare = 4

// beside is a class and its neighbours.
func (b *block) beside(c value) []value {
	list := []value{c}
	if n, ok := b.next[c]; ok {
		list = append(list, n)
	}
	if p, ok := b.previous[c]; ok {
		list = append(list, p)
	}
	return list
}

// kept reports whether a value stays in a register that the block was given.
func (b *block) kept(v value) bool {
	_, ok := b.fixed[b.class[v]]
	return ok
}

// fits reports whether a step leaves at most limit values.
func (b *block) fits(s step, live map[value]bool, users map[value]int, limit int) bool {
	if s.defines == none || live[b.class[s.defines]] || b.kept(s.defines) {
		return true
	}
	count := len(live)
	ending := map[value]int{}
	for _, v := range s.uses {
		ending[b.class[v]]++
	}
	for c, k := range ending {
		if live[c] && users[c] == k {
			count--
		}
	}
	count += len(b.beside(b.class[s.defines]))
	if s.kind == loading { // leave room for what is made of it
		count += spare
	}
	return count <= limit
}

var generalRegister = regexp.MustCompile(`\bR\d+\b`)

// dependences gives every pair of steps whose order counts: values, the uses of
// an accumulator before it changes, and general registers.
func (b *block) dependences(edge func(i, j int)) {
	defined := map[value]int{}
	readers := map[value][]int{} // of a class, since it changed
	written, read := map[string]int{}, map[string][]int{}
	for i, s := range b.code {
		for _, v := range s.uses {
			if d, ok := defined[v]; ok {
				edge(d, i)
			}
			readers[b.class[v]] = append(readers[b.class[v]], i)
		}
		if s.defines != none {
			c := b.class[s.defines]
			for _, r := range readers[c] {
				edge(r, i)
			}
			readers[c] = nil
			defined[s.defines] = i
		}
		text := s.text(func(value) int { return 0 })
		all := generalRegister.FindAllString(text, -1)
		var writes []string
		if s.defines == none && s.kind == integer {
			writes = all[len(all)-1:]
		}
		if strings.Contains(text, ".P ") {
			writes = append(writes, all[0])
		}
		for _, r := range all {
			if w, ok := written[r]; ok {
				edge(w, i)
			}
			read[r] = append(read[r], i)
		}
		for _, r := range writes {
			for _, k := range read[r] {
				edge(k, i)
			}
			written[r], read[r] = i, nil
		}
	}
}
