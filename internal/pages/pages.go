// Package pages makes arrays on memory pages of their own, for CPU versions that memory limits.
package pages

import (
	"fmt"
	"unsafe"

	"example.org/bench/internal/linux"
)

const noFile = -1 // of an anonymous mapping

// New returns n zeros, nil if n is 0, on huge pages where the kernel gives them
// (Linux, "Transparent Hugepage Support"). Which thread first writes a page
// decides in which node's memory it lies. T holds no pointers.
func New[T any](n int64) (array []T, free func(), err error) {
	if n == 0 {
		return nil, func() {}, nil
	}
	var element T
	bytes := n * int64(unsafe.Sizeof(element))
	p, err := linux.Mmap(noFile, 0, int(bytes), linux.PROT_READ|linux.PROT_WRITE, linux.MAP_PRIVATE|linux.MAP_ANON)
	if err != nil {
		return nil, nil, fmt.Errorf("%d bytes of memory: %w", bytes, err)
	}
	linux.Madvise(p, linux.MADV_HUGEPAGE) //nolint:errcheck // fewer page faults where it works
	return unsafe.Slice((*T)(unsafe.Pointer(&p[0])), n), func() {
		linux.Munmap(p) //nolint:errcheck // it is what Mmap gave
	}, nil
}
