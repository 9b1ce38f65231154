package driver

import (
	"errors"
	"fmt"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// Placed is a GPU whose Alloc returns another kind of memory.
type Placed struct {
	*GPU
	kind    gpu.Memory
	host    map[gpu.Pointer]*HostMemory // mapped memory by its device address
	managed map[gpu.Pointer]int64       // bytes of managed memory
}

var _ gpu.Device = (*Placed)(nil)

// Placed returns the GPU with an Alloc that returns memory of that kind.
func (g *GPU) Placed(kind gpu.Memory) *Placed {
	return &Placed{GPU: g, kind: kind, host: map[gpu.Pointer]*HostMemory{}, managed: map[gpu.Pointer]int64{}}
}

// Alloc returns memory of the kind. It refuses more managed memory than a discrete GPU has free, because
// the driver would page it in and out under the kernels.
func (p *Placed) Alloc(bytes int64) (gpu.Pointer, error) {
	switch p.kind {
	case gpu.MappedMemory:
		h, err := p.AllocHost(bytes)
		if err != nil {
			return 0, err
		}
		p.host[h.Device()] = h
		return h.Device(), nil
	case gpu.ManagedMemory:
		return p.allocManaged(bytes)
	}
	return p.GPU.Alloc(bytes)
}

func (p *Placed) allocManaged(bytes int64) (gpu.Pointer, error) {
	if bytes <= 0 {
		return 0, fmt.Errorf("allocate %s of managed memory: the size must be above zero", terminal.Count(bytes, "byte"))
	}
	if p.api.memAllocManaged == nil {
		return 0, errors.New("this driver has no managed memory (cuMemAllocManaged)")
	}
	if !p.facts.Integrated {
		free, total, err := p.Memory()
		if err != nil {
			return 0, err
		}
		if bytes > free {
			return 0, fmt.Errorf("allocate %s of managed memory on %s, which has %s free of %s: %w",
				gibibytes(bytes), p.ID(), gibibytes(free), gibibytes(total), gpu.ErrOutOfMemory)
		}
	}
	const attachGlobal = 1
	var at uintptr
	if err := p.api.check("cuMemAllocManaged", p.api.memAllocManaged(&at, uintptr(bytes), attachGlobal)); err != nil {
		return 0, fmt.Errorf("allocate %s of managed memory: %w", gibibytes(bytes), err)
	}
	p.managed[gpu.Pointer(at)] = bytes
	return gpu.Pointer(at), nil
}

// View returns that many bytes of mapped or managed memory from at on, as the host addresses them; nil
// for other memory. The device must be idle while the host uses managed memory.
func (p *Placed) View(at gpu.Pointer, bytes int64) []byte {
	for first, h := range p.host {
		if at >= first && at+gpu.Pointer(bytes) <= first+gpu.Pointer(h.bytes) {
			return h.Bytes()[at-first:][:bytes:bytes]
		}
	}
	for first, n := range p.managed {
		if at >= first && at+gpu.Pointer(bytes) <= first+gpu.Pointer(n) {
			host := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // one address for both
			return unsafe.Slice((*byte)(host), bytes)
		}
	}
	return nil
}

// Free frees memory of any kind.
func (p *Placed) Free(at gpu.Pointer) error {
	if h := p.host[at]; h != nil {
		delete(p.host, at)
		return h.Free()
	}
	delete(p.managed, at)
	return p.GPU.Free(at)
}
