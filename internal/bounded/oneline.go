package bounded

import (
	"reflect"

	"example.org/bench/internal/terminal"
)

// OneLine puts every string that v, a pointer, holds on one line, but those of fields with
// the tag lines:"kept".
func OneLine(v any) { flatten(reflect.ValueOf(v)) }

// flatten changes what can be set, and returns what is to be put in place of what cannot, such
// as the key of a map.
func flatten(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		if !terminal.HasLineEnd(v.String()) {
			return v
		}
		flat := reflect.New(v.Type()).Elem()
		flat.SetString(terminal.OneLine(v.String()))
		if v.CanSet() {
			v.Set(flat)
		}
		return flat
	case reflect.Pointer:
		if !v.IsNil() {
			flatten(v.Elem())
		}
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		if flat := flatten(v.Elem()); v.CanSet() {
			v.Set(flat)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("lines") != "kept" {
				flatten(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if !holdsText(v.Type().Elem()) {
			return v
		}
		for i := range v.Len() {
			flatten(v.Index(i))
		}
	case reflect.Map:
		flattenMap(v)
	}
	return v
}

func flattenMap(m reflect.Value) {
	if !holdsText(m.Type().Key()) && !holdsText(m.Type().Elem()) {
		return
	}
	for _, key := range m.MapKeys() {
		old := m.MapIndex(key)
		elem := reflect.New(old.Type()).Elem()
		elem.Set(old)
		flat := flatten(key)
		flatten(elem)
		if flat.Interface() != key.Interface() {
			m.SetMapIndex(key, reflect.Value{})
		}
		m.SetMapIndex(flat, elem)
	}
}

// holdsText is false of types that are known to hold no strings.
func holdsText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
