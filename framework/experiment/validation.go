package experiment

import (
	"context"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

// Validated is the JSON that bench validate prints about a config.
type Validated struct {
	Config   string   `json:"config"`             // its file
	Good     bool     `json:"good"`               // true: no mistake, and its program is there
	Points   int      `json:"points"`             // where all versions run
	Absent   string   `json:"absent,omitempty"`   // why the config's program cannot be started here
	Mistakes []string `json:"mistakes,omitempty"` // each FILE:LINE:COLUMN: PATH: what is wrong
}

// Validator finds the mistakes of configs.
type Validator struct {
	// Factory makes the algorithm of a config. With an error it may return what is known of an
	// algorithm, its parameters and versions, which then is not run.
	Factory func(*config.Config) (*framework.Factory, error)
	// Apply applies what the command line changes.
	Apply func(Subject) (Subject, error)
	// Checks look at the config with what is known of its algorithm, whose Factory may be nil.
	Checks []func(Subject) error
	// Points looks at the points of a config with kernels of its own.
	Points func(*config.Config, []plan.Point, gpu.Facts) error
}

// Validate plans a config as for a machine with a GPU and returns the number of points. Of a config with
// kernels of its own it also evaluates the points and plans the problems of verify.at. absent says why a
// program of the user cannot be started here; empty if it can. (A library may be absent: that says nothing of
// the config.)
//
// err is the error of reading the config. Validate goes on with a config that has mistakes, as far as
// possible. Its error is then *config.Errors with the mistakes of all stages.
func (v Validator) Validate(ctx context.Context, c *config.Config, err error) (points int, absent string, _ error) {
	all := &config.Errors{}
	if c == nil || err != nil && !all.Join(err) {
		return 0, "", err
	}
	s := Subject{Config: c}
	complete := err == nil
	if c.Command != nil || c.Executable != "" || c.HasKernels() || c.Algorithm != "" {
		if s.Factory, err = v.Factory(c); err != nil {
			if complete = false; !all.Join(err) {
				return 0, "", err
			}
		}
	}
	if s.Factory != nil {
		if s, err = v.Apply(s); err != nil && !all.Join(err) {
			return 0, "", err
		}
	}
	for _, check := range v.Checks {
		if err := check(s); err != nil && !all.Join(err) {
			return 0, "", err
		}
	}
	if !complete {
		if s.Factory != nil {
			all.Join(plan.Names(s.Config, s.Factory))
		}
		return 0, "", all.Err()
	}
	points, absent, err = v.plan(ctx, s, all)
	if err != nil {
		return 0, "", err
	}
	return points, absent, all.Err()
}

// plan adds what planning, and what the points show, to all. Its error is another than a mistake.
func (v Validator) plan(ctx context.Context, s Subject, all *config.Errors) (points int, absent string, _ error) {
	gpu := plan.AnyGPU()
	opt := Options{Facts: gpu}
	if len(s.Config.Constraints) > 0 { // it is for a search
		opt.For = Search
	}
	x, err := Open(ctx, s, opt)
	if err != nil {
		if !all.Join(err) {
			return 0, "", err
		}
		return 0, "", v.atDefaults(ctx, s, opt, all)
	}
	defer x.Close()
	if err := x.validateTask(ctx); err != nil && !all.Join(err) {
		return 0, "", err
	}
	if s.Config.HasKernels() {
		if err := v.Points(s.Config, x.Plan.Points, *gpu); err != nil && !all.Join(err) {
			return 0, "", err
		}
		if _, err := x.Verification(ctx); err != nil && !all.Join(err) { // the values of verify.at
			return 0, "", err
		}
	}
	if s.Factory.External {
		for _, v := range s.Factory.Versions {
			if v.Available == nil {
				continue
			}
			if err := v.Available(); err != nil {
				absent = err.Error()
			}
		}
	}
	return len(x.Plan.Points), absent, nil
}

// atDefaults adds what the points of the defaults show, where those of the config cannot be planned.
func (v Validator) atDefaults(ctx context.Context, s Subject, opt Options, all *config.Errors) error {
	if !s.Config.HasKernels() {
		return nil
	}
	defaults := *s.Config
	defaults.Sweep, defaults.Static, defaults.Tunables = nil, nil, nil
	s.Config = &defaults
	x, err := Open(ctx, s, opt)
	if err == nil {
		defer x.Close()
		err = v.Points(&defaults, x.Plan.Points, *opt.Facts)
	}
	if err != nil && !all.Join(err) {
		return err
	}
	return nil
}
