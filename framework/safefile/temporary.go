package safefile

import (
	"errors"
	"os"
	"path/filepath"
)

// temporary replaces a file by what every system has: a new file beside it, which is
// synced, closed and renamed. renameio, which does so elsewhere, has nothing for Windows.
type temporary struct {
	at   *os.File
	path string
	done bool // closed, and renamed or removed
}

func newTemporary(path string) (*temporary, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*") // as removeStale knows them
	return &temporary{at: f, path: path}, err
}

func (t *temporary) file() *os.File { return t.at }

// CloseAtomicallyReplace puts the file on disk and in the place of the other.
func (t *temporary) CloseAtomicallyReplace() error {
	if err := t.at.Sync(); err != nil {
		return err
	}
	t.done = true
	err := t.at.Close() // Windows renames no open file
	if err == nil {
		err = os.Rename(t.at.Name(), t.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(t.at.Name()))
	}
	return nil
}

// Cleanup removes what has replaced nothing.
func (t *temporary) Cleanup() error {
	if t.done {
		return nil
	}
	t.done = true
	return errors.Join(t.at.Close(), os.Remove(t.at.Name()))
}
