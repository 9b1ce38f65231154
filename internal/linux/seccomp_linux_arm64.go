package linux

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_AARCH64
	foreignCalls = 1<<32 - 1 // there are none
)

var forks []uint32

// opens are the calls that open files, with the place of their flags among the arguments.
var opens = map[uint32]uint32{unix.SYS_OPENAT: 2}
