package powermode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/trust"
)

// ErrBusy is returned while another process switches modes.
var ErrBusy = errors.New("another run is switching power modes on this machine")

// ErrOthers is wrapped by errors about a note that root alone may act on.
var ErrOthers = errors.New("root switches power modes on this machine, or a run of root's was killed: sudo bench modes --restore restores them")

// ErrUnreadable is wrapped by errors that leave open whether there is a note.
var ErrUnreadable = errors.New("it is not known whether an earlier run left a power mode to restore")

// Note says what to restore; it is on disk before the first switch. A process
// that ends without restoring, as by kill -9, leaves it behind; its lock ends
// with the process.
type Note struct {
	path  string
	lock  *os.File
	State State
}

const (
	noteFile = "power-mode.json"
	// rootsState is root's folder for state, whoever called sudo.
	rootsState = "/var/lib/bench"
	// mostNote is the largest length of a note: a board has some dozens of files.
	mostNote = 1 << 20
)

// NotePath returns the file in which this process notes what to restore: in the folder that systemd sets
// (STATE_DIRECTORY, systemd.exec(5)), in /var/lib/bench for root, which all users can read, or below the
// user's folder for state (XDG Base Directory Specification).
func NotePath() string { return notePaths(trust.Self())[0] }

// NotePaths returns NotePath and, for an ordinary user, the path of root's note.
func NotePaths() []string { return notePaths(trust.Self()) }

func notePaths(user trust.User) []string {
	roots := filepath.Join(rootsState, noteFile)
	path := filepath.Join(user.StateFolder(), noteFile)
	if given, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":"); path == roots || user.IsRoot() || filepath.IsAbs(given) {
		return []string{path}
	}
	return []string{path, roots}
}

// CreateNote writes s to disk, to be restored when the process is done or
// gone. A note that another process left behind must be restored first.
func CreateNote(path string, s State) (*Note, error) {
	fault := func(err error) error { return fmt.Errorf("note what to restore: %w", err) }
	folder := filepath.Dir(path)
	user := trust.Self()
	if err := user.CheckExisting(folder); err != nil {
		return nil, fault(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fault(err)
	}
	if err := user.Check(folder); err != nil {
		return nil, fault(err)
	}
	lock, err := lockFor(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("%s says what an earlier run left unrestored: bench modes --restore", path), err, lock.Close())
	}
	text, err := json.Marshal(s)
	if err == nil {
		err = safefile.Write(path, bytes.NewBuffer(append(text, '\n')))
	}
	if err == nil && user.IsRoot() { // all may read it, whatever the umask
		err = errors.Join(os.Chmod(folder, 0o755), os.Chmod(path, 0o644))
	}
	if err == nil {
		err = safefile.SyncFolder(folder)
	}
	if err != nil {
		return nil, errors.Join(fault(err), os.Remove(path), lock.Close())
	}
	return &Note{path, lock, s}, nil
}

// LeftBehind returns the note of a process that is gone, or nil. While the process lives, the error is
// ErrBusy. The error wraps ErrOthers if the note is root's and this user is not, and ErrUnreadable if it
// cannot be determined.
func LeftBehind(path string) (*Note, error) { return leftBehind(trust.Self(), path) }

func leftBehind(user trust.User, path string) (*Note, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = user.Check(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if owner, _, _, known := linux.Owner(info); !known || owner != user.UID {
		return nil, fmt.Errorf("%w (%s)", ErrOthers, path)
	}
	lock, err := lockFor(path)
	if err != nil {
		return nil, err
	}
	note := &Note{path: path, lock: lock}
	text, err := readRegular(path)
	if errors.Is(err, fs.ErrNotExist) { // restored meanwhile
		return nil, lock.Close()
	}
	if err == nil {
		if note.State, err = parseNote(text); err != nil {
			err = fmt.Errorf("%s is not a note of bench: %w", path, err)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrUnreadable, err), lock.Close())
	}
	return note, nil
}

// check refuses names with line ends: no mode, folder or file has one, and it would begin a line of its
// own in output. The contents of files may have them.
func (s State) check() error {
	names := append(slices.Sorted(maps.Keys(s.Files)), s.Control, s.Root, s.Mode, s.GPU)
	if i := slices.IndexFunc(names, terminal.HasLineEnd); i >= 0 {
		return fmt.Errorf("%q has more than one line", names[i])
	}
	return nil
}

// parseNote reads a note's text.
func parseNote(text []byte) (s State, err error) {
	if err = bounded.UnmarshalKept(text, &s); err != nil {
		return s, err
	}
	if s.Control == "" {
		return s, errors.New("it does not say what is controlled")
	}
	return s, s.check()
}

// readRegular reads a short file that is neither a link nor a pipe.
func readRegular(path string) ([]byte, error) {
	f, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostNote+1))
	if err == nil && len(text) > mostNote {
		err = fmt.Errorf("%s has more than %d bytes", path, mostNote)
	}
	return text, err
}

func openRegular(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|linux.O_NOFOLLOW|linux.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not an ordinary file", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// lockFor locks the file beside the note at path. Others cannot open the file, so they cannot keep root
// from restoring.
func lockFor(path string) (*os.File, error) {
	f, err := openRegular(path+".lock", os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if err := safefile.TryLock(f); err != nil {
		f.Close()
		if errors.Is(err, safefile.ErrLocked) {
			return nil, ErrBusy
		}
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return f, nil
}

// Remove deletes the note after its state was restored.
func (j *Note) Remove() error { return errors.Join(os.Remove(j.path), j.lock.Close()) }

// Release unlocks the note and keeps it for another attempt.
func (j *Note) Release() error { return j.lock.Close() }

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
