package kernel

import (
	"fmt"
	"math"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/expression"
	"example.org/bench/gpu"
	"example.org/bench/internal/lazy"
)

// computed is a compiled formula with its place in the config.
type computed struct {
	*expression.Program
	at config.Position
}

// scope is what formulas may name.
type scope = expression.Scope

const deviceName = expression.Device

// compile makes a formula ready to evaluate. The error says where the formula is wrong.
func compile(f formula, names scope) (*computed, error) {
	p, err := expression.Compile(string(f), names)
	if err != nil {
		return nil, err
	}
	return &computed{Program: p}, nil
}

// settings returns the values of a scope.
func settings(f gpu.Facts, lists ...framework.Values) scope { return expression.Settings(f, lists...) }

// settingsOf returns the values of parameters alone.
func settingsOf(params framework.Values) scope { return settings(gpu.Facts{}, params) }

// run evaluates the expression. A fault names the settings used.
func (x *computed) run(env scope) (any, error) {
	got, err := x.Run(env)
	if err != nil {
		return nil, x.faultf("%s%s: %w", x.Text, x.with(env), err)
	}
	return got, nil
}

// with lists the settings that the expression uses.
func (x *computed) with(env scope) string {
	var list []string
	for _, n := range x.Names {
		list = append(list, fmt.Sprintf("%s = %v", n, env[n]))
	}
	if len(list) == 0 {
		return ""
	}
	return " for " + strings.Join(list, ", ")
}

// whole evaluates to a whole number.
func (x *computed) whole(env scope) (int64, error) {
	got, err := x.run(env)
	if err != nil {
		return 0, err
	}
	switch v := got.(type) {
	case int:
		return int64(v), nil
	case float64:
		if v == math.Trunc(v) && v >= -1<<63 && v < 1<<63 {
			return int64(v), nil
		}
		if v == math.Trunc(v) {
			return 0, x.faultf("%s; want a whole number from -2^63 to 2^63-1", x.is(got, env))
		}
	}
	return 0, x.faultf("%s; want a whole number, as ceil gives", x.is(got, env))
}

// count evaluates to a whole number >= 0.
func (x *computed) count(env scope) (int64, error) {
	n, err := x.whole(env)
	if err == nil && n < 0 {
		err = x.faultf("%s; want 0 or more", x.is(n, env))
	}
	return n, err
}

// number evaluates to a number.
func (x *computed) number(env scope) (float64, error) {
	got, err := x.run(env)
	if err != nil {
		return 0, err
	}
	switch v := got.(type) {
	case int:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return 0, x.faultf("%s; want a number", x.is(got, env))
}

// truth evaluates a condition.
func (x *computed) truth(env scope) (bool, error) {
	got, err := x.run(env)
	if err != nil {
		return false, err
	}
	holds, ok := got.(bool)
	if !ok {
		return false, x.faultf("%s; want a comparison", x.is(got, env))
	}
	return holds, nil
}

// holds reports an error if the expression is false.
func (x *computed) holds(env scope) error {
	holds, err := x.truth(env)
	if err != nil || holds {
		return err
	}
	if m := powerOfTwo().FindStringSubmatch(x.Text); m != nil && m[1] == m[2] {
		return x.refusef("%s: want a power of two", strings.TrimPrefix(x.with(env), " for "))
	}
	return x.refusef("%s does not hold%s", x.Text, x.with(env))
}

// powerOfTwo matches the formula by which configs require a power of two. The language has no function for
// that.
var powerOfTwo = lazy.Regexp(`^2 ?\*\* ?floor\(log2\((\w+)\) \+ 0\.5\) == (\w+)$`)
