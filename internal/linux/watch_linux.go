package linux

import (
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Everything that Start starts carries a mark, which its children inherit and which survives adoption:
// the soft limit of file locks. Linux keeps it for each process and has not obeyed it since 2.4.25
// (getrlimit(2), RLIMIT_LOCKS). Marks are so high that they limit nothing where it is obeyed.
const (
	leastMark   = 1 << 60
	watcherMark = 1<<62 + 1 // of watchers, which an adopter leaves alone
)

// watching is the watcher: the process that ends what this process's Start has started once this process
// is gone, whatever ended it.
var watching struct {
	wanted, begun bool
	mark          uint64   // of what Start starts; 0 where nothing is marked
	held          *os.File // the watcher waits for its end, which comes with this process's
}

// watchWord is the first argument of a watcher, which runs this same program. The second argument is the
// mark.
const watchWord = "watch"

// A watcher begins before the program's other packages are initialised, and does nothing else.
func init() {
	if len(os.Args) != 3 || os.Args[1] != watchWord {
		return
	}
	mark, err := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil || mark < leastMark || mark >= 2*leastMark {
		return
	}
	if err := serveWatch(os.Stdin, os.Stdout, mark); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// Watch makes another process, a watcher, end what Start has started after this process was killed, even
// if a process that would adopt it was killed at the same moment. The first Start starts the watcher,
// which waits without using a processor. Where it cannot be started there is none.
func Watch() { watching.wanted = true }

// watch starts the watcher, once.
func watch() {
	if watching.begun || !watching.wanted {
		return
	}
	watching.begun = true
	mark := leastMark + rand.Uint64N(leastMark)
	var now unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_LOCKS, &now) != nil || now.Max <= watcherMark {
		return
	}
	in, held, err := os.Pipe()
	if err != nil {
		return
	}
	defer in.Close()
	cmd := exec.Command("/proc/self/exe", watchWord, strconv.FormatUint(mark, 10))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1") // keeps its threads few
	cmd.Stdin = in
	if name, err := os.Executable(); err == nil {
		cmd.Args[0] = name // for ps
	}
	Bind(cmd, OwnSession)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		held.Close()
		return
	}
	begun := make([]byte, 1)
	_, err = io.ReadFull(out, begun) // its start must not disturb a measurement
	pid := cmd.Process.Pid
	started.pids[pid] = true
	go func() {
		_ = cmd.Wait() // it ends with this process, or was killed
		started.Lock()
		defer started.Unlock()
		delete(started.pids, pid)
	}()
	if err != nil {
		held.Close()
		return
	}
	watching.mark, watching.held = mark, held
}

// marked starts a command with the mark.
func marked(cmd *exec.Cmd) error {
	var before unix.Rlimit
	if watching.mark == 0 || unix.Getrlimit(unix.RLIMIT_LOCKS, &before) != nil {
		return cmd.Start()
	}
	if unix.Setrlimit(unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: watching.mark, Max: before.Max}) == nil {
		defer unix.Setrlimit(unix.RLIMIT_LOCKS, &before) //nolint:errcheck // it was so before
	}
	return cmd.Start()
}

// markOf returns the mark of a process; an arbitrary number for a process without one, and 0 for one that
// has ended or belongs to another user.
func markOf(pid int) uint64 {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) != nil {
		return 0
	}
	return limit.Cur
}

// serveWatch waits until in ends, and then ends all processes that have the mark.
func serveWatch(in io.Reader, out io.Writer, mark uint64) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_LOCKS, &limit); err != nil {
		return err
	}
	limit.Cur = watcherMark
	if err := unix.Setrlimit(unix.RLIMIT_LOCKS, &limit); err != nil {
		return err
	}
	if _, err := out.Write([]byte{'\n'}); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	for deadline := time.Now().Add(5 * endTime); endMarked(mark) && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	sweepControls(ownControl())
	return nil
}

// endMarked ends the processes that have a mark, and reports whether there were any.
func endMarked(mark uint64) (some bool) {
	for _, pid := range processes() {
		if markOf(pid) != mark {
			continue
		}
		if s, err := statOf(pid); err == nil && s.state != "Z" {
			some = true
			Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
		}
	}
	return some
}
