package tuning

import (
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
)

// Space is the set of valid configurations of a version's tunables: rows of
// value indexes in enumeration order (the last parameter changes fastest). It
// is immutable.
type Space struct {
	Parameters []Parameter
	rows       []uint16 // len(Parameters) per point
	find       map[string]int
}

// Parameter is one axis of a space.
type Parameter struct {
	Name string
	// Values are in declared order; a search may not assume that they ascend.
	Values []float64
	// Labels are the values as written if these are not numbers (a T1 file's strings). Values then holds 0,
	// 1, 2, …. Otherwise Labels is nil.
	Labels []string
	// Settings are the values as a version takes them; nil: whole numbers.
	Settings []framework.Value
}

// settingParameter returns the parameter with these settings, which are numbers or words.
func settingParameter(name string, settings []framework.Value) Parameter {
	p := Parameter{Name: name}
	for i, v := range settings {
		switch v.Kind() {
		case framework.Text:
			p.Values, p.Labels, p.Settings = append(p.Values, float64(i)), append(p.Labels, v.String()), settings
		case framework.Float:
			p.Values, p.Settings = append(p.Values, v.Float()), settings
		default:
			p.Values = append(p.Values, v.Float())
		}
	}
	return p
}

// Setting returns value i as a version takes it.
func (p Parameter) Setting(i int) framework.Value {
	if p.Settings != nil {
		return p.Settings[i]
	}
	return framework.IntValue(int64(p.Values[i]))
}

// Index returns the place of a setting among the values, or -1.
func (p Parameter) Index(v framework.Value) int {
	switch {
	case !v.IsSet():
		return -1
	case v.Kind() == framework.Text:
		return slices.Index(p.Labels, v.String())
	}
	return slices.Index(p.Values, v.Float())
}

// NewSpace makes a space from its valid points, each a row of value indexes.
// Two equal rows are an error.
func NewSpace(parameters []Parameter, points [][]uint16) (*Space, error) {
	s := &Space{Parameters: parameters, find: make(map[string]int, len(points))}
	s.rows = make([]uint16, 0, len(points)*len(parameters))
	for i, p := range points {
		if len(p) != len(parameters) {
			return nil, fmt.Errorf("point %d has %s; the space has %s", i, terminal.Count(len(p), "value"), terminal.Count(len(parameters), "parameter"))
		}
		for d, v := range p {
			if int(v) >= len(parameters[d].Values) {
				return nil, fmt.Errorf("point %d: %s has no value number %d", i, parameters[d].Name, v)
			}
		}
		k := rowKey(p)
		if first, ok := s.find[k]; ok {
			return nil, fmt.Errorf("points %d and %d are the same", first, i)
		}
		s.find[k] = i
		s.rows = append(s.rows, p...)
	}
	return s, nil
}

// Len returns the number of points.
func (s *Space) Len() int {
	if len(s.Parameters) == 0 {
		return 0
	}
	return len(s.rows) / len(s.Parameters)
}

// Indexes returns a point's row of value indexes; the caller must not change it.
func (s *Space) Indexes(point int) []uint16 {
	d := len(s.Parameters)
	return s.rows[point*d : point*d+d : point*d+d]
}

// Value returns a point's setting of one parameter.
func (s *Space) Value(point, parameter int) float64 {
	return s.Parameters[parameter].Values[s.rows[point*len(s.Parameters)+parameter]]
}

// Occurring returns the values of a parameter that points have, in declared order.
func (s *Space) Occurring(parameter int) []float64 {
	values := s.Parameters[parameter].Values
	seen := make([]bool, len(values))
	left := len(values)
	for k := parameter; k < len(s.rows) && left > 0; k += len(s.Parameters) {
		if v := s.rows[k]; !seen[v] {
			seen[v] = true
			left--
		}
	}
	var all []float64
	for v, x := range values {
		if seen[v] {
			all = append(all, x)
		}
	}
	return all
}

// Find returns the point with these value indexes, or -1 if it is not valid.
func (s *Space) Find(indexes []uint16) int {
	if p, ok := s.find[rowKey(indexes)]; ok {
		return p
	}
	return -1
}

// FindValues returns the point with these values, or -1.
func (s *Space) FindValues(values []float64) int {
	row := make([]uint16, len(s.Parameters))
	for d, p := range s.Parameters {
		i := slices.Index(p.Values, values[d])
		if i < 0 {
			return -1
		}
		row[d] = uint16(i)
	}
	return s.Find(row)
}

// Numbers returns the space with numbers alone, as a recorded space holds it. A word becomes its place among
// the values.
func (s *Space) Numbers() *Space {
	n := *s
	n.Parameters = slices.Clone(s.Parameters)
	for i := range n.Parameters {
		n.Parameters[i].Labels, n.Parameters[i].Settings = nil, nil
	}
	return &n
}

// Reordered returns the space with point order[i] as its point i.
func (s *Space) Reordered(order []int) *Space {
	r := &Space{Parameters: s.Parameters, find: make(map[string]int, len(order))}
	r.rows = make([]uint16, 0, len(s.rows))
	for i, p := range order {
		row := s.Indexes(p)
		r.find[rowKey(row)] = i
		r.rows = append(r.rows, row...)
	}
	return r
}

// Under returns the space with one more parameter, which comes first: all points once for each of its values.
func (s *Space) Under(p Parameter) (*Space, error) {
	if n := s.Len() * len(p.Values); n > MaxPoints {
		return nil, fmt.Errorf("%d points for each of %d values of %s: a space holds %d at most", s.Len(), len(p.Values), p.Name, MaxPoints)
	}
	var rows [][]uint16
	for v := range p.Values {
		for i := range s.Len() {
			rows = append(rows, append([]uint16{uint16(v)}, s.Indexes(i)...))
		}
	}
	return NewSpace(append([]Parameter{p}, s.Parameters...), rows)
}

func rowKey(row []uint16) string {
	b := make([]byte, 2*len(row))
	for i, v := range row {
		b[2*i], b[2*i+1] = byte(v), byte(v>>8)
	}
	return string(b)
}
