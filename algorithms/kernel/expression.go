package kernel

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"bench/framework"
	"bench/framework/config"
	"bench/framework/exprlang"
	"bench/gpu"
)

// expression is a compiled formula. The time to evaluate it grows only with its length, because loops and
// lists are refused.
type expression struct {
	text    string
	program *vm.Program
	names   []string // names used, in order, without device
	device  bool     // whether it uses device
	at      config.Position
}

// scope maps the names that a formula may use to values of the right kind.
type scope map[string]any

// facts is what a formula may use of the device, as device.NAME.
type facts struct {
	Compute         int `expr:"compute"` // 90 for 9.0
	Multiprocessors int `expr:"multiprocessors"`
	WarpSize        int `expr:"warp_size"`
	MaxThreadsBlock int `expr:"max_threads_per_block"`
	MaxThreadsSM    int `expr:"max_threads_per_sm"`
	RegistersBlock  int `expr:"registers_per_block"`
	RegistersSM     int `expr:"registers_per_sm"`
	SharedPerBlock  int `expr:"shared_per_block_bytes"`
	SharedOptIn     int `expr:"shared_optin_bytes"`
	SharedPerSM     int `expr:"shared_per_sm_bytes"`
	L2Bytes         int `expr:"l2_bytes"`
}

const deviceName = "device"

func factsOf(f gpu.Facts) facts {
	return facts{
		Compute:         f.ComputeMajor*10 + f.ComputeMinor,
		Multiprocessors: f.Multiprocessors,
		WarpSize:        f.WarpSize,
		MaxThreadsBlock: f.MaxThreadsBlock,
		MaxThreadsSM:    f.MaxThreadsPerSM,
		RegistersBlock:  f.RegistersBlock,
		RegistersSM:     f.RegistersPerSM,
		SharedPerBlock:  f.SharedPerBlock,
		SharedOptIn:     f.SharedOptIn,
		SharedPerSM:     f.SharedPerSM,
		L2Bytes:         f.L2Bytes,
	}
}

// survey refuses what formulas have no use for, and notes the names used.
type survey struct {
	known   scope
	refused ast.Node
	what    string
	names   []string
}

// Visit implements ast.Visitor.
func (s *survey) Visit(node *ast.Node) {
	refuse := func(format string, args ...any) {
		if s.refused == nil {
			s.refused, s.what = *node, fmt.Sprintf(format, args...)
		}
	}
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode, *ast.UnaryNode, *ast.ConditionalNode:
	case *ast.IdentifierNode:
		// The expression compiler accepts unknown arguments of a function.
		if _, ok := s.known[n.Value]; !ok && !slices.Contains(functions, n.Value) {
			refuse("%q is not a name here%s", n.Value, config.Choice(n.Value, slices.Sorted(maps.Keys(s.known)), "names"))
		}
		if !slices.Contains(s.names, n.Value) {
			s.names = append(s.names, n.Value)
		}
	case *ast.BinaryNode:
		if !slices.Contains(operators, n.Operator) {
			refuse("%q is not an operator here; there are %s", n.Operator, strings.Join(operators, " "))
		}
	case *ast.CallNode:
		if f, ok := n.Callee.(*ast.IdentifierNode); !ok || !slices.Contains(functions, f.Value) {
			refuse("unknown function; there are %s", strings.Join(functions, ", "))
		} else if _, ok := numbers(n.Arguments...); !ok {
			refuse("%s is of numbers", f.Value)
		}
	case *ast.BuiltinNode:
		if !slices.Contains(functions, n.Name) {
			refuse("unknown function %s; there are %s", n.Name, strings.Join(functions, ", "))
		}
	case *ast.MemberNode:
		if of, ok := n.Node.(*ast.IdentifierNode); !ok || of.Value != deviceName {
			refuse("only device has members, such as device.warp_size")
		}
	case *ast.ArrayNode:
		for _, x := range n.Nodes {
			switch x.(type) {
			case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
			default:
				refuse("a list holds numbers and words alone, as in X in [1, 2, 4]")
			}
		}
	default:
		refuse("an expression has numbers, names, %s, ?: and the functions %s", strings.Join(operators, " "), strings.Join(functions, ", "))
	}
	if s.refused == nil {
		settle(node)
	}
}

// compile makes a formula ready to evaluate. The error says where the formula is wrong.
func compile(f formula, names scope) (*expression, error) {
	s := &survey{known: names}
	options := append(language(), expr.Env(map[string]any(names)), expr.Patch(s))
	program, err := exprlang.Compile(string(f), options...)
	if s.refused != nil {
		return nil, fmt.Errorf("at character %d: %s", s.refused.Location().From+1, s.what)
	}
	if err != nil {
		return nil, err
	}
	x := &expression{text: string(f), program: program}
	for _, name := range s.names {
		x.device = x.device || name == deviceName
		if _, known := names[name]; known && name != deviceName {
			x.names = append(x.names, name)
		}
	}
	return x, nil
}

// settings returns the values of a scope.
func settings(f gpu.Facts, lists ...framework.Values) scope {
	env := scope{deviceName: factsOf(f)}
	for _, list := range lists {
		for name, v := range list {
			env[name] = plain(v)
		}
	}
	return env
}

// settingsOf returns the values of parameters alone.
func settingsOf(params framework.Values) scope { return settings(gpu.Facts{}, params) }

// plain returns the value as formulas see it.
func plain(v framework.Value) any {
	switch v.Kind() {
	case framework.Int:
		return int(v.Int())
	case framework.Float:
		return v.Float()
	}
	return v.String()
}

// run evaluates the expression. A fault names the settings used.
func (x *expression) run(env scope) (any, error) {
	got, err := expr.Run(x.program, map[string]any(env))
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			err = errors.New(at.Message)
		}
		return nil, x.faultf("%s%s: %w", x.text, x.with(env), err)
	}
	return got, nil
}

// with lists the settings that the expression uses.
func (x *expression) with(env scope) string {
	var list []string
	for _, n := range x.names {
		list = append(list, fmt.Sprintf("%s = %v", n, env[n]))
	}
	if len(list) == 0 {
		return ""
	}
	return " for " + strings.Join(list, ", ")
}

// whole evaluates to a whole number.
func (x *expression) whole(env scope) (int64, error) {
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
func (x *expression) count(env scope) (int64, error) {
	n, err := x.whole(env)
	if err == nil && n < 0 {
		err = x.faultf("%s; want 0 or more", x.is(n, env))
	}
	return n, err
}

// number evaluates to a number.
func (x *expression) number(env scope) (float64, error) {
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
func (x *expression) truth(env scope) (bool, error) {
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
func (x *expression) holds(env scope) error {
	holds, err := x.truth(env)
	if err == nil && !holds {
		return x.refusef("%s does not hold%s", x.text, x.with(env))
	}
	return err
}
