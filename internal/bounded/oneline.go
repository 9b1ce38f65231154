package bounded

import (
	"reflect"

	"example.org/bench/internal/terminal"
)

// OneLine puts every string that v, a pointer, holds on one line, but those of fields with
// the tag lines:"kept".
func OneLine(v any) {
	flat := func(s string) string {
		if terminal.HasLineEnd(s) {
			return terminal.OneLine(s)
		}
		return s
	}
	rewriter{change: flat, keep: true}.rewrite(reflect.ValueOf(v))
}

// EachText replaces every string that v, a pointer, holds by what change returns for it.
func EachText(v any, change func(string) string) {
	rewriter{change: change}.rewrite(reflect.ValueOf(v))
}

// rewriter changes strings; keep leaves those of fields with the tag lines:"kept" as they are.
type rewriter struct {
	change func(string) string
	keep   bool
}

// rewrite changes what can be set, and returns what is to be put in place of what cannot, such
// as the key of a map.
func (w rewriter) rewrite(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		text := w.change(v.String())
		if text == v.String() {
			return v
		}
		changed := reflect.New(v.Type()).Elem()
		changed.SetString(text)
		if v.CanSet() {
			v.Set(changed)
		}
		return changed
	case reflect.Pointer:
		if !v.IsNil() {
			w.rewrite(v.Elem())
		}
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		if changed := w.rewrite(v.Elem()); v.CanSet() {
			v.Set(changed)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !(w.keep && f.Tag.Get("lines") == "kept") {
				w.rewrite(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if !holdsText(v.Type().Elem()) {
			return v
		}
		for i := range v.Len() {
			w.rewrite(v.Index(i))
		}
	case reflect.Map:
		w.rewriteMap(v)
	}
	return v
}

func (w rewriter) rewriteMap(m reflect.Value) {
	if !holdsText(m.Type().Key()) && !holdsText(m.Type().Elem()) {
		return
	}
	for _, key := range m.MapKeys() {
		old := m.MapIndex(key)
		elem := reflect.New(old.Type()).Elem()
		elem.Set(old)
		changed := w.rewrite(key)
		w.rewrite(elem)
		if changed.Interface() != key.Interface() {
			m.SetMapIndex(key, reflect.Value{})
		}
		m.SetMapIndex(changed, elem)
	}
}

// holdsText reports false for types that are known to hold no strings.
func holdsText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
