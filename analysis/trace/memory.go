package trace

import (
	"fmt"
	"slices"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// memory is the memory behind a device's addresses.
type memory struct {
	next    uint64
	left    int64
	spans   []*span // sorted by address
	last    *span
	touched map[uint64]bool // spans that launches have accessed, by address
}

type span struct {
	at    uint64
	bytes []byte
}

// Addresses begin above what could be mistaken for an offset, and are aligned as CUDA's are.
const (
	firstAddress = uint64(1) << 32
	alignment    = 512
)

func newMemory(bytes int64) *memory {
	return &memory{next: firstAddress, left: bytes, touched: map[uint64]bool{}}
}

func (m *memory) forget() { m.touched = map[uint64]bool{} }

func (m *memory) alloc(bytes int64) (uint64, error) {
	if bytes < 0 || bytes > m.left {
		return 0, fmt.Errorf("%s of host memory to execute kernels in, %d are left: %w", terminal.Count(bytes, "byte"), m.left, gpu.ErrOutOfMemory)
	}
	m.left -= bytes
	s := &span{m.next, make([]byte, bytes)}
	m.next += (uint64(bytes)+alignment-1)/alignment*alignment + alignment
	m.spans = append(m.spans, s)
	return s.at, nil
}

func (m *memory) free(at uint64) error {
	n, ok := slices.BinarySearchFunc(m.spans, at, func(s *span, at uint64) int {
		switch {
		case s.at < at:
			return -1
		case s.at > at:
			return 1
		}
		return 0
	})
	if at == 0 {
		return nil
	}
	if !ok {
		return fmt.Errorf("free %#x, which was not allocated", at)
	}
	m.left += int64(len(m.spans[n].bytes))
	m.spans, m.last = slices.Delete(m.spans, n, n+1), nil
	return nil
}

// find returns the allocation that contains an address; nil if there is none.
func (m *memory) find(at uint64) *span {
	if s := m.last; s != nil && at >= s.at && at-s.at < uint64(len(s.bytes)) {
		return s
	}
	lo, hi := 0, len(m.spans)
	for lo < hi {
		mid := (lo + hi) / 2
		if m.spans[mid].at <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return nil
	}
	s := m.spans[lo-1]
	if at-s.at >= uint64(len(s.bytes)) {
		return nil
	}
	m.last = s
	return s
}

// At returns the n bytes at an address; nil where they do not all exist.
func (m *memory) At(at uint64, n int) []byte {
	s := m.find(at)
	if s == nil || uint64(len(s.bytes))-(at-s.at) < uint64(n) {
		return nil
	}
	return s.bytes[at-s.at : at-s.at+uint64(n)]
}

func (m *memory) span(at uint64, n int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	s := m.find(at)
	if s == nil || int64(len(s.bytes))-int64(at-s.at) < n {
		return nil, fmt.Errorf("%s at %#x, where nothing is", terminal.Count(n, "byte"), at)
	}
	return s.bytes[at-s.at : int64(at-s.at)+n], nil
}
