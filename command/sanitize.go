package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bench/framework"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/framework/sanitizer"
)

// slower is how much longer a point may take under a tool of compute-sanitizer, which
// looks at every access.
const slower = 20

// sanitized are the reports of one tool on the GPU versions of an algorithm or config.
type sanitized struct {
	Algorithm string             `json:"algorithm"`
	Device    string             `json:"device"`
	Tool      string             `json:"tool"`
	OK        int                `json:"ok"`  // points
	Bad       int                `json:"bad"` // that failed, were wrong or took too long
	Skipped   int                `json:"skipped"`
	Reports   []sanitizer.Report `json:"reports"`
}

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
	documents, bad := []sanitized{}, false
	for _, name := range names {
		s, err := a.named(ctx, name, flags.choices)
		if err != nil {
			return err
		}
		if s.Factory.External || !runsOn(s.Factory, flags.device) {
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
func (a *app) sanitizeWith(ctx context.Context, program, tool string, s experiment.Subject, flags verifyFlags) (d *sanitized, err error) {
	session, err := sanitizer.Start(program, tool)
	if err != nil {
		return nil, &statusError{exitBad, err}
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	c := *s.Config
	c.Measure.PointTimeout *= slower
	s.Config = &c
	x, err := experiment.Open(ctx, s, experiment.Options{Processor: string(framework.GPU), Device: flags.device, Must: true, Seed: flags.seed,
		For: experiment.Verification, Verify: framework.Verification(flags.verify), Sanitizer: session.Prefix})
	if err != nil {
		return nil, openError(err)
	}
	points := slices.DeleteFunc(slices.Clone(x.Plan.Points), func(p plan.Point) bool { return p.Peer }) // closed libraries' kernels
	d = &sanitized{Algorithm: s.Factory.Name, Device: flags.device, Tool: tool, Reports: []sanitizer.Report{}}
	err = x.Engine.Run(ctx, points, x.Facts, nil, verifyProgress{a.err, sayings{}}, engine.Keep(func(r record.Result) error {
		switch r.Status {
		case record.OK:
			d.OK++
		case record.Skipped:
			d.Skipped++
		default:
			d.Bad++
		}
		return nil
	}))
	x.Close()
	if errors.Is(err, engine.ErrInterrupted) {
		return nil, &statusError{exitInterrupted, errors.New("interrupted")}
	}
	if err == nil {
		var reports []sanitizer.Report
		reports, err = session.Reports()
		d.Reports = append(d.Reports, reports...)
	}
	if err != nil {
		return nil, &statusError{exitBad, err}
	}
	found := "nothing found"
	if n := len(d.Reports); n > 0 {
		found = fmt.Sprintf("%d found", n)
	}
	fmt.Fprintf(a.out, "%s on %s, %s: %s; points: %d ok, %d bad, %d skipped\n", d.Algorithm, d.Device, tool, found, d.OK, d.Bad, d.Skipped)
	for _, r := range d.Reports {
		fmt.Fprintf(a.out, "  %s\n", r)
	}
	return d, nil
}
