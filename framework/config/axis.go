package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/bench/framework"
)

// maxValues bounds the values of one axis.
const maxValues = 100000

// axis reads the values of an axis: a list, one value, or a range.
func (d *decoder) axis(n *node) Axis {
	switch n.kind {
	case number, text:
		return Axis{Values: []framework.Value{n.value}, at: []Position{n.pos}}
	case array:
		return d.list(n)
	case object:
		values, geometric := d.span(n)
		return Axis{Values: values, Geometric: geometric, at: []Position{n.pos}}
	}
	return Axis{}
}

func (d *decoder) list(n *node) (a Axis) {
	seen := map[string]*node{}
	for _, x := range n.items {
		if x.kind != number && x.kind != text {
			continue
		}
		if first := seen[x.value.String()]; first != nil {
			d.add(x.pos, "%s is listed twice, first at %d:%d; remove one", x, first.pos.Line, first.pos.Column)
			continue
		}
		seen[x.value.String()] = x
		a.Values = append(a.Values, x.value)
		a.at = append(a.at, x.pos)
	}
	a.Geometric = geometric(a.Values)
	return a
}

// geometric reports whether there are three or more numbers that grow by one factor.
func geometric(values []framework.Value) bool {
	if len(values) < 3 {
		return false
	}
	for i, v := range values {
		if v.Kind() == framework.Text || v.Float() <= 0 {
			return false
		}
		if i < 2 {
			continue
		}
		a, b, c := values[i-2].Float(), values[i-1].Float(), v.Float()
		if b <= a || math.Abs(c/b-b/a) > 1e-9*b/a {
			return false
		}
	}
	return true
}

// span reads a range {"from","to","step"} or {"from","to","factor"}, and reports whether it has a
// factor.
func (d *decoder) span(n *node) ([]framework.Value, bool) {
	from, to, step, factor := n.get("from"), n.get("to"), n.get("step"), n.get("factor")
	for _, m := range n.members {
		if m.value.kind != number {
			return nil, false // the schema refused it
		}
	}
	if from == nil || to == nil || (step == nil) == (factor == nil) {
		return nil, false
	}
	lo, hi := from.value.Float(), to.value.Float()
	if lo > hi {
		d.add(to.pos, "to (%s) is less than from (%s); want a range that ascends", to, from)
		return nil, false
	}
	var values []framework.Value
	if step != nil {
		by := step.value.Float()
		if by <= 0 || !d.count(n, math.Floor((hi-lo)/by+1e-9)+1) {
			return nil, false
		}
		values = arithmetic(from.value, to.value, step.value)
	} else {
		by := factor.value.Float()
		if by <= 1 || lo <= 0 || !d.count(n, math.Floor(math.Log(hi/lo)/math.Log(by)+1e-9)+1) {
			return nil, true
		}
		values = multiples(from.value, to.value, factor.value)
	}
	for i := 1; i < len(values); i++ {
		if values[i].Float() <= values[i-1].Float() {
			d.add(n.pos, "the range's values near %s are too close to tell apart", values[i])
			return nil, false
		}
	}
	return values, factor != nil
}

// count refuses a range with too many values.
func (d *decoder) count(n *node, values float64) bool {
	if !(values <= maxValues) {
		d.add(n.pos, "the range has %.6g values; want at most %d", values, maxValues)
		return false
	}
	return true
}

// tolerance is how far rounding may carry the last value of a float range beyond "to", relative to
// the step.
const tolerance = 1e-9

// rounded rounds x to 15 decimal digits, so that 0.1 + 2·0.1 is 0.3.
func rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64)
	return y
}

func arithmetic(from, to, step framework.Value) (values []framework.Value) {
	if whole(from, step) {
		for x := from.Int(); float64(x) <= to.Float(); x += step.Int() {
			values = append(values, framework.IntValue(x))
			if x > math.MaxInt64-step.Int() {
				break
			}
		}
		return values
	}
	for i := 0; ; i++ {
		x := from.Float() + float64(i)*step.Float()
		if x > to.Float()+tolerance*step.Float() || i >= maxValues {
			return values
		}
		values = append(values, framework.FloatValue(rounded(x)))
	}
}

func multiples(from, to, factor framework.Value) (values []framework.Value) {
	if whole(from, factor) {
		for x := from.Int(); float64(x) <= to.Float(); x *= factor.Int() {
			values = append(values, framework.IntValue(x))
			if x > math.MaxInt64/factor.Int() {
				break
			}
		}
		return values
	}
	for i := 0; ; i++ {
		x := from.Float() * math.Pow(factor.Float(), float64(i))
		if x > to.Float()*(1+tolerance*(factor.Float()-1)) || i >= maxValues {
			return values
		}
		values = append(values, framework.FloatValue(rounded(x)))
	}
}

// whole reports whether all values are whole numbers.
func whole(values ...framework.Value) bool {
	for _, v := range values {
		if v.Kind() != framework.Int {
			return false
		}
	}
	return true
}

// SweepSettings returns NAME=VALUE, as Set takes it, for each value of the sweep's axis name; nil
// if there is no such axis. Leading dashes, as of a program's flags, do not count.
func (c *Config) SweepSettings(name string) (list []string) {
	for _, axis := range c.Sweep {
		if strings.TrimLeft(axis.Name, "-") != name {
			continue
		}
		for _, v := range axis.Values {
			list = append(list, fmt.Sprintf("%s=%s", axis.Name, v))
		}
	}
	return list
}
