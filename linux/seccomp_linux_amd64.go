package linux

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_X86_64
	// foreignCalls are the calls of x32 (linux/asm/unistd.h, __X32_SYSCALL_BIT).
	foreignCalls = 0x40000000
)

var forks = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
