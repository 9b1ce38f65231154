package command

import (
	"cmp"
	"context"
	"fmt"

	"example.org/bench/analysis/sanitizer"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/internal/terminal"
)

// sanitize runs the GPU versions under the tools of compute-sanitizer, or OpenCL's under Oclgrind.
func (a *app) sanitize(ctx context.Context, names []string, flags verifyFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	if _, err := engine.ParseDevice(flags.Device); err != nil && flags.Device != "" && !engine.OpenCL(flags.Device) {
		return usageError(fmt.Errorf("--sanitize checks on a GPU, and --device is %s; without a GPU the simulator checks: --device sim", flags.Device))
	}
	printer := a
	if flags.json || flags.quiet {
		a = a.quietly()
	}
	documents := []sanitizer.Checked{}
	bad, err := a.each(ctx, names, flags.choices, func(_ string, s experiment.Subject) (bad bool, _ error) {
		opt := flags.Options
		opt.Dump, opt.Device = "", cmp.Or(flags.Device, s.GPU()) // the tools' runs would write the same files
		if s.Factory.External || !s.RunsOn(opt.Device) {
			fmt.Fprintf(a.out, "%s has no version whose kernels are checked\n", s.Factory.Name)
			return false, nil
		}
		checker, err := sanitizer.Find(opt.Device)
		if err != nil {
			return false, failure(err)
		}
		for _, tool := range checker.Tools {
			d, err := checker.Check(ctx, tool, s, opt, experiment.BadPoints{Out: a.err, Said: terminal.Sayings{}})
			if err != nil {
				return false, openError(err)
			}
			fmt.Fprint(a.out, d.Text())
			documents = append(documents, *d)
			bad = bad || d.Bad > 0 || len(d.Reports) > 0
		}
		return bad, nil
	})
	if err == nil && flags.json {
		err = printer.printJSON(documents)
	}
	if err != nil {
		return err
	}
	return verdict(bad)
}
