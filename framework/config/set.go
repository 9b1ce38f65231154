package config

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
)

// Set replaces values of the file by values from the command line. Each assignment is NAME=V or
// NAME=V,V…, with V as in the file but words without quotes, or a range: FROM..TO by ones,
// FROM..TO+STEP or FROM..TO*FACTOR. Dashes before a name do not count.
//
// An axis of sweep_arg or tunables takes the values. So does a name of static_args; several values
// make it the fastest axis. A built-in's parameter that the file does not name is added, and so is
// one of tunables, the tunables of the algorithm's versions. Plans refuse unknown names.
//
// counters are those of the config, and stages=true and stages=false are of its measure, unless one of these has that name.
//
// Assignments records what was set. The errors are *Errors. Their position, and that of a plan's
// errors, is "--set NAME".
func (c *Config) Set(assignments, tunables []string) error {
	errs := &Errors{}
	for _, assignment := range assignments {
		name, list, _ := strings.Cut(assignment, "=")
		name = strings.TrimLeft(name, "-")
		pos := Position{Path: "--set " + name}
		if name == "" || list == "" {
			errs.Add(c.Path, Position{Path: "--set"}, "%s is not an assignment; want NAME=VALUE or NAME=VALUE,VALUE…", quote(assignment))
			continue
		}
		if slices.ContainsFunc(c.Assignments, func(a string) bool { return strings.HasPrefix(a, name+"=") }) {
			errs.Add(c.Path, pos, "it is set twice; want one --set with all values, NAME=VALUE,VALUE…")
			continue
		}
		a, listed := Axis{Pos: pos, at: []Position{pos}}, map[framework.Value]bool{}
		for _, text := range strings.Split(list, ",") {
			if text == "" {
				errs.Add(c.Path, pos, "%s has an empty value; want NAME=VALUE,VALUE…", quote(list))
			}
			for _, v := range c.setValues(text, pos, errs) {
				if listed[v] {
					errs.Add(c.Path, pos, "%s is listed twice; remove one", quote(v.String()))
				}
				listed[v] = true
				a.Values = append(a.Values, v)
			}
		}
		if len(a.Values) == 0 {
			continue // a range that was refused
		}
		a.Geometric = geometric(a.Values)
		if c.assign(name, a, tunables, errs) {
			c.Assignments = append(c.Assignments, name+"="+list)
		}
	}
	return errs.Err()
}

// assign sets the axis where the config has the name, whatever its dashes. It reports whether the
// config can have the name.
func (c *Config) assign(name string, a Axis, tunables []string, errs *Errors) bool {
	var names []string
	is := func(written string) bool {
		names = append(names, strings.TrimLeft(written, "-"))
		return names[len(names)-1] == name
	}
	for _, axes := range [][]Axis{c.Sweep, c.Tunables} {
		if i := slices.IndexFunc(axes, func(had Axis) bool { return is(had.Name) }); i >= 0 {
			a.Name = axes[i].Name
			axes[i] = a
			return true
		}
	}
	i := slices.IndexFunc(c.Static, func(had Argument) bool { return is(had.Name) })
	if i < 0 && name == "counters" {
		c.Counters = nil
		for _, v := range a.Values {
			c.Counters = append(c.Counters, v.String())
		}
		return true
	}
	if i < 0 && name == "stages" && !slices.Contains(tunables, name) && a.Values[0].Kind() == framework.Text {
		on := a.Values[0].String()
		if len(a.Values) > 1 || on != "true" && on != "false" {
			errs.Add(c.Path, a.Pos, "want stages=true or stages=false: whether each kernel of a run is measured alone")
			return false
		}
		c.Measure.Stages = on == "true"
		return true
	}
	if i < 0 && slices.Contains(tunables, name) {
		a.Name = name
		c.Tunables = append(c.Tunables, a)
		return true
	}
	switch {
	case i < 0 && c.Executable != "" && framework.UsageParam(name) == nil:
		errs.Add(c.Path, a.Pos, "the program has no argument %s here%s", quote(name), Choice(name, names, "arguments"))
		return false
	case i < 0:
		a.Name = name
	default:
		a.Name = c.Static[i].Name
	}
	s := Argument{Name: a.Name, Value: a.Values[0], Pos: a.Pos, at: a.Pos}
	switch {
	case len(a.Values) > 1:
		c.Sweep = append(c.Sweep, a)
		if i >= 0 {
			c.Static = slices.Delete(c.Static, i, i+1)
		}
	case i >= 0:
		c.Static[i] = s
	default:
		c.Static = append(c.Static, s)
	}
	return true
}

// setValues returns the values of a range, or one value: a number if the file would have one, else
// a word.
func (c *Config) setValues(text string, pos Position, errs *Errors) []framework.Value {
	if n := rangeOf(text, pos); n != nil {
		step, factor, from := n.get("step"), n.get("factor"), n.get("from").value
		switch { // what the schema refuses in a file
		case step != nil && step.value.Float() <= 0:
			errs.Add(c.Path, pos, "a range's step is %s; want more than 0", step)
		case factor != nil && (factor.value.Float() <= 1 || from.Float() <= 0):
			errs.Add(c.Path, pos, "a range from %s by the factor %s; want a factor of more than 1, and a first value of more than 0", from, factor)
		default:
			values, _ := (&decoder{c.Path, errs, c}).span(n)
			return values
		}
		return nil
	}
	if n := read("", []byte(text), &Errors{}); n != nil && n.kind == number {
		return []framework.Value{n.value}
	}
	return []framework.Value{framework.TextValue(text)}
}

// rangeOf returns the range that text states, as a node of the file; nil if it states none.
func rangeOf(text string, pos Position) *node {
	from, rest, is := strings.Cut(text, "..")
	if !is {
		return nil
	}
	to, how, by := rest, "step", "1"
	for operator, key := range map[string]string{"+": "step", "*": "factor"} {
		if at := strings.LastIndex(rest, operator); at > 0 && rest[at-1] != 'e' && rest[at-1] != 'E' {
			to, how, by = rest[:at], key, rest[at+1:]
		}
	}
	n := read("", fmt.Appendf(nil, `{"from": %s, "to": %s, %q: %s}`, from, to, how, by), &Errors{})
	if n == nil || len(n.members) != 3 {
		return nil
	}
	n.pos = pos
	for _, m := range n.members {
		if m.value.kind != number {
			return nil
		}
		m.value.pos = pos
	}
	return n
}
