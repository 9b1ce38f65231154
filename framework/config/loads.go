package config

import (
	"strings"

	"example.org/bench/framework"
)

// loads replaces objects among the values of the parameter beside, such as {"cpu": 2}, by the words
// that they stand for.
func loads(name string, v *node) {
	if strings.TrimLeft(name, "-") != framework.BesideParam || v == nil {
		return
	}
	for _, x := range append([]*node{v}, v.items...) {
		if x.kind != object {
			continue
		}
		var keys, numbers []string
		for _, m := range x.members {
			keys, numbers = append(keys, m.key), append(numbers, framework.FloatValue(m.value.value.Float()).String())
		}
		x.kind, x.value = text, framework.TextValue(framework.BesideText(keys, numbers))
	}
}
