package linux

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// Change returns the time at which the kernel last saw a file change, which no program can set, and a
// text that together with it distinguishes the file from all others of this machine. known is false where
// the system reports neither.
func Change(info fs.FileInfo) (at time.Time, file string, known bool) {
	s, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return at, "", false
	}
	return time.Unix(s.Ctim.Unix()), fmt.Sprintf("device %d, file %d, %d bytes, modified %v", s.Dev, s.Ino, s.Size, s.Mtim), true
}
