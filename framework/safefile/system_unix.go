//go:build unix

package safefile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"bench/trust"
)

// noFollow opens no link, and waits for no pipe.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

type renamed struct{ *renameio.PendingFile }

func (r renamed) file() *os.File { return r.File }

func newPending(path string) (pending, error) {
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o666))
	return renamed{f}, err
}

// giveFolder gives a folder that was just made to whom the one above belongs.
func giveFolder(dir, above string) error {
	f, err := os.OpenFile(dir, unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return trust.Give(f, above)
}

// SyncFolder puts the folder's entries on disk. A file system that cannot is no
// reason to stop.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return nil
}

func lock(f *os.File, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		switch err := unix.Flock(int(f.Fd()), how); {
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
}
