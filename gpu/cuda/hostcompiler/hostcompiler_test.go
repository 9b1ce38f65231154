package hostcompiler

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/gpu"
	"example.org/bench/internal/linux"
)

// compile compiles a text with the system's C compiler.
func compile(t *testing.T, text string, most linux.Limits) (log string, err error) {
	t.Helper()
	source := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("cc", "-O2", "-c", "-o", source+".o", source)
	cmd.Env = append(os.Environ(), "LC_ALL=de_DE.UTF-8")
	var said words
	cmd.Stdout, cmd.Stderr = &said, &said
	err = run(cmd, &said, most, timeFor(source))
	return said.String(), err
}

// Each limit is named in a line, and what is within is compiled.
func TestLimits(t *testing.T) {
	if log, err := compile(t, "int f(void) { return 1; }", limits()); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
	var limited *Limited
	log, err := compile(t, "char big[1ull << 40] = {1};", linux.Limits{FileBytes: 1 << 20})
	if !errors.As(err, &limited) || err.Error() != "the compiler cc wrote a file of more than 1 MiB, its limit: is a large array initialised?" {
		t.Errorf("a large array: %v\n%s", err, log)
	}
	log, err = compile(t, `#include "/dev/zero"`, linux.Limits{MemoryBytes: 256 << 20})
	if !errors.As(err, &limited) || err.Error() != "the compiler cc needs more than 0.25 GiB of memory, its limit" {
		t.Errorf("an endless file: %v\n%s", err, log)
	}
	SetTimeout(time.Second)
	defer SetTimeout(0)
	begin := time.Now()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err = compile(t, `#include "`+fifo+`"`, linux.Limits{})
	if !errors.Is(err, ErrTimeout) || err.Error() != "the compiler cc ran longer than 1 s, its limit, and was ended" {
		t.Errorf("a pipe: %v\n%s", err, log)
	}
	if took := time.Since(begin); took < time.Second {
		t.Errorf("ended after %v", took)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		f, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, syscall.ENXIO) {
			return // nobody reads it any more
		}
		if f.Close(); time.Now().After(deadline) {
			t.Fatal("what reads the pipe lives on")
		}
	}
}

// TestSaidWithoutEnd: what a compiler says is kept up to a bound, which the text names, and a
// limit is known by its last words; a result beyond its bound is an error.
func TestSaidWithoutEnd(t *testing.T) {
	said, err := Combined(exec.Command("sh", "-c", "yes 'a.c:1: error: no such thing' | head -n 1000000; exit 1"), "")
	if err == nil || len(said) > gpu.MostLog+200 || !strings.HasPrefix(string(said), "a.c:1: error") || !strings.Contains(string(said), " more bytes of the compiler's messages are left out") {
		t.Errorf("%v, %d bytes", err, len(said))
	}
	var limited *Limited
	if _, err := Combined(exec.Command("sh", "-c", "yes | head -n 1000000; echo virtual memory exhausted; exit 1"), ""); !errors.As(err, &limited) || !strings.Contains(err.Error(), "of memory, its limit") {
		t.Error(err)
	}
	if out, err := Output(exec.Command("sh", "-c", "yes"), ""); !errors.As(err, &limited) || err.Error() != "the compiler sh printed more than 64 MiB, its limit" || len(out) > mostOutput {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

// What this program compiles of its own has no limit of time, and a user's source has one.
func TestOwnTime(t *testing.T) {
	SetTimeout(100 * time.Millisecond)
	defer SetTimeout(0)
	if said, err := Combined(exec.Command("sh", "-c", "sleep 0.5"), ""); err != nil {
		t.Errorf("own: %v\n%s", err, said)
	}
	if _, err := Combined(exec.Command("sh", "-c", "sleep 5"), "a.c"); !errors.Is(err, ErrTimeout) {
		t.Errorf("a user's: %v; want %v", err, ErrTimeout)
	}
}
