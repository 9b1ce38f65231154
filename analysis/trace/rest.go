package trace

import (
	"example.org/bench/analysis/ptx"
	"example.org/bench/gpu"
)

// restLimit is the largest number of warps' instructions that catchUp executes between calls of Launches.
const restLimit = 6e6

// rest are the blocks of a launch that were not executed because others stand for them: what they would
// have written is missing where a later launch reads it.
type rest struct {
	run      ptx.Launch
	executed map[int]bool
	written  map[uint64]bool // allocations
	steps    float64         // of all these blocks, about
}

// restOf returns the blocks of a launch that were not executed; nil where they cannot be executed one by one.
func restOf(l *Launch, run *ptx.Launch, t *together) *rest {
	if l.Unknown != "" || len(t.order) != len(l.Blocks) || len(t.list) > 0 || run.Cluster.Count() > 1 || len(l.Blocks) == l.Grid.Count() {
		return nil
	}
	x := &rest{run: *run, executed: map[int]bool{}, written: map[uint64]bool{}}
	for _, b := range l.Blocks {
		x.executed[b.Number] = true
	}
	for at := range t.written {
		x.written[at] = true
	}
	x.steps = float64(t.spent) / float64(len(l.Blocks)) * float64(l.Grid.Count()-len(l.Blocks))
	return x
}

// catchUp executes what is left of earlier launches that wrote what a launch with these arguments may read,
// within restLimit: a kernel that looks data up takes other paths without them.
func (d *Device) catchUp(args []any) error {
	for n, x := range d.rests {
		if x == nil || !x.feeds(d.memory, args) {
			continue
		}
		d.rests[n] = nil
		if d.caughtUp+x.steps > restLimit {
			continue
		}
		d.caughtUp += x.steps
		for number := range x.run.Grid.Count() {
			if x.executed[number] {
				continue
			}
			if _, err := x.run.Run(number); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *rest) feeds(m *memory, args []any) bool {
	for _, a := range args {
		if p, ok := a.(gpu.Pointer); ok {
			if span := m.find(uint64(p)); span != nil && x.written[span.at] {
				return true
			}
		}
	}
	return false
}
