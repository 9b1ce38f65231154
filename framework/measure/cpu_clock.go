package measure

import (
	"fmt"
	"time"

	"example.org/bench/framework"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/terminal/digits"
)

// Clock is the error of a version that changes the clock by which CPU versions are timed. The
// kernel maps that clock into the process, whose code can change it.
type Clock struct {
	// Mapped and Kernel are the seconds of the same stretch by the process's clock and by the
	// kernel's own.
	Mapped, Kernel float64
}

func (c *Clock) Error() string {
	return fmt.Sprintf("the clock of the process shows %s where the kernel's shows %s: the version has changed it", digits.Stated(c.Mapped, "s"), digits.Stated(c.Kernel, "s"))
}

// wrongClock is the share, and resolution the seconds, by which the kernel's clock may be ahead.
const (
	wrongClock = 0.1
	resolution = 1e-6
)

// rightClock runs a version n times. It returns an error if the kernel's clock shows more time than the
// process's clock. The process's clock is read first and last, and so includes all interruptions between
// readings of the kernel's.
func rightClock(alg framework.CPUAlgorithm, n int) error {
	mapped := time.Now()
	before, ok := kernelTime()
	if _, err := timeRuns(alg, n); err != nil {
		return err
	}
	after, _ := kernelTime()
	c := &Clock{Mapped: time.Since(mapped).Seconds(), Kernel: (after - before).Seconds()}
	if ok && c.wrong() {
		return c
	}
	return nil
}

// RightClock returns an error if the process's clock has been changed and shows less time than the
// kernel's.
func RightClock() error {
	const compared = 100 * time.Microsecond
	mapped := time.Now()
	before, ok := kernelTime()
	after := before
	for ok && after-before < compared {
		after, ok = kernelTime()
	}
	if c := (&Clock{Mapped: time.Since(mapped).Seconds(), Kernel: (after - before).Seconds()}); c.wrong() {
		return c
	}
	return nil
}

func (c *Clock) wrong() bool { return c.Kernel > (1+wrongClock)*c.Mapped+resolution }

// kernelTime reads the clock by a system call.
func kernelTime() (time.Duration, bool) {
	var t linux.Timespec
	err := linux.ClockGettime(linux.CLOCK_MONOTONIC, &t)
	return time.Duration(t.Nano()), err == nil
}
