package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"bench/framework/engine"
	"bench/framework/machine"
	"bench/framework/record"
)

// info is what run.json says of the run beside its results.
func (a *app) info(x *opened, f choices) record.Info {
	facts, _ := machine.Tree(cmp.Or(f.root, "/")).Facts()
	return record.Info{
		Tool:     record.ThisTool(),
		Command:  os.Args,
		Config:   record.ConfigOf(x.Config),
		Seed:     f.seed,
		Wisdom:   x.wisdom.Info(),
		Started:  time.Now().UTC(),
		Machine:  facts,
		LeftOut:  x.Plan.LeftOut,
		Warnings: machine.Warnings(),
	}
}

// ceilings measures what the devices of the plan can do, and keeps what
// became of the sensors there. mode is the power mode switched to, empty where
// the run does not switch.
func (a *app) ceilings(ctx context.Context, x *opened, info *record.Info, mode string, journal *record.Journal) error {
	seen := map[string]bool{"sim": true}
	for _, p := range x.Plan.Points {
		if seen[p.Device] || p.Skip != "" || x.Factory.External {
			continue
		}
		seen[p.Device] = true
		d, sensors, err := x.Engine.Ceilings(ctx, p.Device)
		if errors.Is(err, engine.ErrInterrupted) {
			return &statusError{exitInterrupted, errors.New("interrupted before the first point")}
		}
		if err != nil {
			a.warn("the ceilings of %s could not be measured: %v", p.Device, err)
		}
		d.PowerMode = mode
		again := slices.ContainsFunc(info.Devices, func(had record.Device) bool { return had.ID == d.ID })
		info.Devices = append(info.Devices, d)
		if again {
			continue
		}
		for _, s := range sensors {
			s.Device = p.Device
			info.Sensors = append(info.Sensors, s)
		}
		if why := engine.NoPower(sensors); why != "" {
			fmt.Fprintf(a.err, "no power and energy for %s: %s\n", p.Device, why)
		}
	}
	if err := journal.Begin(*info); err != nil {
		return &statusError{exitBad, err}
	}
	return nil
}

// ended is when the last point did; now where there is none.
func ended(results []record.Result) (last time.Time) {
	for _, r := range results {
		if end := r.Started.Add(time.Duration(r.Elapsed * float64(time.Second))); end.After(last) {
			last = end
		}
	}
	if last.IsZero() {
		last = time.Now()
	}
	return last.UTC()
}
