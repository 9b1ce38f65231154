package kernel

import (
	"example.org/bench/framework/expression"
	"fmt"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// sized sets the size of a vector whose shape is given to the product of its extents.
func (b *builder) sized(path string, o *operand) {
	if o.Shape == nil {
		return
	}
	if o.Size != "" {
		b.fault(path+".shape", "the size is the product of the shape; want size or shape")
		return
	}
	parts := make([]string, len(o.Shape))
	for i, f := range o.Shape {
		parts[i] = string(f)
		if len(o.Shape) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	o.Size = formula(strings.Join(parts, " * "))
}

// sizePath returns where the config has the size.
func (b *builder) sizePath(path string, o *operand) string {
	if o.Shape != nil {
		return path + ".shape"
	}
	return path + ".size"
}

// size compiles a vector's size and extents.
func (b *builder) size(path string, o *operand, names scope) {
	bad := len(b.errs.List)
	for i, f := range o.Shape {
		o.extents = append(o.extents, b.compile(fmt.Sprintf("%s.shape[%d]", path, i), f, names))
	}
	if len(b.errs.List) > bad {
		o.extents = nil
		return
	}
	if o.size = b.compile(b.sizePath(path, o), o.Size, names); o.size == nil || o.Shape != nil {
		return
	}
	for _, f := range factors(o.Size) {
		x, err := compile(f, names)
		if err != nil {
			o.extents = nil
			return
		}
		o.extents = append(o.extents, x)
	}
}

// factors returns the factors of a formula that is a product: ROWS and COLS + 2 for ROWS*(COLS + 2).
func factors(f formula) []formula {
	tree, err := expression.Tree(string(f))
	if err != nil {
		return nil
	}
	var list []formula
	var split func(n ast.Node)
	split = func(n ast.Node) {
		if product, ok := n.(*ast.BinaryNode); ok && product.Operator == "*" {
			split(product.Left)
			split(product.Right)
			return
		}
		list = append(list, formula(n.String()))
	}
	split(tree)
	if len(list) < 2 {
		return nil
	}
	return list
}
