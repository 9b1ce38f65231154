package command

import (
	"context"
	"fmt"
	"slices"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/profile"
)

// counts compares the Work of every GPU version with what the GPU counts.
func (a *app) counts(ctx context.Context, names []string, flags verifyFlags) error {
	device := flags.Device
	if device == "" {
		device = "cuda:0"
	}
	if _, err := engine.ParseDevice(device); err != nil {
		return usageError(fmt.Errorf("--counts counts on a GPU; --device: %w", err))
	}
	bad, err := a.each(ctx, names, flags.choices, func(_ string, s experiment.Subject) (bool, error) {
		list, err := profile.CountSubject(ctx, s, device, flags.Seed)
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
