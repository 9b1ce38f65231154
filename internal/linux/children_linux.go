package linux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// started are the children, in their own sessions, that this process's Start has started.
var started struct {
	sync.Mutex
	pids   map[int]bool
	ending bool // nothing is started any more
}

// errEnding is the error of a start while the process is ending.
var errEnding = errors.New("this process is ending")

// endTime is the time that ended processes have to disappear. A process within a driver's call cannot be
// killed.
const endTime = 2 * time.Second

// Adopt makes orphans among this process's descendants its children, wherever they went: to another
// group, to another session, away from a parent that ended (prctl(2), PR_SET_CHILD_SUBREAPER). Every
// kernel that Go runs on supports it; an emulator may not (qemu-user 7.2 returns EINVAL), and orphans
// then go to the system's first process.
func Adopt() error {
	err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	if errors.Is(err, unix.EINVAL) {
		return nil
	}
	return err
}

// Start starts a command in its own session, which has no terminal: a command that asks for a password
// fails instead of being stopped. The command is killed when the calling thread ends; what it started is
// ended after this process was killed (Watch). The caller calls Ended after waiting for the command.
func Start(cmd *exec.Cmd) error { return startBy(cmd, marked) }

// startBy is Start with begin to start the command.
func startBy(cmd *exec.Cmd, begin func(*exec.Cmd) error) error {
	Bind(cmd, OwnSession|KilledWithCaller)
	started.Lock()
	defer started.Unlock()
	if started.ending {
		return errEnding
	}
	if started.pids == nil {
		started.pids = map[int]bool{}
	}
	watch()
	folder, opened := controlled(cmd)
	err := begin(cmd)
	if opened != nil {
		opened.Close()
	}
	if err != nil {
		removeControl(folder)
		return err
	}
	started.pids[cmd.Process.Pid] = true
	if folder != "" {
		controls.of[cmd.Process.Pid] = folder
	}
	return nil
}

// Ended records that a command of Start was waited for.
func Ended(cmd *exec.Cmd) {
	started.Lock()
	folder := controls.of[cmd.Process.Pid]
	delete(started.pids, cmd.Process.Pid)
	delete(controls.of, cmd.Process.Pid)
	started.Unlock()
	removeControl(folder)
}

// Run starts a command as Start does and waits for its end. When ctx ends, the command and all that it
// started are ended. Otherwise Run ends what the command leaves behind: its group, and the orphans that
// this process adopts. It returns these.
func Run(ctx context.Context, cmd *exec.Cmd, most Limits) (left []Process, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin, ended := marked, func() {}
	if most.Within != nil {
		begin = func(cmd *exec.Cmd) (err error) {
			ended, err = most.Within.Start(func() error { return marked(cmd) })
			return err
		}
	}
	if err := startBy(cmd, begin); err != nil {
		return nil, err
	}
	defer func() { ended() }()
	defer Ended(cmd)
	pid := cmd.Process.Pid
	limit(pid, most)
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { defer close(stopped); EndTree(pid) })
	awaitEnd(pid)
	if !stop() {
		<-stopped
	}
	return reap(cmd)
}

// Output is Run that returns what the command prints, on standard output and error.
func Output(ctx context.Context, cmd *exec.Cmd, most Limits) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_, err := Run(ctx, cmd, most)
	return out.Bytes(), err
}

// reap waits for a command that has ended, and ends what it has left. Until the command is waited for, no
// other group gets its number. Processes that hold its output open are ended before reap waits for the
// output, where the kernel lists a process's children at little cost.
func reap(cmd *exec.Cmd) (left []Process, err error) {
	Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // there may be none
	killControl(controlOf(cmd.Process.Pid))
	if list, listed := adopted(); listed && len(list) > 0 {
		left = EndOrphans()
	}
	err = cmd.Wait()
	left = append(left, EndOrphans()...)
	if errors.Is(err, exec.ErrWaitDelay) && len(left) > 0 {
		err = nil // its output ended with them
	}
	return left, err
}

// Await waits for a started command. It ends the command's group and the orphans that it left, and
// returns these.
func Await(cmd *exec.Cmd) (left []Process, err error) {
	awaitEnd(cmd.Process.Pid)
	return reap(cmd)
}

// awaitEnd waits until a child has ended, and leaves it to be reaped.
func awaitEnd(pid int) {
	for errors.Is(unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil), syscall.EINTR) {
	}
}

// Limit applies limits to a process and to what it starts.
func Limit(pid int, most Limits) { limit(pid, most) }

// limit applies limits to a process and to those that it has started by now; later ones inherit them.
func limit(pid int, most Limits) {
	if most == (Limits{}) {
		return
	}
	threads := uint64(0)
	if most.Threads > 0 {
		threads = uint64(allThreads("/")) + most.Threads
	}
	done := map[int]bool{}
	for again := true; again; {
		again = false
		for _, p := range append([]int{pid}, descendants(pid)...) {
			if done[p] {
				continue
			}
			done[p], again = true, true
			for resource, bytes := range map[int]uint64{unix.RLIMIT_FSIZE: most.FileBytes, unix.RLIMIT_AS: most.MemoryBytes, unix.RLIMIT_NPROC: threads} {
				var now unix.Rlimit
				if bytes > 0 && unix.Prlimit(p, resource, nil, &now) == nil && now.Cur > bytes {
					now.Cur = bytes
					_ = unix.Prlimit(p, resource, &now, nil) // it may have ended
				}
			}
		}
	}
}

// EndTree ends a process and all that it started, as far as they are still its descendants.
func EndTree(pid int) {
	list := descendants(pid)
	Kill(-pid, syscall.SIGKILL) //nolint:errcheck // they may end meanwhile
	for _, p := range append(list, pid) {
		Kill(p, syscall.SIGKILL) //nolint:errcheck
	}
	killControl(controlOf(pid))
}

// Signal sends a signal to a process and all that it started, as far as they are still its descendants.
func Signal(pid int, s syscall.Signal) {
	Kill(pid, s) //nolint:errcheck // they may end meanwhile
	sent := map[int]bool{}
	for again := true; again; {
		again = false
		for _, p := range descendants(pid) {
			if !sent[p] {
				sent[p], again = true, true
				Kill(p, s) //nolint:errcheck
			}
		}
	}
}

// EndOrphans ends the processes that this one has adopted, with what they started, and returns them. It
// leaves this process's own children alone: those in its session, to which no process returns after
// leaving it, and those of Start. Children that Start did not start are in this process's session.
func EndOrphans() []Process {
	if unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil) != nil {
		return nil // there are no children at all
	}
	session, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	list := func() []int {
		list, listed := adopted()
		if !listed {
			list = children(os.Getpid())
		}
		return list
	}
	return end(list, func(pid int, s stat) bool { return s.session != session && !started.pids[pid] })
}

// EndAll ends all that this process has started. From then on it starts nothing.
func EndAll() {
	started.Lock()
	started.ending = true
	started.Unlock()
	list := func() []int { return children(os.Getpid()) }
	// The watcher comes last, because this process may be killed before it has ended the others.
	end(list, func(pid int, s stat) bool { return markOf(pid) != watcherMark })
	end(list, func(int, stat) bool { return true })
	started.Lock()
	folders := slices.Collect(maps.Values(controls.of))
	started.Unlock()
	for _, folder := range folders {
		removeControl(folder)
	}
}

// end ends the chosen ones of the listed children and what they leave, until there are none.
func end(list func() []int, chosen func(pid int, s stat) bool) (ended []Process) {
	names := map[int]string{}
	for deadline := time.Now().Add(endTime); ; time.Sleep(time.Millisecond) {
		more := false
		started.Lock()
		for _, pid := range list() {
			s, err := statOf(pid)
			if err != nil || !chosen(pid, s) {
				continue
			}
			if !started.ending && markOf(pid) == watcherMark { // an adopted watcher ends by itself
				_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
				continue
			}
			more = true
			if names[pid] == "" {
				names[pid] = s.name
			}
			Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
			var how unix.WaitStatus
			if got, err := unix.Wait4(pid, &how, unix.WNOHANG, nil); err == nil && got == pid && how.Signaled() && how.Signal() == syscall.SIGKILL {
				ended = append(ended, Process{pid, names[pid]})
			}
		}
		started.Unlock()
		if !more || time.Now().After(deadline) {
			return ended
		}
	}
}

// stat holds fields of /proc/PID/stat (proc(5)).
type stat struct {
	name            string
	state           string
	parent, session int
	flags           uint64
	begun           uint64 // in ticks since the machine started
}

// Ending reports whether a process has begun to end, or is gone. Its files are closed one by one
// while it still has children. A confined process cannot look at others: for it none that exists is ending.
func Ending(pid int) bool {
	const exiting = 0x4 // PF_EXITING (the kernel's sched.h)
	s, err := statOf(pid)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH)
	}
	return s.flags&exiting != 0
}

func statOf(pid int) (s stat, err error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return s, err
	}
	// The name is in parentheses, and may contain some.
	from, to := strings.IndexByte(string(text), '('), strings.LastIndexByte(string(text), ')')
	if from < 0 || to < from {
		return s, fmt.Errorf("stat of process %d: %q", pid, text)
	}
	s.name = string(text[from+1 : to])
	fields := strings.Fields(string(text[to+1:]))
	const parent, session, flags, begun = 1, 3, 6, 19 // positions after the name; the state comes first
	if len(fields) <= begun {
		return s, fmt.Errorf("stat of process %d: %q", pid, text)
	}
	s.state = fields[0]
	if s.parent, err = strconv.Atoi(fields[parent]); err == nil {
		if s.session, err = strconv.Atoi(fields[session]); err == nil {
			if s.flags, err = strconv.ParseUint(fields[flags], 10, 64); err == nil {
				s.begun, err = strconv.ParseUint(fields[begun], 10, 64)
			}
		}
	}
	return s, err
}

// adopted returns this process's adopted children, and maybe others, because the kernel gives orphans to
// the first thread. listed is false for a kernel that does not list them.
func adopted() (list []int, listed bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	return numbers(text), err == nil
}

// numbers returns the numbers among a text's words.
func numbers(text []byte) (list []int) {
	for _, word := range strings.Fields(string(text)) {
		if n, err := strconv.Atoi(word); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// children returns the children of a process.
func children(pid int) (list []int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well formed
	for _, path := range threads {
		text, _ := os.ReadFile(path) // it may have ended
		list = append(list, numbers(text)...)
	}
	if len(threads) > 0 {
		return list
	}
	// A kernel without CONFIG_PROC_CHILDREN needs a search through all processes.
	for _, child := range processes() {
		if s, err := statOf(child); err == nil && s.parent == pid {
			list = append(list, child)
		}
	}
	return list
}

// processes returns the numbers of all processes.
func processes() (list []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// descendants returns the children of a process, their children, and so on.
func descendants(pid int) (list []int) {
	list = children(pid)
	for i := 0; i < len(list); i++ {
		list = append(list, children(list[i])...)
	}
	return list
}
