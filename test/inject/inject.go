//go:build linux

// Package inject makes system calls of a running program fail: those that open,
// read, write, rename or start something, in all its threads and worker
// processes, in one order. The program is the one that is shipped, unchanged;
// the kernel asks this process about each call (seccomp_unotify(2)). Needs Linux
// 5.19 on amd64.
package inject

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// word is the first argument of a process that is to install the filter and to
// become another program.
const word = "inject-launch"

// Operation is a call that can be made to fail.
type Operation struct {
	Call   string // as the kernel names it
	Target string // the file: as the call names it, with the folder that it is relative to, or as /proc names an open one
	site   func() string
}

// Site is the chain of functions that made the call, as a sum of their names and
// lines; the same in all processes. Empty where that is not Go's code. It is to be asked
// for before the call proceeds.
func (o Operation) Site() string { return o.site() }

func (o Operation) String() string { return o.Call + " " + o.Target }

// Errors are those with which the call fails, in the order of how likely they are.
func (o Operation) Errors() []syscall.Errno { return errorsOf[o.Call] }

var calls = map[int32]string{
	unix.SYS_OPENAT: "openat", unix.SYS_READ: "read", unix.SYS_PREAD64: "pread64", unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite64",
	unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fdatasync", unix.SYS_CLOSE: "close", unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_RENAMEAT: "renameat", unix.SYS_RENAMEAT2: "renameat2",
	unix.SYS_UNLINKAT: "unlinkat", unix.SYS_MKDIRAT: "mkdirat", unix.SYS_NEWFSTATAT: "newfstatat", unix.SYS_FSTAT: "fstat",
	unix.SYS_GETDENTS64: "getdents64", unix.SYS_FLOCK: "flock", unix.SYS_READLINKAT: "readlinkat", unix.SYS_FCHMODAT: "fchmodat",
	unix.SYS_FCHMOD: "fchmod", unix.SYS_PIPE2: "pipe2", unix.SYS_EXECVE: "execve", unix.SYS_CLONE: "clone", unix.SYS_CLONE3: "clone3",
}

var errorsOf = map[string][]syscall.Errno{
	"openat": {unix.EIO, unix.EMFILE, unix.EACCES}, "read": {unix.EIO}, "pread64": {unix.EIO}, "write": {unix.ENOSPC, unix.EIO},
	"pwrite64": {unix.ENOSPC, unix.EIO}, "fsync": {unix.EIO, unix.ENOSPC}, "fdatasync": {unix.EIO, unix.ENOSPC}, "close": {unix.EIO, unix.ENOSPC}, "ftruncate": {unix.EIO}, "renameat": {unix.EIO, unix.ENOSPC},
	"renameat2": {unix.EIO, unix.ENOSPC}, "unlinkat": {unix.EIO, unix.EACCES}, "mkdirat": {unix.ENOSPC, unix.EACCES},
	"newfstatat": {unix.EIO, unix.EACCES}, "fstat": {unix.EIO}, "getdents64": {unix.EIO}, "flock": {unix.ENOLCK},
	"readlinkat": {unix.EIO}, "fchmodat": {unix.EIO}, "fchmod": {unix.EIO}, "pipe2": {unix.EMFILE},
	"execve": {unix.ENOMEM, unix.EACCES}, "clone": {unix.EAGAIN}, "clone3": {unix.EAGAIN},
}

// Launch does not return where this process was started by Run: it becomes the
// program under test. To be called first in main.
func Launch() {
	if len(os.Args) < 4 || os.Args[1] != word {
		return
	}
	runtime.LockOSThread()
	err := launch(os.Args[2], os.Args[3:])
	fmt.Fprintln(os.Stderr, "inject:", err)
	os.Exit(125)
}

func launch(only string, args []string) error {
	program := filter(only)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, uintptr(unsafe.Pointer(&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	// sendmsg is not filtered; whoever gets the listener allows what follows.
	if err := unix.Sendmsg(3, []byte{0}, unix.UnixRights(int(listener)), nil, 0); err != nil {
		return fmt.Errorf("send the listener: %w", err)
	}
	unix.Close(3)
	unix.Close(int(listener))
	return unix.Exec(args[0], args, os.Environ())
}

// filter asks about each of calls, or about one of them and what starts programs, and
// allows what else there is. New threads are allowed: without one Go's runtime ends the
// program.
func filter(only string) []unix.SockFilter {
	const architecture, number, flags = 4, 0, 16 // offsets in struct seccomp_data
	list := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: architecture},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.AUDIT_ARCH_X86_64, Jt: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		// clone with CLONE_THREAD
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_CLONE, Jf: 4},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: unix.CLONE_THREAD, Jt: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	for nr, name := range calls {
		if only != "" && name != only && nr != unix.SYS_EXECVE {
			continue
		}
		list = append(list, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(nr), Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	return append(list, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
}

// notice is struct seccomp_notif, answer is struct seccomp_notif_resp.
type notice struct {
	id           uint64
	pid, flags   uint32
	nr           int32
	architecture uint32
	ip           uint64
	args         [6]uint64
}

type answer struct {
	id    uint64
	value int64
	err   int32
	flags uint32
}

// Run runs cmd to its end, and to the end of all that it started. Each operation
// of cmd's program, in whatever process, fails with the error that fail returns;
// 0: it proceeds. Fail may also kill cmd.Process, which then does not do the
// operation. The status is in cmd.ProcessState. Where only is not empty, fail is asked
// about that call alone, which is faster.
//
// What fails is not done: a file whose close failed stays open in its process.
func Run(cmd *exec.Cmd, only string, fail func(Operation) syscall.Errno) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(pair[0])
	theirs := os.NewFile(uintptr(pair[1]), "listener")
	defer theirs.Close()
	program := cmd.Path
	found, err := sitesOf(program)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args = self, append([]string{self, word, only, program}, cmd.Args[1:]...)
	cmd.ExtraFiles = []*os.File{theirs}
	if err := cmd.Start(); err != nil {
		return err
	}
	theirs.Close()
	followed := (&watch{program: program, only: only, sites: found, fail: fail}).follow(pair[0])
	cmd.Wait() //nolint:errcheck // the status says it
	return followed
}

type watch struct {
	program string
	only    string
	sites   *sites
	fail    func(Operation) syscall.Errno
	became  bool // the program; before, it was what installs the filter
}

func (w *watch) follow(socket int) error {
	control := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), control, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return err
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) == 0 {
		return fmt.Errorf("no listener came: %v", err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return err
	}
	listener := fds[0]
	defer unix.Close(listener)
	for {
		ready := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); err == unix.EINTR {
			continue
		} else if err != nil {
			return err
		}
		if ready[0].Revents&unix.POLLIN == 0 {
			return nil // nothing has the filter any more
		}
		var n notice
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			continue // who asked is gone
		}
		a := answer{id: n.id, flags: 1} // SECCOMP_USER_NOTIF_FLAG_CONTINUE
		if !w.became {
			w.became = n.nr == unix.SYS_EXECVE
		} else if w.only != "" && calls[n.nr] != w.only {
			// allowed
		} else if op, ours := w.operation(&n); ours {
			if errno := w.fail(op); errno != 0 {
				a.err, a.flags = -int32(errno), 0
			}
		}
		unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
	}
}

// operation describes a call; ours is false for what is not counted: other
// programs, what Go's runtime wakes its own threads with, and what cannot fail.
func (w *watch) operation(n *notice) (op Operation, ours bool) {
	proc := fmt.Sprintf("/proc/%d/", n.pid)
	if exe, err := os.Readlink(proc + "exe"); err != nil || exe != w.program {
		return op, false
	}
	op.Call, op.site = calls[n.nr], func() string { return w.sites.of(proc, n.ip) }
	switch op.Call {
	case "openat", "renameat", "renameat2", "unlinkat", "mkdirat", "newfstatat", "readlinkat", "fchmodat":
		op.Target = text(proc+"mem", n.args[1])
		if folder := int32(n.args[0]); folder != unix.AT_FDCWD && op.Target != "" && !filepath.IsAbs(op.Target) {
			above, _ := os.Readlink(fmt.Sprintf("%sfd/%d", proc, folder))
			op.Target = filepath.Join(above, op.Target)
		}
	case "execve":
		op.Target = text(proc+"mem", n.args[0])
	case "clone3":
		if flags := memory(proc+"mem", n.args[0], 8); len(flags) < 8 || *(*uint64)(unsafe.Pointer(&flags[0]))&unix.CLONE_THREAD != 0 {
			return op, false
		}
	case "clone", "pipe2":
	default:
		op.Target, _ = os.Readlink(fmt.Sprintf("%sfd/%d", proc, n.args[0]))
		// Reading from a pipe never fails in Linux.
		if strings.HasPrefix(op.Target, "anon_inode:") || op.Call == "read" && strings.HasPrefix(op.Target, "pipe:") {
			return op, false
		}
		// Closing fails only for files that were written.
		if op.Call == "close" && !(strings.HasPrefix(op.Target, "/") && writable(fmt.Sprintf("%sfdinfo/%d", proc, n.args[0]))) {
			return op, false
		}
	}
	return op, true
}

// writable says whether an open file may be written, from its fdinfo in /proc.
func writable(fdinfo string) bool {
	info, _ := os.ReadFile(fdinfo)
	_, after, _ := strings.Cut(string(info), "flags:")
	line, _, _ := strings.Cut(after, "\n")
	flags, err := strconv.ParseUint(strings.TrimSpace(line), 8, 64)
	return err == nil && flags&unix.O_ACCMODE != unix.O_RDONLY
}

func text(mem string, at uint64) string {
	b := memory(mem, at, 4096)
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b = b[:end]
	}
	return string(b)
}

// memory is up to n bytes; what follows the end of a mapping is left out.
func memory(mem string, at uint64, n int) []byte {
	f, err := os.Open(mem)
	if err != nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, n)
	got, _ := f.ReadAt(b, int64(at))
	return b[:got]
}
