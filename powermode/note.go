package powermode

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bench/framework/safefile"
)

// ErrBusy is returned while another process switches modes.
var ErrBusy = errors.New("another run is switching power modes on this machine")

// Note says what to restore; it is on disk before the first switch. A process
// that ends without restoring, as by kill -9, leaves it behind; its lock ends
// with the process.
type Note struct {
	file  *os.File
	State State
}

// NotePath is below the user's folder for state (XDG Base Directory
// Specification), or /var/lib/bench for a user without a home.
func NotePath() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if home := os.Getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".local", "state")
	}
	if dir == "" {
		dir = "/var/lib"
	}
	return filepath.Join(dir, "bench", "power-mode.json")
}

// CreateNote writes s to disk, to be restored when the process is done or
// gone. A note that another process left behind must be restored first.
func CreateNote(path string, s State) (*Note, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("note what to restore: %w", err)
	}
	f, err := lock(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		return nil, errors.Join(fmt.Errorf("%s says what an earlier run left unrestored: bench modes --restore", path), err, f.Close())
	}
	text, err := json.Marshal(s)
	if err == nil {
		_, err = f.WriteAt(append(text, '\n'), 0)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = safefile.SyncFolder(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("note what to restore: %w", err), f.Close())
	}
	return &Note{f, s}, nil
}

// LeftBehind is the note of a process that is gone, or nil. While its
// process lives the error is ErrBusy.
func LeftBehind(path string) (*Note, error) {
	f, err := lock(path, os.O_RDWR)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j := &Note{file: f}
	if err := json.NewDecoder(f).Decode(&j.State); err != nil || j.State.Control == "" {
		// It was being written: nothing had been switched yet.
		return nil, j.Remove()
	}
	return j, nil
}

// lock opens and locks the file that is at path once the lock is held.
func lock(path string, flags int) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, flags, 0o644)
		if err != nil {
			return nil, err
		}
		if err := safefile.TryLock(f); err != nil {
			f.Close()
			if errors.Is(err, safefile.ErrLocked) {
				return nil, ErrBusy
			}
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		mine, err := f.Stat()
		if now, err2 := os.Stat(path); err == nil && err2 == nil && os.SameFile(mine, now) {
			return f, nil
		}
		f.Close() // removed by its owner meanwhile
	}
}

// Remove deletes the note after its state was restored.
func (j *Note) Remove() error {
	return errors.Join(os.Remove(j.file.Name()), j.file.Close())
}

// Release unlocks the note and keeps it for another attempt.
func (j *Note) Release() error { return j.file.Close() }

// Open returns the control that can restore s.
func (s State) Open() (Control, error) {
	switch s.Control {
	case "nvpmodel":
		return OpenNvpmodel(s.Root)
	case "nvml":
		return OpenGPU(s.GPU, "")
	}
	return nil, fmt.Errorf("unknown kind of power mode %q", s.Control)
}
