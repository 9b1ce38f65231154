package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// Verification plans the points at which answers are checked: the algorithm's verification problems, whose
// values may also set tunables, or a config's own points. If --set gives a parameter of which those problems
// have values, it adds the config's own points, since what was asked for would be missing.
func (x *Experiment) Verification(ctx context.Context) (*plan.Plan, error) {
	if !x.Named && (x.Factory.Verification == nil || !x.Config.HasKernels()) {
		return plan.Make(ctx, x.Config, x.Factory, x.machine)
	}
	if x.Factory.Verification == nil {
		return nil, fmt.Errorf("%s has %w: set Factory.Verification, which lists parameters to check at, or verify a config", x.Factory.Name, ErrNoProblems)
	}
	all := &plan.Plan{}
	_, key := x.Config.Kernels()
	hidden := false // a parameter of --set
	for i, values := range x.Factory.Verification(x.machine.Device) {
		hidden = hidden || x.assigns(values)
		at := fmt.Sprintf("algorithm.%s.verify.at[%d]", key, i)
		p, err := x.planAt(ctx, x.Config, values, at)
		if err != nil {
			blameProblem(err, x.Config.PositionOf(at))
			return nil, err
		}
		all.Points = append(all.Points, p.Points...)
	}
	if hidden {
		own, err := plan.Make(ctx, x.Config, x.Factory, x.machine)
		if err != nil {
			return nil, err
		}
		own.Points = slices.DeleteFunc(own.Points, func(p plan.Point) bool { return has(all, p) })
		all.Append(own)
	}
	return all, x.planFurther(ctx, all)
}

// assigns reports whether --set gives a parameter of which a problem has a value.
func (x *Experiment) assigns(problem framework.Values) bool {
	return slices.ContainsFunc(x.Config.Assignments, func(assignment string) bool {
		name, _, _ := strings.Cut(assignment, "=")
		return x.Factory.Param(name) != nil && problem[name].IsSet()
	})
}

// has reports whether a plan has the point's problem for its version.
func has(p *plan.Plan, q plan.Point) bool {
	return slices.ContainsFunc(p.Points, func(had plan.Point) bool { return had.Problem() == q.Problem() && had.Version == q.Version })
}

// Further is a problem in addition to those of a config. The file has it at a path.
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
		there := func(q plan.Point) bool { return has(all, q) }
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

// planAt plans a config's versions at one problem, which the file may have at a path.
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
