package tuning

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/expression"
	"example.org/bench/gpu"
)

// Ranges says what a search may try of a version's tunables.
type Ranges struct {
	// Values replace those of the version's own tunables, by name.
	Values map[string][]framework.Value
	// Constraints hold beside the version's own Valid. They may name tunables
	// and parameters of the problem.
	Constraints []Constraint
}

// VersionSpace returns the space of a version's tunables for one problem on one device: the combinations of
// the tunables' values, or of those given, that meet the constraints and that the version accepts.
func VersionSpace(ctx context.Context, v *framework.Version, params framework.Values, facts gpu.Facts, ranges Ranges) (*Space, error) {
	d := Declaration{Constants: map[string]float64{}, Words: map[string]string{}}
	for name, x := range params {
		if x.Kind() == framework.Text {
			d.Words[name] = x.String()
		} else {
			d.Constants[name] = x.Float()
		}
	}
	if v.Processor == framework.GPU {
		maps.Copy(d.Constants, expression.DeviceFacts(facts))
	}
	known := func(name string) bool {
		_, ofDevice := d.Constants[name]
		return ofDevice || slices.ContainsFunc(v.Tunables, func(t framework.Tunable) bool { return t.Name == name }) ||
			params[name].IsSet()
	}
	for _, c := range ranges.Constraints {
		// A constraint may be about another version's tunables.
		if !slices.ContainsFunc(c.Names(), func(n string) bool { return !known(n) }) {
			d.Constraints = append(d.Constraints, c)
		}
	}
	for _, t := range v.Tunables {
		list := t.List()
		if own, ok := ranges.Values[t.Name]; ok {
			list = own
		}
		d.Parameters = append(d.Parameters, settingParameter(t.Name, list))
	}
	if v.Valid != nil {
		d.Valid = func(row []uint16) bool { return v.Valid(params, tunablesOf(d.Parameters, row), facts) == nil }
	}
	s, err := d.Enumerate(ctx)
	if err != nil {
		return nil, fmt.Errorf("space of %s: %w", v.Name, err)
	}
	return s, nil
}

// Tunables returns a point's settings as a version takes them.
func (s *Space) Tunables(point int) framework.Values {
	return tunablesOf(s.Parameters, s.Indexes(point))
}

func tunablesOf(parameters []Parameter, row []uint16) framework.Values {
	v := make(framework.Values, len(parameters))
	for d, p := range parameters {
		v[p.Name] = p.Setting(int(row[d]))
	}
	return v
}

// FindTunables returns the point with these settings, or -1.
func (s *Space) FindTunables(v framework.Values) int {
	row := make([]uint16, len(s.Parameters))
	for d, p := range s.Parameters {
		i := p.Index(v[p.Name])
		if i < 0 {
			return -1
		}
		row[d] = uint16(i)
	}
	return s.Find(row)
}
