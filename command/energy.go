package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/bench/command/grammar"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
)

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
  bench energy -- sh -c 'gzip -dc data.gz | sort | head'      a line for a shell
  bench energy --json --device cpu -- gzip -k -c data.tar
  bench energy --out /tmp/e --sensors ina3221 -- python3 infer.py`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usageError(errors.New("COMMAND is missing: want bench energy [flags] -- COMMAND [ARG...], as in: bench energy -- ./simulation --steps 1000"))
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
	f.devices(cmd, "", grammar.OneGPU, grammar.CPU)
	f.flag(cmd, "out", "root", "json", "quiet", "for")
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringSliceVar(&f.sensors, "sensors", nil, "sensors to read, with commas (default all that are found)")
	cmd.Flags().Float64Var(&f.limit, "limit", 600, "seconds that the whole measurement may take")
	return cmd
}

// energySubject returns the command as a subject on the device that the flags, or the machine, choose.
func (a *app) energySubject(ctx context.Context, command []string, f *energyFlags) (experiment.Subject, error) {
	c := config.OfCommand(command)
	c.Sensors = f.sensors
	if err := c.CheckSensors(a.sensorNames()); err != nil {
		return experiment.Subject{}, usageError(fmt.Errorf("--sensors: %w", err))
	}
	if !(f.limit > 0) || f.limit > 1e6 {
		return experiment.Subject{}, usageError(fmt.Errorf("--limit %g: want seconds above 0, up to 1000000", f.limit))
	}
	c.LimitPoint(f.limit)
	if f.Device == "" {
		f.Device = experiment.DefaultDevice(ctx, f.Root)
	}
	c.Processor = experiment.ProcessorOf(f.Device)
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
	if err := s.Factory.Versions[0].Available(); err != nil { // before a folder is made
		return failure(err)
	}
	f.wisdom = "none"
	x, err := a.open(ctx, s, f.choices)
	if err != nil {
		return err
	}
	defer x.Close()
	dir := x.Config.Folder(f.out, false)
	journal, _, err := a.journal(dir, x.Header("--device "+f.Device), false)
	if err != nil {
		return err
	}
	defer journal.Close()
	session := x.Session(journal, nil, x.info(""), a.warn, a.note)
	a.warnOf(session.Info)
	if err := session.Ceilings(ctx, ""); err != nil {
		return ranError(err)
	}
	show := session.Progress(a.out)
	runErr := session.Run(ctx, show)
	show.Close()
	if errors.Is(runErr, engine.ErrInterrupted) {
		return ranError(runErr)
	}
	run := session.Record()
	where, err := a.finish(ctx, journal, run, f.choices)
	if runErr == nil && errors.Is(err, engine.ErrInterrupted) {
		return &statusError{exitInterrupted, err}
	}
	if err = finished(runErr, err); err != nil {
		return &statusError{exitBad, err}
	}
	report := record.EnergyReportOf(run, command, where)
	if f.json {
		if err := printer.printJSON(report); err != nil {
			return err
		}
	} else {
		fmt.Fprint(a.out, report.Text())
	}
	if w := run.Rows[0]; w.Status != record.OK {
		return &statusError{exitBad, fmt.Errorf("%s", w.Reason)}
	}
	return nil
}
