package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example.org/bench/command/fleet"
)

// fleetSlurm writes a cluster's job arrays, or submits what is left of them.
func (a *app) fleetSlurm(ctx context.Context, configs []string, f fleetFlags) error {
	var array *fleet.Array
	var err error
	if f.resume {
		if array, err = fleet.OpenArray(f.out, a.sayer()); err != nil {
			return usageError(fmt.Errorf("%s holds no run by Slurm: %w", f.out, err))
		}
	} else if array, err = a.newArray(ctx, configs, f); err != nil {
		return err
	}
	defer array.Close()
	if f.submit || f.resume {
		return fleetError(ctx, array.Submit(ctx))
	}
	return nil
}

// newArray plans the tasks and writes their scripts.
func (a *app) newArray(ctx context.Context, configs []string, f fleetFlags) (*fleet.Array, error) {
	if len(configs) == 0 {
		return nil, usageError(errors.New("no config: want at least one, or --resume"))
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if f.concurrent < 0 {
		return nil, usageError(fmt.Errorf("--concurrent %d: want 1 or more", f.concurrent))
	}
	if fleet.HoldsArray(f.out) {
		return nil, usageError(fmt.Errorf("%s holds a run by Slurm: --resume goes on with it, or name another folder", f.out))
	}
	self, err := os.Executable()
	if err != nil {
		return nil, failure(err)
	}
	plan := fleet.ArrayPlan{Program: self, Concurrent: f.concurrent}
	if plan.Options, err = fleet.ArrayOptions(f.profile, f.sbatch); err != nil {
		return nil, usageError(err)
	}
	for _, path := range configs {
		c, planned, err := a.fleetConfig(ctx, path, f)
		if err != nil {
			return nil, err
		}
		plan.Configs = append(plan.Configs, planned)
		if f.split == "" {
			continue
		}
		parts := c.SweepSettings(f.split)
		if parts == nil {
			return nil, usageError(fmt.Errorf("--split %s: %s does not sweep it", f.split, path))
		}
		plan.Parts = append(plan.Parts, parts)
	}
	array, err := fleet.NewArray(ctx, f.out, plan, a.sayer())
	if err != nil {
		return nil, failure(err)
	}
	return array, nil
}

// arrayVerb runs a verb of bench fleet for a run by Slurm.
func (a *app) arrayVerb(ctx context.Context, verb string, array *fleet.Array, dir string, noPlots bool) error {
	switch verb {
	case "stop":
		return array.Stop(ctx)
	case "status":
		lines, _ := array.Report(ctx)
		for _, line := range lines {
			fmt.Fprintln(a.out, line)
		}
		return nil
	}
	return a.mergeFleet(ctx, array, dir, noPlots)
}
