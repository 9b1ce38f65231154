package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"bench/framework/machine"
	"bench/framework/record"
	"bench/powermode"
)

func (a *app) modesCommand() *cobra.Command {
	var f choices
	var restore bool
	cmd := &cobra.Command{
		Use:   "modes",
		Short: "Show the machine's power modes and present clocks; --restore restores the mode after a killed run",
		Long: `Modes lists what a Jetson's nvpmodel.conf or a server GPU's driver offers: the
modes with their limits, the present mode, and the present clocks.
It changes nothing. bench run CONFIG --power-modes ... runs in several of them and
restores the first. If such a run was killed, the next bench run restores it;
--restore does so at once.

EXIT STATUS
  0    listed, even if the machine has no modes; --restore: restored, or nothing to restore
  1    the modes cannot be read, the output cannot be written, or --restore failed
  2    bad usage`,
		Example: `  bench modes
  bench modes --root testdata/jetson-tx2
  sudo bench modes --restore`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if restore {
				return a.restore(true)
			}
			if err := f.check(); err != nil {
				return err
			}
			return a.modes(f.root, f.json)
		},
	}
	f.flag(cmd, "root", "json")
	cmd.Flags().BoolVar(&restore, "restore", false, "restore the mode that a killed run left unrestored")
	return cmd
}

// errNoModes says that a machine has no power modes to switch.
var errNoModes = errors.New("no power modes here")

// openModes finds the control of the machine: nvpmodel where the board has it,
// else NVML for the GPU with that UUID. The error says what is absent.
func openModes(root, uuid, pci string) (powermode.Control, func() error, error) {
	n, err := powermode.OpenNvpmodel(root)
	if err == nil {
		return n, func() error { return nil }, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	none := fmt.Errorf("%w: there is no nvpmodel.conf below %s", errNoModes, root)
	if root != "/" {
		return nil, nil, none
	}
	g, gpuErr := powermode.OpenGPU(uuid, pci)
	if gpuErr != nil {
		return nil, nil, fmt.Errorf("%w, and no GPU whose limits can be set: %w", none, gpuErr)
	}
	return g, g.Close, nil
}

// currentMode is the name of a board's power mode; empty where it has none.
func currentMode(root string) string {
	n, err := powermode.OpenNvpmodel(root)
	if err != nil {
		return ""
	}
	m, err := n.Current()
	if err != nil {
		return ""
	}
	return m.Name
}

// machineModes is what bench modes says, in JSON too.
type machineModes struct {
	Control string           `json:"control,omitempty"`
	Absent  string           `json:"absent,omitempty"` // why there are no modes
	Current string           `json:"current,omitempty"`
	Modes   []powermode.Mode `json:"modes"`
	Clocks  []machine.Clock  `json:"clocks"`
}

func (a *app) modes(root string, asJSON bool) error {
	var s machineModes
	c, close, err := openModes(root, "", "")
	if err != nil {
		if !errors.Is(err, errNoModes) {
			return &statusError{exitBad, err}
		}
		s.Absent = err.Error()
	} else {
		defer close()
		s.Control, s.Modes, s.Clocks = c.Name(), c.Modes(), c.Clocks()
		if m, err := c.Current(); err != nil {
			a.warn("%v", err)
		} else {
			s.Current = m.ID
		}
	}
	if asJSON {
		return a.printJSON(s)
	}
	if s.Absent != "" {
		_, err := fmt.Fprintln(a.out, s.Absent)
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\tID\tMODE\tCPUS\tHIGHEST\n")
	for _, m := range s.Modes {
		mark := ""
		if m.ID == s.Current {
			mark = "*"
		}
		name := m.Name
		if m.Default {
			name += " (default)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", mark, m.ID, name, m.CPUs, limits(m))
	}
	fmt.Fprint(w, "\n\tCLOCK\tLEAST\tHIGHEST\tNOW\n")
	for _, x := range s.Clocks {
		fmt.Fprintf(w, "\t%s\t%s\t%s\t%s\n", x.Name, megahertz(x.Min), megahertz(x.Max), megahertz(x.Current))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	a.clocksDisagree(c, s.Current)
	return nil
}

// clocksDisagree says where the mode that is said to be on does not show.
func (a *app) clocksDisagree(c powermode.Control, current string) {
	n, ok := c.(*powermode.Nvpmodel)
	if !ok {
		return
	}
	for _, m := range n.Modes() {
		if m.ID != current {
			continue
		}
		if err := n.Shows(m); err != nil {
			fmt.Fprintf(a.out, "\nnvpmodel says mode %s (%s), but %v\n", m.ID, m.Name, err)
		}
	}
}

func limits(m powermode.Mode) string {
	var parts []string
	for _, l := range m.Limits {
		switch {
		case l.Most == 0:
			parts = append(parts, l.What+" no limit")
		case l.Unit == "Hz":
			parts = append(parts, l.What+" "+megahertz(l.Most))
		default:
			parts = append(parts, fmt.Sprintf("%s %g %s", l.What, l.Most, l.Unit))
		}
	}
	return strings.Join(parts, ", ")
}

func megahertz(hz float64) string {
	if hz == 0 {
		return "?"
	}
	return fmt.Sprintf("%.6g MHz", hz/1e6)
}

// restoreLeftBehind brings back what a killed run left, before anything else.
func (a *app) restoreLeftBehind() error { return a.restore(false) }

// restore says that there is nothing to restore where asked.
func (a *app) restore(asked bool) error {
	path := powermode.NotePath()
	state, err := powermode.RestoreLeftBehind(path)
	switch {
	case errors.Is(err, powermode.ErrBusy) && !asked:
		a.warn("%v", err)
	case err != nil:
		return &statusError{exitBad, fmt.Errorf("an earlier run was killed and its power mode is not restored: %w; to give it up, remove %s", err, path)}
	case state != nil:
		what := "power mode " + state.Mode
		if state.Control == "nvml" {
			what = fmt.Sprintf("power limit of %g W", state.Limit)
		}
		fmt.Fprintf(a.err, "restored the %s that a killed run had left\n", what)
	case asked:
		fmt.Fprintln(a.out, "nothing to restore")
	}
	return nil
}

// modeSweep is a run's switching between power modes; nil where it does not.
type modeSweep struct {
	session *powermode.Session
	modes   []powermode.Mode
	close   func() error
	ended   bool
	err     error // of ending
}

// beginModes plans the points in each mode that --power-modes names and notes
// what to restore. Nothing is switched yet.
func (a *app) beginModes(x *opened, f runFlags) (*modeSweep, error) {
	if f.modes == "" {
		return nil, nil
	}
	uuid, pci := "", ""
	if x.Facts != nil {
		uuid, pci = x.Facts.UUID, x.Facts.PCIBusID
	}
	c, close, err := openModes(f.root, uuid, pci)
	if err != nil {
		return nil, usageError(fmt.Errorf("--power-modes: %w", err))
	}
	m := &modeSweep{close: close}
	if m.modes, err = powermode.Find(c, f.modes); err != nil {
		return nil, usageError(errors.Join(fmt.Errorf("--power-modes: %w", err), close()))
	}
	if m.session, err = powermode.Begin(c, m.modes, powermode.NotePath()); err != nil {
		return nil, &statusError{exitBad, errors.Join(fmt.Errorf("--power-modes: %w", err), close())}
	}
	var names []string
	for _, mode := range m.modes {
		names = append(names, mode.Name)
	}
	x.Plan.InModes(names)
	return m, nil
}

// follow has the engine switch before the first point of each mode, and then
// measures what the devices can do in it.
func (m *modeSweep) follow(a *app, x *opened, info *record.Info, journal *record.Journal) {
	x.Engine.EnterMode(func(ctx context.Context, name string) error {
		for _, mode := range m.modes {
			if mode.Name != name {
				continue
			}
			if err := m.session.Set(mode); err != nil {
				return err
			}
			var usable unix.CPUSet
			if err := unix.SchedGetaffinity(0, &usable); err == nil {
				x.Engine.SetWorkers(usable.Count())
			}
			return a.ceilings(ctx, x, info, name, journal)
		}
		return fmt.Errorf("no power mode %s", name)
	})
}

// end restores the machine, once; its error stays.
func (m *modeSweep) end() error {
	if m == nil {
		return nil
	}
	if !m.ended {
		m.ended = true
		if err := errors.Join(m.session.End(), m.close()); err != nil {
			m.err = &statusError{exitBad, err}
		}
	}
	return m.err
}
