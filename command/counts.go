package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/profile"
)

// counts compares the Work of every GPU version with the profiler.
func (a *app) counts(ctx context.Context, names []string, flags verifyFlags) error {
	device := flags.Device
	if device == "" {
		device = "cuda:0"
	}
	if _, err := engine.ParseDevice(device); err != nil {
		return usageError(fmt.Errorf("--counts counts on a GPU; --device: %w", err))
	}
	profiler, err := profile.Find(profile.Toolkit)
	if err != nil {
		return failure(err)
	}
	var keep io.Writer
	if flags.profile != "" {
		file, err := os.Create(flags.profile)
		if err != nil {
			return usageError(fmt.Errorf("--profile: %w", err))
		}
		defer file.Close()
		keep = file
	}
	bad, err := a.each(ctx, names, flags.choices, func(_ string, s experiment.Subject) (bool, error) {
		list, err := profile.CountSubject(ctx, profiler, s, device, flags.Seed, keep)
		if err != nil {
			return false, openError(err)
		}
		fmt.Fprint(a.out, profile.CountsText(s.Factory.Name, list))
		return slices.ContainsFunc(list, func(c profile.Counted) bool { return !c.OK() }), nil
	})
	if err != nil {
		return err
	}
	return verdict(bad)
}
