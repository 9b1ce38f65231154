package ptx

import "slices"

// targets returns the instructions that branches lead to.
func (k *Kernel) targets() map[int]bool {
	all := map[int]bool{}
	for n := range k.code {
		i := &k.code[n]
		if i.kind == branch {
			all[i.target] = true
		}
		for _, t := range i.targets {
			all[t] = true
		}
	}
	return all
}

// blocks returns the first instructions of the basic blocks, ascending.
func (k *Kernel) blocks() []int {
	leads := k.targets()
	leads[0] = true
	for n := range k.code {
		switch k.code[n].kind {
		case branch, branchIndexed, exit:
			leads[n+1] = true
		}
	}
	var list []int
	for at := range leads {
		if at < len(k.code) {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

// arrange orders each basic block as a compiler would. It finds where lanes that diverge reconverge: at
// the nearest instruction through which every path goes (the immediate post-dominator of the branch).
func (k *Kernel) arrange() {
	starts := k.blocks()
	for n, from := range starts {
		to := len(k.code)
		if n+1 < len(starts) {
			to = starts[n+1]
		}
		k.schedule(from, to)
	}
	index := map[int]int{}
	for n, at := range starts {
		index[at] = n
	}
	end := len(starts) // the virtual last block
	successors := make([][]int, end)
	for n := range starts {
		to := len(k.code)
		if n+1 < end {
			to = starts[n+1]
		}
		last := &k.code[to-1]
		through := true
		switch last.kind {
		case branch:
			successors[n] = append(successors[n], partAt(index, last.target, end))
			through = last.guard >= 0
		case branchIndexed:
			for _, t := range last.targets {
				successors[n] = append(successors[n], partAt(index, t, end))
			}
			through = last.guard >= 0
		case exit:
			if through = last.guard >= 0; !through {
				successors[n] = append(successors[n], end)
			}
		}
		if through {
			successors[n] = append(successors[n], partAt(index, to, end))
		}
	}
	meets := postDominators(successors)
	for n := range starts {
		to := len(k.code)
		if n+1 < end {
			to = starts[n+1]
		}
		last := &k.code[to-1]
		last.reconverge = -1
		if d := meets[n]; d >= 0 && d < end {
			last.reconverge = starts[d]
		}
	}
}

func partAt(index map[int]int, at, end int) int {
	if n, ok := index[at]; ok {
		return n
	}
	return end
}

// postDominators returns the immediate post-dominators, by the algorithm of Cooper, Harvey and Kennedy
// ("A Simple, Fast Dominance Algorithm") on the reversed graph; -1 for a block from which the end cannot
// be reached.
func postDominators(successors [][]int) []int {
	end := len(successors)
	predecessors := make([][]int, end+1)
	for n, list := range successors {
		for _, s := range list {
			predecessors[s] = append(predecessors[s], n)
		}
	}
	order := make([]int, end+1) // postorder number, from the end
	for n := range order {
		order[n] = -1
	}
	var list []int
	type visit struct{ node, next int }
	seen := make([]bool, end+1)
	seen[end] = true
	for stack := []visit{{end, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next < len(predecessors[top.node]) {
			p := predecessors[top.node][top.next]
			top.next++
			if !seen[p] {
				seen[p] = true
				stack = append(stack, visit{p, 0})
			}
			continue
		}
		order[top.node] = len(list)
		list = append(list, top.node)
		stack = stack[:len(stack)-1]
	}
	idom := make([]int, end+1)
	for n := range idom {
		idom[n] = -1
	}
	idom[end] = end
	for changed := true; changed; {
		changed = false
		for _, n := range slices.Backward(list) {
			if n == end {
				continue
			}
			next := -1
			for _, s := range successors[n] {
				if idom[s] < 0 {
					continue
				}
				if next < 0 {
					next = s
					continue
				}
				for a, b := next, s; ; {
					if a == b {
						next = a
						break
					}
					if order[a] < order[b] {
						a = idom[a]
					} else {
						b = idom[b]
					}
				}
			}
			if idom[n] != next {
				idom[n], changed = next, true
			}
		}
	}
	return idom[:end]
}
