package engine

import (
	"os"
	"slices"

	"bench/framework"
	"bench/framework/machine"
	"bench/framework/measure"
	"bench/framework/neighbours"
	"bench/framework/record"
)

// others watches who else uses the GPU that is measured; nil for the CPU, and where no GPU is
// known. What the parent started, such as other workers, is no other.
func (w *worker) others(p framework.Processor) *neighbours.Watch {
	if p != framework.GPU {
		return nil
	}
	if w.neighbours == nil {
		self, uuid, pci := 0, w.setup.GPU, w.setup.PCI // of a program, which opens the GPU itself
		if w.device != nil {
			f := w.device.Facts()
			self, uuid, pci = os.Getpid(), f.UUID, f.PCIBusID
		}
		if uuid == "" && pci == "" {
			return nil
		}
		w.neighbours = neighbours.Open(machine.Live, uuid, pci, self, w.setup.Parent)
	}
	return w.neighbours
}

// endWatch adds to a point's conditions who had a context on its GPU since the watch began, and in
// words which of them worked. A trial of a search has conditions only where somebody had.
func endWatch(res *record.Result, watch *neighbours.Watch) {
	seen := watch.End()
	if len(seen) == 0 {
		return
	}
	if res.Conditions == nil {
		res.Conditions = measure.Unobserved()
	}
	c := res.Conditions
	c.Processes = neighbours.Join(c.Processes, seen)
	c.Shared = working(c.Shared, seen)
}

// working adds those of processes that worked, in words, to others.
func working(list []string, seen []neighbours.Process) []string {
	for _, p := range seen {
		if p.Working() && !slices.Contains(list, p.String()) {
			list = append(list, p.String())
		}
	}
	return list
}

// interrupted adds to a GPU point's conditions what its times, and a kernel that only looks at
// the time, show of others whom nobody lists.
func (w *worker) interrupted(alg framework.BaseAlgorithm, res *record.Result) error {
	c, sets := res.Conditions, 1
	if othersOf(alg) != nil {
		sets = 2
	}
	c.Shared = append(c.Shared, measure.Interrupted(res.Cold, res.Hot, sets)...)
	paused, err := w.timer.Pauses()
	if paused != "" {
		c.Shared = append(c.Shared, paused)
	}
	return err
}
