package sanitizer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
)

// slower is how much longer a point may take under a tool that looks at every access.
const slower = 20

// Checked are the reports of one tool on the GPU versions of an algorithm or config, in
// JSON too.
type Checked struct {
	Algorithm string   `json:"algorithm"` // its name
	Device    string   `json:"device"`    // "cuda:0" or, of Oclgrind, "opencl:0"
	Tool      string   `json:"tool"`      // of compute-sanitizer: "memcheck", "racecheck", "initcheck", "synccheck"; or "oclgrind", "oclgrind-init"
	OK        int      `json:"ok"`        // points
	Bad       int      `json:"bad"`       // points that failed, were wrong or timed out
	Skipped   int      `json:"skipped"`   // points
	Reports   []Report `json:"reports"`   // what the tool found, a cause once
}

// Check runs the GPU versions of a subject, without libraries' kernels, under a tool. The options choose device,
// seed and verification; Oclgrind's device is always "opencl:0".
// The error is that of experiment.Open, engine.ErrInterrupted or an experiment.RunError.
func (c *Checker) Check(ctx context.Context, tool string, s experiment.Subject, opt experiment.Options, observer engine.Observer) (_ *Checked, err error) {
	session, err := c.Start(tool)
	if err != nil {
		return nil, &experiment.RunError{Err: err}
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	config := *s.Config
	config.Measure.PointTimeout *= slower
	s.Config = &config
	opt.Processor, opt.Must, opt.For, opt.Sanitizer = string(framework.GPU), true, experiment.Verification, session.Prefix
	if isOclgrind(tool) {
		opt.Device = "opencl:0" // the only one there
	}
	x, err := experiment.Open(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	if isOclgrind(tool) && !strings.Contains(strings.ToLower(x.Facts.OpenCL.Platform), Oclgrind) {
		x.Close()
		return nil, &experiment.RunError{Err: fmt.Errorf("the loader shows %s instead of Oclgrind's driver %s", x.Facts.OpenCL.Platform, c.path)}
	}
	points := slices.DeleteFunc(slices.Clone(x.Plan.Points), func(p plan.Point) bool { return p.Peer })
	var sum experiment.Tally
	err = x.Check(ctx, points, observer, &sum)
	x.Close()
	if err != nil {
		return nil, err
	}
	reports, err := session.Reports()
	if err != nil {
		return nil, &experiment.RunError{Err: err}
	}
	return &Checked{s.Factory.Name, opt.Device, tool, sum.OK, sum.Bad, sum.Skipped, append([]Report{}, reports...)}, nil
}

// Text is a line with the numbers, and one for each report.
func (c *Checked) Text() string {
	found := "nothing found"
	if n := len(c.Reports); n > 0 {
		found = fmt.Sprintf("%d found", n)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s, %s: %s; points: %d ok, %d bad, %d skipped\n", c.Algorithm, c.Device, c.Tool, found, c.OK, c.Bad, c.Skipped)
	for _, r := range c.Reports {
		fmt.Fprintf(&b, "  %s\n", r)
	}
	return b.String()
}
