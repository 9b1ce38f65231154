package linux

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_AARCH64
	foreignCalls = 1<<32 - 1 // there are none
)

var forks []uint32
