//go:build !linux

//lint:file-ignore ST1003 the names are those of the system calls' manual pages

package linux

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

type (
	CPUSet   struct{}
	Timespec struct{}
	Rlimit   struct{ Cur, Max uint64 }
	Sysinfo  struct {
		Totalram uint64
		Unit     uint32
	}
)

// Ending returns false: processes are not looked at on other systems.
func Ending(int) bool { return false }

func (*CPUSet) Set(int)        {}
func (*CPUSet) IsSet(int) bool { return false }
func (*CPUSet) Count() int     { return 0 }
func (*Timespec) Nano() int64  { return 0 }

const (
	PROT_NONE = iota
	PROT_READ
	PROT_WRITE
	MAP_PRIVATE
	MAP_ANON
	MAP_NORESERVE
	MADV_HUGEPAGE
	MADV_POPULATE_WRITE
	R_OK
	W_OK
	X_OK
	CLOCK_MONOTONIC
	CLOCK_THREAD_CPUTIME_ID
	CLOCK_PROCESS_CPUTIME_ID
	TIMER_ABSTIME
	SCHED_NORMAL
	SCHED_FIFO
	MCL_CURRENT
	MCL_FUTURE
	PR_GET_TIMERSLACK
	PR_SET_TIMERSLACK
	RLIMIT_MEMLOCK
	RLIM_INFINITY
	CAP_IPC_LOCK
	PRIO_PGRP
	SYS_SCHED_SETSCHEDULER
)

// These flags have no effect: no file is opened with them here.
const (
	O_NOFOLLOW  = 0
	O_NONBLOCK  = 0
	O_DIRECTORY = 0
)

// Bind makes the command fail to start.
func Bind(cmd *exec.Cmd, _ Tie) { cmd.Err = ErrElsewhere }

func Kill(int, syscall.Signal) error                                   { return ErrElsewhere }
func Mmap(int, int64, int, int, int) ([]byte, error)                   { return nil, ErrElsewhere }
func Munmap([]byte) error                                              { return ErrElsewhere }
func Mprotect([]byte, int) error                                       { return ErrElsewhere }
func Madvise([]byte, int) error                                        { return ErrElsewhere }
func Mlockall(int) error                                               { return ErrElsewhere }
func Munlockall() error                                                { return ErrElsewhere }
func Access(string, uint32) error                                      { return ErrElsewhere }
func Read(int, []byte) (int, error)                                    { return 0, ErrElsewhere }
func Close(int) error                                                  { return ErrElsewhere }
func CloseOnExec(int)                                                  {}
func Gettid() int                                                      { return -1 }
func SystemInfo(*Sysinfo) error                                        { return ErrElsewhere }
func NsecToTimespec(int64) Timespec                                    { return Timespec{} }
func Nanosleep(_, _ *Timespec) error                                   { return ErrElsewhere }
func ClockGettime(int32, *Timespec) error                              { return ErrElsewhere }
func ClockNanosleep(int32, int, *Timespec, *Timespec) error            { return ErrElsewhere }
func SchedGetaffinity(int, *CPUSet) error                              { return ErrElsewhere }
func SchedSetaffinity(int, *CPUSet) error                              { return ErrElsewhere }
func Setpriority(int, int, int) error                                  { return ErrElsewhere }
func Getrlimit(int, *Rlimit) error                                     { return ErrElsewhere }
func Prctl(int, uintptr, uintptr, uintptr, uintptr) error              { return ErrElsewhere }
func PrctlRetInt(int, uintptr, uintptr, uintptr, uintptr) (int, error) { return 0, ErrElsewhere }
func Syscall(_, _, _, _ uintptr) (uintptr, uintptr, syscall.Errno)     { return 0, 0, syscall.ENOSYS }

// The signals of Linux on amd64 and arm64, which are never sent here.
const (
	SIGSTOP = syscall.Signal(19)
	SIGCONT = syscall.Signal(18)
)

func Adopt() error                                              { return ErrElsewhere }
func Start(*exec.Cmd) error                                     { return ErrElsewhere }
func Ended(*exec.Cmd)                                           {}
func Await(*exec.Cmd) ([]Process, error)                        { return nil, ErrElsewhere }
func Run(context.Context, *exec.Cmd, Limits) ([]Process, error) { return nil, ErrElsewhere }
func Output(context.Context, *exec.Cmd, Limits) ([]byte, error) { return nil, ErrElsewhere }
func Signal(int, syscall.Signal)                                {}
func EndOrphans() []Process                                     { return nil }
func EndAll()                                                   {}
func EndTree(int)                                               {}
func Watch()                                                    {}
func OpenPlain(path string) (*os.File, error)                   { return os.Open(path) }
