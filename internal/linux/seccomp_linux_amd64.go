package linux

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_X86_64
	// foreignCalls is the bit of the x32 calls (linux/asm/unistd.h, __X32_SYSCALL_BIT).
	foreignCalls = 0x40000000
)

var forks = []uint32{unix.SYS_FORK, unix.SYS_VFORK}

// opens are the calls that open files, with the place of their flags among the arguments.
var opens = map[uint32]uint32{unix.SYS_OPEN: 1, unix.SYS_OPENAT: 2}
