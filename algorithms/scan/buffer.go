package scan

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// newBuffer returns n elements, none if n is 0, on pages of their own: huge
// ones where the kernel gives them, which a scan of memory gains as much from
// as a copy does (Linux, "Transparent Hugepage Support").
func newBuffer[T element](n int) (buffer []T, free func(), err error) {
	if n == 0 {
		return nil, func() {}, nil
	}
	bytes := n * int(elementBytes[T]())
	p, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, nil, fmt.Errorf("%d bytes of memory: %w", bytes, err)
	}
	unix.Madvise(p, unix.MADV_HUGEPAGE) //nolint:errcheck // fewer page faults where it works
	return unsafe.Slice((*T)(unsafe.Pointer(&p[0])), n), func() {
		unix.Munmap(p) //nolint:errcheck // it is what Mmap gave
	}, nil
}
