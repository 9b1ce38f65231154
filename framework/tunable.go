package framework

import (
	"fmt"
	"slices"
	"strings"
)

// List returns what a search may try.
func (t Tunable) List() []Value {
	if t.Settings != nil {
		return t.Settings
	}
	list := make([]Value, len(t.Values))
	for i, n := range t.Values {
		list[i] = IntValue(n)
	}
	return list
}

// Take returns v as the tunable has it: a whole number, also of a Float such as 64.0, or one of
// Settings. The error says what would be right.
func (t Tunable) Take(v Value) (Value, error) {
	if t.Settings == nil {
		if n, ok := v.Whole(); ok {
			return n, nil
		}
		return v, fmt.Errorf("%s is not a whole number; %s takes them", v, t.Name)
	}
	if i := slices.IndexFunc(t.Settings, func(x Value) bool {
		return (x.Kind() == Text) == (v.Kind() == Text) && x.String() == v.String()
	}); i >= 0 {
		return t.Settings[i], nil
	}
	return v, fmt.Errorf("%s is none of %s, the values of %s", v, strings.Join(t.Texts(), ", "), t.Name)
}

// Texts returns what a search may try, as written.
func (t Tunable) Texts() (list []string) {
	for _, v := range t.List() {
		list = append(list, v.String())
	}
	return list
}
