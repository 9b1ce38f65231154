package command_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// settled repeats a measurement until its figures are right, for at most a minute
// and a half: other programs on the machine spoil some measurements, a fault of the
// tool spoils all. measure returns what is wrong with the figures; empty where
// nothing is.
func settled(t *testing.T, measure func() string) {
	t.Helper()
	const patience = 90 * time.Second
	for start, pause := time.Now(), 200*time.Millisecond; ; pause *= 2 {
		wrong := measure()
		if wrong == "" {
			return
		}
		if time.Since(start)+pause > patience {
			t.Error(wrong)
			return
		}
		t.Logf("once more: %s", wrong)
		time.Sleep(pause)
	}
}

// stopwatch tells how long something took, and for how much of that other
// programs had the CPUs.
type stopwatch struct {
	began            time.Time
	busy_s, own_s    float64
	shareOfProcessor float64 // that a second of the machine's CPU time is here
}

func startWatch(t *testing.T) stopwatch {
	t.Helper()
	w := stopwatch{began: time.Now()}
	w.busy_s, w.own_s, w.shareOfProcessor = cpuTimes(t)
	return w
}

// read is the wall time, and the CPU time of others in it.
func (w stopwatch) read(t *testing.T) (wall, others time.Duration) {
	t.Helper()
	wall = time.Since(w.began)
	busy, own, _ := cpuTimes(t)
	s := ((busy - w.busy_s) - (own - w.own_s)) * w.shareOfProcessor
	return wall, time.Duration(max(0, s) * float64(time.Second))
}

// cpuTimes are the CPU seconds of the whole machine (proc_stat(5)) and of this
// process with its children that ended (getrusage(2)), and how many of the machine's
// CPUs are this process's.
func cpuTimes(t *testing.T) (machine, own, share float64) {
	t.Helper()
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		t.Fatal(err)
	}
	stat, err := proc.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if err := unix.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		own += float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
	}
	c := stat.CPUTotal
	return c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ + c.Steal, own, float64(runtime.NumCPU()) / float64(len(stat.CPU))
}
