package kernel

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// tuned is a tunable with its values and default.
type tuned struct {
	tunable
	as       framework.Tunable
	fallback *computed // nil means the first value
}

func (t *tuned) define() bool { return t.Define == nil || *t.Define }

// example returns a value of the kind that the tunable has, as formulas see it.
func (t *tunable) example() any {
	switch t.kind() {
	case framework.Text:
		return ""
	case framework.Float:
		return 1.
	}
	return 1
}

// kind returns the kind that all values have.
func (t *tunable) kind() framework.Kind {
	has := func(kind framework.Kind) bool {
		return slices.ContainsFunc(t.Values, func(v framework.Value) bool { return v.Kind() == kind })
	}
	switch {
	case has(framework.Text):
		return framework.Text
	case has(framework.Float):
		return framework.Float
	}
	return framework.Int
}

// tunables checks a version's tunables and adds them to names.
func (b *builder) tunables(v *variant, at string, names scope) {
	withoutTunables := maps.Clone(names)
	taken := map[string]string{}
	for _, p := range b.a.def.Params {
		taken[p.Name] = "a parameter"
	}
	for i, t := range v.Tunables {
		path := fmt.Sprintf("%s[%d]", at, i)
		b.named(path+".name", t.Name, taken)
		made := tuned{tunable: t, as: framework.Tunable{Name: t.Name, Doc: t.Doc}}
		kind := t.kind()
		for _, x := range t.Values {
			switch {
			case (x.Kind() == framework.Text) != (kind == framework.Text):
				b.fault(path+".values", "%s is a number and others are words; want one kind", x)
			case kind == framework.Int:
				made.as.Values = append(made.as.Values, x.Int())
			case kind == framework.Float:
				made.as.Settings = append(made.as.Settings, framework.FloatValue(x.Float()))
			default:
				made.as.Settings = append(made.as.Settings, x)
			}
		}
		slices.Sort(made.as.Values)
		if kind == framework.Float {
			slices.SortFunc(made.as.Settings, func(x, y framework.Value) int { return cmp.Compare(x.Float(), y.Float()) })
		}
		for place := range made.as.Settings {
			made.as.Values = append(made.as.Values, int64(place))
		}
		if len(made.as.Values) == 0 {
			made.as.Values = []int64{0} // refused above, or by the schema
		}
		made.fallback = b.compile(path+".default", t.Default, withoutTunables)
		names[t.Name] = t.example()
		v.settings = append(v.settings, made)
	}
}

// initial returns the value that the tunable has if the config sets none.
func (t *tuned) initial(env scope) (framework.Value, error) {
	first := t.as.List()[0]
	if t.fallback == nil {
		return first, nil
	}
	got, err := t.fallback.run(env)
	if err != nil {
		return first, err
	}
	if t.as.Settings == nil {
		if holds, ok := got.(bool); ok {
			return framework.IntValue(map[bool]int64{true: 1}[holds]), nil
		}
		n, err := t.fallback.whole(env)
		return framework.IntValue(n), err
	}
	var v framework.Value
	switch x := got.(type) {
	case string:
		v = framework.TextValue(x)
	case int:
		v = framework.FloatValue(float64(x))
	case float64:
		v = framework.FloatValue(x)
	}
	if !slices.Contains(t.as.Settings, v) {
		return first, t.fallback.faultf("%s; want one of the values, %s", t.fallback.is(got, env), strings.Join(t.as.Texts(), ", "))
	}
	return v, nil
}

// defaults returns a version's tunables if the config sets none.
func (v *variant) defaults(params framework.Values, facts gpu.Facts) framework.Values {
	env := settings(facts, params)
	tunables := framework.Values{}
	for i := range v.settings {
		t := &v.settings[i]
		// Valid reports a fault here.
		tunables[t.Name], _ = t.initial(env)
	}
	return tunables
}
