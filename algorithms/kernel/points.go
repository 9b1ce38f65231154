package kernel

import (
	"maps"
	"path/filepath"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

// CheckPoints evaluates every expression of the config's kernels at the points of its plan, which a run does
// one point at a time. It refuses unusable values of expressions, and a version none of whose points runs.
// facts may be of any device: what depends on the device is not judged. Errors are *config.Errors.
func CheckPoints(cfg *config.Config, points []plan.Point, facts gpu.Facts) error {
	b := &builder{cfg: cfg, errs: &config.Errors{}, a: &algorithm{folder: filepath.Dir(cfg.Path)}}
	a := b.build()
	if err := b.errs.Err(); err != nil {
		return err
	}
	c := checker{a: a, facts: facts, seen: map[config.Position]bool{}, add: func(f *fault, format string, args ...any) {
		b.errs.Add(cfg.Path, f.Position(), "%v"+format, append([]any{f.err}, args...)...)
	}}
	of := map[string][]plan.Point{}
	for _, p := range points {
		of[p.Version] = append(of[p.Version], p)
	}
	for _, v := range a.versions {
		c.version(v, of[v.Name])
	}
	return b.errs.Err()
}

// checker evaluates the expressions of an algorithm at points.
type checker struct {
	a     *algorithm
	facts gpu.Facts
	seen  map[config.Position]bool // places whose first fault was reported
	add   func(f *fault, format string, args ...any)
}

func (c *checker) tell(f *fault, format string, args ...any) {
	if at := f.Position(); !c.seen[at] {
		c.seen[at] = true
		c.add(f, format, args...)
	}
}

// version checks one version at its points. It always reports a wrong value at the defaults of the tunables.
// Some of the tunables' values in the config may not run, as in a search. Their faults, like refusals, are
// reported only if no point runs.
func (c *checker) version(v *variant, points []plan.Point) {
	runs := false
	var failed []*fault
	for _, p := range points {
		if len(v.settings) > 0 && p.Tunables == nil {
			continue // the machine lacks what the version needs there
		}
		at := judgement{unsure: v.unsure()}
		c.point(&at, v, p.Params, p.Tunables)
		runs = runs || !at.settled()
		defaults := maps.Equal(p.Tunables, v.defaults(p.Params, c.facts))
		for _, f := range at.faults {
			if defaults && !f.refusal {
				c.tell(f, "")
			} else {
				failed = append(failed, f)
			}
		}
	}
	for _, f := range failed {
		if !runs {
			c.tell(f, ", and no point of version %s runs; want defaults or tunables that do", v.Name)
		}
	}
}

// judgement collects what is wrong at one point.
type judgement struct {
	unsure   []string // names whose value depends on the device
	faults   []*fault
	byDevice bool // there is another fault, on some devices
}

// settled reports whether the point runs on no device.
func (j *judgement) settled() bool { return len(j.faults) > 0 && !j.byDevice }

// open reports whether nothing is known to be wrong.
func (j *judgement) open() bool { return len(j.faults) == 0 && !j.byDevice }

// note keeps the fault in err, unless it depends on the device through an expression in list or its own.
func (j *judgement) note(err error, list ...*computed) {
	f := faultOf(err)
	if f == nil {
		return
	}
	for _, x := range append(list, f.of) {
		if x != nil && (x.UsesDevice || slices.ContainsFunc(x.Names, func(n string) bool { return slices.Contains(j.unsure, n) })) {
			j.byDevice = true
			return
		}
	}
	j.faults = append(j.faults, f)
}

// unsure returns the tunables whose default depends on the device.
func (v *variant) unsure() (names []string) {
	for i := range v.settings {
		if t := &v.settings[i]; t.fallback != nil && t.fallback.UsesDevice {
			names = append(names, t.Name)
		}
	}
	return names
}

// point judges one point. It stops at a wrong default, without which the other expressions have no value to
// work with, and at a constraint that does not hold, since the rest need not suit the point.
func (c *checker) point(at *judgement, v *variant, params, tunables framework.Values) {
	env := settings(c.facts, params)
	for i := range v.settings {
		_, err := v.settings[i].initial(env)
		at.note(err)
	}
	if !at.open() {
		return
	}
	env = settings(c.facts, params, tunables)
	for _, x := range v.constraints {
		at.note(x.holds(env))
	}
	if !at.open() {
		return
	}
	c.launches(at, v.launches, params, env)
	if r := &c.a.reference; v.C == nil && r.as != nil {
		c.launches(at, r.launches, params, settings(c.facts, params, r.as.defaults(params, c.facts)))
	}
	for _, d := range v.Defines {
		_, err := d.text(env)
		at.note(err)
	}
	for _, x := range []*computed{v.counts.flops, v.counts.load, v.counts.store} {
		_, err := countOf(x, env)
		at.note(err)
	}
}

// launches judges launches, with their arguments, and their scratch.
func (c *checker) launches(at *judgement, list []kernelLaunch, params framework.Values, env scope) {
	_ = c.a.runnable(list, params, c.facts, env, func(err error, of ...*computed) error {
		at.note(err, of...)
		return nil
	})
	for i, used := range c.a.used(list) {
		if o := &c.a.arguments[i]; used && o.loose {
			_, err := c.a.size(o, env)
			at.note(err)
		}
	}
}
