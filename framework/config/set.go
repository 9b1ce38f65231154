package config

import (
	"slices"
	"strings"

	"bench/framework"
)

// Set replaces values of the file by values from the command line. Each
// assignment is NAME=V or NAME=V,V…, with V as in the file but words without
// quotes. An axis of sweep_arg or tunables takes the values; so does a name of
// static_args, which several values make the fastest axis. A built-in's
// parameter that the file does not name is added likewise; plans refuse
// unknown names. Dashes before a name do not count.
//
// Assignments hold what was set. The errors are *Errors; in them, and in those
// of a plan, "--set NAME" is the position.
func (c *Config) Set(assignments []string) error {
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
		a := Axis{Pos: pos, at: []Position{pos}}
		for _, text := range strings.Split(list, ",") {
			v := setValue(text)
			switch {
			case text == "":
				errs.Add(c.Path, pos, "%s has an empty value; want NAME=VALUE,VALUE…", quote(list))
			case slices.Contains(a.Values, v):
				errs.Add(c.Path, pos, "%s is listed twice; remove one", quote(text))
			}
			a.Values = append(a.Values, v)
		}
		a.Geometric = geometric(a.Values)
		if c.assign(name, a, errs) {
			c.Assignments = append(c.Assignments, name+"="+list)
		}
	}
	return errs.Err()
}

// assign puts the axis where the config has the name, without dashes; it is
// false if the config cannot have it.
func (c *Config) assign(name string, a Axis, errs *Errors) bool {
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

// setValue is a number if the file would have one, else a word.
func setValue(text string) framework.Value {
	if n := read("", []byte(text), &Errors{}); n != nil && n.kind == number {
		return n.value
	}
	return framework.TextValue(text)
}
