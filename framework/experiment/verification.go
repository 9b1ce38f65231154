package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/plan"
)

// Verification plans the points at which answers are checked: the algorithm's
// verification problems, whose values may also set tunables, or a config's own
// points.
func (x *Experiment) Verification(ctx context.Context) (*plan.Plan, error) {
	if !x.Named && (x.Factory.Verification == nil || x.Config.CUDA == nil) {
		return plan.Make(ctx, x.Config, x.Factory, x.machine)
	}
	if x.Factory.Verification == nil {
		return nil, fmt.Errorf("%s has %w: set Factory.Verification, which lists parameters to check at, or verify a config", x.Factory.Name, ErrNoProblems)
	}
	all := &plan.Plan{}
	for i, values := range x.Factory.Verification(x.machine.Device) {
		at := fmt.Sprintf("algorithm.cuda.verify.at[%d]", i)
		p, err := x.planAt(ctx, x.Config, values, at)
		if err != nil {
			blameProblem(err, x.Config.PositionOf(at))
			return nil, err
		}
		all.Points = append(all.Points, p.Points...)
	}
	return all, x.planFurther(ctx, all)
}

// Further is a problem beside those of a config, which its file has at a path.
type Further struct {
	Values framework.Values
	Path   string
	// Else is set where it is left out if the config has the problem too.
	Else bool
	// Optional is set where its problems are in Experiment.Optional too.
	Optional bool
}

// planFurther adds the points of the problems beside those of the config.
func (x *Experiment) planFurther(ctx context.Context, all *plan.Plan) error {
	x.Optional = map[string]bool{}
	for _, further := range x.options.At {
		p, err := x.planAt(ctx, x.Config, further.Values, further.Path)
		if err != nil {
			blameProblem(err, x.Config.PositionOf(further.Path))
			return err
		}
		there := func(q plan.Point) bool {
			return slices.ContainsFunc(all.Points, func(had plan.Point) bool { return had.Problem() == q.Problem() && had.Version == q.Version })
		}
		if further.Else {
			p.Points = slices.DeleteFunc(p.Points, there)
		}
		if further.Optional {
			for _, q := range p.Points {
				x.Optional[q.Problem()] = true
			}
		}
		for _, q := range p.Points {
			if there(q) {
				errs := &config.Errors{}
				errs.Add(x.Config.Path, x.Config.PositionOf(further.Path), "the problem is there already; want another, or leave it out")
				return errs.Err()
			}
		}
		all.Append(p)
	}
	return nil
}

// blameProblem gives faults without a position the problem's position, if the
// config lists it.
func blameProblem(err error, at config.Position) {
	var wrong *config.Errors
	if at.Line == 0 || !errors.As(err, &wrong) {
		return
	}
	for i := range wrong.List {
		if wrong.List[i].Pos.Line == 0 {
			wrong.List[i].Pos = at
		}
	}
}

// planAt plans a config's versions on one problem, which the file may have at a path.
func (x *Experiment) planAt(ctx context.Context, base *config.Config, values framework.Values, path string) (*plan.Plan, error) {
	c := *base
	c.Sweep = nil
	c.Static = slices.DeleteFunc(slices.Clone(base.Static), func(s config.Argument) bool {
		return values[strings.TrimLeft(s.Name, "-")].IsSet()
	})
	for name, v := range values {
		if x.Factory.Param(name) != nil {
			at := base.PositionOf(path + "." + name)
			if at.Line == 0 {
				at = config.Position{}
			}
			c.Static = append(c.Static, config.NewArgument(name, v, at))
		} else {
			c.Tunables = append(c.Tunables, config.Axis{Name: name, Values: []framework.Value{v}})
		}
	}
	return plan.Make(ctx, &c, x.Factory, x.machine)
}

// Validate plans a config as for a machine with a GPU, and says how many points there are. Of
// a config with kernels of its own, check looks at the points, and the problems of verify.at
// are planned too. Absent says why a program of the user's own cannot be started here; empty if
// it can. (A library may be absent: whether it is there says nothing of the config.)
func Validate(ctx context.Context, s Subject, check func(*config.Config, []plan.Point, cuda.Facts) error) (points int, absent string, err error) {
	gpu := plan.AnyGPU()
	opt := Options{Facts: gpu}
	if len(s.Config.Constraints) > 0 { // it is for a search
		opt.For = Search
	}
	x, err := Open(ctx, s, opt)
	if err != nil {
		return 0, "", err
	}
	defer x.Close()
	if err := x.validateTask(ctx); err != nil {
		return 0, "", err
	}
	if s.Config.CUDA != nil {
		if err := check(s.Config, x.Plan.Points, *gpu); err != nil {
			return 0, "", err
		}
		if _, err := x.Verification(ctx); err != nil { // the values of verify.at
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
