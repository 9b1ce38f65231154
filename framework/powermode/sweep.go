package powermode

import (
	"errors"
	"fmt"
	"os"
)

// Sweep switches a machine through modes and restores it. A nil Sweep switches
// nothing.
type Sweep struct {
	session *Session
	modes   []Mode
	boot    map[string]string // why the machine must boot into a mode, by its name
	present string            // the name of the mode before the sweep
	first   *entered          // the mode entered by EnterFirst
	close   func() error
	ended   bool
	err     error // from ending
}

// BeginSweep finds the modes that a list names, as Find does, and notes at path
// what to restore. It changes nothing yet. It takes over c, which close closes,
// even if it fails; a *ListError is the list's fault.
func BeginSweep(c Control, close func() error, list, path string) (*Sweep, error) {
	s := &Sweep{close: close}
	var err error
	if s.modes, err = Find(c, list); err != nil {
		return nil, errors.Join(&ListError{err}, close())
	}
	s.boot = map[string]string{}
	for _, m := range s.modes {
		s.boot[m.Name] = c.Boot(m)
	}
	if m, err := c.Current(); err == nil {
		s.present = m.Name
	}
	if s.session, err = Begin(c, s.modes, path); err != nil {
		return nil, errors.Join(err, close())
	}
	return s, nil
}

// BeginOnBoard is BeginSweep on a Jetson whose files are below root, and enters the first
// mode before anything opens the GPU: once it was used, nvpmodel may ask for a boot. It is nil
// on other machines. Where nvpmodel cannot be asked, that is a *ListError.
func BeginOnBoard(root, list, path string) (*Sweep, error) {
	n, err := OpenNvpmodel(root)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, &ListError{err}
	}
	s, err := BeginSweep(n, func() error { return nil }, list, path)
	if s != nil {
		s.EnterFirst()
	}
	return s, err
}

// BeginOnGPU is BeginSweep on the machine below root that Open finds, with the GPU of that
// UUID or PCI bus ID. Nothing is switched yet. Where there are no modes, that is a *ListError.
func BeginOnGPU(root, uuid, pci, list, path string) (*Sweep, error) {
	c, close, err := Open(root, uuid, pci)
	if err != nil {
		return nil, &ListError{err}
	}
	return BeginSweep(c, close, list, path)
}

// ListError says what is wrong with a list of modes, or why there are none to list.
type ListError struct{ Reason error }

func (e *ListError) Error() string { return e.Reason.Error() }

func (e *ListError) Unwrap() error { return e.Reason }

// Names returns the names of the modes, in order.
func (s *Sweep) Names() []string {
	var names []string
	for _, m := range s.modes {
		names = append(names, m.Name)
	}
	return names
}

// Present returns the name of the mode before the sweep; it is empty if that cannot be read.
func (s *Sweep) Present() string { return s.present }

// Number returns Mode.Number of the mode of that name.
func (s *Sweep) Number(name string) float64 {
	m, _ := lookUp(s.modes, name)
	return m.Number()
}

// Boot returns the reason why the machine must boot into the mode of that name; it is empty where it need
// not.
func (s *Sweep) Boot(name string) string { return s.boot[name] }

// entered is a mode that was switched to, with the result.
type entered struct {
	name string
	err  error
}

// EnterFirst switches to the first mode that needs no boot, before anything opens the
// GPU; Enter then has its error. Without such a mode it changes nothing.
func (s *Sweep) EnterFirst() {
	for _, m := range s.modes {
		if s.boot[m.Name] == "" {
			s.first = &entered{m.Name, s.session.Set(m)}
			return
		}
	}
}

// Enter switches to the mode of that name; its error says why the machine is not
// in it.
func (s *Sweep) Enter(name string) error {
	if first := s.first; first != nil {
		s.first = nil
		if first.name == name {
			return first.err
		}
	}
	for _, m := range s.modes {
		if m.Name == name {
			return s.session.Set(m)
		}
	}
	return fmt.Errorf("no power mode %s", name)
}

// End restores the machine, once; later calls return the same error.
func (s *Sweep) End() error {
	if s != nil && !s.ended {
		s.ended = true
		s.err = errors.Join(s.session.End(), s.close())
	}
	if s == nil {
		return nil
	}
	return s.err
}
