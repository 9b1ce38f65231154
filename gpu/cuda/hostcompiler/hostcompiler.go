// Package hostcompiler runs the computer's compilers: g++, cc, nvcc. Each compiler, with what it starts,
// ends with this process. Its time, memory and file size are limited, because a source may ask for any of
// these without end. The error names the limit that was hit.
package hostcompiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.org/bench/gpu"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/trust"
)

// ErrTimeout is wrapped by the error of a compiler that ran too long.
var ErrTimeout = errors.New("takes too long")

// fileBytes is the largest file that a compiler may write. No file of this program has a tenth of it.
const fileBytes = 256 << 20

// mostMemory and leastMemory bound the address space of a compiler's process, in bytes. It is otherwise
// half of the computer's memory.
const (
	mostMemory  = 8 << 30
	leastMemory = 1 << 30
)

// patience is the time that a compiler may take for a source, in nanoseconds; 0 for no limit.
var patience atomic.Int64

// SetTimeout sets the time that a compiler may take for a source in this process; 0 for no limit.
// What this program compiles of its own (no source) has no limit: a user's point does not pay for it.
func SetTimeout(limit time.Duration) { patience.Store(int64(limit)) }

// mostOutput is the longest text, in bytes, that a compiler may print as its result, such as a
// preprocessed source.
const mostOutput = 64 << 20

// Combined runs a compiler on a source and returns the first part of its standard output and error.
func Combined(cmd *exec.Cmd, source string) ([]byte, error) {
	var said words
	cmd.Stdout, cmd.Stderr = &said, &said
	err := run(cmd, &said, limitsFor(cmd, source), timeFor(source))
	return []byte(said.String()), err
}

// Output runs a compiler on a source, or on none, and returns its standard output.
func Output(cmd *exec.Cmd, source string) ([]byte, error) {
	var said words
	out := result{most: mostOutput}
	cmd.Stdout, cmd.Stderr = &out, &said
	err := run(cmd, &said, limitsFor(cmd, source), timeFor(source))
	if out.beyond {
		err = &Limited{Program: filepath.Base(cmd.Path), Limit: fmt.Sprintf("printed more than %d MiB, its limit", out.most>>20)}
	}
	return out.text, err
}

// result keeps what is written, up to a bound. A compiler that writes more is ended by its pipe.
type result struct {
	text   []byte
	most   int
	beyond bool
}

func (r *result) Write(b []byte) (int, error) {
	if len(r.text)+len(b) > r.most {
		r.beyond = true
		return 0, io.ErrShortWrite
	}
	r.text = append(r.text, b...)
	return len(b), nil
}

// words keeps the first part of a compiler's messages, and the last words, which reveal a limit.
type words struct {
	gpu.Log
	last []byte
}

const lastWords = 4 << 10

func (w *words) Write(b []byte) (int, error) {
	w.last = append(w.last, b...)
	if n := len(w.last); n > 2*lastWords {
		w.last = append(w.last[:0], w.last[n-lastWords:]...)
	}
	return w.Log.Write(b)
}

// limitsFor returns the limits of a compiler, which is confined where the source is not trusted.
func limitsFor(cmd *exec.Cmd, source string) linux.Limits {
	most := limits()
	if Distrusted(source) {
		most.Within = confine(cmd)
	}
	return most
}

// timeFor returns the time that a compiler has for a source; 0 for no limit.
func timeFor(source string) time.Duration {
	if source == "" {
		return 0
	}
	return time.Duration(patience.Load())
}

func limits() linux.Limits {
	memory := uint64(mostMemory)
	var info linux.Sysinfo
	if linux.SystemInfo(&info) == nil {
		memory = min(memory, uint64(info.Totalram)*uint64(info.Unit)/2)
	}
	return linux.Limits{FileBytes: fileBytes, MemoryBytes: max(memory, leastMemory)}
}

// Limited is the error of a compiler that hit a limit.
type Limited struct {
	Program string
	Limit   string // as a predicate: "wrote …"
	timeout bool
}

func (l *Limited) Error() string { return fmt.Sprintf("the compiler %s %s", l.Program, l.Limit) }

// Unwrap returns ErrTimeout where that was the limit.
func (l *Limited) Unwrap() error {
	if l.timeout {
		return ErrTimeout
	}
	return nil
}

// noMemory are the words with which compilers, assemblers and linkers report that memory ran out.
var noMemory = []string{"out of memory", "memory exhausted", "Cannot allocate memory", "bad_alloc"}

// run runs a compiler that writes its complaints to said.
func run(cmd *exec.Cmd, said *words, most linux.Limits, limit time.Duration) error {
	ctx, cancel := context.Background(), func() {}
	if limit > 0 {
		ctx, cancel = linux.WithRunningTime(ctx, limit)
	}
	defer cancel()
	// The words below are searched in English; the character set stays.
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), func(v string) bool { return strings.HasPrefix(v, "LANGUAGE=") }), "LANGUAGE=en")
	cmd.WaitDelay = time.Second
	_, err := linux.Run(ctx, cmd, most)
	if err == nil {
		return nil
	}
	name := filepath.Base(cmd.Path)
	log := said.String() + string(said.last)
	switch {
	case ctx.Err() != nil:
		return &Limited{Program: name, Limit: fmt.Sprintf("ran longer than %.3g s, its limit, and was ended", limit.Seconds()), timeout: true}
	case strings.Contains(log, "File size limit exceeded") || strings.Contains(log, "File too large"):
		return &Limited{Program: name, Limit: fmt.Sprintf("wrote a file of more than %.3g MiB, its limit: is a large array initialised?", float64(most.FileBytes)/(1<<20))}
	case slices.ContainsFunc(noMemory, func(w string) bool { return strings.Contains(log, w) }):
		return &Limited{Program: name, Limit: fmt.Sprintf("needs more than %.3g GiB of memory, its limit", float64(most.MemoryBytes)/(1<<30))}
	}
	return err
}

// Folder makes a folder below TMPDIR to compile in. A worker's folder is removed with the worker,
// whatever ends it.
func Folder() (string, error) { return trust.TempFolder("bench-compile-") }
