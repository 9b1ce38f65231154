// Package safefile writes files whole or not at all, and locks them between processes. A Folder is held
// open while several files are written to it: they go there even if another folder takes its name
// meanwhile. No link is followed to a file that is written. What root makes in a folder of the user who
// called sudo belongs to that user.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.org/bench/internal/trust"
)

// Write makes path hold content, on disk, or leaves it as it was.
func Write(path string, content io.WriterTo) error {
	d, err := OpenFolder(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write %s: %w", path, bare(err))
	}
	defer d.Close()
	return d.Write(filepath.Base(path), content)
}

// Open opens an ordinary file for reading and writing, with more flags as
// os.OpenFile has them. A link or anything else at path is an error.
func Open(path string, flags int) (*os.File, error) {
	d, err := OpenFolder(filepath.Dir(path))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: bare(err)}
	}
	defer d.Close()
	return d.Open(filepath.Base(path), flags)
}

// MkdirAll makes a folder, with those above it, unless it is there.
func MkdirAll(path string) error {
	d, err := MakeFolder(path)
	if err != nil {
		return err
	}
	return d.Close()
}

// SyncFolder puts a folder's entries on disk. A file system that cannot is no reason to
// stop.
func SyncFolder(path string) error {
	d, err := OpenFolder(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// TempFolder makes a folder for this process alone, which the caller removes. The
// error says which folder TMPDIR names.
func TempFolder(pattern string) (string, error) {
	folder, err := trust.TempFolder(pattern)
	if err == nil {
		return folder, nil
	}
	instead := "that you can write to"
	if errors.Is(err, trust.ErrUntrusted) {
		instead = "that others cannot"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return "", fmt.Errorf("folder for temporary files, %s: %w; set TMPDIR to one %s", os.TempDir(), err, instead)
}

// ErrLocked is TryLock's error while another process has the lock.
var ErrLocked = errors.New("another process has locked it")

// TryLock locks f against other processes until it is closed, or returns
// ErrLocked at once. Any other error says that the file system has no locks.
func TryLock(f *os.File) error { return lock(f, false) }

// Lock waits until it has locked f, until it is closed.
func Lock(f *os.File) error { return lock(f, true) }
