package measure

import (
	"fmt"
	"time"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

const (
	// pausesFor is how long the timer is watched. Time slices of several contexts last
	// milliseconds.
	pausesFor = 20 * time.Millisecond
	// leastPause is longer than reading the timer and a change of clocks take. A single pause may
	// have another cause, such as the driver's own work. Pauses of less than a twentieth of the
	// time in all are not held against the times.
	leastPause  = 100 * time.Microsecond
	leastPauses = 2
	leastPaused = pausesFor / 20
)

// pauses finds out whether a kernel of one thread that only watches the device's timer is
// interrupted. Another context then has the device meanwhile, perhaps of a process that is not
// listed.
type pauses struct {
	memory *driver.HostMemory
	kernel gpu.Kernel
	found  *[3]uint64 // count, nanoseconds, tag
	tag    uint64
}

func newPauses(gpu *driver.GPU, m gpu.Module) (*pauses, error) {
	k, err := m.Kernel("count_pauses")
	if err != nil {
		return nil, err
	}
	memory, err := gpu.AllocHost(int64(unsafe.Sizeof([3]uint64{})))
	if err != nil {
		return nil, err
	}
	return &pauses{memory: memory, kernel: k, found: (*[3]uint64)(memory.Pointer())}, nil
}

// Pauses returns a line if the device is taken from this process for slices of time, and ""
// otherwise. It takes 20 ms, in which nothing else may be queued.
func (t *GPUTimer) Pauses() (string, error) {
	if t.pauses == nil {
		return "", nil // OpenCL has no timer that a kernel could watch
	}
	const stream = 0
	p := t.pauses
	p.tag++
	if err := p.kernel.Launch(stream, gpu.Launch{}, p.memory.Device(), uint64(pausesFor), uint64(leastPause), p.tag); err != nil {
		return "", fmt.Errorf("look for pauses: %w", err)
	}
	if err := t.device.Synchronize(stream); err != nil {
		return "", fmt.Errorf("look for pauses: %w", err)
	}
	if p.found[2] != p.tag || p.found[0] < leastPauses || p.found[1] < uint64(leastPaused) {
		return "", nil
	}
	return fmt.Sprintf("a kernel was paused %d times within %d ms, for %.1f ms", p.found[0], pausesFor.Milliseconds(), float64(p.found[1])*1e-6), nil
}
