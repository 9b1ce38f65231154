//lint:file-ignore ST1003 the names are those of the system calls' manual pages

package linux

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// The types and constants are those of the system calls.
type (
	CPUSet   = unix.CPUSet
	Timespec = unix.Timespec
	Rlimit   = unix.Rlimit
	Sysinfo  = unix.Sysinfo_t
)

const (
	PROT_NONE                = unix.PROT_NONE
	PROT_READ                = unix.PROT_READ
	PROT_WRITE               = unix.PROT_WRITE
	MAP_PRIVATE              = unix.MAP_PRIVATE
	MAP_ANON                 = unix.MAP_ANON
	MAP_NORESERVE            = unix.MAP_NORESERVE
	MADV_HUGEPAGE            = unix.MADV_HUGEPAGE
	MADV_POPULATE_WRITE      = unix.MADV_POPULATE_WRITE
	O_NOFOLLOW               = unix.O_NOFOLLOW
	O_NONBLOCK               = unix.O_NONBLOCK
	O_DIRECTORY              = unix.O_DIRECTORY
	R_OK                     = unix.R_OK
	W_OK                     = unix.W_OK
	X_OK                     = unix.X_OK
	CLOCK_MONOTONIC          = unix.CLOCK_MONOTONIC
	CLOCK_THREAD_CPUTIME_ID  = unix.CLOCK_THREAD_CPUTIME_ID
	CLOCK_PROCESS_CPUTIME_ID = unix.CLOCK_PROCESS_CPUTIME_ID
	TIMER_ABSTIME            = unix.TIMER_ABSTIME
	SCHED_NORMAL             = unix.SCHED_NORMAL
	SCHED_FIFO               = unix.SCHED_FIFO
	MCL_CURRENT              = unix.MCL_CURRENT
	MCL_FUTURE               = unix.MCL_FUTURE
	PR_GET_TIMERSLACK        = unix.PR_GET_TIMERSLACK
	PR_SET_TIMERSLACK        = unix.PR_SET_TIMERSLACK
	RLIMIT_MEMLOCK           = unix.RLIMIT_MEMLOCK
	RLIM_INFINITY            = unix.RLIM_INFINITY
	CAP_IPC_LOCK             = unix.CAP_IPC_LOCK
	PRIO_PGRP                = unix.PRIO_PGRP
	SYS_SCHED_SETSCHEDULER   = unix.SYS_SCHED_SETSCHEDULER
)

// Bind applies ties to a command that is not started yet.
func Bind(cmd *exec.Cmd, ties Tie) {
	a := &syscall.SysProcAttr{Setpgid: ties&OwnGroup != 0, Setsid: ties&OwnSession != 0}
	switch {
	case ties&KilledWithCaller != 0:
		a.Pdeathsig = syscall.SIGKILL
	case ties&TerminatedWithCaller != 0:
		a.Pdeathsig = syscall.SIGTERM
	case ties&WokenWithCaller != 0:
		a.Pdeathsig = syscall.SIGCONT
	}
	cmd.SysProcAttr = a
}

func Kill(pid int, signal syscall.Signal) error { return unix.Kill(pid, signal) }

// The signals that stop processes and continue them.
const (
	SIGSTOP = syscall.SIGSTOP
	SIGCONT = syscall.SIGCONT
)

func Mmap(fd int, offset int64, length, prot, flags int) ([]byte, error) {
	return unix.Mmap(fd, offset, length, prot, flags)
}
func Munmap(b []byte) error                       { return unix.Munmap(b) }
func Mprotect(b []byte, prot int) error           { return unix.Mprotect(b, prot) }
func Madvise(b []byte, advice int) error          { return unix.Madvise(b, advice) }
func Mlockall(flags int) error                    { return unix.Mlockall(flags) }
func Munlockall() error                           { return unix.Munlockall() }
func Access(path string, mode uint32) error       { return unix.Access(path, mode) }
func Read(fd int, p []byte) (int, error)          { return unix.Read(fd, p) }
func Close(fd int) error                          { return unix.Close(fd) }
func CloseOnExec(fd int)                          { unix.CloseOnExec(fd) }
func Gettid() int                                 { return unix.Gettid() }
func SystemInfo(info *Sysinfo) error              { return unix.Sysinfo(info) }
func NsecToTimespec(nsec int64) Timespec          { return unix.NsecToTimespec(nsec) }
func Nanosleep(t, left *Timespec) error           { return unix.Nanosleep(t, left) }
func ClockGettime(clock int32, t *Timespec) error { return unix.ClockGettime(clock, t) }
func ClockNanosleep(clock int32, flags int, t, left *Timespec) error {
	return unix.ClockNanosleep(clock, flags, t, left)
}
func SchedGetaffinity(pid int, set *CPUSet) error { return unix.SchedGetaffinity(pid, set) }
func SchedSetaffinity(pid int, set *CPUSet) error { return unix.SchedSetaffinity(pid, set) }
func Setpriority(which, who, priority int) error  { return unix.Setpriority(which, who, priority) }
func Getrlimit(resource int, limit *Rlimit) error { return unix.Getrlimit(resource, limit) }
func Prctl(option int, a, b, c, d uintptr) error  { return unix.Prctl(option, a, b, c, d) }
func PrctlRetInt(option int, a, b, c, d uintptr) (int, error) {
	return unix.PrctlRetInt(option, a, b, c, d)
}
func Syscall(call, a, b, c uintptr) (uintptr, uintptr, syscall.Errno) {
	return unix.Syscall(call, a, b, c)
}

// OpenPlain opens a folder whose path has no links; the error is ELOOP if it has one. Where the kernel or
// the container lacks openat2(2), it opens the folder as os.Open does.
func OpenPlain(path string) (*os.File, error) {
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
	switch {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
		return os.Open(path)
	case err != nil:
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}
