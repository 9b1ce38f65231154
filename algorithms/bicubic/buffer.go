package bicubic

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// newBuffer returns n elements on pages of their own, huge ones where the
// kernel gives them (Linux, "Transparent Hugepage Support"), and touched, so
// that no run takes page faults.
func newBuffer(n int64) (buffer []float32, free func(), err error) {
	p, err := unix.Mmap(-1, 0, int(4*n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, nil, fmt.Errorf("%d bytes of memory: %w", 4*n, err)
	}
	unix.Madvise(p, unix.MADV_HUGEPAGE) //nolint:errcheck // fewer page faults where it works
	const page = 4096
	for i := 0; i < len(p); i += page {
		p[i] = 0xff
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&p[0])), n), func() {
		unix.Munmap(p) //nolint:errcheck // it is what Mmap gave
	}, nil
}
