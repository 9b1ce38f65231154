package inject

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// atPath are system calls that name a file, by the index of the argument with its
// name; onFile those on an open one.
var (
	atPath = map[uint64]int{unix.SYS_OPENAT: 1, unix.SYS_MKDIRAT: 1, unix.SYS_UNLINKAT: 1, unix.SYS_RENAMEAT: 1, unix.SYS_RENAMEAT2: 1,
		unix.SYS_RENAME: 0, unix.SYS_MKDIR: 0, unix.SYS_OPEN: 0, unix.SYS_NEWFSTATAT: 1}
	onFile = map[uint64]bool{unix.SYS_WRITE: true, unix.SYS_PWRITE64: true, unix.SYS_READ: true, unix.SYS_PREAD64: true, unix.SYS_FSYNC: true,
		unix.SYS_FDATASYNC: true, unix.SYS_FTRUNCATE: true, unix.SYS_FLOCK: true, unix.SYS_FCHMOD: true, unix.SYS_GETDENTS64: true, unix.SYS_CLOSE: true}
	names = map[uint64]string{unix.SYS_OPENAT: "openat", unix.SYS_MKDIRAT: "mkdirat", unix.SYS_UNLINKAT: "unlinkat", unix.SYS_RENAMEAT: "renameat",
		unix.SYS_RENAMEAT2: "renameat2", unix.SYS_RENAME: "rename", unix.SYS_MKDIR: "mkdir", unix.SYS_OPEN: "open", unix.SYS_NEWFSTATAT: "newfstatat",
		unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite64", unix.SYS_READ: "read", unix.SYS_PREAD64: "pread64", unix.SYS_FSYNC: "fsync",
		unix.SYS_FDATASYNC: "fdatasync", unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_FLOCK: "flock", unix.SYS_FCHMOD: "fchmod",
		unix.SYS_GETDENTS64: "getdents64", unix.SYS_CLOSE: "close"}
)

// Fault is an operation on a file at or below Dir that fails: the K-th, from 1,
// with Err. With a K of 0 none fails. Err 0 kills the program in place of the
// operation.
type Fault struct {
	Dir string
	K   int
	Err syscall.Errno
}

// Outcome is what became of the program.
type Outcome struct {
	Operations int    // on files at or below Dir
	Failed     string // the operation that did, with its file
	Status     int    // exit status; -1 where it was killed
}

// tracer follows the threads of one program.
type tracer struct {
	fault   Fault
	outcome Outcome
	inside  map[int]bool          // threads within a system call
	failing map[int]syscall.Errno // threads whose call is to fail
}

// ErrNotAllowed says that this machine lets nobody trace.
var ErrNotAllowed = errors.New("tracing is not allowed here")

// Run runs a program, whose output must be files, with a fault. It changes
// cmd.SysProcAttr.
func Run(cmd *exec.Cmd, f Fault) (Outcome, error) {
	runtime.LockOSThread() // the tracer is a thread
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
	if err := cmd.Start(); errors.Is(err, syscall.EPERM) {
		return Outcome{}, ErrNotAllowed
	} else if err != nil {
		return Outcome{}, err
	}
	defer cmd.Process.Release()
	main := cmd.Process.Pid
	var ws syscall.WaitStatus
	if _, err := syscall.Wait4(main, &ws, 0, nil); err != nil {
		return Outcome{}, err
	}
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	if err := syscall.PtraceSetOptions(main, options); err != nil {
		return Outcome{}, err
	}
	t := &tracer{fault: f, inside: map[int]bool{}, failing: map[int]syscall.Errno{}}
	for next, signal := main, 0; ; {
		if err := syscall.PtraceSyscall(next, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return t.outcome, err
		}
		var err error
		if next, err = wait(-main, &ws); err != nil {
			return t.outcome, err
		}
		signal = 0
		switch {
		case (ws.Exited() || ws.Signaled()) && next == main:
			if t.outcome.Status = ws.ExitStatus(); ws.Signaled() {
				t.outcome.Status = -1
			}
			return t.outcome, nil
		case !ws.Stopped():
		case ws.StopSignal() == syscall.SIGTRAP|0x80:
			if err := t.stopped(next, main); err != nil && !errors.Is(err, syscall.ESRCH) {
				return t.outcome, err
			}
		case ws.StopSignal() != syscall.SIGTRAP && ws.StopSignal() != syscall.SIGSTOP:
			signal = int(ws.StopSignal())
		}
	}
}

// wait waits for a thread of a process group.
func wait(group int, ws *syscall.WaitStatus) (int, error) {
	for {
		tid, err := syscall.Wait4(group, ws, unix.WALL, nil)
		if !errors.Is(err, syscall.EINTR) {
			return tid, err
		}
	}
}

// stopped looks at a thread at the begin or the end of a system call.
func (t *tracer) stopped(tid, main int) error {
	var r syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &r); err != nil {
		return err
	}
	if t.inside[tid] = !t.inside[tid]; !t.inside[tid] {
		errno, fails := t.failing[tid]
		if !fails {
			return nil
		}
		delete(t.failing, tid)
		r.Rax = uint64(-int64(errno))
		return syscall.PtraceSetRegs(tid, &r)
	}
	file, ok := t.file(tid, &r)
	if !ok {
		return nil
	}
	if t.outcome.Operations++; t.outcome.Operations != t.fault.K {
		return nil
	}
	t.outcome.Failed = fmt.Sprintf("%s %s", names[r.Orig_rax], strings.TrimPrefix(file, t.fault.Dir))
	if t.fault.Err == 0 {
		return syscall.Kill(main, syscall.SIGKILL)
	}
	t.failing[tid] = t.fault.Err
	r.Orig_rax = ^uint64(0) // no call
	return syscall.PtraceSetRegs(tid, &r)
}

// file is the file of a system call, if that is one at or below the folder.
func (t *tracer) file(tid int, r *syscall.PtraceRegs) (string, bool) {
	var file string
	arguments := []uint64{r.Rdi, r.Rsi}
	if at, ok := atPath[r.Orig_rax]; ok {
		var text [4096]byte
		n, err := syscall.PtracePeekData(tid, uintptr(arguments[at]), text[:])
		if err != nil && n == 0 { // the name may end before a page that is not there
			for n < len(text) {
				if _, err := syscall.PtracePeekData(tid, uintptr(arguments[at])+uintptr(n), text[n:n+8]); err != nil {
					break
				}
				n += 8
			}
		}
		name, _, _ := bytes.Cut(text[:n], []byte{0})
		file = string(name)
		if !filepath.IsAbs(file) && at == 1 {
			above, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, int32(arguments[0])))
			file = filepath.Join(above, file)
		}
	} else if onFile[r.Orig_rax] {
		file, _ = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, int32(arguments[0])))
	}
	return file, file == t.fault.Dir || strings.HasPrefix(file, t.fault.Dir+"/") || strings.HasPrefix(file, t.fault.Dir+"-")
}
