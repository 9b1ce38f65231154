package kernel

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// define is a macro: a text as it is, or the value of an expression.
type define struct {
	Text  framework.Value `json:"-"`
	Value formula         `json:"value"`
	value *computed       // nil means the text
}

// UnmarshalJSON reads a number, a text or an object.
func (d *define) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("{")) {
		type object define
		return json.Unmarshal(b, (*object)(d))
	}
	return json.Unmarshal(b, &d.Text)
}

// defines returns a list of macros with their expressions compiled.
func (b *builder) defines(path string, list map[string]define, names scope) map[string]define {
	made := map[string]define{}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		d := list[name]
		d.value = b.compile(path+"."+name+".value", d.Value, names)
		made[name] = d
	}
	return made
}

// text returns what the macro stands for.
func (d *define) text(env scope) (string, error) {
	if d.value == nil {
		return d.Text.String(), nil
	}
	got, err := d.value.run(env)
	if err != nil {
		return "", err
	}
	switch x := got.(type) {
	case int:
		return framework.IntValue(int64(x)).String(), nil
	case float64:
		return framework.FloatValue(x).String(), nil
	case bool:
		if x {
			return "1", nil
		}
		return "0", nil
	case string:
		return x, nil
	}
	return "", d.value.faultf("%s; want a number, a word or a condition", d.value.is(got, env))
}

// macros returns a version's own -D options.
func (v *variant) macros(params, tunables framework.Values, facts gpu.Facts) (map[string]string, error) {
	list := map[string]string{}
	env := settings(facts, params, tunables)
	for name, d := range v.Defines {
		var err error
		if list[name], err = d.text(env); err != nil {
			return nil, err
		}
	}
	for i := range v.settings {
		if t := &v.settings[i]; t.define() {
			list[t.Name] = tunables[t.Name].String()
		}
	}
	return list, nil
}

// macros returns the -D options of a version's kernels.
func (a *algorithm) macros(v *variant, params, tunables framework.Values, facts gpu.Facts) (map[string]string, error) {
	list, err := v.macros(params, tunables, facts)
	if err != nil {
		return nil, err
	}
	for _, p := range a.def.Params {
		if _, own := list[p.Name]; p.Define && !own {
			list[p.Name] = params[p.Name].String()
		}
	}
	return list, nil
}
