package perf

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// touch reads every page of new memory once.
func touch(t *testing.T, pages int) {
	t.Helper()
	size := os.Getpagesize()
	b, err := unix.Mmap(-1, 0, pages*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Madvise(b, unix.MADV_NOHUGEPAGE); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(b); i += size {
		b[i] = 1
	}
	if err := unix.Munmap(b); err != nil {
		t.Fatal(err)
	}
}

// counter opens events.
func counter(t *testing.T, names ...string) *Counter {
	t.Helper()
	c, err := Open(names)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestPageFaultsAreCounted(t *testing.T) {
	const pages = 1000
	c := counter(t, "page-faults", "minor-faults", "task-clock_s")
	touch(t, pages) // not counted
	var wait sync.WaitGroup
	err := c.Count(func() error {
		touch(t, pages)
		wait.Go(func() { // on a thread of its own, which may be new
			runtime.LockOSThread()
			touch(t, pages)
		})
		wait.Wait()
		return nil
	})
	touch(t, pages) // nor is this
	if err != nil {
		t.Fatal(err)
	}
	values, err := c.Values()
	if err != nil {
		t.Fatal(err)
	}
	// The runtime's own faults come on top.
	if values[0] < 2*pages || values[0] > 3*pages || values[1] < 2*pages {
		t.Errorf("%v page faults and %v minor ones, want about %d", values[0], values[1], 2*pages)
	}
	if values[2] <= 0 || values[2] > 60 {
		t.Errorf("%v s of CPU time", values[2])
	}
}

// What cannot be counted is said, and costs the other events nothing.
func TestMissingEvents(t *testing.T) {
	c := counter(t, append(Events(), "page-faults")...)
	for _, m := range c.Missing {
		name, why, _ := strings.Cut(m, ": ")
		if e, err := find(name); err != nil || e.kind != hardware && e.program || len(why) < 20 || strings.Contains(m, "\n") {
			t.Errorf("missing %q", m)
		}
	}
	if got := len(c.Names()) + len(c.Missing); got != len(Events())+1 {
		t.Errorf("%d events are counted or missing, want %d", got, len(Events())+1)
	}
	if _, err := Open([]string{"nothing"}); err == nil || err.Error() != "no event nothing" {
		t.Error(err)
	}
	e, _ := find("instructions")
	for code, text := range map[syscall.Errno]string{
		unix.ENOENT: "this CPU shows no such counter (ENOENT): a virtual machine", unix.EACCES: "want 2 or less (sysctl kernel.perf_event_paranoid=2), or the capability CAP_PERFMON",
		unix.ENOSYS: "this kernel has no perf_event_open", unix.EMFILE: "ulimit -n", unix.EINVAL: "perf_event_open: invalid argument",
	} {
		if got := why(e, code); !strings.Contains(got, text) {
			t.Errorf("%v: %q lacks %q", code, got, text)
		}
	}
}
