package exchange

import (
	"fmt"
	"strings"

	"github.com/expr-lang/expr/ast"

	"example.org/bench/framework/expression"
)

// Conditions translates a config's constraint, in the language of expr, to Python
// conditions that together say the same: one for each part between its outermost
// "and"s. fixed are the problem's parameters, whose values take the place of
// their names; tunables are the names that stay, true where no value is negative.
// A constraint that names anything else is about another version: it gives
// nothing. The error names the parts that Python has no form for; the other parts
// are returned with it.
func Conditions(text string, fixed map[string]expression.Value, tunables map[string]bool) ([]string, error) {
	e, err := expression.Parse(text)
	if err != nil {
		return nil, err
	}
	for _, n := range e.Names() {
		if _, ok := tunables[n]; ok {
			continue
		}
		if _, ok := fixed[n]; !ok {
			return nil, nil
		}
	}
	tree, err := expression.Tree(text)
	if err != nil {
		return nil, err
	}
	var list, lost []string
	for _, part := range conjuncts(tree) {
		t := translation{fixed: fixed, tunables: tunables}
		condition := t.text(part, 0)
		if t.lost == "" {
			var always bool
			if always, err = holdsAlways(condition); err != nil {
				t.lost = err.Error()
			} else if !always {
				list = append(list, condition)
			}
		}
		if t.lost != "" {
			lost = append(lost, fmt.Sprintf("%s (%s)", part, t.lost))
		}
	}
	if lost != nil {
		return list, fmt.Errorf("not in Python: %s", strings.Join(lost, "; "))
	}
	return list, nil
}

func conjuncts(n ast.Node) []ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && (b.Operator == "and" || b.Operator == "&&") {
		return append(conjuncts(b.Left), conjuncts(b.Right)...)
	}
	return []ast.Node{n}
}

// holdsAlways reports that a condition names no parameter and holds.
func holdsAlways(condition string) (bool, error) {
	e, err := expression.ParsePython(condition)
	if err != nil || len(e.Names()) > 0 {
		return false, err
	}
	b, err := e.Bind(func(string) (expression.Variable, bool) { return expression.Variable{}, false })
	return err == nil && b.Holds(nil), err
}

// translation writes expr's tree as Python.
type translation struct {
	fixed    map[string]expression.Value
	tunables map[string]bool
	lost     string // why there is no Python for it; empty where there is
}

// How tightly Python's operators bind. Comparisons chain, so that neither side
// of one may be one without brackets.
const (
	bindsChoice = iota + 1
	bindsOr
	bindsAnd
	bindsNot
	bindsComparison
	bindsSum
	bindsProduct
	bindsSign
	bindsPower
)

var pythonOperators = map[string]struct {
	text        string
	level       int
	left, right int // how tightly the operands bind at least
}{
	"or": {"or", bindsOr, bindsOr, bindsAnd}, "||": {"or", bindsOr, bindsOr, bindsAnd},
	"and": {"and", bindsAnd, bindsAnd, bindsNot}, "&&": {"and", bindsAnd, bindsAnd, bindsNot},
	"==": {"==", bindsComparison, bindsSum, bindsSum}, "!=": {"!=", bindsComparison, bindsSum, bindsSum},
	"<": {"<", bindsComparison, bindsSum, bindsSum}, "<=": {"<=", bindsComparison, bindsSum, bindsSum},
	">": {">", bindsComparison, bindsSum, bindsSum}, ">=": {">=", bindsComparison, bindsSum, bindsSum},
	"in": {"in", bindsComparison, bindsSum, bindsSum},
	"+":  {"+", bindsSum, bindsSum, bindsProduct}, "-": {"-", bindsSum, bindsSum, bindsProduct},
	"*": {"*", bindsProduct, bindsProduct, bindsSign}, "/": {"/", bindsProduct, bindsProduct, bindsSign},
	"%":  {"%", bindsProduct, bindsProduct, bindsSign},
	"**": {"**", bindsPower, bindsPower + 1, bindsPower + 1}, "^": {"**", bindsPower, bindsPower + 1, bindsPower + 1},
}

// text writes a node; brackets where it binds less tightly than least.
func (t *translation) text(n ast.Node, least int) string {
	text, level := t.plain(n)
	if level < least {
		return "(" + text + ")"
	}
	return text
}

func (t *translation) plain(n ast.Node) (text string, level int) {
	const atom = bindsPower + 1
	switch x := n.(type) {
	case *ast.IntegerNode:
		return t.value(expression.Value{Number: float64(x.Value)})
	case *ast.FloatNode:
		return t.value(expression.Value{Number: x.Value, Float: true})
	case *ast.BoolNode:
		return truthText(x.Value), atom
	case *ast.StringNode:
		return t.value(expression.Value{Word: x.Value, IsWord: true})
	case *ast.IdentifierNode:
		if v, ok := t.fixed[x.Value]; ok {
			return t.value(v)
		}
		return x.Value, atom
	case *ast.ArrayNode:
		return "[" + t.list(x.Nodes) + "]", atom
	case *ast.ConditionalNode:
		return t.text(x.Exp1, bindsOr) + " if " + t.text(x.Cond, bindsOr) + " else " + t.text(x.Exp2, bindsChoice), bindsChoice
	case *ast.BuiltinNode:
		return t.call(x.Name, x.Arguments)
	case *ast.CallNode:
		return t.call(x.Callee.String(), x.Arguments)
	case *ast.UnaryNode:
		switch x.Operator {
		case "+":
			return t.plain(x.Node)
		case "-":
			return "-" + t.text(x.Node, bindsSign), bindsSign
		}
		return "not " + t.text(x.Node, bindsNot), bindsNot
	case *ast.BinaryNode:
		return t.binary(x)
	}
	t.lost = "no such form"
	return "", atom
}

func (t *translation) value(v expression.Value) (text string, level int) {
	if v.Number < 0 {
		level = bindsSign
	} else {
		level = bindsPower + 1
	}
	return strings.Trim(pythonList([]expression.Value{v}), "[]"), level
}

func truthText(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func (t *translation) list(nodes []ast.Node) string {
	var parts []string
	for _, n := range nodes {
		parts = append(parts, t.text(n, bindsChoice))
	}
	return strings.Join(parts, ", ")
}

// call: Python knows floor and ceil only where math is imported.
func (t *translation) call(name string, arguments []ast.Node) (text string, level int) {
	switch name {
	case "min", "max":
		if len(arguments) == 1 { // Python takes a single one for a list
			return t.plain(arguments[0])
		}
	case "floor":
		return t.text(arguments[0], bindsProduct) + " // 1", bindsProduct
	case "ceil":
		return "-(-" + t.text(arguments[0], bindsSign) + " // 1)", bindsSign
	case "round", "log2":
		t.lost = name + " is none of Python's functions for conditions"
	case "ceildiv": // of whole numbers from 0 and from 1, as here; of others it has no value here, and one there
		return "-(-" + t.text(arguments[0], bindsSign) + " // " + t.text(arguments[1], bindsSign) + ")", bindsSign
	}
	return name + "(" + t.list(arguments) + ")", bindsPower + 1
}

func (t *translation) binary(x *ast.BinaryNode) (text string, level int) {
	if word, ok := t.word(x.Left); ok {
		if holds, decided := t.compareWords(x.Operator, word, x.Right); decided {
			return truthText(holds), bindsPower + 1
		}
	}
	o, ok := pythonOperators[x.Operator]
	if !ok {
		t.lost = x.Operator + " is none of Python's operators"
		return "", bindsPower
	}
	if o.text == "%" && !(t.positive(x.Left) && t.positive(x.Right)) {
		t.lost = "% of what may be negative has another sign there"
	}
	return t.text(x.Left, o.left) + " " + o.text + " " + t.text(x.Right, o.right), o.level
}

// word is what a node holds that is a word for certain.
func (t *translation) word(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.StringNode:
		return x.Value, true
	case *ast.IdentifierNode:
		v := t.fixed[x.Value]
		return v.Word, v.IsWord
	}
	return "", false
}

// compareWords decides a comparison of a word with words.
func (t *translation) compareWords(operator, word string, right ast.Node) (holds, decided bool) {
	if list, ok := right.(*ast.ArrayNode); ok && operator == "in" {
		for _, n := range list.Nodes {
			other, ok := t.word(n)
			if !ok {
				return false, false
			}
			holds = holds || other == word
		}
		return holds, true
	}
	other, ok := t.word(right)
	return (other == word) == (operator == "=="), ok && (operator == "==" || operator == "!=")
}

// positive reports that a node is not negative for certain.
func (t *translation) positive(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.IntegerNode:
		return x.Value >= 0
	case *ast.FloatNode:
		return x.Value >= 0
	case *ast.IdentifierNode:
		if v, ok := t.fixed[x.Value]; ok {
			return v.Number >= 0
		}
		return t.tunables[x.Value]
	case *ast.BuiltinNode:
		for _, a := range x.Arguments {
			if x.Name != "abs" && !t.positive(a) {
				return false
			}
		}
		return true
	case *ast.BinaryNode:
		return strings.Contains("+ * / % ** ^", x.Operator) && t.positive(x.Left) && t.positive(x.Right)
	}
	return false
}
