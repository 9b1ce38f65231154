package engine

import (
	"os"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/neighbours"
	"example.org/bench/framework/record"
)

// others watches who else uses the measured GPU. It returns nil for the CPU, and if no GPU is
// known. Processes that the parent started, such as other workers, do not count.
func (w *worker) others(p framework.Processor) *neighbours.Watch {
	if p != framework.GPU {
		return nil
	}
	if w.neighbours == nil {
		self, uuid, pci := 0, w.setup.GPU, w.setup.PCI // for a program, which opens the GPU itself
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

// endWatch adds to a point's conditions which others had a context on its GPU since the watch
// began, and which of them worked. A trial of a search gets conditions only if there were others.
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

// working adds descriptions of the processes that worked to list.
func working(list []string, seen []neighbours.Process) []string {
	for _, p := range seen {
		if p.Working() && !slices.Contains(list, p.String()) {
			list = append(list, p.String())
		}
	}
	return list
}

// interrupted adds to a GPU point's conditions what its times, and a kernel that only looks at the
// clock, show of others that are not listed.
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
