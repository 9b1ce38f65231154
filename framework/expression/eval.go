package expression

import "math"

type function = func([]float64) float64

// compile makes a resolved tree a function. NaN, a value that does not exist,
// goes through every operation whose operand it is.
func (n *node) compile() function {
	switch n.op {
	case opNumber:
		x := n.num
		return func([]float64) float64 { return x }
	case opName:
		slot := int(n.num)
		return func(v []float64) float64 { return v[slot] }
	case opIn:
		return n.compileIn()
	case opMin, opMax:
		return n.compileExtreme()
	case opChoose:
		c, a, b := n.kids[0].compile(), n.kids[1].compile(), n.kids[2].compile()
		return func(v []float64) float64 {
			switch x := c(v); {
			case x != x:
				return x
			case x != 0:
				return a(v)
			}
			return b(v)
		}
	}
	if len(n.kids) == 1 {
		return unary(n.op, n.kids[0].compile())
	}
	return binary(n.op, n.kids[0].compile(), n.kids[1].compile())
}

func unary(o op, a function) function {
	switch o {
	case opNegate:
		return func(v []float64) float64 { return -a(v) }
	case opNot:
		return func(v []float64) float64 {
			x := a(v)
			if x != x {
				return x
			}
			return truth(x == 0)
		}
	case opAbs:
		return func(v []float64) float64 { return math.Abs(a(v)) }
	case opFloor:
		return func(v []float64) float64 { return math.Floor(a(v)) }
	case opNearest:
		return func(v []float64) float64 { return math.Round(a(v)) }
	case opLogarithm:
		return func(v []float64) float64 {
			if x := a(v); x > 0 {
				return math.Log2(x)
			}
			return math.NaN()
		}
	case opExact:
		return func(v []float64) float64 {
			if x := a(v); math.Abs(x) <= mostExact {
				return x
			}
			return math.NaN()
		}
	}
	return func(v []float64) float64 { return math.Ceil(a(v)) }
}

func binary(o op, a, b function) function {
	switch o {
	case opAdd:
		return func(v []float64) float64 { return a(v) + b(v) }
	case opSubtract:
		return func(v []float64) float64 { return a(v) - b(v) }
	case opMultiply:
		return func(v []float64) float64 { return a(v) * b(v) }
	case opDivide:
		return func(v []float64) float64 {
			y := b(v)
			if y == 0 {
				return math.NaN()
			}
			return a(v) / y
		}
	case opFloorDivide:
		return func(v []float64) float64 { return floorDivide(a(v), b(v)) }
	case opModulo:
		return func(v []float64) float64 { return modulo(a(v), b(v)) }
	case opRemainder:
		return func(v []float64) float64 { return remainder(a(v), b(v)) } // NaN for 0
	case opPower:
		return func(v []float64) float64 { return power(a(v), b(v)) }
	case opCeilDivide:
		return func(v []float64) float64 { return ceilDivide(a(v), b(v)) }
	case opAnd:
		return func(v []float64) float64 {
			x := a(v)
			if x == 0 || x != x {
				return x
			}
			return b(v)
		}
	case opOr:
		return func(v []float64) float64 {
			if x := a(v); x != 0 { // NaN as well
				return x
			}
			return b(v)
		}
	}
	return comparison(o, a, b)
}

func comparison(o op, a, b function) function {
	compare := func(holds func(x, y float64) bool) function {
		return func(v []float64) float64 {
			x, y := a(v), b(v)
			if x != x || y != y {
				return math.NaN()
			}
			return truth(holds(x, y))
		}
	}
	switch o {
	case opEqual:
		return compare(func(x, y float64) bool { return x == y })
	case opUnequal:
		return compare(func(x, y float64) bool { return x != y })
	case opLess:
		return compare(func(x, y float64) bool { return x < y })
	}
	return compare(func(x, y float64) bool { return x <= y })
}

// power is NaN where Python raises an error, or gives a complex number.
func power(x, y float64) float64 {
	if x == 0 && y < 0 || x != x || y != y {
		return math.NaN()
	}
	return math.Pow(x, y)
}

func (n *node) compileIn() function {
	a := n.kids[0].compile()
	var list []function
	for _, k := range n.kids[1].kids {
		list = append(list, k.compile())
	}
	return func(v []float64) float64 {
		x := a(v)
		if x != x {
			return x
		}
		for _, f := range list {
			if f(v) == x {
				return 1
			}
		}
		return 0
	}
}

func (n *node) compileExtreme() function {
	var list []function
	for _, k := range n.kids {
		list = append(list, k.compile())
	}
	pick := math.Min
	if n.op == opMax {
		pick = math.Max
	}
	return func(v []float64) float64 {
		x := list[0](v)
		for _, f := range list[1:] {
			y := f(v)
			if x != x || y != y { // also beside an infinity
				return math.NaN()
			}
			x = pick(x, y)
		}
		return x
	}
}

// ceilDivide is the least whole number of which b are at least a: both are whole, a from 0 and b above it.
func ceilDivide(a, b float64) float64 {
	if a != math.Trunc(a) || b != math.Trunc(b) || !(a >= 0) || !(b > 0) || a > mostExact || b > mostExact {
		return math.NaN()
	}
	return math.Ceil(a / b)
}
