package framework

import (
	"maps"
	"slices"
	"testing"
)

// TestSettings: settings are the values of a map, whatever the names they keep, and others
// with the same names share these.
func TestSettings(t *testing.T) {
	names := &[]string{"b", "a", "none"}
	v := Values{"a": IntValue(1), "b": TextValue("x")}
	for _, known := range []*[]string{nil, names, {"a"}} {
		s := SettingsOf(v, known)
		if s.Get("a") != v["a"] || s.Get("b") != v["b"] || s.Get("none").IsSet() || s.Get("c").IsSet() || !maps.Equal(s.Values(), v) {
			t.Errorf("%v: %v, want %v", known, s.Values(), v)
		}
		if known == names && s.names != names {
			t.Error("the names are kept twice")
		}
		with := s.With("a", FloatValue(2.5)).With("c", IntValue(3))
		if want := (Values{"a": FloatValue(2.5), "b": TextValue("x"), "c": IntValue(3)}); !maps.Equal(with.Values(), want) || s.Get("a") != v["a"] {
			t.Errorf("%v, want %v; before %v", with.Values(), want, s.Values())
		}
	}
	var none Settings
	if none.Values() != nil || none.Get("a").IsSet() || SettingsOf(nil, names).Values() != nil {
		t.Error("no settings are some")
	}
	var order []string
	for name := range SettingsOf(v, names).All() {
		order = append(order, name)
	}
	if !slices.Equal(order, []string{"b", "a"}) {
		t.Errorf("in the order %v", order)
	}
}
