package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/expression"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/tuning"
)

// Version is the search of one version. Its sweep points are the tasks.
type Version struct {
	*framework.Version
	Tasks   []*Task
	Budget  int             // evaluations of all tasks, as far as there are points
	Outcome *tuning.Outcome // nil: not searched yet
	prior   *prior          // nil: it has none
	// Devices are what calibrating showed of several GPUs; nil for one GPU.
	Devices []*Device
}

// Points returns the number of points of all tasks.
func (v *Version) Points() int {
	n := 0
	for _, t := range v.Tasks {
		n += t.Space.Len()
	}
	return n
}

// Task is one version at one sweep point.
type Task struct {
	Base plan.Point // with the defaults
	// Space is the space of the tunables. The power mode, if it is searched, is its first parameter.
	Space *tuning.Space
	// Defaults is the point of the version's defaults; -1 if the space lacks it.
	Defaults int
	Name     string // the values of what is swept
	Final    *Final // nil: not measured again, or none runs any more

	front    *FrontReport // measured again; nil: not
	best     tuning.Trial
	modes    *modes // nil: nothing is switched
	recorded string // name of the recorded space that was written of it
}

// Point returns the task's plan point at point i of its space.
func (t *Task) Point(i int) plan.Point {
	p := t.Base
	p.Tunables, p.PowerMode = t.tunables(i), t.mode(i)
	return p
}

// chosen returns the point that is the search's answer, in a front the fastest; -1 if there is none.
func (t *Task) chosen() int {
	switch {
	case t.front != nil:
		return t.front.Points[0].point
	case t.Final != nil:
		return t.Final.Point
	case t.best.OK:
		return t.best.Point
	}
	return -1
}

// versions returns the versions of the plan that have tunables.
func versions(ctx context.Context, subject experiment.Subject, x *experiment.Experiment, m *modes, note func(string, ...any)) ([]*Version, error) {
	c, f, p := subject.Config, subject.Factory, x.Plan
	ranges, err := rangesOf(c, f, p)
	if err != nil {
		return nil, err
	}
	var all []*Version
	byVersion := map[*framework.Version]*Version{}
	for _, point := range p.Points {
		v := f.VersionOn(point.Version, point.Processor)
		name := taskName(p, point)
		switch {
		case len(v.Tunables) == 0:
			if byVersion[v] == nil {
				byVersion[v] = &Version{}
				note("%s has no tunables", v.Name)
			}
			continue
		case point.Skip != "" && point.Tunables == nil:
			note("%s %s left out: %s", v.Name, name, point.Skip)
			continue
		}
		var known gpu.Facts
		if x.Facts != nil && v.Processor == framework.GPU {
			known = *x.Facts
		}
		space, err := tuning.VersionSpace(ctx, v, point.Params, known, ranges)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", c.Path, name, err)
		}
		if space, err = m.across(v, point.Params, space); err != nil {
			return nil, fmt.Errorf("%s %s: %w", v.Name, name, err)
		}
		if space.Len() == 0 {
			note("%s %s left out: no combination of the tunables is valid", v.Name, name)
			continue
		}
		point.Skip = ""
		own := byVersion[v]
		if own == nil {
			own = &Version{Version: v}
			byVersion[v] = own
			all = append(all, own)
		}
		t := &Task{Base: point, Space: space, Name: name, modes: m}
		if m != nil {
			t.Base.PowerMode = m.base
		}
		t.Defaults = t.point(point.Tunables, t.Base.PowerMode)
		own.Tasks = append(own.Tasks, t)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: nothing to tune", c.Path)
	}
	return all, nil
}

// taskName names a sweep point by what is swept.
func taskName(p *plan.Plan, point plan.Point) string {
	var words []string
	for _, x := range p.Axes {
		words = append(words, x.Name+" "+point.Params[x.Name].String())
	}
	if len(words) == 0 {
		return point.Algorithm
	}
	return strings.Join(words, " ")
}

// rangesOf returns the config's tunables and constraints.
func rangesOf(c *config.Config, f *framework.Factory, p *plan.Plan) (tuning.Ranges, error) {
	r := tuning.Ranges{Values: map[string][]framework.Value{}}
	var names []string
	known := map[string]framework.Tunable{}
	for _, point := range p.Points {
		for _, t := range f.VersionOn(point.Version, point.Processor).Tunables {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
				known[t.Name] = t
			}
		}
	}
	for _, a := range c.Tunables {
		if !slices.Contains(names, a.Name) {
			return r, fmt.Errorf("%s: %q is not a tunable of the versions chosen%s", c.Path, a.Name, config.Choice(a.Name, names, "tunables"))
		}
		for _, v := range a.Values {
			setting, err := known[a.Name].Take(v)
			if err != nil {
				return r, fmt.Errorf("%s: tunables.%s: %w", c.Path, a.Name, err)
			}
			r.Values[a.Name] = append(r.Values[a.Name], setting)
		}
	}
	var err error
	r.Constraints, err = Constraints(c, f)
	return r, err
}

// Constraints returns the config's tuning_constraints. They may name the
// parameters and the tunables of every version, chosen or not. Its errors are
// *config.Errors.
func Constraints(c *config.Config, f *framework.Factory) ([]tuning.Constraint, error) {
	var names []string
	for _, p := range f.Params {
		names = append(names, p.Name)
	}
	for _, v := range f.Versions {
		for _, t := range v.Tunables {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	scope := expression.Settings(gpu.Facts{})
	for _, p := range f.Params {
		scope.Set(p.Name, p.Default)
	}
	for _, v := range f.Versions {
		for _, t := range v.Tunables {
			scope.Set(t.Name, t.List()[0])
		}
	}
	errs := &config.Errors{}
	var all []tuning.Constraint
	for i, text := range c.Constraints {
		at := c.PositionOf(fmt.Sprintf("tuning_constraints[%d]", i))
		constraint, err := tuning.ParseConstraint(text)
		if err != nil {
			errs.Add(c.Path, at, "%v", err)
			continue
		}
		known := true
		for _, n := range constraint.Names() {
			if !slices.Contains(names, n) && !strings.HasPrefix(n, expression.Device+".") {
				known = false
				errs.Add(c.Path, at, "%s is neither a parameter nor a tunable of %s%s", n, f.Name, config.Choice(n, names, "names"))
			}
		}
		if !known {
			continue
		}
		if err := constraint.Check(f); err != nil { // it knows what words a name has
			errs.Add(c.Path, at, "%v", err)
			continue
		}
		switch p, err := expression.Compile(text, scope); {
		case err != nil:
			errs.Add(c.Path, at, "expression %.200q: %v", text, err)
		case !p.IsCondition():
			errs.Add(c.Path, at, "expression %.200q is no condition; want one, such as A * B <= 1024", text)
		}
		all = append(all, constraint)
	}
	return all, errs.Err()
}
