package command

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bench/powermode"
	"bench/terminal"
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
				return a.restore()
			}
			if err := f.check(); err != nil {
				return err
			}
			return a.modes(f.root, f.json)
		},
	}
	f.flag(cmd, "root", "json")
	cmd.Flags().BoolVar(&restore, "restore", false, "restore the mode that a killed run left unrestored")
	excludes(cmd, "restore", "root", "json")
	return cmd
}

func (a *app) modes(root string, asJSON bool) error {
	s, err := powermode.Survey(root)
	if err != nil {
		return &statusError{exitBad, err}
	}
	if s.Unknown != nil {
		a.warn("%v", s.Unknown)
	}
	if asJSON {
		return a.printJSON(s)
	}
	if s.Absent != "" {
		_, err := fmt.Fprintln(a.out, s.Absent)
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	masks := slices.ContainsFunc(s.Modes, func(m powermode.Mode) bool { return m.Masks != nil })
	fmt.Fprint(w, "\tID\tMODE\tCPUS\tHIGHEST")
	if masks {
		fmt.Fprint(w, "\tUNITS OFF\tSWITCH")
	}
	fmt.Fprintln(w)
	for _, m := range s.Modes {
		mark := ""
		if m.ID == s.Current {
			mark = "*"
		}
		name := m.Name
		if m.Default {
			name += " (default)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s", mark, m.ID, name, m.CPUs, limits(m))
		if masks {
			fmt.Fprintf(w, "\t%s\t%s", maskText(m.Masks), howToEnter(m))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "\n\tCLOCK\tLEAST\tHIGHEST\tNOW\n")
	for _, x := range s.Clocks {
		fmt.Fprintf(w, "\t%s\t%s\t%s\t%s\n", x.Name, terminal.Megahertz(x.Min), terminal.Megahertz(x.Max), terminal.Megahertz(x.Current))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if s.Doubt != nil {
		fmt.Fprintf(a.out, "\n%v\n", s.Doubt)
	}
	return nil
}

// maskText is the masks in the order of their names.
func maskText(masks map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(masks)) {
		parts = append(parts, name+" "+masks[name])
	}
	return strings.Join(parts, ", ")
}

func howToEnter(m powermode.Mode) string {
	if m.Boot != "" {
		return "boot into it"
	}
	return "at once"
}

func limits(m powermode.Mode) string {
	var parts []string
	for _, l := range m.Limits {
		switch {
		case l.Most == 0:
			parts = append(parts, l.What+" no limit")
		case l.Unit == "Hz":
			parts = append(parts, l.What+" "+terminal.Megahertz(l.Most))
		default:
			parts = append(parts, fmt.Sprintf("%s %g %s", l.What, l.Most, l.Unit))
		}
	}
	return strings.Join(parts, ", ")
}

// restoreLeftBehind brings back what a killed run left, before anything else.
// What may be left is a warning, unless the run is to switch modes.
func (a *app) restoreLeftBehind(switching bool) error {
	_, err := a.restoreAll()
	left := errors.Is(err, powermode.ErrUnrestored) || switching && !errors.Is(err, powermode.ErrBusy)
	if err != nil && left {
		return &statusError{exitBad, err}
	}
	if err != nil {
		a.warn("%v", err)
	}
	return nil
}

// restore says that there is nothing to restore.
func (a *app) restore() error {
	restored, err := a.restoreAll()
	if err != nil {
		return &statusError{exitBad, err}
	}
	if !restored {
		_, err = fmt.Fprintln(a.out, "nothing to restore")
	}
	return err
}

func (a *app) restoreAll() (restored bool, _ error) {
	var faults []error
	for _, path := range powermode.NotePaths() {
		state, err := powermode.RestoreLeftBehind(path)
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
		fmt.Fprintf(a.err, "restored the %s that a killed run had left\n", what)
		restored = true
	}
	return restored, errors.Join(faults...)
}

// boardModes finds the modes of a Jetson that --power-modes names, notes what to
// restore, and enters the first before anything opens the GPU: once it was used,
// nvpmodel may ask for a boot. It is nil without the flag, and on other machines.
func boardModes(f runFlags) (*powermode.Sweep, error) {
	if f.modes == "" {
		return nil, nil
	}
	n, err := powermode.OpenNvpmodel(f.root)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, usageError(fmt.Errorf("--power-modes: %w", err))
	}
	m, err := beginSweep(n, func() error { return nil }, f)
	if m != nil {
		m.EnterFirst()
	}
	return m, err
}

// gpuModes finds the modes of a server GPU that --power-modes names, and notes what
// to restore. Nothing is switched yet; nil without the flag.
func gpuModes(x *opened, f runFlags) (*powermode.Sweep, error) {
	if f.modes == "" {
		return nil, nil
	}
	uuid, pci := "", ""
	if x.Facts != nil {
		uuid, pci = x.Facts.UUID, x.Facts.PCIBusID
	}
	c, close, err := powermode.Open(f.root, uuid, pci)
	if err != nil {
		return nil, usageError(fmt.Errorf("--power-modes: %w", err))
	}
	return beginSweep(c, close, f)
}

func beginSweep(c powermode.Control, close func() error, f runFlags) (*powermode.Sweep, error) {
	m, err := powermode.BeginSweep(c, close, f.modes, powermode.NotePath())
	if bad := (*powermode.ListError)(nil); errors.As(err, &bad) {
		return nil, usageError(fmt.Errorf("--power-modes: %w", err))
	}
	if err != nil {
		return nil, &statusError{exitBad, fmt.Errorf("--power-modes: %w", err)}
	}
	return m, nil
}
