package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/powermode"
	"example.org/bench/gpu"
)

func (a *app) modesCommand() *cobra.Command {
	var f choices
	var restore bool
	cmd := &cobra.Command{
		Use:   "modes",
		Short: "Show the machine's power modes and present clocks; --restore restores the mode after a killed run",
		Long: `Modes lists what a Jetson's nvpmodel.conf or a server GPU's driver offers: the
modes with their limits, the present mode, and the present clocks.
It changes nothing. bench run CONFIG --power-modes ... runs in several of them, bench
tune searches them too, and both restore the first. If such a run was killed, the next
bench run or tune restores it; --restore does so at once.

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
			return a.modes(f.Root, f.json)
		},
	}
	f.flag(cmd, "root", "json")
	cmd.Flags().BoolVar(&restore, "restore", false, "restore the mode that a killed run left unrestored")
	grammar.Excludes(cmd, "restore", "root", "json")
	return cmd
}

func (a *app) modes(root string, asJSON bool) error {
	s, err := powermode.Survey(root)
	if err != nil {
		return failure(err)
	}
	if s.Unknown != nil {
		a.warn("%v", s.Unknown)
	}
	if asJSON {
		return a.printJSON(s)
	}
	_, err = io.WriteString(a.out, s.Text())
	return err
}

// restoreLeftBehind restores the power mode that a killed run left, before anything else. A mode that may
// be left is a warning, unless the run is to switch modes.
func (a *app) restoreLeftBehind(switching bool) error {
	_, err := a.restoreAll()
	left := errors.Is(err, powermode.ErrUnrestored) || switching && !errors.Is(err, powermode.ErrBusy)
	if err != nil && left {
		return failure(err)
	}
	if err != nil {
		a.warn("%v", err)
	}
	return nil
}

// restore reports that there is nothing to restore.
func (a *app) restore() error {
	restored, err := a.restoreAll()
	if err != nil {
		return failure(err)
	}
	if !restored {
		_, err = fmt.Fprintln(a.out, "nothing to restore")
	}
	return err
}

func (a *app) restoreAll() (restored bool, _ error) {
	return powermode.RestoreAll(func(what string) { a.note("restored the %s that a killed run had left", what) })
}

// modesFlag adds --power-modes to a verb; checkModes refuses wrong values.
func (f *choices) modesFlag(cmd *cobra.Command, purpose string) {
	cmd.Flags().StringVar(&f.modes, "power-modes", "", "power modes "+purpose+": their IDs or names with commas, or all; switching needs root")
}

func (f *choices) checkModes(cmd *cobra.Command) error {
	if cmd.Flags().Changed("power-modes") && f.modes == "" {
		return usageError(errors.New("--power-modes names no mode: give IDs or names with commas, or all"))
	}
	if f.modes != "" && engine.SeveralGPUs(f.Device) {
		return usageError(fmt.Errorf("--power-modes switches one GPU; want one --device, not %s", f.Device))
	}
	return nil
}

// boardModes begins a sweep over the modes of a Jetson that --power-modes names, before anything opens
// the GPU. It returns nil without the flag, and on other machines.
func boardModes(f choices) (*powermode.Sweep, error) {
	if f.modes == "" {
		return nil, nil
	}
	return begun(powermode.BeginOnBoard(f.Root, f.modes, powermode.NotePath()))
}

// gpuModes begins a sweep over the modes of a server GPU that --power-modes names; nil without the flag.
func gpuModes(facts *gpu.Facts, f choices) (*powermode.Sweep, error) {
	if f.modes == "" {
		return nil, nil
	}
	uuid, pci := "", ""
	if facts != nil {
		uuid, pci = facts.UUID, facts.PCIBusID
	}
	return begun(powermode.BeginOnGPU(f.Root, uuid, pci, f.modes, powermode.NotePath()))
}

func begun(m *powermode.Sweep, err error) (*powermode.Sweep, error) {
	if bad := (*powermode.ListError)(nil); errors.As(err, &bad) {
		return nil, usageError(fmt.Errorf("--power-modes: %w", err))
	}
	if err != nil {
		return nil, &statusError{exitBad, fmt.Errorf("--power-modes: %w", err)}
	}
	return m, nil
}

// ended restores the mode that was set before.
func ended(m *powermode.Sweep) error {
	return failure(m.End())
}
