package framework

import (
	"iter"
	"slices"
)

// Settings are Values that share their list of names with other Settings. They are immutable, and
// the zero Settings are empty.
type Settings struct {
	names  *[]string
	values []Value // the zero Value where a name has none
}

// NewSettings returns the settings with these names and values, and keeps both slices. A name with
// the zero Value is not set.
func NewSettings(names *[]string, values []Value) Settings { return Settings{names, values} }

// SettingsOf returns the settings in v. It keeps names if they include all names in v.
func SettingsOf(v Values, names *[]string) Settings {
	if len(v) == 0 {
		return Settings{}
	}
	had := 0
	if names != nil {
		for _, name := range *names {
			if _, ok := v[name]; ok {
				had++
			}
		}
	}
	if had < len(v) {
		all := make([]string, 0, len(v))
		for name := range v {
			all = append(all, name)
		}
		slices.Sort(all)
		names = &all
	}
	s := Settings{names, make([]Value, len(*names))}
	for i, name := range *names {
		s.values[i] = v[name]
	}
	return s
}

// Get returns the value of name, or the zero Value if it is not set.
func (s Settings) Get(name string) Value {
	if s.names != nil {
		for i, n := range *s.names {
			if n == name {
				return s.values[i]
			}
		}
	}
	return Value{}
}

// With returns a copy of the settings with name set to x.
func (s Settings) With(name string, x Value) Settings {
	v := s.Values()
	if v == nil {
		v = Values{}
	}
	v[name] = x
	return SettingsOf(v, s.names)
}

// All iterates over the names that are set and their values.
func (s Settings) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i, v := range s.values {
			if v.IsSet() && !yield((*s.names)[i], v) {
				return
			}
		}
	}
}

// None reports whether no name is set.
func (s Settings) None() bool {
	return !slices.ContainsFunc(s.values, Value.IsSet)
}

// Values returns the settings as a new map, or nil if there are none.
func (s Settings) Values() Values {
	var v Values
	for name, x := range s.All() {
		if v == nil {
			v = Values{}
		}
		v[name] = x
	}
	return v
}
