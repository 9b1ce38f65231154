package driver

import (
	"fmt"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// NewStream creates a separate queue. It and the default stream wait for each other, so libraries that
// copy on the default stream stay in order with it.
func (g *GPU) NewStream() (gpu.Stream, error) {
	const blocking = 0
	var s uintptr
	err := g.api.check("cuStreamCreate", g.api.streamCreate(&s, blocking))
	return gpu.Stream(s), err
}

// DestroyStream destroys a stream; the default stream is left alone.
func (g *GPU) DestroyStream(s gpu.Stream) error {
	if s == 0 {
		return nil
	}
	return g.api.check("cuStreamDestroy", g.api.streamDestroy(uintptr(s)))
}

// Event is a point in a stream, with the time at which the device passed it.
type Event struct {
	gpu    *GPU
	handle event
}

// NewEvent creates an event with timing, whose Wait spins.
func (g *GPU) NewEvent() (*Event, error) { return g.newEvent(0) }

// NewSleepingEvent creates an event without timing, whose Wait sleeps and so takes no processor time or
// power.
func (g *GPU) NewSleepingEvent() (*Event, error) {
	const blockingSync, disableTiming = 1, 2
	return g.newEvent(blockingSync | disableTiming)
}

func (g *GPU) newEvent(flags uint32) (*Event, error) {
	e := &Event{gpu: g}
	err := g.api.check("cuEventCreate", g.api.eventCreate(&e.handle, flags))
	return e, err
}

// Record enqueues the event on s.
func (e *Event) Record(s gpu.Stream) error {
	r := e.gpu.call(e.gpu.api.eventRecord, uintptr(e.handle), uintptr(s))
	return e.gpu.api.check("cuEventRecord", r)
}

// Wait returns when the device has passed the event.
func (e *Event) Wait() error {
	r := e.gpu.call(e.gpu.api.eventSynchronize, uintptr(e.handle))
	return e.gpu.api.check("cuEventSynchronize", r)
}

// Passed reports whether the device has passed the event.
func (e *Event) Passed() (bool, error) {
	r := e.gpu.call(e.gpu.api.eventQuery, uintptr(e.handle))
	if r == errNotReady {
		return false, nil
	}
	err := e.gpu.api.check("cuEventQuery", r)
	return err == nil, err
}

// Since returns the seconds from start to e on the device; both must have passed.
func (e *Event) Since(start *Event) (float64, error) {
	var ms float32
	err := e.gpu.api.check("cuEventElapsedTime", e.gpu.api.eventElapsed(&ms, start.handle, e.handle))
	return float64(ms) / 1e3, err
}

// Destroy frees the event.
func (e *Event) Destroy() error {
	if e == nil || e.handle == 0 {
		return nil
	}
	h := e.handle
	e.handle = 0
	return e.gpu.api.check("cuEventDestroy", e.gpu.api.eventDestroy(h))
}

// HostMemory is page-locked host memory that kernels can address.
type HostMemory struct {
	gpu    *GPU
	host   unsafe.Pointer
	bytes  int64
	device gpu.Pointer
}

// AllocHost returns bytes of zeroed page-locked memory, mapped into the device's address space.
func (g *GPU) AllocHost(bytes int64) (*HostMemory, error) {
	const portable, mapped = 1, 2
	if bytes <= 0 {
		return nil, fmt.Errorf("allocate %s of page-locked memory: the size must be above zero", terminal.Count(bytes, "byte"))
	}
	h := &HostMemory{gpu: g, bytes: bytes}
	if err := g.api.check("cuMemHostAlloc", g.api.memHostAlloc(&h.host, uintptr(bytes), portable|mapped)); err != nil {
		return nil, fmt.Errorf("allocate %s of page-locked memory: %w", gibibytes(bytes), err)
	}
	clear(h.Bytes())
	var d uintptr
	if err := g.api.check("cuMemHostGetDevicePointer", g.api.memHostDevicePointer(&d, h.host, 0)); err != nil {
		return nil, fmt.Errorf("map page-locked memory: %w", err)
	}
	h.device = gpu.Pointer(d)
	return h, nil
}

// Pointer returns the memory's address on the host.
func (h *HostMemory) Pointer() unsafe.Pointer { return h.host }

// Device returns the memory's address on the device.
func (h *HostMemory) Device() gpu.Pointer { return h.device }

// Bytes returns the memory as a slice.
func (h *HostMemory) Bytes() []byte { return unsafe.Slice((*byte)(h.host), h.bytes) }

// Free frees the memory.
func (h *HostMemory) Free() error {
	if h == nil || h.host == nil {
		return nil
	}
	p := h.host
	h.host = nil
	return h.gpu.api.check("cuMemFreeHost", h.gpu.api.memFreeHost(p))
}
