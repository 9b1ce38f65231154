package safefile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// noFollow is nothing: Windows has no such flag, and making a link there is a privilege.
const noFollow = 0

func newPending(path string) (pending, error) { return newTemporary(path) }

// giveFolder has nothing to do: there is no sudo.
func giveFolder(string, string) error { return nil }

// SyncFolder has nothing to do: Windows has no folders on disk apart from their files
// (MSDN, FlushFileBuffers).
func SyncFolder(string) error { return nil }

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
