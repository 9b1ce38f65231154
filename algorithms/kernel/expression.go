package kernel

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
)

// expression is a compiled formula. The time to evaluate it grows only with its
// length: what loops or builds lists is refused.
type expression struct {
	text    string
	program *vm.Program
	names   []string // of what it uses, in order, without device
	device  bool     // it uses device
	at      config.Position
}

// scope is what a formula may name, with a value of each one's kind.
type scope map[string]any

// facts are what a formula may name of the device, as device.NAME.
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

func factsOf(f cuda.Facts) facts {
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

// functions are what a formula may call.
var functions = []string{"abs", "ceil", "ceildiv", "floor", "log2", "max", "min", "round"}

var errOverflow = errors.New("the result is beyond 64 bits")

// checked are whole-number operations that refuse a result beyond 64 bits.
var checked = map[string]func(a, b int) (int, bool){
	"+": func(a, b int) (int, bool) { c := a + b; return c, (c > a) == (b > 0) },
	"-": func(a, b int) (int, bool) { c := a - b; return c, (c < a) == (b > 0) },
	"*": func(a, b int) (int, bool) {
		hi, lo := bits.Mul64(magnitude(a), magnitude(b))
		return a * b, hi == 0 && lo <= math.MaxInt64
	},
}

func magnitude(a int) uint64 { return new(big.Int).Abs(big.NewInt(int64(a))).Uint64() }

var checkedNames = map[string]string{"+": "_add", "-": "_subtract", "*": "_multiply"}

var operators = []string{"+", "-", "*", "/", "%", "**", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "and", "or", "in"}

// language are the options of the expression compiler beside the scope.
func language() []expr.Option {
	options := []expr.Option{
		expr.DisableAllBuiltins(),
		expr.MaxNodes(500),
		expr.Function("ceildiv", func(args ...any) (any, error) {
			a, whole := args[0].(int)
			b, too := args[1].(int)
			if !whole || !too || b <= 0 || a < 0 {
				return nil, fmt.Errorf("ceildiv(%v, %v): want a whole number from 0 and one above 0", args[0], args[1])
			}
			if a == 0 {
				return 0, nil
			}
			return (a-1)/b + 1, nil
		}, new(func(int, int) int)),
		expr.Function("log2", func(args ...any) (any, error) {
			switch x := args[0].(type) {
			case int:
				return math.Log2(float64(x)), nil
			case float64:
				return math.Log2(x), nil
			}
			return nil, fmt.Errorf("log2 of %v: want a number", args[0])
		}, new(func(int) float64), new(func(float64) float64)),
	}
	for _, name := range []string{"abs", "ceil", "floor", "max", "min", "round"} {
		options = append(options, expr.EnableBuiltin(name))
	}
	for operator, compute := range checked {
		name := checkedNames[operator]
		options = append(options, expr.Operator(operator, name),
			expr.Function(name, func(args ...any) (any, error) {
				c, ok := compute(args[0].(int), args[1].(int))
				if !ok && args[1].(int) != 0 {
					return nil, errOverflow
				}
				return c, nil
			}, new(func(int, int) int)))
	}
	return options
}

// survey refuses what formulas have no use for, and notes the names used.
type survey struct {
	known   scope
	refused ast.Node
	what    string
	names   []string
}

// callable is true for the functions of formulas and those behind operators.
func callable(name string) bool {
	return slices.Contains(functions, name) || slices.Contains(slices.Collect(maps.Values(checkedNames)), name)
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
		// The expression compiler lets a function's arguments be unknown.
		if _, ok := s.known[n.Value]; !ok && !callable(n.Value) {
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
		if f, ok := n.Callee.(*ast.IdentifierNode); !ok || !callable(f.Value) {
			refuse("unknown function; there are %s", strings.Join(functions, ", "))
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
}

// compile makes a formula ready to evaluate. The error says where in the
// formula it is wrong.
func compile(f formula, names scope) (*expression, error) {
	s := &survey{known: names}
	options := append(language(), expr.Env(map[string]any(names)), expr.Patch(s))
	program, err := expr.Compile(string(f), options...)
	if s.refused != nil {
		return nil, fmt.Errorf("at character %d: %s", s.refused.Location().From+1, s.what)
	}
	if err != nil {
		return nil, explain(err, f)
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

// explain words the expression compiler's error.
func explain(err error, f formula) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return fmt.Errorf("%q: %w", f, err)
	}
	return fmt.Errorf("at character %d: %s", at.From+1, strings.Replace(at.Message, "unexpected token EOF", "it ends where a number, a name or a bracket is wanted", 1))
}

// settings are the values of a scope.
func settings(f cuda.Facts, lists ...framework.Values) scope {
	env := scope{deviceName: factsOf(f)}
	for _, list := range lists {
		for name, v := range list {
			env[name] = plain(v)
		}
	}
	return env
}

// settingsOf are those of parameters alone.
func settingsOf(params framework.Values) scope { return settings(cuda.Facts{}, params) }

// plain is the value as formulas see it.
func plain(v framework.Value) any {
	switch v.Kind() {
	case framework.Int:
		return int(v.Int())
	case framework.Float:
		return v.Float()
	}
	return v.String()
}

// run evaluates the expression and blames a fault on the settings used.
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
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return int64(v), nil
		}
		if v == math.Trunc(v) && !math.IsInf(v, 0) {
			return 0, x.faultf("%s; want a whole number within 64 bits", x.is(got, env))
		}
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return 0, x.faultf("%s; want a whole number, and no division by 0", x.is(got, env))
		}
	}
	return 0, x.faultf("%s; want a whole number, as ceil gives", x.is(got, env))
}

// count evaluates to a whole number from 0.
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

// holds refuses where the expression is false.
func (x *expression) holds(env scope) error {
	got, err := x.run(env)
	if err != nil {
		return err
	}
	switch got {
	case true:
		return nil
	case false:
		return x.refusef("%s does not hold%s", x.text, x.with(env))
	}
	return x.faultf("%s; want a comparison", x.is(got, env))
}
