package exchange

import (
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework/expression"
)

// convertTunables takes numbers, truths, and words.
func (c *converter) convertTunables() (list []kernelTunable, err error) {
	for _, p := range c.study.Parameters {
		t := kernelTunable{Name: p.Name}
		around := expression.Range{Low: math.Inf(1), High: math.Inf(-1)}
		words := 0
		for _, v := range p.Values {
			t.Values = append(t.Values, written(v))
			if v.IsWord {
				words++
				continue
			}
			around.Low, around.High = min(around.Low, v.Number), max(around.High, v.Number)
			around.Fraction = around.Fraction || v.Number != math.Trunc(v.Number)
		}
		if around.Word = words > 0; around.Word && words < len(p.Values) {
			return nil, fmt.Errorf("parameter %s has words and numbers; a config's tunables are of one kind", p.Name)
		}
		switch p := p.Default; {
		case p == nil:
		case !slices.Contains(t.Values, written(*p)):
			c.note("the default %s of %s is none of its values; it counts as %v", p, t.Name, t.Values[0])
		case p.IsWord:
			t.Default = expression.Quoted(p.Word)
		default:
			t.Default = written(*p)
		}
		c.tunables[p.Name] = p.Values
		c.ranges[p.Name] = around
		list = append(list, t)
	}
	return list, nil
}

// written is a value as a config's list has it.
func written(v expression.Value) any {
	switch {
	case v.IsWord:
		return v.Word
	case v.Number != math.Trunc(v.Number):
		return v.Number
	}
	return int64(v.Number)
}
