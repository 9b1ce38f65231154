package sim

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/terminal"
)

// The states of a byte, as in enum State of cpp/runtime.h.
const (
	outside = iota
	unwritten
	written
	constant
	set  // to 0xff; counts as written only for volatile reads and atomic operations
	left // in a variable, by an earlier run, and different from its first value
)

// The sizes of a word and of its two remembered accesses, struct Touch of cpp/runtime.h.
const (
	wordBytes  = 4
	touchBytes = 16
)

// region is struct Region of cpp/runtime.h.
type region struct {
	low, high     uintptr
	states        *byte
	writes, reads *byte
	_             [2]uint64 // which launches wrote and read it; the kernels maintain it
}

// shadow records what is known of each byte of some memory.
type shadow struct {
	region
	mappings [3][]byte // states, writes and reads
}

// spareShadows are the shadows of freed memory, sorted by size. Reusing them avoids asking the system for
// pages again. Their writes and reads need no clearing: they only name launches that are over.
var spareShadows struct {
	sync.Mutex
	all   [][3][]byte
	bytes int
}

// mostSpare is the largest number of spare bytes.
const mostSpare = 512 << 20

// newShadow takes the smallest spare shadow that is large enough, or makes one with room for up to twice
// as much, because untouched pages cost nothing.
func newShadow(low uintptr, n int) (s shadow, err error) {
	// An access may begin at the last byte.
	room := func(n int) [3]int {
		touches := (n/wordBytes + 8) * touchBytes
		return [3]int{n + os.Getpagesize(), touches, touches}
	}
	want := room(n)
	spareShadows.Lock()
	i := sort.Search(len(spareShadows.all), func(i int) bool { return len(spareShadows.all[i][0]) >= want[0] })
	if i < len(spareShadows.all) {
		s.mappings = spareShadows.all[i]
		spareShadows.all = slices.Delete(spareShadows.all, i, i+1)
		spareShadows.bytes -= s.bytes()
	}
	spareShadows.Unlock()
	if s.mappings[0] != nil {
		clear(s.mappings[0][:want[0]])
	} else {
		for i, n := range room(1 << bits.Len(uint(n-1))) {
			if s.mappings[i], err = linux.Mmap(-1, 0, n, linux.PROT_READ|linux.PROT_WRITE, linux.MAP_PRIVATE|linux.MAP_ANON|linux.MAP_NORESERVE); err != nil {
				s.unmap()
				return shadow{}, err
			}
		}
		s.touch(want)
	}
	s.region = region{low: low, high: low + uintptr(n), states: &s.mappings[0][0], writes: &s.mappings[1][0], reads: &s.mappings[2][0]}
	return s, nil
}

// touch makes the system provide all pages of a small mapping at once, and large pages for a large
// mapping. Otherwise a page that is read first and written later costs two faults, and the second one
// stops all threads.
func (s *shadow) touch(want [3]int) {
	const large = 2 << 20
	for i, n := range want {
		if n < large {
			linux.Madvise(s.mappings[i][:n], linux.MADV_POPULATE_WRITE) //nolint:errcheck // since Linux 5.14
		} else {
			linux.Madvise(s.mappings[i], linux.MADV_HUGEPAGE) //nolint:errcheck // where the system has them
		}
	}
}

func (s *shadow) bytes() int { return len(s.mappings[0]) + len(s.mappings[1]) + len(s.mappings[2]) }

func (s *shadow) release() {
	spareShadows.Lock()
	defer spareShadows.Unlock()
	n := s.bytes()
	if n > 0 && spareShadows.bytes+n <= mostSpare {
		i := sort.Search(len(spareShadows.all), func(i int) bool { return len(spareShadows.all[i][0]) >= len(s.mappings[0]) })
		spareShadows.all = slices.Insert(spareShadows.all, i, s.mappings)
		spareShadows.bytes += n
		s.mappings = [3][]byte{}
		return
	}
	s.unmap()
}

func (s *shadow) unmap() {
	for i, m := range s.mappings {
		if m != nil {
			linux.Munmap(m) //nolint:errcheck // it was mapped
			s.mappings[i] = nil
		}
	}
}

// mark sets the state of bytes of the allocation; state 0 leaves it unchanged.
func (a *allocation) mark(p gpu.Pointer, n int64, state byte) {
	if state == 0 || a.shadow.mappings[0] == nil || n == 0 {
		return
	}
	from := int64(uintptr(p) - a.shadow.low)
	fill(a.shadow.mappings[0][from:from+n], state)
}

// regions returns the regions of all allocations, by address.
func (m *memory) regions() []region {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []region
	for _, a := range m.all {
		if a.shadow.mappings[0] != nil {
			list = append(list, a.shadow.region)
		}
	}
	return list
}

// variable is a __shared__ variable, located by its offset among them, or a variable of the device,
// located by its address.
type variable struct {
	name     string
	at, size uint64
}

// variables are a module's __device__ and __constant__ variables.
type variables struct {
	shadow
	list  []variable
	first [][]byte // what each variable of list held when the module was loaded; nil for a constant
}

// nextRun marks the words of variables that hold other bytes than at first, because kernels left them
// there. It skips the variables that the host fills.
func (v *variables) nextRun(filled []gpu.Pointer) {
	for i, x := range v.list {
		first := v.first[i]
		if first == nil || slices.Contains(filled, gpu.Pointer(x.at)) {
			continue
		}
		now := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), x.at)), x.size)
		states := v.mappings[0][x.at-uint64(v.low):][:x.size]
		for at := 0; at < len(now); at += wordBytes {
			end := min(at+wordBytes, len(now))
			if !bytes.Equal(now[at:end], first[at:end]) {
				fill(states[at:end], left)
			}
		}
	}
}

// findVariables finds the variables that the symbols of the module's file name, and the state of their
// memory.
func (m *module) findVariables(shared []elf.Symbol) error {
	f, err := elf.Open(m.file)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_TLS {
			m.statics = make([]byte, p.Memsz)
		}
	}
	for _, s := range shared {
		if isGuard(s.Name) {
			fill(m.statics[s.Value:s.Value+s.Size], written)
			continue
		}
		m.shareds = append(m.shareds, variable{plainName(s.Name), s.Value, s.Size})
		fill(m.statics[s.Value:s.Value+s.Size], unwritten)
	}
	call, err := m.library.Symbol("bench_sim_signature_0")
	if err != nil {
		return err
	}
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	base := uint64(0)
	for _, s := range symbols {
		if s.Name == "bench_sim_signature_0" {
			base = uint64(call) - s.Value
		}
	}
	low, high := uint64(0), uint64(0)
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_W != 0 {
			low, high = base+p.Vaddr, base+p.Vaddr+p.Memsz
		}
	}
	if high == low {
		return nil
	}
	v := &m.variables
	if v.shadow, err = newShadow(uintptr(low), int(high-low)); err != nil {
		return fmt.Errorf("what checks need: %w", err)
	}
	states := v.mappings[0]
	fill(states[:high-low], written)
	var ours []elf.Symbol
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || int(s.Section) >= len(f.Sections) || s.Size == 0 || base+s.Value < low || base+s.Value+s.Size > high {
			continue
		}
		if section := f.Sections[s.Section].Name; section == ".data" || section == ".bss" || strings.HasPrefix(section, constantSection) {
			ours = append(ours, s)
		}
	}
	for _, s := range ours {
		at := base + s.Value - low
		fill(states[max(at, guardBytes)-guardBytes:min(at+s.Size+guardBytes, high-low)], outside)
	}
	for _, s := range ours {
		state := byte(written)
		if strings.HasPrefix(f.Sections[s.Section].Name, constantSection) {
			state = constant
		}
		at := base + s.Value - low
		fill(states[at:at+s.Size], state)
		v.list = append(v.list, variable{plainName(s.Name), base + s.Value, s.Size})
		var first []byte
		if state == written {
			first = bytes.Clone(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), base+s.Value)), s.Size))
		}
		v.first = append(v.first, first)
	}
	return nil
}

// describe names the variable at or next to an address or offset.
func describe(list []variable, at uint64, kind string) string {
	if len(list) == 0 {
		return ""
	}
	distance := func(v variable) uint64 {
		switch {
		case at < v.at:
			return v.at - at
		case at >= v.at+v.size:
			return at - v.at - v.size + 1
		}
		return 0
	}
	v := slices.MinFunc(list, func(a, b variable) int { return cmp.Compare(distance(a), distance(b)) })
	name := fmt.Sprintf("%s%s (%s)", kind, v.name, terminal.Count(v.size, "byte"))
	switch {
	case at < v.at:
		return fmt.Sprintf("%s before %s", terminal.Count(v.at-at, "byte"), name)
	case at >= v.at+v.size:
		return fmt.Sprintf("%s past the end of %s", terminal.Count(at-v.at-v.size, "byte"), name)
	}
	return fmt.Sprintf("byte %d of %s", at-v.at, name)
}

// plainName returns the last part of a symbol's name as the source has it: tile for _ZZ4kernPfE4tile
// ("Itanium C++ ABI", mangling).
func plainName(symbol string) string {
	if !strings.HasPrefix(symbol, "_Z") {
		return symbol
	}
	name := ""
	for i := 2; i < len(symbol); {
		n, j := 0, i
		for j < len(symbol) && symbol[j] >= '0' && symbol[j] <= '9' {
			n, j = 10*n+int(symbol[j]-'0'), j+1
		}
		if n == 0 || j+n > len(symbol) || i > 2 && symbol[i-1] == '_' {
			i = max(i+1, j)
			continue
		}
		name, i = symbol[j:j+n], j+n
	}
	if name == "" {
		return symbol
	}
	return name
}
