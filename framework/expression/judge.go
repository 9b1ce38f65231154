package expression

import (
	"math"
	"strings"
	"sync"
)

// judge decides a condition at a point as Compile's program does, with whole numbers of 64 bits. It takes a microsecond, and
// is asked where floats have no answer: beyond 2^53, and where something fails.
func (e *Expression) judge(variable func(name string) (Variable, bool)) func([]float64) bool {
	condition, used := e.root.source, e.Names()
	var programs sync.Map // by the kinds of the names' values: *Program, nil where it does not compile
	return func(values []float64) bool {
		names := Scope{}
		device := map[string]int{}
		kinds := make([]byte, 0, len(used))
		for _, name := range used {
			v, _ := variable(name)
			x := v.Value
			if v.Slot >= 0 {
				x = values[v.Slot]
			}
			if fact, is := strings.CutPrefix(name, Device+"."); is {
				device[fact] = int(x)
				continue
			}
			switch {
			case v.Labels != nil:
				names[name], kinds = v.Labels[int(x)], append(kinds, 'w')
			case !v.Fraction && x == math.Trunc(x) && math.Abs(x) <= mostExact:
				names[name], kinds = int(x), append(kinds, 'i')
			default:
				names[name], kinds = x, append(kinds, 'f')
			}
		}
		names[Device] = device
		known, ok := programs.Load(string(kinds))
		if !ok {
			p, _ := Compile(condition, names)
			known, _ = programs.LoadOrStore(string(kinds), p)
		}
		p := known.(*Program)
		if p == nil {
			return false
		}
		got, err := p.Run(names)
		holds, _ := got.(bool)
		return err == nil && holds
	}
}

// Settle tells the bound expression what its slots hold. Where floats lose no digits over all of the box, what has no value
// fails, and needs no closer look.
func (b *Bound) Settle(box []Interval) {
	exact := true
	b.root.walk(func(n *node) {
		if n.op == opExact {
			x := n.kids[0].intervals()(box)
			exact = exact && -mostExact <= x.Low && x.High <= mostExact
		}
	})
	if exact {
		*b = *newBound(b.root.without(opExact))
	}
}

// without is a tree whose nodes of one operand and that kind are replaced by this.
func (n *node) without(o op) *node {
	if n.op == o {
		return n.kids[0].without(o)
	}
	if len(n.kids) == 0 {
		return n
	}
	r := &node{op: n.op, num: n.num, word: n.word}
	for _, k := range n.kids {
		r.kids = append(r.kids, k.without(o))
	}
	return r
}
