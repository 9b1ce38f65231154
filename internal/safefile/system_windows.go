package safefile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// noWait is nothing: no name in a folder is a pipe's there.
const noWait = 0

// Sync has nothing to do: Windows has no folders on disk apart from their files
// (MSDN, FlushFileBuffers).
func (*Folder) Sync() error { return nil }

// lock locks the first byte, which keeps others from it alone.
func lock(f *os.File, wait bool) error {
	how := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
