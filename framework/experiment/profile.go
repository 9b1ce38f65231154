package experiment

import (
	"context"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
)

// mostProfiledBytes bounds the host memory of a verification problem that is
// profiled: the profiler saves and restores a kernel's memory several times.
const mostProfiledBytes = 1 << 30

// profiled plans the points for a profiler: a config's points, or one point per
// version of an algorithm given by name. Its problem is the CPU's defaults,
// which are of modest size; else these with one word changed (a layout, a
// precision); else the largest verification problem. A library's versions are
// left out.
func (x *Experiment) profiled(ctx context.Context) (*plan.Plan, error) {
	if !x.Named {
		p, err := plan.Make(ctx, x.Config, x.Factory, x.machine)
		if err == nil {
			p.Points = slices.DeleteFunc(p.Points, func(p plan.Point) bool { return p.Peer || p.Skip != "" })
		}
		return p, err
	}
	chosen := map[string]plan.Point{}
	var missing []string
	for _, v := range x.Factory.Versions {
		if v.Processor == framework.GPU && !v.Peer && v.Takes(false) && (x.Config.Versions == nil || slices.Contains(x.Config.Versions, v.Name)) {
			missing = append(missing, v.Name)
		}
	}
	order := slices.Clone(missing)
	var refused error // a changed word may not fit the other defaults
	for _, values := range profiledProblems(x.Factory, x.machine) {
		if len(missing) == 0 {
			break
		}
		c := *x.Config
		c.Versions = slices.Clone(missing)
		at, err := x.planAt(ctx, &c, values, "")
		if err != nil {
			refused = err
			continue
		}
		for _, p := range at.Points {
			if _, have := chosen[p.Version]; p.Skip == "" && !have {
				chosen[p.Version] = p
				missing = slices.DeleteFunc(missing, func(name string) bool { return name == p.Version })
			}
		}
	}
	if len(chosen) == 0 && refused != nil {
		return nil, refused
	}
	p := &plan.Plan{}
	for _, name := range order {
		if one, have := chosen[name]; have {
			one.ID = len(p.Points)
			p.Points = append(p.Points, one)
		}
	}
	return p, nil
}

// profiledProblems returns the problems that profiled chooses from, best first.
func profiledProblems(f *framework.Factory, m plan.Machine) []framework.Values {
	small := framework.Values{} // the CPU's defaults, where a GPU has larger ones
	for _, p := range f.Params {
		if p.DefaultGPU.IsSet() {
			small[p.Name] = p.Default
		}
	}
	list := []framework.Values{small}
	for _, p := range f.Params {
		for _, choice := range p.Choices {
			if choice != p.Default.String() {
				other := small.Clone()
				other[p.Name] = framework.TextValue(choice)
				list = append(list, other)
			}
		}
	}
	if f.Verification == nil {
		return list
	}
	type sized struct {
		values framework.Values
		other  int // words that are not the defaults
		bytes  int64
	}
	var problems []sized
	for _, values := range f.Verification(m.Device) {
		s := sized{values: values}
		params := framework.Values{}
		for _, p := range f.Params {
			params[p.Name] = p.Default
			if v := values[p.Name]; v.IsSet() {
				if v.Kind() == framework.Text && v.String() != p.Default.String() {
					s.other++
				}
				params[p.Name] = v
			}
		}
		if f.HostBytes != nil {
			s.bytes = f.HostBytes(params)
		}
		if s.bytes <= mostProfiledBytes {
			problems = append(problems, s)
		}
	}
	slices.SortStableFunc(problems, func(a, b sized) int {
		if a.other != b.other {
			return a.other - b.other
		}
		return int(b.bytes - a.bytes)
	})
	for _, s := range problems {
		list = append(list, s.values)
	}
	return list
}
