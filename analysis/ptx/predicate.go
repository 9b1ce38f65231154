package ptx

// The limits within which a compiler executes instructions under a predicate instead of branching around
// them: at most so many loads and so many others, or so many in all with at most so many stores, all to
// shared memory. These are the longest bodies of an if statement for which ptxas 11.8 makes no branch,
// for sm_90 (chains of multiply-adds, of loads and sums, of sums and stores). Around a store to global
// memory it mostly makes one.
const (
	mostPredicatedLoads  = 7
	mostPredicatedOthers = 8
	mostPredicatedStores = 2
	mostBesideStores     = 4
)

// predicate puts short parts that a branch leads around under its predicate, as a compiler does, and removes
// the branch. A warp whose lanes all skip such a part issues its instructions nevertheless, and a compiler
// mixes them with what comes before and behind.
func (k *Kernel) predicate() {
	targets := k.targets()
	for n := range k.code {
		i := &k.code[n]
		if i.kind != branch || i.guard < 0 || i.target <= n+1 || i.target > len(k.code) || !k.short(n+1, i.target, targets) {
			continue
		}
		for at := n + 1; at < i.target; at++ {
			k.code[at].guard, k.code[at].unless = i.guard, !i.unless
		}
		i.kind, i.class, i.cost, i.guard = nothing, Free, 0, -1
	}
}

// short reports whether a compiler executes a part under a predicate.
func (k *Kernel) short(from, to int, targets map[int]bool) bool {
	loads, stores, others := 0, 0, 0
	for n := from; n < to; n++ {
		i := &k.code[n]
		switch i.kind {
		case load:
			loads++
		case store:
			if i.space != Shared {
				return false
			}
			stores++
		case compute, nothing:
			if i.class != Free {
				others += i.cost
			}
		default:
			return false
		}
		if targets[n] || i.ordered || i.guard >= 0 {
			return false
		}
	}
	if stores > 0 {
		return stores <= mostPredicatedStores && loads+stores+others <= mostBesideStores
	}
	return loads <= mostPredicatedLoads && others <= mostPredicatedOthers
}
