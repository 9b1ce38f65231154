package tuning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"example.org/bench/framework/expression"
)

// MaxPoints bounds a space: searches hold it in memory.
const MaxPoints = 4 << 20

// maxJudged bounds how many combinations are passed to Declaration.Valid, which sees whole combinations only.
const maxJudged = 32 << 20

// maxWork bounds the operations of constraints that are evaluated before points are found. An operation takes
// a few ns: all take about a minute of a processor.
const maxWork = 8 << 30

// Declaration is a space as it is declared, before enumeration.
type Declaration struct {
	Parameters []Parameter
	// Constraints hold for every point. They may name parameters, Constants
	// and Words.
	Constraints []Constraint
	Constants   map[string]float64
	Words       map[string]string
	// Valid is a further test of a combination that meets the constraints. It is called from several
	// goroutines. nil accepts all combinations.
	Valid func(indexes []uint16) bool

	mostWork int64 // instead of maxWork
}

// Enumerate finds all points, in declared order. It gives values to one parameter after the other. It
// evaluates a constraint as soon as the constraint's parameters have values, and before that over the
// intervals of parameters that have none, so that it soon leaves combinations that no completion can make
// valid. An empty space is not an error.
func (d Declaration) Enumerate(ctx context.Context) (*Space, error) {
	if len(d.Parameters) == 0 {
		return nil, errors.New("a space needs a parameter")
	}
	for i, p := range d.Parameters {
		switch {
		case len(p.Values) == 0:
			return nil, fmt.Errorf("%s has no values", p.Name)
		case len(p.Values) > math.MaxUint16+1:
			return nil, fmt.Errorf("%s has %d values; at most %d are supported", p.Name, len(p.Values), math.MaxUint16+1)
		case slices.ContainsFunc(d.Parameters[:i], func(q Parameter) bool { return q.Name == p.Name }):
			return nil, fmt.Errorf("two parameters are named %s", p.Name)
		}
	}
	b := binding{d.Parameters, d.Constants, d.Words}
	constraints, never, err := b.bind(d.Constraints)
	if err != nil {
		return nil, err
	}
	if never != "" {
		return NewSpace(d.Parameters, nil)
	}
	e := &enumeration{declaration: d, dimensions: len(d.Parameters)}
	e.domains = make([][]uint16, e.dimensions)
	for s, p := range d.Parameters {
		e.domains[s] = make([]uint16, len(p.Values))
		for i := range p.Values {
			e.domains[s][i] = uint16(i)
		}
	}
	constraints = e.singles(constraints)
	e.plan(constraints)
	rows, err := e.run(ctx)
	if err != nil {
		return nil, err
	}
	return NewSpace(d.Parameters, rows)
}

// enumeration is the search for the points of a declaration.
type enumeration struct {
	declaration Declaration
	dimensions  int
	domains     [][]uint16 // value indexes that constraints on one parameter leave
	order       []int      // parameters in the order they are given values
	// checks are, for each depth, the constraints whose last parameter has a value then. outlooks are those
	// whose last parameter has none yet.
	checks, outlooks [][]*expression.Bound
	box              []expression.Interval // of whole domains
	// last are the last parameter's checks, without the parts that do not depend on it. These parts are
	// computed once per loop, into the values from dimensions on.
	last   []*expression.Bound
	before []*expression.Bound

	found, judged, worked atomic.Int64
}

// singles applies the constraints of one parameter to its domain, and returns
// the others.
func (e *enumeration) singles(constraints []*expression.Bound) []*expression.Bound {
	values := make([]float64, e.dimensions)
	return slices.DeleteFunc(constraints, func(c *expression.Bound) bool {
		if len(c.Slots()) != 1 {
			return false
		}
		s := c.Slots()[0]
		e.domains[s] = slices.DeleteFunc(e.domains[s], func(i uint16) bool {
			values[s] = e.declaration.Parameters[s].Values[i]
			return !c.Holds(values)
		})
		return true
	})
}

func (e *enumeration) plan(constraints []*expression.Bound) {
	sizes := make([]int, e.dimensions)
	e.box = make([]expression.Interval, e.dimensions)
	for s, domain := range e.domains {
		sizes[s] = len(domain)
		e.box[s] = expression.Interval{Low: math.Inf(1), High: math.Inf(-1)}
		for _, i := range domain {
			x := e.declaration.Parameters[s].Values[i]
			e.box[s].Low, e.box[s].High = min(e.box[s].Low, x), max(e.box[s].High, x)
		}
	}
	for _, c := range constraints {
		c.Settle(e.box)
	}
	e.order = searchOrder(sizes, constraints)
	e.checks = make([][]*expression.Bound, e.dimensions)
	e.outlooks = make([][]*expression.Bound, e.dimensions)
	for _, c := range constraints {
		left := len(c.Slots())
		for depth, s := range e.order {
			if !slices.Contains(c.Slots(), s) {
				continue
			}
			if left--; left == 0 {
				e.checks[depth] = append(e.checks[depth], c)
			} else {
				e.outlooks[depth] = append(e.outlooks[depth], c)
			}
		}
	}
	end := e.dimensions - 1
	for _, c := range e.checks[end] {
		inner, outer := c.Hoist(e.order[end], e.dimensions+len(e.before))
		e.last = append(e.last, inner)
		e.before = append(e.before, outer...)
	}
}

// run divides the first parameter's values, or the pairs of values of the first two, among goroutines.
func (e *enumeration) run(ctx context.Context) ([][]uint16, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shares := len(e.domains[e.order[0]])
	branches := make(chan int)
	parts := make([][]uint16, shares)
	var wait sync.WaitGroup
	for range min(shares, runtime.GOMAXPROCS(0)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range branches {
				w := e.walker(ctx)
				w.try(0, e.domains[e.order[0]][i])
				if w.err != nil {
					cancel(w.err)
				}
				parts[i] = w.rows
			}
		}()
	}
feed:
	for i := range shares {
		select {
		case branches <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(branches)
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	var rows [][]uint16
	for _, part := range parts {
		for i := 0; i < len(part); i += e.dimensions {
			rows = append(rows, part[i:i+e.dimensions:i+e.dimensions])
		}
	}
	slices.SortFunc(rows, func(a, b []uint16) int { return slices.CompareFunc(a, b, cmp.Compare[uint16]) })
	return rows, nil
}

// walker goes through one branch.
type walker struct {
	*enumeration
	ctx    context.Context
	row    []uint16
	values []float64
	box    []expression.Interval
	rows   []uint16
	work   int64 // operations that worked does not have yet
	err    error
}

func (e *enumeration) walker(ctx context.Context) *walker {
	return &walker{enumeration: e, ctx: ctx, row: make([]uint16, e.dimensions), values: make([]float64, e.dimensions+len(e.before)),
		box: slices.Clone(e.box)}
}

// try gives the parameter at a depth a value and, unless a constraint
// excludes it, goes on.
func (w *walker) try(depth int, index uint16) {
	s := w.order[depth]
	x := w.declaration.Parameters[s].Values[index]
	w.row[s], w.values[s] = index, x
	for _, c := range w.checks[depth] {
		w.work += c.Size()
		if !c.Holds(w.values) {
			return
		}
	}
	if depth+1 == w.dimensions {
		w.keep()
		return
	}
	whole := w.box[s]
	w.box[s] = expression.Interval{Low: x, High: x}
	if !slices.ContainsFunc(w.outlooks[depth], func(c *expression.Bound) bool { w.work += 2 * c.Size(); return c.Excludes(w.box) }) {
		w.below(depth + 1)
	}
	w.box[s] = whole
}

// below tries the values of the parameter at a depth.
func (w *walker) below(depth int) {
	s := w.order[depth]
	w.work += int64(len(w.domains[s]))
	w.report()
	if depth+1 < w.dimensions {
		for _, i := range w.domains[s] {
			if w.err != nil {
				return
			}
			w.try(depth, i)
		}
		return
	}
	for i, c := range w.before {
		w.values[w.dimensions+i] = c.Eval(w.values)
	}
next:
	for _, i := range w.domains[s] {
		w.row[s], w.values[s] = i, w.declaration.Parameters[s].Values[i]
		for _, c := range w.last {
			if w.work += c.Size(); !c.Holds(w.values) {
				continue next
			}
		}
		if w.keep(); w.err != nil {
			return
		}
	}
}

// report adds to the work of all walkers, now and then, and ends the walk if that work exceeds its bound or
// nobody waits any more.
func (w *walker) report() {
	const often = 1 << 20
	if w.work < often || w.err != nil {
		return
	}
	w.err = context.Cause(w.ctx)
	if most := cmp.Or(w.declaration.mostWork, maxWork); w.worked.Add(w.work) > most && w.err == nil {
		w.err = fmt.Errorf("finding the points takes more than %d operations of the constraints, of which %d points meet all so far; give fewer values, or constraints of fewer parameters", most, w.found.Load())
	}
	w.work = 0
}

func (w *walker) keep() {
	if valid := w.declaration.Valid; valid != nil {
		if w.judged.Add(1) > maxJudged {
			w.err = fmt.Errorf("more than %d combinations meet the constraints, and only the version itself can refuse them; give fewer values or further constraints", maxJudged)
			return
		}
		if !valid(w.row) {
			return
		}
	}
	if w.found.Add(1) > MaxPoints {
		w.err = fmt.Errorf("more than %d valid points; give fewer values or further constraints", MaxPoints)
		return
	}
	w.rows = append(w.rows, w.row...)
}
