package perf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Counter counts events of this process: of every thread that it has at Open, and of those
// that these start. What memory controllers count is of all processes.
type Counter struct {
	events []event
	files  [][]file // by event, one a thread or a memory controller
	// Missing says which events are not counted, and why.
	Missing []string
}

// file is one that counts, and what one count is, in the event's unit.
type file struct {
	fd   int
	unit float64
}

// Open prepares to count events. An event that cannot be counted is Missing; the error is
// that of all.
func Open(names []string) (*Counter, error) {
	if len(names) == 0 {
		return nil, errors.New("no event to count")
	}
	threads, err := threads()
	if err != nil {
		return nil, err
	}
	c := &Counter{}
	for _, name := range names {
		e, err := find(name)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		files, err := openAll(e, threads)
		if err != nil {
			c.Missing = append(c.Missing, name+": "+why(e, err))
			continue
		}
		c.events, c.files = append(c.events, e), append(c.files, files)
	}
	if len(c.events) == 0 {
		return nil, errors.New(strings.Join(c.Missing, "; "))
	}
	return c, nil
}

// threads are those of this process.
func threads() (list []int, err error) {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			list = append(list, n)
		}
	}
	return list, nil
}

// openAll opens an event for each thread, or of each memory controller.
func openAll(e event, threads []int) (files []file, err error) {
	defer func() {
		if err != nil {
			closeAll(files)
		}
	}()
	if e.kind == memory {
		list, err := controllers(e.name)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			for _, cpu := range c.cpus {
				attr := &unix.PerfEventAttr{Type: c.kind, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Config: c.config,
					Bits: unix.PerfBitDisabled, Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING}
				fd, err := unix.PerfEventOpen(attr, -1, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
				if err != nil {
					return files, err
				}
				files = append(files, file{fd, c.unit})
			}
		}
		return files, nil
	}
	for _, thread := range threads {
		fd, err := open(e, thread)
		if errors.Is(err, unix.ESRCH) {
			continue // it has ended
		}
		if err != nil {
			return files, err
		}
		files = append(files, file{fd, e.unit})
	}
	return files, nil
}

func open(e event, thread int) (fd int, err error) {
	attr := &unix.PerfEventAttr{Type: e.kind, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Config: e.config,
		Bits:        unix.PerfBitDisabled | unix.PerfBitInherit,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING}
	if e.kind == hardware {
		attr.Bits |= unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv
	}
	fd, err = unix.PerfEventOpen(attr, thread, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if errors.Is(err, unix.EACCES) && e.program {
		attr.Bits |= unix.PerfBitExcludeKernel
		fd, err = unix.PerfEventOpen(attr, thread, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	}
	return fd, err
}

// why says why an event cannot be counted, and what would help.
func why(e event, err error) string {
	switch {
	case errors.Is(err, errNoController):
		return err.Error()
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		level, readErr := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
		if readErr != nil {
			return "this system does not allow perf_event_open: a container's seccomp profile must"
		}
		most := 2
		switch e.kind {
		case software:
			most = 1
		case memory:
			most = 0
		}
		return fmt.Sprintf("/proc/sys/kernel/perf_event_paranoid is %s: want %d or less (sysctl kernel.perf_event_paranoid=%d), or the capability CAP_PERFMON; in a container its seccomp profile must allow perf_event_open, too",
			strings.TrimSpace(string(level)), most, most)
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENODEV):
		return "this CPU shows no such counter (" + unix.ErrnoName(errno(err)) + "): a virtual machine has it only if its host passes the CPU's counters through"
	case errors.Is(err, unix.ENOSYS):
		return "this kernel has no perf_event_open"
	case errors.Is(err, unix.EMFILE):
		return "too many open files: one a thread and event is needed (ulimit -n)"
	}
	return "perf_event_open: " + err.Error()
}

func errno(err error) (e syscall.Errno) {
	errors.As(err, &e)
	return e
}

// Names are those of what is counted.
func (c *Counter) Names() (names []string) {
	for _, e := range c.events {
		names = append(names, e.name)
	}
	return names
}

// Count counts while do runs, beside what earlier calls counted.
func (c *Counter) Count(do func() error) error {
	if err := c.all(unix.PERF_EVENT_IOC_ENABLE); err != nil {
		return err
	}
	return errors.Join(do(), c.all(unix.PERF_EVENT_IOC_DISABLE))
}

func (c *Counter) all(request uint) error {
	for _, files := range c.files {
		for _, f := range files {
			if err := unix.IoctlSetInt(f.fd, request, 0); err != nil {
				return fmt.Errorf("perf event: %w", err)
			}
		}
	}
	return nil
}

// Values are what was counted, by Names. Where more events were asked for than the CPU
// counts at once, they are scaled by the time that each was counted, as perf stat does.
func (c *Counter) Values() ([]float64, error) {
	values := make([]float64, len(c.events))
	for i, files := range c.files {
		for _, f := range files {
			var b [24]byte
			if n, err := unix.Read(f.fd, b[:]); err != nil || n != len(b) {
				return nil, fmt.Errorf("read the count of %s: %d bytes, %w", c.events[i].name, n, err)
			}
			count, enabled, running := word(b[:8]), word(b[8:16]), word(b[16:])
			if running > 0 && running < enabled {
				count *= enabled / running
			}
			values[i] += f.unit * count
		}
	}
	return values, nil
}

func word(b []byte) float64 { return float64(binary.NativeEndian.Uint64(b)) }

// Close ends counting.
func (c *Counter) Close() error {
	var err error
	for _, files := range c.files {
		err = errors.Join(err, closeAll(files))
	}
	c.files = nil
	return err
}

func closeAll(files []file) (err error) {
	for _, f := range files {
		err = errors.Join(err, unix.Close(f.fd))
	}
	return err
}
