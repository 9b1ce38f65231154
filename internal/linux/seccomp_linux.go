package linux

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// everywhere are the system calls by which a program reaches beyond its files: the network, other
// processes, the kernel, the machine. io_uring does such things out of sight of a filter.
var everywhere = []uint32{
	unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_KCMP,
	unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SYSLOG,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_QUOTACTL, unix.SYS_ACCT, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_CLOCK_SETTIME, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_PERSONALITY,
}

// alone are the system calls by which a program starts others.
var alone = append([]uint32{unix.SYS_EXECVE, unix.SYS_EXECVEAT}, forks...)

// toProcess are the calls whose first argument is a process or a thread. It may only be the caller's
// own process or 0: a filter knows no other thread's number.
var toProcess = []uint32{
	unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PRLIMIT64, unix.SYS_SETPGID, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
}

// The offsets of what a filter judges (seccomp(2), struct seccomp_data).
const (
	callAt         = 0
	architectureAt = 4
	argumentsAt    = 16
)

// refused returns a filter that refuses only these calls, and with single also those by which a process
// starts or reaches others. A call of another architecture, where numbers differ, ends the process.
func refused(single bool) []unix.SockFilter {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		least = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		any   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
	)
	errno := func(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }
	p := []unix.SockFilter{
		{Code: load, K: architectureAt},
		{Code: equal, K: architecture, Jt: 1},
		{Code: ret, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: callAt},
		{Code: least, K: foreignCalls, Jf: 1},
		{Code: ret, K: errno(unix.ENOSYS)},
	}
	no := func(e unix.Errno, calls ...uint32) {
		for _, c := range calls {
			p = append(p, unix.SockFilter{Code: equal, K: c, Jf: 1}, unix.SockFilter{Code: ret, K: errno(e)})
		}
	}
	no(unix.EPERM, everywhere...)
	// judge looks at an argument of a call, of which a filter sees four bytes at a time: where a test
	// of it with one of the values holds the call is refused, or with only all others are.
	const argument = 8
	judge := func(call, at uint32, test uint16, only bool, values ...uint32) {
		n := uint8(len(values))
		p = append(p, unix.SockFilter{Code: equal, K: call, Jf: n + 3}, unix.SockFilter{Code: load, K: argumentsAt + argument*at})
		for i, v := range values {
			p = append(p, unix.SockFilter{Code: test, K: v, Jt: n - uint8(i)})
		}
		no, yes := errno(unix.EPERM), uint32(unix.SECCOMP_RET_ALLOW)
		if !only {
			no, yes = yes, no
		}
		p = append(p, unix.SockFilter{Code: ret, K: no}, unix.SockFilter{Code: ret, K: yes})
	}
	if single {
		no(unix.EPERM, alone...)
		no(unix.ENOSYS, unix.SYS_CLONE3)                       // its flags lie in memory; a C library then uses clone
		judge(unix.SYS_CLONE, 0, any, true, unix.CLONE_THREAD) // a new thread, but no new process
		for _, c := range toProcess {
			judge(c, 0, equal, true, uint32(os.Getpid()), 0)
		}
		no(unix.EPERM, unix.SYS_TKILL, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET, unix.SYS_PKEY_MPROTECT)
		// No space that no name shows, and none beyond the limit of a file.
		no(unix.EPERM, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET)
		no(unix.EOPNOTSUPP, unix.SYS_FALLOCATE) // a C library then writes
		no(unix.ENOSYS, unix.SYS_OPENAT2)
		for call, flags := range opens {
			judge(call, flags, any, false, unix.O_TMPFILE&^unix.O_DIRECTORY)
		}
		// No code but that of files, as it is there, and nothing that looks like memory and computes when it
		// is read: the handlers of faults are those of the beginning.
		judge(unix.SYS_MPROTECT, 2, any, false, unix.PROT_EXEC)
		judge(unix.SYS_MREMAP, 3, any, false, unix.MREMAP_FIXED)
		judge(unix.SYS_RT_SIGACTION, 0, equal, false, uint32(unix.SIGSEGV), uint32(unix.SIGBUS))
		p = append(p, unix.SockFilter{Code: equal, K: unix.SYS_MMAP, Jf: 6},
			unix.SockFilter{Code: load, K: argumentsAt + argument*2},
			unix.SockFilter{Code: any, K: unix.PROT_EXEC, Jf: 3},
			unix.SockFilter{Code: load, K: argumentsAt + argument*3},
			unix.SockFilter{Code: any, K: unix.MAP_ANONYMOUS, Jf: 1},
			unix.SockFilter{Code: ret, K: errno(unix.EPERM)},
			unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW})
	}
	return append(p, unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW})
}

// install makes a filter judge the system calls of the calling thread, or of all threads with
// SECCOMP_FILTER_FLAG_TSYNC.
func install(filter []unix.SockFilter, flags uintptr) error {
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	at, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("refuse system calls (seccomp): %w", errno)
	}
	if at != 0 {
		return fmt.Errorf("refuse system calls (seccomp): thread %d does not take part", at)
	}
	return nil
}
