package expression

import (
	"fmt"
	"math"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// Parse reads an expression of a config as a condition over numbers and words that has no kinds yet:
// Compile says what of the language is right.
func Parse(text string) (*Expression, error) {
	if err := checkLength(text); err != nil {
		return nil, err
	}
	tree, err := Tree(text)
	if err != nil {
		return nil, fmt.Errorf("expression %.200q: %w", text, err)
	}
	root, err := convert(tree)
	if err != nil {
		return nil, fmt.Errorf("expression %.200q: %w", text, err)
	}
	root.source = tree.String()
	return &Expression{text: text, root: root, exact: true}, nil
}

var exprBinary = map[string]op{
	"+": opAdd, "-": opSubtract, "*": opMultiply, "/": opDivide, "%": opRemainder, "**": opPower, "^": opPower,
	"and": opAnd, "&&": opAnd, "or": opOr, "||": opOr,
	"==": opEqual, "!=": opUnequal, "<": opLess, "<=": opLessEqual, "in": opIn,
}

// calls are the functions of the language. TestCalls holds them to those that Compile accepts.
var calls = map[string]op{"min": opMin, "max": opMax, "abs": opAbs, "floor": opFloor, "ceil": opCeil, "ceildiv": opCeilDivide, "log2": opLogarithm, "round": opNearest}

// pythonFunctions are those of conditions in Python.
var pythonFunctions = map[string]op{"min": opMin, "max": opMax, "abs": opAbs, "floor": opFloor, "ceil": opCeil}

func convert(n ast.Node) (*node, error) {
	switch x := n.(type) {
	case *ast.IntegerNode:
		if n := number(float64(x.Value)); math.Abs(n.num) > mostExact {
			return n.exactly(), nil
		}
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
	case *ast.MemberNode:
		of, isName := x.Node.(*ast.IdentifierNode)
		property, isWord := x.Property.(*ast.StringNode)
		if isName && isWord && of.Value == Device {
			return &node{op: opName, word: Device + "." + property.Value}, nil
		}
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
			n, err := convertAll(o, x.Left, x.Right)
			if o == opAnd && err == nil {
				n.kids[0].source, n.kids[1].source = x.Left.String(), x.Right.String()
			}
			return n, err
		}
		switch x.Operator {
		case ">":
			return convertAll(opLess, x.Right, x.Left)
		case ">=":
			return convertAll(opLessEqual, x.Right, x.Left)
		}
	}
	return nil, fmt.Errorf("%s is not of the language: want numbers, names, %s, not, ?: and the functions %s", n, strings.Join(operators, " "), strings.Join(functions, ", "))
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
	if o == opAdd || o == opSubtract || o == opMultiply || o == opPower {
		return r.exactly(), nil
	}
	return r, nil
}

func convertCall(name string, arguments []ast.Node) (*node, error) {
	o, ok := calls[name]
	if !ok {
		return nil, fmt.Errorf("unknown function %s; there are %s", name, strings.Join(functions, ", "))
	}
	if err := arity(name, o, len(arguments)); err != nil {
		return nil, err
	}
	return convertAll(o, arguments...)
}

func arity(name string, o op, n int) error {
	switch {
	case o == opCeilDivide:
		if n != 2 {
			return fmt.Errorf("%s takes two arguments, not %d", name, n)
		}
	case o != opMin && o != opMax && n != 1:
		return fmt.Errorf("%s takes one argument, not %d", name, n)
	case n == 0:
		return fmt.Errorf("%s takes arguments", name)
	}
	return nil
}
