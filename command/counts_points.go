package command

import (
	"slices"

	"bench/framework"
	"bench/framework/config"
	"bench/framework/plan"
)

// mostCountedBytes bounds the host memory of a verification problem that is
// profiled: the profiler saves and restores a kernel's memory several times.
const mostCountedBytes = 1 << 30

// countedPoints is one point for each version that is not a library's: of the
// CPU's defaults, which are of modest size; else of these with one word
// changed (a layout, a precision); else of the largest verification problem.
func countedPoints(f *framework.Factory, base *config.Config, m plan.Machine) ([]plan.Point, error) {
	chosen := map[string]plan.Point{}
	var missing []string
	for _, v := range f.Versions {
		if v.Processor == framework.GPU && !v.Peer && (base.Versions == nil || slices.Contains(base.Versions, v.Name)) {
			missing = append(missing, v.Name)
		}
	}
	order := slices.Clone(missing)
	var refused error // a changed word need not go with the other defaults
	for _, values := range countedProblems(f, m) {
		if len(missing) == 0 {
			break
		}
		c := *base
		c.Versions = slices.Clone(missing)
		at, err := verificationAt(f, &c, m, values)
		if err != nil {
			refused = err
			continue
		}
		for _, p := range at {
			if _, have := chosen[p.Version]; p.Skip == "" && !have {
				chosen[p.Version] = p
				missing = slices.DeleteFunc(missing, func(name string) bool { return name == p.Version })
			}
		}
	}
	if len(chosen) == 0 && refused != nil {
		return nil, refused
	}
	var points []plan.Point
	for _, name := range order {
		if p, have := chosen[name]; have {
			p.ID = len(points)
			points = append(points, p)
		}
	}
	return points, nil
}

// countedProblems are the problems that countedPoints chooses from, best first.
func countedProblems(f *framework.Factory, m plan.Machine) []framework.Values {
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
		if s.bytes <= mostCountedBytes {
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
