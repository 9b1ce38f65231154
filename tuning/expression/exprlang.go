package expression

import (
	"fmt"

	"github.com/expr-lang/expr/ast"

	"bench/framework/exprlang"
)

// Parse reads an expression in the language of github.com/expr-lang/expr:
// numbers, words, names, arithmetic with true division, comparisons, and, or,
// not, in, the conditional, min, max, abs, floor, ceil and ceildiv.
func Parse(text string) (*Expression, error) {
	if err := checkLength(text); err != nil {
		return nil, err
	}
	tree, err := exprlang.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("expression %.200q: %w", text, err)
	}
	root, err := convert(tree)
	if err != nil {
		return nil, fmt.Errorf("expression %.200q: %w", text, err)
	}
	return &Expression{text: text, root: root}, nil
}

var exprBinary = map[string]op{
	"+": opAdd, "-": opSubtract, "*": opMultiply, "/": opDivide, "%": opRemainder, "**": opPower, "^": opPower,
	"and": opAnd, "&&": opAnd, "or": opOr, "||": opOr,
	"==": opEqual, "!=": opUnequal, "<": opLess, "<=": opLessEqual, "in": opIn,
}

var functions = map[string]op{"min": opMin, "max": opMax, "abs": opAbs, "floor": opFloor, "ceil": opCeil}

func convert(n ast.Node) (*node, error) {
	switch x := n.(type) {
	case *ast.IntegerNode:
		return number(float64(x.Value)), nil
	case *ast.FloatNode:
		return number(x.Value), nil
	case *ast.BoolNode:
		return number(truth(x.Value)), nil
	case *ast.StringNode:
		return &node{op: opWord, word: x.Value}, nil
	case *ast.IdentifierNode:
		return &node{op: opName, word: x.Value}, nil
	case *ast.ArrayNode:
		return convertAll(opList, x.Nodes...)
	case *ast.ConditionalNode:
		return convertAll(opChoose, x.Cond, x.Exp1, x.Exp2)
	case *ast.BuiltinNode:
		return convertCall(x.Name, x.Arguments)
	case *ast.CallNode:
		if callee, ok := x.Callee.(*ast.IdentifierNode); ok {
			return convertCall(callee.Value, x.Arguments)
		}
	case *ast.UnaryNode:
		switch x.Operator {
		case "+":
			return convert(x.Node)
		case "-":
			return convertAll(opNegate, x.Node)
		case "!", "not":
			return convertAll(opNot, x.Node)
		}
	case *ast.BinaryNode:
		if o, ok := exprBinary[x.Operator]; ok {
			return convertAll(o, x.Left, x.Right)
		}
		switch x.Operator {
		case ">":
			return convertAll(opLess, x.Right, x.Left)
		case ">=":
			return convertAll(opLessEqual, x.Right, x.Left)
		}
	}
	return nil, fmt.Errorf("%s is not supported in a constraint: want numbers, names, + - * / %% **, comparisons, and, or, not, in [...], ?:, min, max, abs, floor, ceil, ceildiv", n)
}

func convertAll(o op, list ...ast.Node) (*node, error) {
	r := &node{op: o}
	for _, x := range list {
		k, err := convert(x)
		if err != nil {
			return nil, err
		}
		r.kids = append(r.kids, k)
	}
	return r, nil
}

func convertCall(name string, arguments []ast.Node) (*node, error) {
	if name == "ceildiv" && len(arguments) == 2 {
		quotient, err := convertAll(opDivide, arguments...)
		return make2(opCeil, quotient), err
	}
	o, ok := functions[name]
	if !ok {
		return nil, fmt.Errorf("%s is not a function of constraints; there are min, max, abs, floor, ceil and ceildiv(a, b)", name)
	}
	if err := arity(name, o, len(arguments)); err != nil {
		return nil, err
	}
	return convertAll(o, arguments...)
}

func arity(name string, o op, n int) error {
	switch {
	case o != opMin && o != opMax && n != 1:
		return fmt.Errorf("%s takes one argument, not %d", name, n)
	case n == 0:
		return fmt.Errorf("%s takes arguments", name)
	}
	return nil
}
