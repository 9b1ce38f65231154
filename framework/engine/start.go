package engine

import (
	"errors"
	"fmt"
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

	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

// Descriptors of the worker beside the standard ones.
const (
	repliesFD = 3
	programFD = 4
)

// program opens this program's file as it was started, whatever has its name now. A worker is thus
// the same program even if that was rebuilt during the run.
var program = (&opened{path: "/proc/self/exe"}).file

// opened is a file that stays open. A failed open is tried again, because too many files may be
// open for a moment.
type opened struct {
	path  string
	mutex sync.Mutex
	is    *os.File
}

func (o *opened) file() (*os.File, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.is != nil {
		return o.is, nil
	}
	f, err := os.Open(o.path)
	if err == nil {
		o.is = f
	}
	return f, err
}

// prefix returns the words of the environment variable BENCH_WORKER_PREFIX.
func prefix() []string { return strings.Fields(os.Getenv("BENCH_WORKER_PREFIX")) }

// Prefixed reports whether a prefix is put before a worker's command.
func Prefixed() bool { return len(prefix()) > 0 }

// ThisProgram returns the words that start this program again: its name, after those of
// BENCH_WORKER_PREFIX.
func ThisProgram() ([]string, error) {
	self, err := os.Executable()
	return append(prefix(), self), err
}

// start launches a worker on these CPUs (nil: all of this process). before is put before its
// command, such as the words of BENCH_WORKER_PREFIX (an emulator, compute-sanitizer, taskset, …).
func start(cpus machine.CPUs, before []string) (*process, error) {
	return launch(&launching{cpus: cpus, before: before, scratch: newScratch()})
}

// launching says how to start a worker.
type launching struct {
	cpus   machine.CPUs
	before []string
	extra  []*os.File // from questionsFD on
	// scratch is removed with the worker, unless it belongs to the worker's companion.
	scratch *scratch
	shared  bool
	within  *linux.Confinement // nil if the worker is not confined
	keeper  *process           // ends with the worker; may be nil
}

// launch starts this program with the argument "worker".
func launch(l *launching) (*process, error) {
	self, err := program()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	words := append(slices.Clone(l.before), "/proc/self/fd/"+strconv.Itoa(programFD), "worker")
	cmd := exec.Command(words[0], words[1:]...)
	if name, err := os.Executable(); err == nil && len(words) == 2 {
		cmd.Args[0] = name // for ps
	}
	// A separate process group keeps the terminal's Ctrl-C for the parent, which then ends the
	// worker. When its parent is gone, the worker ends what it started and then itself, even if it
	// was stopped. This process adopts what a worker leaves.
	linux.Bind(cmd, linux.OwnGroup|linux.WokenWithCaller)
	stood.watch()
	if err := linux.Adopt(); err != nil {
		return nil, fmt.Errorf("adopt what workers leave: %w", err)
	}
	cmd.WaitDelay = drainTime
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, w, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	cmd.ExtraFiles = append([]*os.File{w, self}, l.extra...) // repliesFD, programFD
	cmd.Env = l.scratch.environment()
	ended := func() {}
	if begin := func() error { return on(l.cpus, cmd.Start) }; l.within != nil {
		ended, err = l.within.Start(begin)
	} else {
		err = onStarter(begin)
	}
	w.Close()
	if err != nil {
		out.Close()
		if l.within == nil && !l.shared {
			l.scratch.remove()
		}
		return nil, fmt.Errorf("start the worker process: %w", err)
	}
	if l.within != nil {
		bind(cmd.Process.Pid)
	}
	p := &process{keeper: l.keeper, in: in, out: leftoverOf(out), tail: said, group: cmd.Process.Pid}
	p.end = func() { linux.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	p.wait = func() (err error) {
		p.left, err = linux.Await(cmd)
		ended()
		if l.keeper != nil {
			l.keeper.end()
			l.keeper.ends(endTime)
		}
		if !l.shared {
			l.scratch.remove()
		}
		return err
	}
	return p.follow(), nil
}

// ServeParent is the worker process that start launches. What it starts neither inherits its
// descriptors nor outlives it. As an orphan, it exits with status.
func ServeParent(plugins Plugins, status int) error {
	linux.CloseOnExec(repliesFD)
	linux.CloseOnExec(programFD)
	linux.CloseOnExec(questionsFD)
	linux.CloseOnExec(answersFD)
	linux.Close(programFD)
	if name, err := os.Executable(); err == nil {
		// For top and ps. The name of a program started by a descriptor would be its number.
		os.WriteFile("/proc/self/comm", []byte(filepath.Base(name)), 0)
	}
	if err := linux.Adopt(); err != nil {
		return fmt.Errorf("adopt what programs leave: %w", err)
	}
	stood.watch()
	parent := os.Getppid()
	defer func() {
		linux.EndAll()
		within := time.Duration(0) // a living parent holds the lock
		if os.Getppid() != parent || linux.Ending(parent) {
			within = endTime
		}
		removeOwn(within)
	}()
	return Serve(os.Stdin, os.NewFile(repliesFD, "replies"), plugins, func() {
		linux.EndAll()
		removeOwn(endTime) // a parent that has not quite ended may still count as the parent
		os.Exit(status)
	})
}

// unchanged returns this program's name if the file of that name is still this program, and
// otherwise an error, for callers that must start it by name.
func unchanged() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	self, err := program()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	mine, err := self.Stat()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	if now, err := os.Stat(name); err != nil || !os.SameFile(mine, now) {
		return "", errors.New("this program was replaced by another while it ran: start it again")
	}
	return name, nil
}

// starter returns a channel of functions to run on a thread that lives as long as the program.
var starter = sync.OnceValue(func() chan<- func() {
	todo := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range todo {
			f()
		}
	}()
	return todo
})

// on starts a child on these CPUs, if there are any. The child inherits them from the calling
// thread.
func on(cpus machine.CPUs, start func() error) error {
	var all linux.CPUSet
	if len(cpus) == 0 || linux.SchedGetaffinity(0, &all) != nil {
		return start()
	}
	if err := linux.SchedSetaffinity(0, cpus.Set()); err != nil {
		return fmt.Errorf("run on CPUs %s: %w", cpus, err)
	}
	defer linux.SchedSetaffinity(0, &all) //nolint:errcheck // it was so before
	return start()
}

// onStarter starts a child on a thread that lives as long as the program. The signal of a parent's
// death comes when the thread that started the child ends (prctl(2), PR_SET_PDEATHSIG).
func onStarter(start func() error) error {
	done := make(chan error)
	starter() <- func() { done <- start() }
	return <-done
}
