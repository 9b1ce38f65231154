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

// predicate marks the branches around short parts, where a compiler makes no branch. A warp whose lanes
// all skip such a part issues its instructions nevertheless.
func (k *Kernel) predicate() {
	targets := k.targets()
	for n := range k.code {
		i := &k.code[n]
		if i.kind == branch && i.guard >= 0 && i.target > n+1 && i.target <= len(k.code) && k.short(n+1, i.target, targets) {
			i.predicates, i.class, i.cost = true, Free, 0
		}
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
		if targets[n] || i.ordered {
			return false
		}
	}
	if stores > 0 {
		return stores <= mostPredicatedStores && loads+stores+others <= mostBesideStores
	}
	return loads <= mostPredicatedLoads && others <= mostPredicatedOthers
}

// skip reports the instructions of a predicated part to Observe, for a warp of which no lane takes part.
func (w *Warp) skip(from, to int) {
	if w.block.Observe == nil {
		return
	}
	for at := from; at < to; at++ {
		w.block.Observe(&Event{Warp: w.index, At: at})
	}
}
