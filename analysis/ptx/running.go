package ptx

import "fmt"

// Running is a block in execution.
type Running struct {
	*Launch
	number   int
	place    Dim3
	shared   []byte
	warps    []*Warp
	arrived  [16]int // warps, by barrier
	expected [16]int // threads; 0 for all
	votes    [16]votes
	steps    int
	cluster  *cluster
}

// quantum is the number of instructions that a warp executes in one turn.
const quantum = 2000

// Run executes the block of that number and the others of its cluster. It returns the number of
// instructions that the block's warps executed.
func (l *Launch) Run(number int) (int, error) {
	r, err := l.Begin(number)
	if err != nil {
		return 0, err
	}
	ended, err := r.Go(l.Limit)
	switch {
	case err == nil && !ended:
		err = fmt.Errorf("kernel %s, block %d: %w", l.Kernel.Name, number, ErrLimit)
	case err == nil:
		err = r.cluster.finish()
	}
	return r.steps, err
}

// Begin returns the block of that number before its first instruction.
func (l *Launch) Begin(number int) (*Running, error) {
	if err := l.Kernel.Unknown(); err != nil {
		return nil, err
	}
	r := l.block(number)
	r.cluster = &cluster{[]*Running{r}}
	if l.Cluster.Count() > 1 {
		if err := r.gather(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (l *Launch) block(number int) *Running {
	r := &Running{Launch: l, number: number, place: l.Grid.place(number), shared: make([]byte, l.Kernel.SharedBytes+l.SharedBytes+16)}
	threads := l.Block.Count()
	for at := 0; at < threads; at += WarpSize {
		mask := ^uint32(0)
		if left := threads - at; left < WarpSize {
			mask = 1<<left - 1
		}
		w := &Warp{block: r, index: len(r.warps), registers: make([]uint64, WarpSize*len(l.Kernel.names)), barrier: -1,
			local: make([]byte, WarpSize*l.Kernel.LocalBytes), passed: make([]byte, WarpSize*l.Kernel.passed), stack: []part{{0, len(l.Kernel.code), mask}}}
		r.warps = append(r.warps, w)
	}
	return r
}

// Steps returns the number of instructions that the block's warps have executed.
func (r *Running) Steps() int { return r.steps }

// Go executes about n more instructions, or fewer to the end. A block that waits for others may be
// continued after they have run.
func (r *Running) Go(n int) (ended bool, err error) {
	for until := r.steps + n; ; {
		ended, waits, err := r.round()
		if err == nil && waits {
			err = r.cluster.meet()
		}
		if err != nil || ended {
			return ended, err
		}
		if r.steps > until {
			return false, nil
		}
	}
}

// round gives each warp one turn. waits is true where all warps that have not ended are at the cluster's
// barrier.
func (r *Running) round() (ended, waits bool, err error) {
	moved, ended, cluster := false, true, false
	for _, w := range r.warps {
		if w.done() {
			continue
		}
		ended = false
		if w.barrier >= 0 {
			cluster = cluster || w.barrier == clusterBarrier
			continue
		}
		moved = true
		if err := w.run(quantum); err != nil {
			return false, false, fmt.Errorf("kernel %s, block %d: %w", r.Kernel.Name, r.number, err)
		}
	}
	if ended || r.release() || moved {
		return ended, false, nil
	}
	if cluster {
		return false, true, nil
	}
	return false, false, fmt.Errorf("kernel %s, block %d: its warps wait at different barriers", r.Kernel.Name, r.number)
}

// release releases the warps that wait at a barrier that all have reached.
func (r *Running) release() (released bool) {
	alive := 0
	for _, w := range r.warps {
		if !w.done() {
			alive++
		}
	}
	for id := range r.arrived {
		want := (r.expected[id] + WarpSize - 1) / WarpSize
		if want == 0 {
			want = alive
		}
		if r.arrived[id] == 0 || r.arrived[id] < want {
			continue
		}
		released, r.arrived[id] = true, 0
		for _, w := range r.warps {
			if w.barrier == id {
				w.barrier = -1
				w.joined(r.votes[id])
			}
		}
		r.votes[id] = votes{}
	}
	return released
}
