package measure

import (
	"sync/atomic"
	"time"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

// gate holds a stream back while work is queued on it: a kernel of one thread polls host memory.
// Two things keep it from blocking for ever. The host opens it after openAfter even if the work is
// not queued yet, because a full launch queue, or a version that waits for its own results, would
// block. And the kernel gives up after holdLimit.
type gate struct {
	memory *driver.HostMemory
	hold   gpu.Kernel
	// opened and expired lie in memory and hold tickets.
	opened, expired *atomic.Uint32
	ticket          uint32 // of the last shut
	early           atomic.Bool
	watchdog        *time.Timer
}

const (
	openAfter = 20 * time.Millisecond
	holdLimit = 2 * time.Second
)

func newGate(gpu *driver.GPU, m gpu.Module) (*gate, error) {
	hold, err := m.Kernel("hold_stream")
	if err != nil {
		return nil, err
	}
	// Each has its own cache line.
	memory, err := gpu.AllocHost(256)
	if err != nil {
		return nil, err
	}
	g := &gate{
		memory: memory, hold: hold,
		opened:  (*atomic.Uint32)(memory.Pointer()),
		expired: (*atomic.Uint32)(unsafe.Add(memory.Pointer(), 128)),
	}
	return g, nil
}

// shut holds s back until open.
func (g *gate) shut(s gpu.Stream) error {
	g.ticket++
	ticket := g.ticket
	g.early.Store(false)
	err := g.hold.Launch(s, gpu.Launch{}, g.memory.Device(), g.memory.Device()+128, ticket, uint64(holdLimit))
	if err != nil {
		return err
	}
	g.watchdog = time.AfterFunc(openAfter, func() {
		g.early.Store(true)
		g.opened.Store(ticket)
	})
	return nil
}

// open releases the stream. It reports whether it had been released before.
func (g *gate) open() (early bool) {
	if g.watchdog != nil {
		g.watchdog.Stop()
	}
	g.opened.Store(g.ticket)
	return g.early.Load()
}

// gaveUp reports whether the kernel of the last shut gave up. The stream must have been
// synchronized.
func (g *gate) gaveUp() bool { return g.expired.Load() == g.ticket }
