package expression

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"reflect"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// functions lists what a formula may call.
var functions = []string{"abs", "ceil", "ceildiv", "floor", "log2", "max", "min", "round"}

var (
	errOverflow = errors.New("the result is beyond 64 bits")
	errDivision = errors.New("division by 0")
)

// arithmetic maps operators to their functions. An operator of whole numbers gives a whole number where the
// result is one (errNotWhole otherwise), else a float. For kept operators the result always is whole.
var arithmetic = map[string]struct {
	function string
	whole    func(a, b int) (int, error)
	float    func(a, b float64) (float64, error)
	kept     bool
}{
	"+": {"_add", func(a, b int) (int, error) {
		c := a + b
		return c, overflow((c > a) == (b > 0) || b == 0)
	}, func(a, b float64) (float64, error) { return a + b, nil }, true},
	"-": {"_subtract", func(a, b int) (int, error) {
		c := a - b
		return c, overflow((c < a) == (b > 0) || b == 0)
	}, func(a, b float64) (float64, error) { return a - b, nil }, true},
	"*": {"_multiply", func(a, b int) (int, error) {
		hi, lo := bits.Mul64(magnitude(a), magnitude(b))
		return a * b, overflow(hi == 0 && lo <= math.MaxInt64)
	}, func(a, b float64) (float64, error) { return a * b, nil }, true},
	"/": {"_divide", quotient, func(a, b float64) (float64, error) {
		if b == 0 {
			return 0, errDivision
		}
		return a / b, nil
	}, false},
	"%": {"_remainder", func(a, b int) (int, error) {
		if b == 0 {
			return 0, errDivision
		}
		return a % b, nil
	}, func(a, b float64) (float64, error) {
		if b == 0 {
			return 0, errDivision
		}
		return math.Mod(a, b), nil
	}, true},
	"**": {"_power", wholePower, realPower, false},
	"^":  {"_power", wholePower, realPower, false},
}

func overflow(fits bool) error {
	if !fits {
		return errOverflow
	}
	return nil
}

func magnitude(a int) uint64 { return new(big.Int).Abs(big.NewInt(int64(a))).Uint64() }

// realPower reports an error if the result is no number, such as a root of a negative number.
func realPower(a, b float64) (float64, error) {
	if a == 0 && b < 0 {
		return 0, errDivision
	}
	x := math.Pow(a, b)
	if math.IsNaN(x) && !math.IsNaN(a) && !math.IsNaN(b) {
		return 0, fmt.Errorf("%v ** %v is no real number", a, b)
	}
	return x, nil
}

var operators = []string{"+", "-", "*", "/", "%", "**", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "and", "or", "in"}

// asFloat is the name of the function for a conditional with a whole number and a float.
const asFloat = "_float"

// language returns the options of the expression compiler apart from the scope. It replaces the compiler's
// own min and max, whose result the compiler takes for whole if the first argument is.
func language() []expr.Option {
	extremeKinds := []any{new(func(int, ...int) int), new(func(any, ...any) float64)}
	options := []expr.Option{
		expr.DisableAllBuiltins(),
		expr.MaxNodes(500),
		expr.Optimize(false), // the optimizer would drop what fails, as in N / 0 > 1 and false
		expr.Function("ceildiv", ceildiv, new(func(int, int) int), new(func(int, float64) int), new(func(float64, int) int), new(func(float64, float64) int)),
		expr.Function("log2", func(args ...any) (any, error) {
			x, ok := float(args[0])
			if !ok {
				return nil, fmt.Errorf("log2 of %v: want a number", args[0])
			}
			if x <= 0 {
				return nil, fmt.Errorf("log2(%v) is no real number", args[0])
			}
			return math.Log2(x), nil
		}, new(func(int) float64), new(func(float64) float64)),
		expr.Function(asFloat, func(args ...any) (any, error) { return floatOf(args[0]) }),
		expr.Function("min", extreme("min", slices.Min[[]int], slices.Min[[]float64]), extremeKinds...),
		expr.Function("max", extreme("max", slices.Max[[]int], slices.Max[[]float64]), extremeKinds...),
	}
	for _, name := range []string{"abs", "ceil", "floor", "round"} {
		options = append(options, expr.EnableBuiltin(name))
	}
	for symbol, o := range arithmetic {
		options = append(options, expr.Function(o.function, func(args ...any) (any, error) {
			a, whole := args[0].(int)
			b, too := args[1].(int)
			if whole && too {
				if n, err := o.whole(a, b); !errors.Is(err, errNotWhole) {
					return n, err
				}
			}
			x, _ := float(args[0])
			y, _ := float(args[1])
			z, err := o.float(x, y)
			if err == nil && math.IsNaN(z) {
				err = fmt.Errorf("%v %s %v is no number", args[0], symbol, args[1])
			}
			return z, err
		}))
	}
	return append(options, exactFunctions()...)
}

// float returns a number as a float.
func float(x any) (float64, bool) {
	switch v := x.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// wholeOf returns a whole number, also one held by a float.
func wholeOf(x any) (int, bool) {
	switch v := x.(type) {
	case int:
		return v, true
	case float64:
		return int(v), v == math.Trunc(v) && math.Abs(v) < 1<<63
	}
	return 0, false
}

func ceildiv(args ...any) (any, error) {
	a, whole := wholeOf(args[0])
	b, too := wholeOf(args[1])
	if !whole || !too || b <= 0 || a < 0 {
		return nil, fmt.Errorf("ceildiv(%v, %v): want a whole number from 0 and one above 0", args[0], args[1])
	}
	if a == 0 {
		return 0, nil
	}
	return (a-1)/b + 1, nil
}

// extreme returns min or max. The result is whole if all arguments are, or if the extreme is a whole number.
func extreme(name string, ofWhole func([]int) int, ofFloats func([]float64) float64) func(args ...any) (any, error) {
	return func(args ...any) (any, error) {
		var whole []int
		var floats []float64
		for _, x := range args {
			f, ok := float(x)
			if !ok {
				return nil, fmt.Errorf("%s of %v: want numbers", name, x)
			}
			floats = append(floats, f)
			if n, ok := x.(int); ok {
				whole = append(whole, n)
			}
		}
		if len(whole) == len(args) {
			return ofWhole(whole), nil
		}
		x := ofFloats(floats)
		for _, n := range whole {
			if float64(n) == x { // keep the digits of a whole number
				return ofWhole(slices.DeleteFunc(whole, func(n int) bool { return float64(n) != x })), nil
			}
		}
		return x, nil
	}
}

var kindOfFloat, kindOfWhole, kindOfTruth = reflect.TypeFor[float64](), reflect.TypeFor[int](), reflect.TypeFor[bool]()

// numbers returns the kind of the result computed from nodes: whole if all are whole, float if one is a
// float. ok is false if one of them is not certainly a number.
func numbers(nodes ...ast.Node) (kind reflect.Type, ok bool) {
	kind = kindOfWhole
	for _, n := range nodes {
		switch n.Type() {
		case kindOfWhole:
		case kindOfFloat:
			kind = kindOfFloat
		default:
			return nil, false
		}
	}
	return kind, true
}

// settle replaces operators by the functions of arithmetic, and tells the compiler the kinds of numbers that
// it would not know or get wrong. It is called for a node after its children. Anything else is left for the
// compiler to refuse.
func (s *survey) settle(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.BinaryNode:
		o, is := arithmetic[n.Operator]
		kind, ok := numbers(n.Left, n.Right)
		if !is || !ok {
			return
		}
		if !o.kept {
			kind = kindOfFloat
		}
		s.patch(node, o.function, kind, n.Left, n.Right)
	case *ast.UnaryNode:
		if kind, ok := numbers(n.Node); ok && n.Operator == "+" {
			n.SetType(kind)
		}
		s.settleSingle(node, n.Operator, n.Node)
	case *ast.BuiltinNode:
		s.settleSingle(node, n.Name, n.Arguments...)
	case *ast.CallNode:
		if name := n.Callee.String(); name == "min" || name == "max" {
			kind, _ := numbers(n.Arguments...)
			n.SetType(kind)
		}
	case *ast.ConditionalNode:
		kind, ok := numbers(n.Exp1, n.Exp2)
		if !ok || n.Cond.Type() != kindOfTruth {
			return
		}
		for _, value := range []*ast.Node{&n.Exp1, &n.Exp2} {
			if kind == kindOfFloat && (*value).Type() == kindOfWhole {
				s.patch(value, asFloat, kindOfFloat, *value)
			}
		}
		n.SetType(kind)
	}
}

func (s *survey) patch(node *ast.Node, function string, kind reflect.Type, arguments ...ast.Node) {
	call := &ast.CallNode{Callee: &ast.IdentifierNode{Value: function}, Arguments: arguments}
	call.SetLocation((*node).Location())
	call.SetType(kind)
	if s.settled == nil {
		s.settled = map[ast.Node]bool{}
	}
	s.settled[call.Callee] = true
	*node = call
}
