package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bench/framework"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/inspect"
	"bench/terminal"
)

// watchInterval is how often --watch reads.
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
  2    bad usage`,
		Example: `  bench sensors
  bench sensors --watch                       one line per second, until interrupted
  bench sensors --probe                       which part of its period each sensor sees
  bench sensors --root testdata/jetson-tx2    a copied /sys`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if probe {
				found, err := experiment.Probe(cmd.Context(), f.device)
				switch {
				case errors.Is(err, engine.ErrInterrupted):
					return &statusError{exitInterrupted, err}
				case len(found) == 0 && err != nil:
					return &statusError{exitBad, fmt.Errorf("--probe: %w", err)}
				case err != nil:
					a.warn("--probe: %v", err)
				}
			}
			s := inspect.OpenSensors(cmd.Context(), a.registry.Sensors(), f.root, f.device)
			defer s.Close()
			switch {
			case watch:
				return a.watchSensors(cmd.Context(), s, f.json)
			case f.json:
				return a.printJSON(s.List())
			}
			return a.printSensors(s.List())
		},
	}
	f.devices(cmd, "cuda:0", onCUDA)
	f.flag(cmd, "root", "json: print JSON; with --watch one object per line")
	cmd.Flags().BoolVar(&watch, "watch", false, "read every second until interrupted")
	cmd.Flags().BoolVar(&probe, "probe", false, "load the device for some seconds, to find which part of each period the sensors see")
	excludes(cmd, "root", "device", "probe")
	excludes(cmd, "watch", "probe")
	return cmd
}

// checkRoot refuses a --root that names no folder.
func checkRoot(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("the folder %s does not exist", root)
	case err == nil && !info.IsDir():
		err = fmt.Errorf("%s is not a folder", root)
	}
	if err != nil {
		return usageError(fmt.Errorf("--root: %w", err))
	}
	return nil
}

func (a *app) printSensors(v inspect.SensorList) error {
	if v.Board != "" {
		fmt.Fprintf(a.out, "board: %s\n", v.Board)
	}
	if v.Copied {
		fmt.Fprintln(a.out, "copied files: readings of when they were copied, and no times")
	}
	if v.Board != "" || v.Copied {
		fmt.Fprintln(a.out)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	found := false
	for _, s := range v.Sensors {
		if s.Absent != "" {
			continue
		}
		if !found {
			fmt.Fprintln(w, "SENSOR\tADDRESS\tCHANNEL\tROLE\tREADING\tUPDATES EVERY\tAVERAGED OVER\tSEES\tREADING TAKES")
		}
		found = true
		for _, c := range s.Channels {
			average := "unknown"
			if c.Averaging != nil {
				if average = terminal.Seconds(*c.Averaging); *c.Averaging == 0 {
					average = "nothing"
				}
			}
			period, cost := "no change seen", terminal.Seconds(s.Cost)
			switch {
			case v.Copied:
				period, cost = "-", "-"
			case c.Period > 0:
				period = terminal.Seconds(c.Period)
			}
			sees := "not probed"
			switch {
			case c.Counter:
				sees = "all"
			case c.Unit != "W":
				sees = "-"
			case c.Seen != nil:
				sees = terminal.Seconds(*c.Seen)
			}
			address := c.Address
			if address == "" {
				address = "-"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, address, c.Name, c.Role, reading(c.Channel, c.Value), period, average, sees, cost)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if found {
		fmt.Fprintln(a.out)
	}
	for _, s := range v.Sensors {
		if s.Absent != "" {
			fmt.Fprintf(a.out, "%s: %s\n", s.Name, s.Absent)
		}
		for _, n := range s.Notes {
			fmt.Fprintf(a.out, "%s: %s\n", s.Name, n)
		}
	}
	return nil
}

func reading(c framework.Channel, value *float64) string {
	if value == nil {
		return "no reading"
	}
	if c.Unit == "Hz" {
		return terminal.Megahertz(*value)
	}
	return fmt.Sprintf("%.6g %s", *value, c.Unit)
}

// watchSensors prints a line a second until interrupted.
func (a *app) watchSensors(ctx context.Context, s *inspect.Sensors, asJSON bool) error {
	if s.None() {
		return a.printSensors(s.List())
	}
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		object := map[string]any{"time": time.Now().UTC().Format(time.RFC3339Nano)}
		line := []string{time.Now().Format(time.TimeOnly)}
		s.Readings(func(sensor string, channels []inspect.Reading) {
			values := map[string]*float64{}
			for _, c := range channels {
				values[c.Name] = c.Value
				line = append(line, c.Name+" "+reading(c.Channel, c.Value))
			}
			object[sensor] = values
		})
		if asJSON {
			if err := json.NewEncoder(a.out).Encode(object); err != nil {
				return err
			}
		} else if _, err := fmt.Fprintln(a.out, strings.Join(line, "  ")); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
