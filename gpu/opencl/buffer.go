package opencl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.org/bench/gpu"
)

// OpenCL has no addresses: a kernel gets a buffer. This package gives each buffer a range of numbers, its places, so
// that bytes can be added to a gpu.Pointer.
const (
	firstPlace = 1 << 40
	placeAlign = 1 << 20 // also the least gap between two buffers, so that the end of one is not the start of another
)

// buffer is an allocation.
type buffer struct {
	at     gpu.Pointer
	bytes  int64
	memory memory
	// parts are the sub-buffers that kernels got, by the offset at which they begin.
	parts map[uintptr]memory
}

// keep adds a buffer and returns its first place.
func (d *Device) keep(m memory, bytes int64) gpu.Pointer {
	b := &buffer{at: d.next, bytes: bytes, memory: m}
	d.next += gpu.Pointer((bytes + 2*placeAlign - 1) &^ (placeAlign - 1))
	d.buffers = append(d.buffers, b)
	return b.at
}

// find returns the buffer that has the place p or ends there, and the offset of p in it.
func (d *Device) find(p gpu.Pointer) (*buffer, uintptr, error) {
	i, exact := slices.BinarySearchFunc(d.buffers, p, func(b *buffer, p gpu.Pointer) int { return cmp.Compare(b.at, p) })
	if !exact {
		i--
	}
	if i < 0 || int64(p-d.buffers[i].at) > d.buffers[i].bytes {
		return nil, 0, fmt.Errorf("0x%x is no place in the memory of %s", uint64(p), d.ID())
	}
	return d.buffers[i], uintptr(p - d.buffers[i].at), nil
}

// within returns the buffer that has the bytes from p on, and the offset of p in it.
func (d *Device) within(p gpu.Pointer, bytes int64) (*buffer, uintptr, error) {
	if bytes < 0 {
		return nil, 0, fmt.Errorf("copy or set %d bytes: the size must not be negative", bytes)
	}
	b, at, err := d.find(p)
	if err == nil && int64(at)+bytes > b.bytes {
		err = fmt.Errorf("copy or set %d bytes at %d of a buffer of %d on %s: it ends before", bytes, at, b.bytes, d.ID())
	}
	return b, at, err
}

// forget releases the buffer that begins at p.
func (d *Device) forget(p gpu.Pointer) error {
	b, at, err := d.find(p)
	if err != nil {
		return err
	}
	if at != 0 {
		return fmt.Errorf("free 0x%x: it is %d bytes within a buffer of %s", uint64(p), at, d.ID())
	}
	d.buffers = slices.DeleteFunc(d.buffers, func(x *buffer) bool { return x == b })
	return b.release(d.api)
}

func (b *buffer) release(a *api) error {
	var errs []error
	for _, m := range b.parts {
		errs = append(errs, check("clReleaseMemObject", a.releaseMemory(m)))
	}
	return errors.Join(append(errs, check("clReleaseMemObject", a.releaseMemory(b.memory)))...)
}

// argument returns what a kernel gets for a place: the buffer that begins there, or the sub-buffer from there on.
func (d *Device) argument(p gpu.Pointer) (memory, error) {
	if p == 0 {
		return 0, nil
	}
	b, at, err := d.find(p)
	if err != nil || at == 0 {
		if err != nil {
			return 0, err
		}
		return b.memory, nil
	}
	if m, ok := b.parts[at]; ok {
		return m, nil
	}
	if int64(at) == b.bytes {
		return 0, fmt.Errorf("a kernel gets nothing of a buffer of %d bytes that begins at its end", b.bytes)
	}
	region := [2]uintptr{at, uintptr(b.bytes) - at}
	var r Result
	m := d.api.createSubBuffer(b.memory, memoryReadWrite, bufferRegion, &region, &r)
	if r == errMisaligned {
		return 0, fmt.Errorf("a kernel cannot get a buffer from byte %d on: %s wants a multiple of %d; pass the offset as an argument instead: %w",
			at, d.ID(), d.facts.OpenCL.AlignBytes, check("clCreateSubBuffer", r))
	}
	if r != success {
		return 0, check("clCreateSubBuffer", r)
	}
	if b.parts == nil {
		b.parts = map[uintptr]memory{}
	}
	b.parts[at] = m
	return m, nil
}
