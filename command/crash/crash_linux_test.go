package crash

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
)

// crashes are ways to end, by their names.
var crashes = map[string]func(){
	"panic":     func() { panic("no idea\x1b[31m\nat all") },
	"error":     func() { panic(errors.New("no idea")) },
	"nil":       func() { var p *int; fmt.Println(*p) },
	"goroutine": func() { go panic("elsewhere"); select {} },
	"again":     func() { defer func() { panic(recover()) }(); panic("once") },
	"deadlock":  func() { select {} },
	"overflow": func() {
		debug.SetMaxStack(1 << 20)
		var f func(int) int
		f = func(n int) int { return f(n+1) + 1 }
		f(0)
	},
	"map": func() {
		m := map[int]int{}
		for range 8 {
			go func() {
				for i := 0; ; i++ {
					m[i%9] = i
				}
			}()
		}
		select {}
	},
	"threads": func() { println("fakecgo: pthread_create failed: 11"); select {} },
	"abort":   func() { syscall.Kill(os.Getpid(), syscall.SIGABRT); select {} },
}

func TestMain(m *testing.M) {
	if crash := crashes[os.Getenv("BENCH_TEST_CRASH")]; crash != nil {
		OneLine("bench: internal error: ", os.Getenv("BENCH_TEST_TRACES"))
		crash()
	}
	os.Exit(m.Run())
}

// A crash is one line, and its trace is in the file that the line names.
func TestOneLine(t *testing.T) {
	for name, want := range map[string]string{
		"panic": "panic: no idea?[31m (crash_linux_test.go:", "error": "panic: no idea (crash_linux_test.go:", "goroutine": "panic: elsewhere (crash_linux_test.go:",
		"nil":   "panic: runtime error: invalid memory address or nil pointer dereference (crash_linux_test.go:",
		"again": "panic: once [recovered", "deadlock": "fatal error: all goroutines are asleep - deadlock!",
		"overflow": "runtime: goroutine stack exceeds ", "map": "fatal error: concurrent map writes", "abort": "SIGABRT: abort",
		"threads": "fakecgo: pthread_create failed: 11 (too many processes and threads: raise their limit, ulimit -u or pids.max)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			run := func(env ...string) string {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(append(os.Environ(), "GOTRACEBACK=", "GODEBUG=", "BENCH_TEST_CRASH="+name), env...)
				text, err := cmd.CombinedOutput()
				if err == nil {
					t.Error("no crash")
				}
				return string(text)
			}
			got := run("BENCH_TEST_TRACES=" + dir)
			traces, _ := filepath.Glob(filepath.Join(dir, "*"))
			if len(traces) != 1 || !strings.HasPrefix(got, "bench: internal error: "+want) || !strings.HasSuffix(got, "; the trace is in "+traces[0]+"\n") || strings.Count(got, "\n") != 1 {
				t.Fatalf("%q, files %v", got, traces)
			}
			trace, err := os.ReadFile(traces[0])
			if info, _ := os.Stat(traces[0]); err != nil || !strings.Contains(string(trace), "goroutine ") || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %s", err, trace)
			}
			if got := run(); strings.Count(got, "\n") != 1 || strings.Contains(got, "trace") {
				t.Errorf("without a folder: %q", got)
			}
			if got := run("GODEBUG=inittrace=1"); !strings.Contains(got, "\ninit errors @") || strings.Contains(got, "goroutine 1 [") {
				t.Errorf("with what else is printed: %q", got)
			}
			if got := run("GOTRACEBACK=single"); !strings.Contains(got, "goroutine ") {
				t.Errorf("asked for: %q", got)
			}
		})
	}
}
