package powermode

import (
	"errors"
	"fmt"
)

// Session switches a machine between modes and restores it.
type Session struct {
	control Control
	note    *Note
}

// Begin checks that this user may switch, and notes the machine's present
// state at path. It changes nothing.
func Begin(c Control, modes []Mode, path string) (*Session, error) {
	if err := c.Allowed(); err != nil {
		return nil, err
	}
	s, err := c.State()
	if err != nil {
		return nil, fmt.Errorf("note what to restore: %w", err)
	}
	for _, m := range modes {
		for _, l := range m.Limits {
			s.Unlock = s.Unlock || c.Name() == "nvml" && l.Unit == "Hz"
		}
	}
	j, err := CreateNote(path, s)
	if err != nil {
		return nil, err
	}
	return &Session{c, j}, nil
}

// Set switches; its error says why the machine is not in the mode.
func (s *Session) Set(m Mode) error { return s.control.Set(m) }

// End restores what Begin noted. If that fails, the note is kept.
func (s *Session) End() error {
	j := s.note
	if err := s.control.Restore(j.State); err != nil {
		return errors.Join(fmt.Errorf("%w; bench modes --restore tries again", err), j.Release())
	}
	return j.Remove()
}

// ErrUnrestored is wrapped by RestoreLeftBehind's error if there is something
// to restore and that failed.
var ErrUnrestored = errors.New("an earlier run was killed and its power mode is not restored")

// RestoreLeftBehind restores what a process noted at path if it ended
// without restoring it. It returns the restored state, or nil if there was
// nothing to restore. Its errors are LeftBehind's, or wrap ErrUnrestored.
func RestoreLeftBehind(path string) (*State, error) {
	j, err := LeftBehind(path)
	if j == nil {
		return nil, err
	}
	c, err := j.State.Open()
	if err != nil {
		err = errors.Join(err, j.Release())
	} else {
		s := Session{c, j}
		err = s.End()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w; to give it up, remove %s", ErrUnrestored, err, path)
	}
	return &j.State, nil
}

// RestoreAll restores what killed runs left at any of NotePaths, and says so of each. The
// errors of all are joined.
func RestoreAll(said func(what string)) (restored bool, _ error) {
	var faults []error
	for _, path := range NotePaths() {
		state, err := RestoreLeftBehind(path)
		if err != nil {
			faults = append(faults, err)
		}
		if state == nil {
			continue
		}
		what := "power mode " + state.Mode
		if state.Control == "nvml" {
			what = fmt.Sprintf("power limit of %g W", state.Limit)
		}
		said(what)
		restored = true
	}
	return restored, errors.Join(faults...)
}
