package framework

import (
	"iter"
	"slices"
)

// Settings are Values of which many have the same names: these are kept once. The zero
// Settings are none, and none are changed.
type Settings struct {
	names  *[]string
	values []Value // the zero Value where the name has none
}

// NewSettings are the values of names, which it keeps. A zero Value is none.
func NewSettings(names *[]string, values []Value) Settings { return Settings{names, values} }

// SettingsOf are those of a map; names may have them, and are then kept.
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

// Get is the value of a name; the zero Value where there is none.
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

// With are the settings with another value of a name.
func (s Settings) With(name string, x Value) Settings {
	v := s.Values()
	if v == nil {
		v = Values{}
	}
	v[name] = x
	return SettingsOf(v, s.names)
}

// All are the names that have a value, with it.
func (s Settings) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i, v := range s.values {
			if v.IsSet() && !yield((*s.names)[i], v) {
				return
			}
		}
	}
}

// None is whether no name has a value.
func (s Settings) None() bool {
	return !slices.ContainsFunc(s.values, Value.IsSet)
}

// Values are the settings as a map of their own; nil for none.
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
