package expression

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
)

// errNotWhole reports that a result of whole numbers is not whole. It is then computed in floats.
var errNotWhole = errors.New("no whole number")

// quotient returns a / b if that is whole.
func quotient(a, b int) (int, error) {
	switch {
	case b == 0:
		return 0, errDivision
	case a%b != 0:
		return 0, errNotWhole
	}
	return a / b, overflow(a != math.MinInt || b != -1)
}

// wholePower returns a ** b, exactly, for b >= 0.
func wholePower(a, b int) (int, error) {
	switch {
	case b < 0:
		return 0, errNotWhole
	case a == 0 || a == 1 || a == -1: // only the exponent's last bit matters, and 0 ** 0 is 1
		b = min(b, 2-b%2)
	case b > 63:
		return 0, errOverflow
	}
	x := new(big.Int).Exp(big.NewInt(int64(a)), big.NewInt(int64(b)), nil)
	return int(x.Int64()), overflow(x.IsInt64())
}

// single maps names to the functions, and the sign, of one number: whole for a whole number, else float. A
// function with rounds also applies to a quotient of whole numbers: rounds tells, from the remainder and the
// sign of the exact quotient, whether to step away from the truncated a / b.
var single = map[string]struct {
	function string
	whole    func(a int) (int, error)
	float    func(a float64) float64
	rounds   func(rest, b uint64, negative bool) bool
}{
	"-":     {"_negate", func(a int) (int, error) { return -a, overflow(a != math.MinInt) }, func(a float64) float64 { return -a }, nil},
	"abs":   {"_abs", func(a int) (int, error) { return max(a, -a), overflow(a != math.MinInt) }, math.Abs, nil},
	"floor": {"_floor", same, math.Floor, func(_, _ uint64, negative bool) bool { return negative }},
	"ceil":  {"_ceil", same, math.Ceil, func(_, _ uint64, negative bool) bool { return !negative }},
	"round": {"_round", same, math.Round, func(rest, b uint64, _ bool) bool { return rest >= b-rest }},
}

func same(a int) (int, error) { return a, nil }

// ofQuotient is the suffix of a function of two numbers that rounds their quotient.
const ofQuotient = "_quotient"

// exactFunctions returns the options for single and its quotients.
func exactFunctions() (options []expr.Option) {
	for _, s := range single {
		options = append(options, expr.Function(s.function, func(args ...any) (any, error) {
			if n, ok := args[0].(int); ok {
				return s.whole(n)
			}
			x, _ := float(args[0])
			return s.float(x), nil
		}))
		if s.rounds == nil {
			continue
		}
		options = append(options, expr.Function(s.function+ofQuotient, func(args ...any) (any, error) {
			a, whole := args[0].(int)
			b, too := args[1].(int)
			if !whole || !too {
				x, _ := float(args[0])
				y, _ := float(args[1])
				if y == 0 {
					return nil, errDivision
				}
				return s.float(x / y), nil
			}
			q, err := quotient(a, b)
			if !errors.Is(err, errNotWhole) {
				return q, err
			}
			q = a / b
			if negative := (a < 0) != (b < 0); s.rounds(magnitude(a%b), magnitude(b), negative) {
				if negative {
					return q - 1, nil
				}
				return q + 1, nil
			}
			return q, nil
		}))
	}
	return options
}

// settleSingle replaces a node by the function of one number.
func (s *survey) settleSingle(node *ast.Node, name string, arguments ...ast.Node) {
	o, is := single[name]
	kind, ok := numbers(arguments...)
	if !is || !ok || len(arguments) != 1 {
		return
	}
	call, ok := arguments[0].(*ast.CallNode)
	if ok && o.rounds != nil && call.Callee.String() == arithmetic["/"].function {
		if of, ok := numbers(call.Arguments...); ok {
			s.patch(node, o.function+ofQuotient, of, call.Arguments...)
			return
		}
	}
	s.patch(node, o.function, kind, arguments...)
}

// floatOf converts a number to a float because another branch gives a float. It reports an error rather than
// lose digits.
func floatOf(x any) (any, error) {
	f, _ := float(x)
	if n, ok := x.(int); ok {
		if exact := big.NewFloat(f); exact.Cmp(new(big.Float).SetInt64(int64(n))) != 0 {
			return nil, fmt.Errorf("%d is no float; want whole numbers on both sides of the :", n)
		}
	}
	return f, nil
}
