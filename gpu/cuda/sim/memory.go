package sim

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"sync"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/terminal"
)

// poison fills memory that was never written; as a float or double it is NaN.
const poison = 0xff

// allocation is the result of one Alloc: bytes from base on, between two inaccessible pages. The rest of
// its own pages stays poison unless a kernel writes out of bounds.
type allocation struct {
	base    gpu.Pointer
	bytes   int64
	mapping []byte // with the guard pages; nil for a variable of a module
	inside  []byte // the accessible pages
	modules int    // number of modules that adopted the variable
	shadow  shadow // of the mapping, where accesses are checked
}

type memory struct {
	mu     sync.Mutex
	limit  int64
	used   int64
	checks bool
	all    []*allocation // sorted by base
	arrays map[gpu.Pointer]gpu.Array
}

func newMemory(limit int64, checks bool) *memory {
	return &memory{limit: limit, checks: checks, arrays: map[gpu.Pointer]gpu.Array{}}
}

func (m *memory) alloc(bytes int64) (gpu.Pointer, error) {
	if bytes <= 0 {
		return 0, fmt.Errorf("sim: alloc of %s", terminal.Count(bytes, "byte"))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if bytes > m.limit-m.used {
		return 0, fmt.Errorf("sim: alloc of %s, %d of %d are in use: %w", terminal.Count(bytes, "byte"), m.used, m.limit, gpu.ErrOutOfMemory)
	}
	page := int64(os.Getpagesize())
	pages := (bytes + page - 1) / page * page
	mapping, err := linux.Mmap(-1, 0, int(pages+2*page), linux.PROT_NONE, linux.MAP_PRIVATE|linux.MAP_ANON)
	if err != nil {
		return 0, fmt.Errorf("sim: alloc of %s: %v: %w", terminal.Count(bytes, "byte"), err, gpu.ErrOutOfMemory)
	}
	inside := mapping[page : page+pages]
	if err := linux.Mprotect(inside, linux.PROT_READ|linux.PROT_WRITE); err != nil {
		linux.Munmap(mapping)
		return 0, fmt.Errorf("sim: alloc of %s: %v: %w", terminal.Count(bytes, "byte"), err, gpu.ErrOutOfMemory)
	}
	fill(inside, poison)
	first := gpu.Pointer(unsafe.Pointer(&inside[0]))
	a := &allocation{base: first + gpu.Pointer(pages-(bytes+15)/16*16), bytes: bytes, mapping: mapping, inside: inside}
	if m.checks {
		if a.shadow, err = newShadow(uintptr(first)-uintptr(page), int(pages+2*page)); err != nil {
			linux.Munmap(mapping)
			return 0, fmt.Errorf("sim: alloc of %s, and of what checks need: %v: %w", terminal.Count(bytes, "byte"), err, gpu.ErrOutOfMemory)
		}
		a.mark(a.base, bytes, unwritten)
	}
	m.insert(a)
	m.used += bytes
	return a.base, nil
}

func (m *memory) insert(a *allocation) {
	i := sort.Search(len(m.all), func(i int) bool { return m.all[i].base > a.base })
	m.all = slices.Insert(m.all, i, a)
}

// adopt makes a variable of a loaded library part of the device's memory.
func (m *memory) adopt(variable []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := gpu.Pointer(unsafe.Pointer(&variable[0]))
	for _, a := range m.all {
		if a.base == at {
			a.modules++
			return
		}
	}
	m.insert(&allocation{base: at, bytes: int64(len(variable)), inside: variable, modules: 1})
}

// disown forgets a variable when the last module that adopted it is unloaded.
func (m *memory) disown(at gpu.Pointer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, a := range m.all {
		if a.base == at && a.modules > 0 {
			if a.modules--; a.modules == 0 {
				m.all = slices.Delete(m.all, i, i+1)
			}
			return
		}
	}
}

func fill(b []byte, value byte) {
	if len(b) == 0 {
		return
	}
	b[0] = value
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

func (m *memory) free(p gpu.Pointer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, a := range m.all {
		if a.base == p && a.mapping != nil {
			m.all = append(m.all[:i], m.all[i+1:]...)
			m.used -= a.bytes
			a.shadow.release()
			return linux.Munmap(a.mapping)
		}
	}
	return fmt.Errorf("sim: free of %#x, which is not the start of an allocation", uintptr(p))
}

func (m *memory) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	for _, a := range m.all {
		a.shadow.release()
		if a.mapping != nil {
			errs = append(errs, linux.Munmap(a.mapping))
		}
	}
	m.all, m.used = nil, 0
	return errors.Join(errs...)
}

// bytes returns the n bytes of device memory from p on, which must lie within one allocation. It marks
// them with state where they are to be written; state is 0 for a read.
func (m *memory) bytes(p gpu.Pointer, n int64, state byte, what string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.all {
		if p < a.base || p >= a.base+gpu.Pointer(a.bytes) {
			continue
		}
		left := a.bytes - int64(p-a.base)
		if n < 0 || n > left {
			return nil, fmt.Errorf("sim: %s of %s at %#x, where the allocation has %d left", what, terminal.Count(n, "byte"), uintptr(p), left)
		}
		a.mark(p, n, state)
		offset := p - gpu.Pointer(unsafe.Pointer(&a.inside[0]))
		return a.inside[offset : int64(offset)+n], nil
	}
	return nil, fmt.Errorf("sim: %s at %#x, which is not device memory", what, uintptr(p))
}

// describe locates an address, which one of the arguments may point to.
func (m *memory) describe(address gpu.Pointer, args named) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	best, distance, where := (*allocation)(nil), int64(1)<<62, ""
	for _, a := range m.all {
		behind, ahead := int64(address)-int64(a.base)-a.bytes, int64(a.base)-int64(address)
		if behind < 0 && ahead <= 0 {
			return fmt.Sprintf("byte %d of %s", -ahead, a.name(args))
		}
		if behind >= 0 && behind < distance {
			best, distance, where = a, behind, fmt.Sprintf("%s past the end of", terminal.Count(behind, "byte"))
		}
		if ahead > 0 && ahead < distance {
			best, distance, where = a, ahead, fmt.Sprintf("%s before", terminal.Count(ahead, "byte"))
		}
	}
	if best == nil || distance > 1<<30 {
		return fmt.Sprintf("%#x, which is not device memory", uintptr(address))
	}
	return where + " " + best.name(args)
}

func (a *allocation) name(args named) string {
	for _, begins := range []func(p gpu.Pointer) bool{
		func(p gpu.Pointer) bool { return p == a.base },
		func(p gpu.Pointer) bool { return p > a.base && int64(p) < int64(a.base)+a.bytes },
	} {
		for i, arg := range args.list {
			if p, ok := arg.(gpu.Pointer); ok && begins(p) {
				return fmt.Sprintf("%s, an allocation of %s", args.name(i), terminal.Count(a.bytes, "byte"))
			}
		}
	}
	return fmt.Sprintf("an allocation of %s", terminal.Count(a.bytes, "byte"))
}

// check finds writes to the bytes around an allocation that no guard page covers, and restores those
// bytes.
func (m *memory) check() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.all {
		front := int(a.base - gpu.Pointer(unsafe.Pointer(&a.inside[0])))
		for i, b := range a.inside[:front] {
			if b != poison {
				fill(a.inside[:front], poison)
				return fmt.Errorf("wrote %s before an allocation of %s", terminal.Count(front-i, "byte"), terminal.Count(a.bytes, "byte"))
			}
		}
		rest := a.inside[front+int(a.bytes):]
		for i, b := range rest {
			if b != poison {
				fill(rest, poison)
				return fmt.Errorf("wrote %s past the end of an allocation of %s", terminal.Count(i, "byte"), terminal.Count(a.bytes, "byte"))
			}
		}
	}
	return nil
}

// CopyToDevice copies host memory to device memory.
func (d *Device) CopyToDevice(dst gpu.Pointer, src unsafe.Pointer, bytes int64) error {
	to, err := d.memory.bytes(dst, bytes, written, "copy to device memory")
	if err == nil {
		copy(to, unsafe.Slice((*byte)(src), bytes))
	}
	return err
}

// CopyToHost copies device memory to host memory.
func (d *Device) CopyToHost(dst unsafe.Pointer, src gpu.Pointer, bytes int64) error {
	from, err := d.memory.bytes(src, bytes, 0, "copy from device memory")
	if err == nil {
		copy(unsafe.Slice((*byte)(dst), bytes), from)
	}
	return err
}

// CopyToDeviceAsync is CopyToDevice; it copies at once.
func (d *Device) CopyToDeviceAsync(dst gpu.Pointer, src unsafe.Pointer, bytes int64, s gpu.Stream) error {
	if err := checkStream(s); err != nil {
		return err
	}
	return d.CopyToDevice(dst, src, bytes)
}

// CopyToHostAsync is CopyToHost; it copies at once.
func (d *Device) CopyToHostAsync(dst unsafe.Pointer, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	if err := checkStream(s); err != nil {
		return err
	}
	return d.CopyToHost(dst, src, bytes)
}

// CopyAsync copies within the device's memory, at once.
func (d *Device) CopyAsync(dst, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	if err := checkStream(s); err != nil {
		return err
	}
	to, err := d.memory.bytes(dst, bytes, written, "copy to device memory")
	if err != nil {
		return err
	}
	from, err := d.memory.bytes(src, bytes, 0, "copy from device memory")
	if err == nil {
		copy(to, from)
	}
	return err
}

// SetAsync sets bytes of device memory, at once. Memory set to 0xff counts as never written, except for
// volatile reads and atomic operations, which may wait for that value.
func (d *Device) SetAsync(dst gpu.Pointer, value byte, bytes int64, s gpu.Stream) error {
	if err := checkStream(s); err != nil {
		return err
	}
	state := byte(written)
	if value == poison {
		state = set
	}
	to, err := d.memory.bytes(dst, bytes, state, "set of device memory")
	if err == nil {
		fill(to, value)
	}
	return err
}
