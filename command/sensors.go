package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/command/inspect"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/machine"
	"example.org/bench/internal/terminal"
)

// watchInterval is the time between two reads of --watch.
const watchInterval = time.Second

func (a *app) sensorsCommand() *cobra.Command {
	var f choices
	var watch, probe bool
	cmd := &cobra.Command{
		Use:   "sensors",
		Short: "Show the power sensors: their rails, readings, update periods and the cost of a reading",
		Long: `Sensors opens every power sensor of this machine and lists its channels: the
rail's own name with its address, its role (total: the board's power is the sum of
these; part: contained in a total; carrier: outside the module), its reading, how
often its value changes, over how long a reading is averaged, and how long one
reading of the sensor takes. It watches each sensor for up to 1.5 s. With --root readings
are those of the copied files, and nothing is timed.
With --probe it first switches a load on and off, for 60 to 120 update periods, and
finds which part of each period the sensors see. That is remembered for the device
and its driver, and runs use it.

EXIT STATUS
  0    shown, even if some or all sensors are absent; --watch: interrupted
  1    --probe: no sensor could be probed; or the output cannot be written
  2    bad usage, or --root has no folder sys`,
		Example: `  bench sensors
  bench sensors --watch                       one line per second, until interrupted
  bench sensors --probe                       which part of its period each sensor sees
  bench sensors --root testdata/jetson-tx2    a copied /sys`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if err := machine.CheckSys(f.Root); err != nil {
				return usageError(fmt.Errorf("--root: %w", err))
			}
			if probe {
				found, err := experiment.Probe(cmd.Context(), f.Device)
				switch {
				case errors.Is(err, engine.ErrInterrupted):
					return &statusError{exitInterrupted, err}
				case len(found) == 0 && err != nil:
					return &statusError{exitBad, fmt.Errorf("--probe: %w", err)}
				case err != nil:
					a.warn("--probe: %v", err)
				}
			}
			s := inspect.OpenSensors(cmd.Context(), a.registry.Sensors(), f.Root, f.Device)
			defer s.Close()
			switch {
			case watch:
				return a.watchSensors(cmd.Context(), s, f.json)
			case f.json:
				return a.printJSON(s.List())
			}
			_, err := io.WriteString(a.out, s.List().Text())
			return err
		},
	}
	f.devices(cmd, "cuda:0", grammar.OneGPU)
	f.flag(cmd, "root", "json: print JSON; with --watch one object per line")
	cmd.Flags().BoolVar(&watch, "watch", false, "read every second until interrupted")
	cmd.Flags().BoolVar(&probe, "probe", false, "load the device for some seconds, to find which part of each period the sensors see")
	grammar.Excludes(cmd, "root", "device", "probe")
	grammar.Excludes(cmd, "watch", "probe")
	return cmd
}

// watchSensors prints a line a second until interrupted.
func (a *app) watchSensors(ctx context.Context, s *inspect.Sensors, asJSON bool) error {
	if s.None() {
		_, err := io.WriteString(a.out, s.List().Text())
		return err
	}
	return s.Follow(ctx, watchInterval, func(now inspect.Watched) error {
		if asJSON {
			return json.NewEncoder(terminal.Whole(a.out)).Encode(now)
		}
		_, err := fmt.Fprintln(a.out, now)
		return err
	})
}
