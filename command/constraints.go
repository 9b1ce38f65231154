package command

import (
	"fmt"
	"slices"

	"bench/framework"
	"bench/framework/config"
	"bench/tuning"
)

// load reads a config and finds its algorithm, which its constraints are held
// against: what a search would refuse, every verb does.
func (a *app) load(path string) (*config.Config, *framework.Factory, error) {
	c, err := config.Load(path)
	if err != nil {
		return nil, nil, err
	}
	f, err := a.factory(c)
	if err != nil {
		return nil, nil, err
	}
	if _, err := constraintsOf(c, f); err != nil {
		return nil, nil, err
	}
	return c, f, nil
}

// constraintsOf are the config's tuning_constraints. They may name the
// parameters and the tunables of every version, chosen or not. Its errors are
// *config.Errors.
func constraintsOf(c *config.Config, f *framework.Factory) ([]tuning.Constraint, error) {
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
			if !slices.Contains(names, n) {
				known = false
				errs.Add(c.Path, at, "%s is neither a parameter nor a tunable of %s%s", n, f.Name, config.Choice(n, names, "names"))
			}
		}
		if err := constraint.Check(f); known && err != nil {
			errs.Add(c.Path, at, "%v", err)
		}
		all = append(all, constraint)
	}
	return all, errs.Err()
}
