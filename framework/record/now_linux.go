package record

import (
	"time"

	"golang.org/x/sys/unix"
)

// sinceBoot goes on while the machine sleeps, unlike time.Since.
func sinceBoot() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) // has no error for a known clock
	return time.Duration(t.Nano())
}
