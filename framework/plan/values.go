package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// parameters checks static_args and sweep_arg against the factory.
func (b *builder) parameters() {
	for _, s := range b.cfg.Static {
		name := b.bare(s.Name)
		if p := b.parameter(name, s.Pos); p != nil {
			v, fault := convert(s.Value, p)
			if fault != "" {
				b.refuse(s.ValuePos(), fault)
			}
			s.Name, s.Value = name, v
			b.static = append(b.static, s)
		}
	}
	for _, a := range b.cfg.Sweep {
		name := b.bare(a.Name)
		p := b.parameter(name, a.Pos)
		if p == nil {
			continue
		}
		a.Name, a.Values = name, slices.Clone(a.Values)
		for i, v := range a.Values {
			var fault string
			if a.Values[i], fault = convert(v, p); fault != "" {
				b.refuse(a.ValuePos(i), fault)
			}
		}
		b.sweep = append(b.sweep, a)
		b.plan.Axes = append(b.plan.Axes, Axis{Name: name, Unit: p.Unit, Geometric: a.Geometric, Count: len(a.Values)})
	}
}

// parameter returns the factory's parameter of that name. It notes an unknown one.
func (b *builder) parameter(name string, pos config.Position) *framework.Param {
	if p := b.factory.Param(name); p != nil {
		return p
	}
	if p := framework.UsageParam(name); p != nil {
		b.usage = append(b.usage, name)
		return p
	}
	names := make([]string, len(b.factory.Params))
	for i, p := range b.factory.Params {
		names[i] = p.Name
	}
	var usage []string
	for _, p := range framework.UsageParams() {
		usage = append(usage, p.Name)
	}
	if b.factory.Inputs != nil {
		usage = append(usage, framework.InputsParam)
	}
	if config.Nearest(name, usage) != "" && config.Nearest(name, names) == "" {
		names = append(names, usage...)
	}
	b.errs.Add(b.cfg.Path, pos, "%q is not a parameter of %s%s", name, b.factory.Name,
		config.Choice(name, names, "parameters"))
	return nil
}

// tunables checks the config's tunables against the chosen versions.
func (b *builder) tunables() {
	var names []string
	known := map[string]framework.Tunable{}
	for _, v := range b.chosen {
		for _, t := range v.Tunables {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
				known[t.Name] = t
			}
		}
	}
	for _, a := range b.cfg.Tunables {
		a.Name, a.Values = b.bare(a.Name), slices.Clone(a.Values)
		if !slices.Contains(names, a.Name) {
			b.errs.Add(b.cfg.Path, a.Pos, "%q is not a tunable of the versions chosen%s", a.Name,
				config.Choice(a.Name, names, "tunables"))
			continue
		}
		for i, v := range a.Values {
			var err error
			if a.Values[i], err = known[a.Name].Take(v); err != nil {
				b.refuse(a.ValuePos(i), err.Error())
			}
		}
		if b.machine.Search {
			continue
		}
		b.tuned = append(b.tuned, a)
		b.plan.Axes = append(b.plan.Axes, Axis{Name: a.Name, Tunable: true, Geometric: a.Geometric, Count: len(a.Values)})
	}
}

// convert converts v to the parameter's kind, or says what is wrong with it and what would be
// right.
func convert(v framework.Value, p *framework.Param) (framework.Value, string) {
	switch p.Kind {
	case framework.Text:
		if v.Kind() != framework.Text {
			return v, fmt.Sprintf("%s is a number; want %s", v, wanted(p))
		}
		if len(p.Choices) > 0 && !slices.Contains(p.Choices, v.String()) {
			s := fmt.Sprintf("%q is not a choice", v.String())
			if near := config.Nearest(v.String(), p.Choices); near != "" {
				s += fmt.Sprintf("; did you mean %q?", near)
				return v, s + " want " + wanted(p)
			}
			return v, s + "; want " + wanted(p)
		}
		return v, ""
	case framework.Float:
		if v.Kind() == framework.Text {
			if slices.Contains(p.Choices, v.String()) {
				return v, ""
			}
			return v, fmt.Sprintf("%q is a word; want %s", v.String(), wanted(p))
		}
		v = framework.FloatValue(v.Float())
	default:
		if v.Kind() == framework.Text {
			return v, fmt.Sprintf("%q is a word; want %s", v.String(), wanted(p))
		}
		n, ok := v.Whole()
		if !ok {
			return v, fmt.Sprintf("%s is not a whole number; want %s", v, wanted(p))
		}
		v = n
	}
	switch {
	case p.Min == 0 && p.Max == 0:
	case v.Float() < p.Min:
		return v, fmt.Sprintf("%s is less than %s; want %s", v, bound(p.Min), wanted(p))
	case v.Float() > p.Max:
		return v, fmt.Sprintf("%s is more than %s; want %s", v, bound(p.Max), wanted(p))
	}
	return v, ""
}

// wanted says which values the parameter takes.
func wanted(p *framework.Param) string {
	s := "a " + p.Kind.String()
	switch {
	case p.Kind == framework.Text && len(p.Choices) > 0:
		s = "one of " + strings.Join(p.Choices, ", ")
	case p.Kind != framework.Text && (p.Min != 0 || p.Max != 0):
		s += " from " + bound(p.Min) + " to " + bound(p.Max)
	}
	if p.Kind != framework.Text && len(p.Choices) > 0 {
		s += ", or " + strings.Join(p.Choices, ", ")
	}
	if p.Doc != "" {
		s += " (" + p.Doc + ")"
	}
	return s
}

func bound(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
