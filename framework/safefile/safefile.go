// Package safefile writes files whole or not at all, and locks them between
// processes. No link is followed to what is written. What root makes in a folder
// of the user who called sudo is that user's.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bench/trust"
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
	removeStale(path) // before there is one of this process's: its age is wrong where the clock is set meanwhile
	f, err := newPending(path)
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := trust.Give(f.file(), filepath.Dir(path)); err != nil {
		return err
	}
	if _, err := content.WriteTo(f.file()); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// pending is a temporary file that is to replace another.
type pending interface {
	file() *os.File
	CloseAtomicallyReplace() error
	Cleanup() error // of what has not replaced anything
}

// staleAfter is the age at which a temporary file beside path is a killed
// process's: none is written to for so long.
const staleAfter = time.Hour

// removeStale removes temporary files of path that killed processes left. It
// ignores what it cannot remove.
func removeStale(path string) {
	dir, prefix := filepath.Dir(path), "."+filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), prefix) // as renameio names them
		if _, err := strconv.ParseInt(number, 10, 64); !ok || err != nil || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Open opens an ordinary file for reading and writing, with more flags as
// os.OpenFile has them. A link or anything else at path is an error.
func Open(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|os.O_RDWR|noFollow, 0o666)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s is a link: it is not followed, remove it", path)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not an ordinary file", path)
	}
	if err == nil && flags&os.O_CREATE != 0 {
		err = trust.Give(f, filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// MkdirAll makes a folder, with those above it, unless it is there.
func MkdirAll(dir string) error {
	dir = filepath.Clean(dir)
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is a file; want a folder", dir)
		}
		return nil
	}
	if target, err := os.Readlink(dir); err == nil {
		return fmt.Errorf("%s is a link to %s, which is not there", dir, target)
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := MkdirAll(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		if info, failed := os.Stat(dir); failed == nil && info.IsDir() {
			return nil // another process was faster
		}
		return err
	}
	return giveFolder(dir, above)
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

// ErrLocked is TryLock's error while another process has the lock.
var ErrLocked = errors.New("another process has locked it")

// TryLock locks f against other processes until it is closed, or returns
// ErrLocked at once. Any other error says that the file system has no locks.
func TryLock(f *os.File) error { return lock(f, false) }

// Lock waits until it has locked f, until it is closed.
func Lock(f *os.File) error { return lock(f, true) }
