package perf

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/framework/machine"
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
		if e, err := find(name); err != nil || e.kind == software && e.program || len(why) < 20 || strings.Contains(m, "\n") {
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

// system makes a tree of memory controllers.
func system(t *testing.T, files map[string]string) {
	t.Helper()
	before := sources
	sources = t.TempDir()
	t.Cleanup(func() { sources = before })
	for name, text := range files {
		path := filepath.Join(sources, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMemoryControllers(t *testing.T) {
	unit := func(n, event, terms string) map[string]string {
		return map[string]string{"uncore_imc_" + n + "/type": "24", "uncore_imc_" + n + "/cpumask": "0,18", "uncore_imc_" + n + "/events/" + event: terms,
			"uncore_imc_" + n + "/events/" + event + ".scale": "6.103515625e-5", "uncore_imc_" + n + "/events/" + event + ".unit": "MiB",
			"uncore_imc_" + n + "/format/event": "config:0-7", "uncore_imc_" + n + "/format/umask": "config:8-15"}
	}
	files := unit("0", "cas_count_read", "event=0x04,umask=0x03")
	maps.Copy(files, unit("1", "cas_count_read", "event=0x04,umask=0x03"))
	maps.Copy(files, unit("free_running_0", "data_read", "event=0xff,umask=0x20"))
	system(t, files)
	list, err := controllers("memory-read_B")
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if want := (controller{24, 0x304, 64, machine.CPUs{0, 18}}); !reflect.DeepEqual(list[1], want) {
		t.Errorf("%+v, want %+v", list[1], want)
	}
	if _, err := controllers("memory-written_B"); !errors.Is(err, errNoController) {
		t.Errorf("none that counts what is written: %v", err)
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"unit":   {"uncore_imc_0/events/cas_count_read.unit", "lines", `its unit is "lines"`},
		"format": {"uncore_imc_0/format/umask", "config1:0-7", "want bits of config"},
		"bits":   {"uncore_imc_0/format/umask", "config:8", "more bits"},
		"cpus":   {"uncore_imc_0/cpumask", "all", "CPUs"},
		"terms":  {"uncore_imc_0/events/cas_count_read", "event", "invalid syntax"},
	} {
		t.Run(name, func(t *testing.T) {
			broken := maps.Clone(files)
			broken[c.file] = c.text
			system(t, broken)
			if _, err := controllers("memory-read_B"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// The kernel's clock of each CPU takes a memory controller's place, of which this machine
// may have none.
func TestControllersAreCountedForTheWholeMachine(t *testing.T) {
	system(t, map[string]string{"uncore_imc/type": strconv.Itoa(unix.PERF_TYPE_SOFTWARE), "uncore_imc/cpumask": "0", "uncore_imc/events/data_reads": "event=0x00",
		"uncore_imc/events/data_reads.scale": "0.5", "uncore_imc/events/data_reads.unit": "KiB", "uncore_imc/format/event": "config:0-7"})
	c, err := Open([]string{"memory-read_B", "task-clock_s"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(c.Missing) > 0 {
		if os.Geteuid() == 0 || !strings.Contains(c.Missing[0], "want 0 or less") {
			t.Error(c.Missing)
		}
		return
	}
	began := time.Now()
	if err := c.Count(func() error { time.Sleep(20 * time.Millisecond); return nil }); err != nil {
		t.Fatal(err)
	}
	most := float64(time.Since(began)) * 512
	values, err := c.Values()
	if err != nil || values[0] < 0.02e9*512 || values[0] > most {
		t.Errorf("%v bytes, want %g to %g, %v", values[0], 0.02e9*512, most, err)
	}
}
