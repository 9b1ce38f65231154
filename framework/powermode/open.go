package powermode

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"example.org/bench/framework/machine"
)

// ErrNone is wrapped by errors about a machine that has no power modes to
// switch.
var ErrNone = errors.New("no power modes here")

// Open finds the control of the machine whose files are below root: nvpmodel if
// the board has it, else NVML for the GPU with that UUID or bus address, which
// only the live machine has. An error that wraps ErrNone says what is absent. The
// caller calls close.
func Open(root, uuid, pci string) (c Control, close func() error, err error) {
	n, err := OpenNvpmodel(root)
	if err == nil {
		return n, func() error { return nil }, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	none := fmt.Errorf("%w: there is no nvpmodel.conf below %s", ErrNone, root)
	if root != "/" {
		return nil, nil, none
	}
	g, gpuErr := OpenGPU(uuid, pci)
	if gpuErr != nil {
		return nil, nil, fmt.Errorf("%w, and no GPU whose limits can be set: %w", none, gpuErr)
	}
	return g, g.Close, nil
}

// CurrentName returns the name of the mode of the board whose files are below root; it is empty if there
// is none.
func CurrentName(root string) string {
	n, err := OpenNvpmodel(root)
	if err != nil {
		return ""
	}
	m, err := n.Current()
	if err != nil {
		return ""
	}
	return m.Name
}

// Overview holds the modes and clocks of a machine, in JSON too.
type Overview struct {
	Control string          `json:"control,omitempty"` // "nvpmodel" or "nvml"
	Absent  string          `json:"absent,omitempty"`  // why there are no modes
	Current string          `json:"current,omitempty"` // ID of the present mode; empty where it cannot be read
	Modes   []Mode          `json:"modes"`             // null where there are none
	Clocks  []machine.Clock `json:"clocks"`            // now
	// Available are the values that clocks can be set to, by the clocks' names, ascending.
	Available map[string][]float64 `json:"available_Hz,omitempty"`

	// Unknown says why Current cannot be read, Doubt what the clocks show other
	// than Current; both may be nil.
	Unknown error `json:"-"`
	Doubt   error `json:"-"`
	Denied  error `json:"-"` // why this process may not switch; nil: it may
}

// Survey reads the modes of the machine whose files are below root.
func Survey(root string) (*Overview, error) {
	c, close, err := Open(root, "", "")
	files := machine.Tree(root)
	if errors.Is(err, ErrNone) {
		return &Overview{Absent: err.Error(), Clocks: files.Clocks(), Available: files.Frequencies()}, nil
	}
	if err != nil {
		return nil, err
	}
	defer close()
	o := &Overview{Control: c.Name(), Denied: c.Allowed(), Modes: slices.Clone(c.Modes()), Clocks: c.Clocks(), Available: files.Frequencies()}
	for i, m := range o.Modes {
		o.Modes[i].Boot = c.Boot(m)
	}
	m, err := c.Current()
	if err != nil {
		o.Unknown = err
		return o, nil
	}
	o.Current, o.Doubt = m.ID, Doubt(c, m)
	return o, nil
}

// Doubt returns what the clocks show other than the mode that c reports; nil where they show it, or
// nothing else is known.
func Doubt(c Control, m Mode) error {
	n, ok := c.(*Nvpmodel)
	if !ok {
		return nil
	}
	if err := n.Shows(m); err != nil {
		return fmt.Errorf("nvpmodel says mode %s (%s), but %w", m.ID, m.Name, err)
	}
	return nil
}
