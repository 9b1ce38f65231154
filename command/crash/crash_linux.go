// Package crash reduces what Go's runtime prints at a panic or a fatal error to one line. Hundreds of
// lines of a trace help whoever repairs the program, not whoever runs it.
package crash

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"
)

// overrideWrite is a variable of the runtime, which calls it for whatever it prints. Its name and type
// are kept for programs that set it (runtime/time_nofake.go, go.dev/issue/67401).
//
//go:linkname overrideWrite runtime.overrideWrite
var overrideWrite func(fd uintptr, p unsafe.Pointer, n int32) int32 = write // set from the first instruction on

// What may follow the cause.
const (
	fewThreads = " (too many processes and threads: raise their limit, ulimit -u or pids.max)"
	namesTrace = "; the trace is in "
)

// state is how far the runtime's output has been parsed. Its size is fixed, because the heap may be what
// is broken.
var state struct {
	before [64]byte // the beginning of the line to print
	start  int
	path   [4096]byte // of the file for the trace, with a 0 at its end; empty for none
	length int
	fd     int

	step   step
	line   [2048]byte // the current one; longer lines are cut
	filled int
	passed bool // whether the previous line named a function of the runtime
}

type step int

const (
	cause  step = iota // the first line is still to come
	stack              // the panic's stack is still to come
	frames             // in the stack, whose first frame outside the runtime says where
	done
)

// OneLine makes a crash print one line that begins with words: its cause and, for a panic, its place. The
// trace goes to a new file in folder, which the line names; without a folder it is dropped. Whoever asks
// for traces with GOTRACEBACK gets them. Other output of the runtime stays as it is.
func OneLine(words, folder string) {
	if os.Getenv("GOTRACEBACK") != "" {
		overrideWrite = nil
		return
	}
	state.start = copy(state.before[:], words)
	if folder != "" {
		path := filepath.Join(folder, "bench-trace-"+strconv.Itoa(os.Getpid())+".txt")
		if len(path) < len(state.path) {
			state.length = copy(state.path[:], path)
		}
	}
	state.fd = -1
}

// write is what the runtime calls, on any stack, with any of its locks: it neither
// allocates nor grows its stack.
//
//go:nosplit
//go:norace
func write(fd uintptr, p unsafe.Pointer, n int32) int32 {
	if fd != 2 {
		put(fd, p, uintptr(n))
		return n
	}
	for i := uintptr(0); i < uintptr(n); i++ {
		c := *(*byte)(unsafe.Add(p, i))
		if c == '\n' {
			lineEnds()
			state.filled = 0
			continue
		}
		if c < ' ' && c != '\t' || c == 0x7f {
			c = '?'
		}
		if state.filled < len(state.line)-1 {
			state.line[state.filled] = c
			state.filled++
		}
	}
	return n
}

//go:nosplit
//go:norace
func lineEnds() {
	if state.step == cause && !isCause() { // of GODEBUG, or println
		state.line[state.filled] = '\n'
		put(2, unsafe.Pointer(&state.line[0]), uintptr(state.filled+1))
		return
	}
	keep()
	switch state.step {
	case cause:
		put(2, unsafe.Pointer(&state.before[0]), uintptr(state.start))
		put(2, unsafe.Pointer(&state.line[0]), uintptr(state.filled))
		if begins("fakecgo: pthread_create failed") || begins("runtime: failed to create new OS thread") {
			say(fewThreads)
		}
		if begins("panic: ") {
			state.step = stack
			return
		}
		finish()
	case stack:
		if begins("goroutine ") {
			state.step = frames
		}
	case frames:
		if state.filled == 0 {
			finish()
			return
		}
		if state.line[0] != '\t' {
			state.passed = begins("panic(") || begins("runtime.")
			return
		}
		if state.passed {
			return
		}
		// "\t/folder/file.go:12 +0x1d"
		from, to := 1, 1
		for to < state.filled && state.line[to] != ' ' {
			if state.line[to] == '/' {
				from = to + 1
			}
			to++
		}
		say(" (")
		put(2, unsafe.Pointer(&state.line[from]), uintptr(to-from))
		say(")")
		finish()
	}
}

// isCause reports whether the line is the first of a crash.
//
//go:nosplit
//go:norace
func isCause() bool {
	return begins("panic: ") || begins("fatal error: ") || begins("runtime: ") || begins("fakecgo: ") || begins("runtime/cgo: ") ||
		begins("unexpected fault") || begins("SIG") || begins("goroutine ")
}

// keep puts the line into the file for the trace.
//
//go:nosplit
//go:norace
func keep() {
	if state.length == 0 {
		return
	}
	if state.fd < 0 {
		// syscall.O_EXCL follows no link.
		const flags = syscall.O_WRONLY | syscall.O_CREAT | syscall.O_EXCL | syscall.O_CLOEXEC
		at := -100 // AT_FDCWD
		got, _, failed := syscall.RawSyscall6(syscall.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(&state.path[0])), flags, 0o600, 0, 0)
		if failed != 0 {
			state.length = 0
			return
		}
		state.fd = int(got)
	}
	state.line[state.filled] = '\n'
	put(uintptr(state.fd), unsafe.Pointer(&state.line[0]), uintptr(state.filled+1))
}

// finish ends the line.
//
//go:nosplit
//go:norace
func finish() {
	if state.length > 0 {
		say(namesTrace)
		put(2, unsafe.Pointer(&state.path[0]), uintptr(state.length))
	}
	say("\n")
	state.step = done
}

//go:nosplit
//go:norace
func begins(with string) bool {
	if state.filled < len(with) {
		return false
	}
	for i := 0; i < len(with); i++ {
		if state.line[i] != with[i] {
			return false
		}
	}
	return true
}

//go:nosplit
//go:norace
func say(text string) { put(2, unsafe.Pointer(unsafe.StringData(text)), uintptr(len(text))) }

//go:nosplit
//go:norace
func put(fd uintptr, p unsafe.Pointer, n uintptr) {
	syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(p), n) //nolint:errcheck // there is nowhere to say it
}
