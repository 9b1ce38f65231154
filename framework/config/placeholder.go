package config

import (
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/lazy"
)

// Placeholder matches a placeholder such as {threads} in an executable's name or arguments. It
// stands for the value of an argument or a tunable.
var Placeholder = lazy.Regexp(`\{([A-Za-z_][\w-]*)\}`)

// CommandTexts returns the executable and its arguments that may hold placeholders.
func (c *Config) CommandTexts() []string {
	texts := []string{c.Executable}
	for _, list := range [][]Argument{c.Static, c.One, c.Many} {
		for _, s := range list {
			if s.Value.Kind() == framework.Text {
				texts = append(texts, s.Value.String())
			}
		}
	}
	return texts
}

// placeholders refuses placeholders for which no argument has a value.
func (d *decoder) placeholders(executable Position) {
	var names []string
	add := func(name string) { names = append(names, strings.TrimLeft(name, "-")) }
	for _, axes := range [][]Axis{d.c.Sweep, d.c.Tunables} {
		for _, a := range axes {
			add(a.Name)
		}
	}
	for _, s := range d.c.Static {
		if !Placeholder().MatchString(s.Value.String()) {
			add(s.Name)
		}
	}
	check := func(text string, pos Position) {
		for _, m := range Placeholder().FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, m[1]) {
				d.add(pos, "%s stands for no argument and no tunable%s", m[0], Choice(m[1], names, "names"))
			}
		}
	}
	check(d.c.Executable, executable)
	for _, list := range [][]Argument{d.c.Static, d.c.One, d.c.Many} {
		for _, s := range list {
			if s.Value.Kind() == framework.Text {
				check(s.Value.String(), s.at)
			}
		}
	}
}
