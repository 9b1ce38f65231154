package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"bench/framework"
	"bench/framework/config"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/record"
)

// timingShare is which part of the limit timing alone takes at most: a third.
const timingShare = 3

type energyFlags struct {
	choices
	sensors []string
	limit   float64
}

func (a *app) energyCommand() *cobra.Command {
	var f energyFlags
	cmd := &cobra.Command{
		Use:   "energy [flags] -- COMMAND [ARG...]",
		Short: "Measure any command: its time, power and energy, with idle power and uncertainty",
		Long: `Energy runs a command again and again, as a point of a run is: until its time is
known or the series' time is over, then back to back for its power and energy, after
idle power. A run is one execution, from its start to its end; it gets nothing on
standard input, and what it prints is dropped. Results go to results/COMMAND, or to
--out, as those of bench run do. The sensors are those of the GPU, if there is one,
else those of the CPU; a Jetson's rails count for both.

EXIT STATUS
  0    measured
  1    the command cannot be started, or ends with another status than 0, which is
       named; or results could not be kept
  2    bad usage
  130  interrupted; the command and what it started are ended`,
		Example: `  bench energy -- ./simulation --steps 1000
  bench energy --json --device cpu -- gzip -k -c data.tar
  bench energy --out /tmp/e --sensors ina3221 -- python3 infer.py`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usageError(errors.New("no command; want bench energy -- COMMAND"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.energy(cmd.Context(), args, f)
		},
	}
	f.devices(cmd, "", onCUDA, onCPU)
	f.flag(cmd, "out", "root", "json", "quiet")
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringSliceVar(&f.sensors, "sensors", nil, "sensors to read, with commas (default all that are found)")
	cmd.Flags().Float64Var(&f.limit, "limit", 600, "seconds that the whole measurement may take")
	return cmd
}

// energyReport is what bench energy --json prints.
type energyReport struct {
	Command  []string `json:"command"`
	Device   string   `json:"device"`
	Folder   string   `json:"folder"` // of the results
	Status   string   `json:"status"`
	Reason   string   `json:"reason,omitempty"`
	Time     *float64 `json:"time_s"`
	TimeLow  *float64 `json:"time_low_s"`
	TimeHigh *float64 `json:"time_high_s"`
	Samples  int64    `json:"samples"`
	Power    *float64 `json:"power_W"`
	// PowerUncertainty is repeatability, PowerCombined includes the calibration.
	PowerUncertainty *float64 `json:"power_uncertainty_W"`
	PowerCombined    *float64 `json:"power_combined_uncertainty_W"`
	Idle             *float64 `json:"idle_power_W"`
	Energy           *float64 `json:"energy_J"`
	Uncertainty      *float64 `json:"energy_uncertainty_J"`
	Combined         *float64 `json:"energy_combined_uncertainty_J"`
	AboveIdle        *float64 `json:"energy_above_idle_J"`
	Calibration      string   `json:"calibration,omitempty"`
	Window           *float64 `json:"window_s"`
	Runs             int64    `json:"runs"`
	Sensors          []string `json:"sensors"`
	Notes            string   `json:"notes,omitempty"`
	Absent           string   `json:"absent,omitempty"`
}

// energySubject is the command on the device that the flags, or the machine,
// choose.
func (a *app) energySubject(ctx context.Context, command []string, f *energyFlags) (experiment.Subject, error) {
	c := config.OfCommand(command)
	c.Sensors = f.sensors
	if err := c.CheckSensors(a.sensorNames()); err != nil {
		return experiment.Subject{}, usageError(fmt.Errorf("--sensors: %w", err))
	}
	if !(f.limit > 0) || f.limit > 1e6 {
		return experiment.Subject{}, usageError(fmt.Errorf("--limit %g: want seconds above 0, up to 1000000", f.limit))
	}
	c.Measure.PointTimeout = f.limit
	c.Measure.Timeout = min(c.Measure.Timeout, f.limit/timingShare)
	if f.device == "" {
		f.device = "cuda:0"
		if filepath.Clean(f.root) != "/" {
			f.device = onCPU
		} else if _, err := experiment.Device(ctx, f.device); err != nil {
			f.device = onCPU
		}
	}
	c.Processor = framework.GPU
	if f.device == onCPU {
		c.Processor = framework.CPU
	}
	factory, err := a.factory(c)
	return experiment.Subject{Config: c, Factory: factory}, err
}

func (a *app) energy(ctx context.Context, command []string, f energyFlags) error {
	printer := a
	if f.quiet || f.json {
		a = a.quietly()
	}
	s, err := a.energySubject(ctx, command, &f)
	if err != nil {
		return err
	}
	f.wisdom = "none"
	x, err := a.open(ctx, s, f.choices)
	if err != nil {
		return err
	}
	defer x.Close()
	dir := outDir(x.Config, f.out, false)
	journal, _, err := a.journal(dir, x.Header("--device "+f.device), false)
	if err != nil {
		return err
	}
	defer journal.Close()
	session := x.Session(journal, nil, x.RunInfo())
	session.Warn, session.Note = a.warn, a.note
	for _, w := range session.Info.Warnings {
		a.warn("%s", w)
	}
	interrupted := &statusError{exitInterrupted, engine.ErrInterrupted}
	switch err := session.Ceilings(ctx, ""); {
	case errors.Is(err, engine.ErrInterrupted):
		return interrupted
	case err != nil:
		return &statusError{exitBad, err}
	}
	show := session.Progress(a.out)
	runErr := session.Run(ctx, show)
	show.Close()
	if errors.Is(runErr, engine.ErrInterrupted) {
		return interrupted
	}
	run := session.Record()
	if err := a.finish(dir, run); err != nil || runErr != nil {
		return &statusError{exitBad, errors.Join(runErr, err)}
	}
	report := reportOf(run, command, dir)
	if f.json {
		if err := printer.printJSON(report); err != nil {
			return err
		}
	} else {
		fmt.Fprint(a.out, report.lines())
	}
	if w := run.Rows[0]; w.Status != record.OK {
		return &statusError{exitBad, fmt.Errorf("%s", w.Reason)}
	}
	return nil
}

func reportOf(run *record.Run, command []string, dir string) energyReport {
	w := &run.Rows[0]
	value := func(x record.Number) *float64 {
		if !x.IsSet() {
			return nil
		}
		v := x.Float()
		return &v
	}
	e := energyReport{Command: command, Device: w.Device, Folder: dir, Status: string(w.Status), Reason: w.Reason,
		Time: value(w.Time.Median), TimeLow: value(w.Time.Low), TimeHigh: value(w.Time.High), Samples: w.Time.Samples.Int(),
		Power: value(w.Power.Total), PowerUncertainty: value(w.Power.Uncertainty), PowerCombined: value(w.Power.Combined),
		Idle: value(w.Power.Idle), Energy: value(w.Energy.Total), Uncertainty: value(w.Energy.Uncertainty), Combined: value(w.Energy.Combined),
		AboveIdle: value(w.Energy.AboveIdle), Calibration: w.Power.Calibration, Window: value(w.Power.Window), Runs: w.Power.Runs.Int(),
		Notes: w.Power.Notes, Absent: w.Power.Absent, Sensors: []string{}}
	for _, s := range run.Info.Sensors {
		if s.Absent == "" {
			e.Sensors = append(e.Sensors, s.Name)
		}
	}
	return e
}

// lines tell what the table does not; empty without energy.
func (e energyReport) lines() string {
	if e.Energy == nil {
		return ""
	}
	quantity := func(what string, x *float64, unit string) string {
		if x == nil {
			return ""
		}
		return what + record.Scaled(record.Measured(*x), unit)
	}
	combined := quantity(" ± ", e.Combined, "J") + " with the calibration (" + e.Calibration + ")"
	if e.Combined == nil {
		combined = " the sensor's calibration is unknown"
	}
	return fmt.Sprintf("energy of one execution %s%s, if measured again;%s\nidle%s%s, over %d executions in %s\n",
		quantity("", e.Energy, "J"), quantity(" ± ", e.Uncertainty, "J"), combined,
		quantity(" ", e.Idle, "W"), quantity(", above idle ", e.AboveIdle, "J"), e.Runs, quantity("", e.Window, "s"))
}
