package ptx

import "fmt"

// cluster is a set of blocks that are executed together and access each other's shared memory, or a
// single block.
type cluster struct{ members []*Running } // by rank

// clusterBarrier is the number of the cluster's barrier; a block's own barriers have lower numbers.
const clusterBarrier = 16

// The bits of a shared-memory address above the offset hold the block's rank in the cluster plus one;
// zero stands for the own block.
const (
	remoteShift  = 20
	remoteOffset = 1<<remoteShift - 1
)

// Rank returns a block's rank in its cluster; 0 for the first block, and where there are no clusters.
func (l *Launch) Rank(number int) int {
	c := l.Cluster
	if c.Count() <= 1 {
		return 0
	}
	at := l.Grid.place(number)
	return at.X%c.X + c.X*(at.Y%c.Y+c.Y*(at.Z%c.Z))
}

// gather begins the other blocks of a block's cluster. Nobody observes them.
func (r *Running) gather() error {
	c := r.Cluster
	rank := r.Rank(r.number)
	r.cluster = &cluster{make([]*Running, c.Count())}
	own := *r.Launch
	own.Observe, own.Add = nil, nil
	first := Dim3{r.place.X - r.place.X%c.X, r.place.Y - r.place.Y%c.Y, r.place.Z - r.place.Z%c.Z}
	for n := range r.cluster.members {
		at := c.place(n)
		at = Dim3{first.X + at.X, first.Y + at.Y, first.Z + at.Z}
		if n == rank {
			r.cluster.members[n] = r
			continue
		}
		if at.X >= r.Grid.X || at.Y >= r.Grid.Y || at.Z >= r.Grid.Z {
			return fmt.Errorf("kernel %s: the grid is no multiple of its clusters", r.Kernel.Name)
		}
		m := own.block(at.X + r.Grid.X*(at.Y+r.Grid.Y*at.Z))
		m.cluster = r.cluster
		r.cluster.members[n] = m
	}
	return nil
}

// meet executes the blocks of a cluster until all have reached its barrier, and then releases them.
func (c *cluster) meet() error {
	for _, m := range c.members {
		for from := m.steps; ; {
			ended, waits, err := m.round()
			if err != nil {
				return err
			}
			if ended || waits {
				break
			}
			if m.steps-from > m.Limit {
				return fmt.Errorf("kernel %s, block %d: %w", m.Kernel.Name, m.number, ErrLimit)
			}
		}
	}
	for _, m := range c.members {
		for _, w := range m.warps {
			if w.barrier == clusterBarrier {
				w.barrier = -1
			}
		}
	}
	return nil
}

// finish executes the other blocks of a cluster to their end.
func (c *cluster) finish() error {
	for _, m := range c.members {
		ended, err := m.Go(m.Limit)
		if err == nil && !ended {
			err = fmt.Errorf("kernel %s, block %d: %w", m.Kernel.Name, m.number, ErrLimit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sharedAt returns the shared memory that contains an address, and the offset in it.
func (r *Running) sharedAt(at uint64) ([]byte, uint64) {
	if rank := int(at >> remoteShift); rank > 0 && rank <= len(r.cluster.members) {
		return r.cluster.members[rank-1].shared, at & remoteOffset
	}
	return r.shared, at
}
