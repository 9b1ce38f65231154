// Package safefile writes files whole or not at all, and locks them between
// processes.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"
)

// Write makes path hold content, on disk, or leaves it as it was.
func Write(path string, content io.WriterTo) error {
	if err := replace(path, content); err != nil {
		var p *fs.PathError // of the temporary file
		if errors.As(err, &p) {
			err = p.Err
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func replace(path string, content io.WriterTo) error {
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o666))
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if _, err := content.WriteTo(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// TempFolder makes a folder for this process alone, which the caller removes. The
// error says which folder TMPDIR names.
func TempFolder(pattern string) (string, error) {
	folder, err := os.MkdirTemp("", pattern)
	if err == nil {
		return folder, nil
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return "", fmt.Errorf("folder for temporary files, %s: %w; set TMPDIR to one that you can write to", os.TempDir(), err)
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

// ErrLocked is TryLock's error while another process has the lock.
var ErrLocked = errors.New("another process has locked it")

// TryLock locks f against other processes until it is closed, or returns
// ErrLocked at once. Any other error says that the file system has no locks.
func TryLock(f *os.File) error {
	err := flock(f, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// Lock waits until it has locked f, until it is closed.
func Lock(f *os.File) error { return flock(f, unix.LOCK_EX) }

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
