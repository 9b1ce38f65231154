//go:build unix

package replay

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time that the calling thread has used
// (clock_gettime(2), CLOCK_THREAD_CPUTIME_ID): other processes on a busy
// machine do not add to it.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic("clock_gettime: " + err.Error()) // Linux and macOS have it
	}
	return time.Duration(t.Nano())
}
