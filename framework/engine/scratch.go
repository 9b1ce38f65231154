package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
)

// scratchPrefix begins the names of workers' temporary folders.
const scratchPrefix = "bench-worker-"

// scratch is a worker's folder for temporary files, since a killed worker cannot remove its own.
// The folder is locked while its owner lives.
type scratch struct {
	path string // empty if there is none
	lock *os.File
}

// newScratch makes the folder, and removes those whose owners are gone. If there is no place for
// the folder, the worker goes without, and what needs it fails.
func newScratch() *scratch {
	parent := os.TempDir()
	removeStale(parent)
	for range 10 { // another process may take a folder for stale before it is locked
		path, err := os.MkdirTemp(parent, scratchPrefix)
		if err != nil {
			break
		}
		if lock := lockFolder(path); lock != nil {
			return &scratch{path, lock}
		}
		os.RemoveAll(path)
	}
	return &scratch{}
}

// lockFolder locks the folder at path. It returns nil if the folder is gone, another's or locked.
func lockFolder(path string) *os.File {
	f, err := os.OpenFile(path, os.O_RDONLY|linux.O_NOFOLLOW|linux.O_DIRECTORY|linux.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	if safefile.TryLock(f) == nil {
		mine, err := f.Stat()
		now, err2 := os.Lstat(path)
		if err == nil && err2 == nil && os.SameFile(mine, now) {
			if owner, _, _, known := linux.Owner(mine); known && owner == os.Geteuid() {
				return f
			}
		}
	}
	f.Close()
	return nil
}

// removeStale removes the folders of this user's workers whose owners were killed.
func removeStale(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		path := filepath.Join(parent, e.Name())
		if lock := lockFolder(path); lock != nil {
			os.RemoveAll(path)
			lock.Close()
		}
	}
}

// environment returns this process's environment with the folder for temporary files.
func (s *scratch) environment() []string {
	if s.path == "" {
		return nil // the same as this process's
	}
	return append(os.Environ(), "TMPDIR="+s.path)
}

// removeOwn removes the folder of this worker, once its owner's lock is gone, within a time. A
// killed parent closes its pipes and frees its lock one by one before it has ended, which may take
// seconds on a busy machine.
func removeOwn(within time.Duration) {
	path := os.Getenv("TMPDIR")
	if !strings.HasPrefix(filepath.Base(path), scratchPrefix) {
		return
	}
	for deadline := time.Now().Add(within); ; time.Sleep(time.Millisecond) {
		if lock := lockFolder(path); lock != nil {
			os.RemoveAll(path)
			lock.Close()
			return
		}
		if !time.Now().Before(deadline) {
			return
		}
	}
}

func (s *scratch) remove() {
	if s.path == "" {
		return
	}
	if err := os.RemoveAll(s.path); err != nil {
		notRemoved.Lock()
		notRemoved.lines = append(notRemoved.lines, fmt.Sprintf("the worker's folder %s is left: %v; remove it", s.path, err))
		notRemoved.Unlock()
	}
	s.lock.Close()
}

// notRemoved records which folders of workers could not be removed.
var notRemoved struct {
	sync.Mutex
	lines []string
}

// Left returns which temporary folders of workers this process could not remove since the last
// call, and why: something in them is immutable, or lies in a folder that nobody may change.
func Left() (lines []string) {
	notRemoved.Lock()
	defer notRemoved.Unlock()
	lines, notRemoved.lines = notRemoved.lines, nil
	return lines
}
