package measure

import (
	"unsafe"

	"example.org/bench/framework/machine"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

// smClock measures the clock of one multiprocessor: cycles over nanoseconds
// between two stamps. Without a kernel, as on OpenCL, it measures nothing.
type smClock struct {
	// highest is the clock with which samples are compared, in Hz.
	highest float64
	// rate is how many seconds the device's timer shows in one second.
	rate float64

	memory *driver.HostMemory
	kernel gpu.Kernel
	blocks int
	stamps *[2]stamp
	tag    uint64
}

// stamp is what the kernel stamp_clock writes.
type stamp struct{ cycles, nanoseconds, tag uint64 }

// first and last are the stamps around one piece of work.
const (
	first = 0
	last  = 1
)

// window is the cycles and seconds between two stamps, or their sums.
type window struct{ cycles, seconds float64 }

func (w *window) add(o window) {
	w.cycles += o.cycles
	w.seconds += o.seconds
}

func (w window) valid() bool { return w.seconds > 0 }

// hertz returns the window's clock, or 0 for an invalid window.
func (w window) hertz() float64 {
	if !w.valid() {
		return 0
	}
	return w.cycles / w.seconds
}

func newSMClock(gpu *driver.GPU, m gpu.Module, highest float64) (*smClock, error) {
	k, err := m.Kernel("stamp_clock")
	if err != nil {
		return nil, err
	}
	memory, err := gpu.AllocHost(int64(unsafe.Sizeof([2]stamp{})))
	if err != nil {
		return nil, err
	}
	return &smClock{
		highest: highest, rate: 1, memory: memory, kernel: k, blocks: gpu.Facts().Multiprocessors,
		stamps: (*[2]stamp)(memory.Pointer()),
	}, nil
}

// stamp enqueues the first or last stamp.
func (c *smClock) stamp(s gpu.Stream, which int) error {
	if c.kernel == nil {
		return nil
	}
	if which == first {
		c.tag++
	}
	const multiprocessor = 0
	at := c.memory.Device() + gpu.Pointer(uintptr(which)*unsafe.Sizeof(stamp{}))
	return c.kernel.Launch(s, gpu.Launch{Grid: gpu.Dim3{X: c.blocks}}, at, uint32(multiprocessor), c.tag)
}

// window returns the window between the last two stamps. The stream must have been synchronized.
// The window is invalid if a stamp is missing because no block ran on the multiprocessor.
func (c *smClock) window() window {
	if c.stamps == nil {
		return window{}
	}
	a, b := c.stamps[first], c.stamps[last]
	if a.tag != c.tag || b.tag != c.tag || b.nanoseconds <= a.nanoseconds || b.cycles <= a.cycles {
		return window{}
	}
	return window{cycles: float64(b.cycles - a.cycles), seconds: float64(b.nanoseconds-a.nanoseconds) / 1e9 / c.rate}
}

// highestClock returns the highest SM clock in the present power mode, in Hz. On a Jetson that is
// the devfreq limit of the GPU, which nvpmodel sets; elsewhere it is the driver's figure.
func highestClock(t machine.Tree, facts gpu.Facts) float64 {
	if facts.Integrated {
		for _, c := range t.Clocks() {
			if c.Name == machine.GPUClock && c.Max > 0 {
				return c.Max
			}
		}
	}
	return float64(facts.ClockHz)
}
