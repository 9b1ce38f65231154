package command

import (
	"context"
	"fmt"

	"bench/framework"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/sanitizer"
	"bench/terminal"
)

// sanitize runs the GPU versions under the tools of compute-sanitizer.
func (a *app) sanitize(ctx context.Context, names []string, flags verifyFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	if flags.device == "" {
		flags.device = "cuda:0"
	}
	if _, err := engine.ParseDevice(flags.device); err != nil {
		return usageError(fmt.Errorf("--sanitize checks on a GPU, and --device is %s; without a GPU the simulator checks: --device sim", flags.device))
	}
	if len(names) == 0 {
		names = a.registry.Names()
	}
	program, err := sanitizer.Find(sanitizer.Toolkit)
	if err != nil {
		return &statusError{exitBad, err}
	}
	printer := a
	if flags.json || flags.quiet {
		a = a.quietly()
	}
	documents, bad := []sanitizer.Checked{}, false
	for _, name := range names {
		s, err := a.named(ctx, name, flags.choices)
		if err != nil {
			return err
		}
		if s.Factory.External || !s.RunsOn(flags.device) {
			fmt.Fprintf(a.out, "%s has no version whose kernels are checked\n", s.Factory.Name)
			continue
		}
		for _, tool := range sanitizer.Tools() {
			d, err := a.sanitizeWith(ctx, program, tool, s, flags)
			if err != nil {
				return err
			}
			documents = append(documents, *d)
			bad = bad || d.Bad > 0 || len(d.Reports) > 0
		}
	}
	if flags.json {
		if err := printer.printJSON(documents); err != nil {
			return err
		}
	}
	if bad {
		return &statusError{exitBad, nil}
	}
	return nil
}

// sanitizeWith runs one algorithm or config under one tool.
func (a *app) sanitizeWith(ctx context.Context, program, tool string, s experiment.Subject, flags verifyFlags) (*sanitizer.Checked, error) {
	d, err := sanitizer.Check(ctx, program, tool, s, experiment.Options{Device: flags.device, Seed: flags.seed, Verify: framework.Verification(flags.verify)},
		experiment.BadPoints{Out: a.err, Said: terminal.Sayings{}})
	if err != nil {
		return nil, openError(err)
	}
	fmt.Fprint(a.out, d.Text())
	return d, nil
}
