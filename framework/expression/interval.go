package expression

import "math"

type spanFunction = func([]Interval) Interval

var (
	anything = Interval{Low: math.Inf(-1), High: math.Inf(1), Fails: true}
	either   = Interval{Low: 0, High: 1}
)

func constant(x float64) Interval {
	if x != x {
		return anything
	}
	return Interval{Low: x, High: x}
}

func (i Interval) single() bool { return i.Low == i.High }

// true and false where the truth of all values is the same.
func (i Interval) isTrue() bool  { return i.Low > 0 || i.High < 0 }
func (i Interval) isFalse() bool { return i.Low == 0 && i.High == 0 }

// clean widens an interval whose ends could not be computed.
func (i Interval) clean() Interval {
	if i.Low != i.Low || i.High != i.High {
		return anything
	}
	return i
}

// intervals makes a resolved tree a function that bounds it over a box.
func (n *node) intervals() spanFunction {
	switch n.op {
	case opNumber:
		x := constant(n.num)
		return func([]Interval) Interval { return x }
	case opName:
		slot := int(n.num)
		return func(v []Interval) Interval { return v[slot] }
	}
	var kids []spanFunction
	list := n.kids
	if n.op == opIn {
		list = append([]*node{n.kids[0]}, n.kids[1].kids...)
	}
	for _, k := range list {
		kids = append(kids, k.intervals())
	}
	o := n.op
	switch {
	case o == opAnd || o == opOr:
		return lazySpan(o, kids[0], kids[1])
	case o == opChoose:
		return chooseSpan(kids[0], kids[1], kids[2])
	case o == opIn:
		return inSpan(kids)
	case o == opMin || o == opMax:
		return extremeSpan(o, kids)
	case len(kids) == 1:
		return func(v []Interval) Interval { return unarySpan(o, kids[0](v)) }
	}
	return func(v []Interval) Interval { return binarySpan(o, kids[0](v), kids[1](v)) }
}

func lazySpan(o op, a, b spanFunction) spanFunction {
	return func(v []Interval) Interval {
		x := a(v)
		decides := x.isFalse()
		if o == opOr {
			decides = x.isTrue()
		}
		if decides {
			return x
		}
		y := b(v)
		if o == opAnd && x.isTrue() && !x.Fails || o == opOr && x.isFalse() && !x.Fails {
			return y
		}
		if o == opAnd && y.isFalse() {
			// False or failing: nothing holds.
			return Interval{Fails: x.Fails || y.Fails}
		}
		return hull(x, y)
	}
}

func hull(x, y Interval) Interval {
	return Interval{Low: min(x.Low, y.Low), High: max(x.High, y.High), Fails: x.Fails || y.Fails}
}

func chooseSpan(c, a, b spanFunction) spanFunction {
	return func(v []Interval) Interval {
		x := c(v)
		switch {
		case x.isTrue():
			y := a(v)
			y.Fails = y.Fails || x.Fails
			return y
		case x.isFalse():
			y := b(v)
			y.Fails = y.Fails || x.Fails
			return y
		}
		y := hull(a(v), b(v))
		y.Fails = y.Fails || x.Fails
		return y
	}
}

func inSpan(kids []spanFunction) spanFunction {
	return func(v []Interval) Interval {
		x := kids[0](v)
		r := Interval{Fails: x.Fails}
		for _, k := range kids[1:] {
			y := k(v)
			switch {
			case y.High < x.Low || y.Low > x.High:
			case x.single() && y.single() && !y.Fails:
				return Interval{Low: 1, High: 1, Fails: x.Fails}
			default:
				r.High = 1
			}
		}
		return r
	}
}

func extremeSpan(o op, kids []spanFunction) spanFunction {
	return func(v []Interval) Interval {
		x := kids[0](v)
		for _, k := range kids[1:] {
			y := k(v)
			fails := x.Fails || y.Fails
			if o == opMin {
				x = Interval{Low: min(x.Low, y.Low), High: min(x.High, y.High), Fails: fails}
			} else {
				x = Interval{Low: max(x.Low, y.Low), High: max(x.High, y.High), Fails: fails}
			}
		}
		return x
	}
}

func unarySpan(o op, x Interval) Interval {
	switch o {
	case opNegate:
		return Interval{Low: -x.High, High: -x.Low, Fails: x.Fails}
	case opNot:
		switch {
		case x.isTrue():
			return Interval{Fails: x.Fails}
		case x.isFalse():
			return Interval{Low: 1, High: 1, Fails: x.Fails}
		}
		return Interval{High: 1, Fails: x.Fails}
	case opAbs:
		switch {
		case x.Low >= 0:
			return x
		case x.High <= 0:
			return Interval{Low: -x.High, High: -x.Low, Fails: x.Fails}
		}
		return Interval{High: max(-x.Low, x.High), Fails: x.Fails}
	case opFloor:
		return Interval{Low: math.Floor(x.Low), High: math.Floor(x.High), Fails: x.Fails}
	case opNearest:
		return Interval{Low: math.Round(x.Low), High: math.Round(x.High), Fails: x.Fails}
	case opLogarithm:
		if x.Low <= 0 {
			return anything
		}
		return Interval{Low: math.Nextafter(math.Log2(x.Low), math.Inf(-1)), High: math.Nextafter(math.Log2(x.High), math.Inf(1)), Fails: x.Fails}.clean()
	case opExact:
		if x.Low < -mostExact || x.High > mostExact {
			return anything
		}
		return x
	}
	return Interval{Low: math.Ceil(x.Low), High: math.Ceil(x.High), Fails: x.Fails}
}

func binarySpan(o op, x, y Interval) Interval {
	r := either
	switch o {
	case opAdd:
		r = Interval{Low: x.Low + y.Low, High: x.High + y.High}
	case opSubtract:
		r = Interval{Low: x.Low - y.High, High: x.High - y.Low}
	case opMultiply:
		r = corners(x, y, func(a, b float64) float64 { return a * b })
	case opDivide, opFloorDivide:
		if y.Low <= 0 && y.High >= 0 {
			return anything
		}
		r = corners(x, y, func(a, b float64) float64 { return a / b })
		if o == opFloorDivide {
			r.Low, r.High = math.Floor(r.Low), math.Floor(r.High)
		}
	case opModulo, opRemainder:
		r = moduloSpan(o, x, y)
	case opPower:
		r = powerSpan(x, y)
	case opCeilDivide:
		if x.Low < 0 || y.Low <= 0 {
			return anything
		}
		r = corners(x, y, func(a, b float64) float64 { return math.Ceil(a / b) })
		r.Fails = true // of what is not whole
	case opEqual:
		r = equalSpan(x, y)
	case opUnequal:
		r = unarySpan(opNot, equalSpan(x, y))
	case opLess:
		switch {
		case x.High < y.Low:
			r = constant(1)
		case x.Low >= y.High:
			r = constant(0)
		}
	case opLessEqual:
		switch {
		case x.High <= y.Low:
			r = constant(1)
		case x.Low > y.High:
			r = constant(0)
		}
	}
	r.Fails = r.Fails || x.Fails || y.Fails
	return r.clean()
}

func equalSpan(x, y Interval) Interval {
	switch {
	case x.High < y.Low || x.Low > y.High:
		return constant(0)
	case x.single() && y.single():
		return constant(1)
	}
	return either
}

// corners bounds what is monotonic in each operand while the other stays.
func corners(x, y Interval, f func(a, b float64) float64) Interval {
	a, b, c, d := f(x.Low, y.Low), f(x.Low, y.High), f(x.High, y.Low), f(x.High, y.High)
	return Interval{Low: min(min(a, b), min(c, d)), High: max(max(a, b), max(c, d))}
}

func moduloSpan(o op, x, y Interval) Interval {
	if y.Low <= 0 && y.High >= 0 {
		return anything
	}
	if x.single() && y.single() {
		if o == opModulo {
			return constant(modulo(x.Low, y.Low))
		}
		return constant(remainder(x.Low, y.Low))
	}
	most := max(math.Abs(y.Low), math.Abs(y.High))
	switch {
	case o == opModulo && y.Low > 0, o == opRemainder && x.Low >= 0:
		r := Interval{High: most}
		if x.Low >= 0 {
			r.High = min(most, x.High)
		}
		return r
	case o == opModulo:
		return Interval{Low: -most}
	}
	return Interval{Low: -most, High: most}
}

// powerSpan knows positive bases; math.Pow may be off by its last place.
func powerSpan(x, y Interval) Interval {
	if x.single() && y.single() {
		return constant(power(x.Low, y.Low))
	}
	if x.Low <= 0 {
		return anything
	}
	r := corners(x, y, math.Pow)
	return Interval{Low: math.Nextafter(r.Low, math.Inf(-1)), High: math.Nextafter(r.High, math.Inf(1))}
}
