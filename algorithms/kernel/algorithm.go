package kernel

import (
	"fmt"
	"slices"

	"bench/cuda"
	"bench/framework"
)

// algorithm is a definition with its formulas compiled and its files read.
type algorithm struct {
	folder    string // the config's folder
	def       definition
	arguments []operand
	requires  []*expression
	nominal   struct{ flops, bytes, items *expression } // nil if not given
	versions  []*variant
	common    []global // constants outside versions, which C functions get
	reference reference
}

// operand is an argument with its formulas compiled.
type operand struct {
	argument
	fixed       element // if the type is not a parameter
	value, size *expression
	extents     []*expression // factors of the size; nil if the size is no product
	loose       bool          // the size depends on tunables
}

// global is a constant with its formulas compiled.
type global struct {
	operand
	from    int  // index of an argument, or -1
	written bool // kernels may change the variable
}

func (o *operand) element(params framework.Values) element {
	if o.fixed.elementType != nil {
		return o.fixed
	}
	e, _ := elementNamed(params.Text(o.Type))
	return e
}

// variant is a version: kernels, or a C function.
type variant struct {
	version
	unit        *unit
	launches    []kernelLaunch
	globals     []global
	settings    []tuned
	constraints []*expression
	counts      struct{ flops, load, store *expression } // nil if not given
}

// tuned is a tunable with its values and default.
type tuned struct {
	tunable
	values   []int64
	fallback *expression // nil means the first value
}

func (t *tuned) define() bool { return t.Define == nil || *t.Define }

// kernelLaunch is a launch with its formulas compiled.
type kernelLaunch struct {
	launch
	grid, block []*expression
	shared      *expression // nil means none
	operands    []int       // indexes of arguments
}

// size returns the number of elements of a vector. Only sizes of scratch may depend on tunables; all others
// depend on parameters alone.
func (a *algorithm) size(o *operand, env scope) (int64, error) {
	x := o.size
	n, err := x.whole(env)
	const most = 1 << 40
	if err == nil && (n < 1 || n > most) {
		given := fmt.Sprint(n)
		if given != x.text {
			given = x.text + " = " + given
		}
		err = x.faultf("%s has %s elements%s; want 1 to 2^40", o.Name, given, x.with(env))
	}
	return n, err
}

// check reports an error if the parameters make no problem: if requires excludes them, which is blamed on the
// parameter, or if an expression fails.
func (a *algorithm) check(params framework.Values) error {
	env := settings(cuda.Facts{}, params)
	for _, r := range a.requires {
		err := r.holds(env)
		if f := faultOf(err); f != nil && f.refusal {
			return f.err
		}
		if err != nil {
			return err
		}
	}
	for i := range a.arguments {
		o := &a.arguments[i]
		var err error
		switch {
		case !o.isVector():
			_, err = a.scalar(o, params)
		case !o.loose:
			_, err = a.size(o, env)
		}
		if err != nil {
			return err
		}
	}
	for _, list := range a.everyConstant() {
		for i := range list {
			if err := a.checkConstant(&list[i], params); err != nil {
				return err
			}
		}
	}
	_, err := a.nominalWork(params)
	return err
}

// scalar returns the value of a scalar argument.
func (a *algorithm) scalar(o *operand, params framework.Values) (any, error) {
	env, e := settings(cuda.Facts{}, params), o.element(params)
	if e.isFloat() {
		x, err := o.value.number(env)
		if err == nil {
			if err = e.check(x); err != nil {
				err = o.value.faultf("%s%s: %w", o.value.text, o.value.with(env), err)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", o.Name, err)
		}
		return e.scalar(0, x), nil
	}
	n, err := o.value.whole(env)
	if e.name == addressType {
		if err == nil && n != 0 {
			err = o.value.faultf("%s; a pointer here is 0, and a vector has a size", o.value.is(n, env))
		}
		return cuda.Pointer(0), err
	}
	if err == nil {
		if e.part == "u64" {
			if n < 0 {
				err = o.value.faultf("%s; want 0 to 2^63-1 for an u64", o.value.is(n, env))
			}
		} else if e.part != "i64" {
			if err = e.check(float64(n)); err != nil {
				err = o.value.faultf("%s%s: %w", o.value.text, o.value.with(env), err)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("argument %s: %w", o.Name, err)
	}
	return e.scalar(n, 0), nil
}

// defaults returns a version's tunables if the config sets none.
func (v *variant) defaults(params framework.Values, facts cuda.Facts) framework.Values {
	env := settings(facts, params)
	tunables := framework.Values{}
	for i := range v.settings {
		t := &v.settings[i]
		n := t.values[0]
		if t.fallback != nil {
			// Valid reports a fault here, because it refuses the value 0.
			n, _ = t.fallback.whole(env)
		}
		tunables[t.Name] = framework.IntValue(n)
	}
	return tunables
}

// valid reports an error if the tunables cannot run.
func (a *algorithm) valid(v *variant, params, tunables framework.Values, facts cuda.Facts) error {
	for i := range v.settings {
		t := &v.settings[i]
		if t.fallback != nil {
			if _, err := t.fallback.whole(settings(facts, params)); err != nil {
				return fmt.Errorf("default of %s: %w", t.Name, err)
			}
		}
	}
	if v.unit != nil {
		if err := v.unit.runsOn(facts, params, tunables); err != nil {
			return err
		}
	}
	env := settings(facts, params, tunables)
	for _, c := range v.constraints {
		if err := c.holds(env); err != nil {
			return err
		}
	}
	for i := range v.launches {
		l := &v.launches[i]
		shape, err := l.shape(env)
		if err == nil {
			err = l.limits(shape, facts)
		}
		if err != nil {
			return fmt.Errorf("kernel %s: %w", l.Name, err)
		}
	}
	for i, used := range a.used(v.launches) {
		if o := &a.arguments[i]; used && o.loose {
			if _, err := a.size(o, env); err != nil {
				return err
			}
		}
	}
	return nil
}

// shape evaluates a launch.
func (l *kernelLaunch) shape(env scope) (cuda.Launch, error) {
	s := cuda.Launch{Cooperative: l.Cooperative}
	for _, e := range []struct {
		what     string
		formulas []*expression
		to       *cuda.Dim3
	}{{"grid", l.grid, &s.Grid}, {"block", l.block, &s.Block}} {
		extent := [3]int{1, 1, 1}
		for i, x := range e.formulas {
			n, err := x.whole(env)
			if err == nil && (n < 1 || n > 1<<31-1) {
				err = x.faultf("%s; want 1 to 2^31-1", x.is(n, env))
			}
			if err != nil {
				return s, fmt.Errorf("%s: %w", e.what, err)
			}
			extent[i] = int(n)
		}
		*e.to = cuda.Dim3{X: extent[0], Y: extent[1], Z: extent[2]}
	}
	if l.shared != nil {
		n, err := l.shared.count(env)
		if err != nil {
			return s, fmt.Errorf("shared_bytes: %w", err)
		}
		s.SharedBytes = int(min(n, 1<<31))
	}
	return s, nil
}

// limits reports an error if no device with these facts can run the launch ("CUDA C++ Programming Guide",
// technical specifications).
func (l *kernelLaunch) limits(s cuda.Launch, f cuda.Facts) error {
	threads := int64(s.Block.X) * int64(s.Block.Y) * int64(s.Block.Z)
	switch {
	case threads > int64(f.MaxThreadsBlock):
		return l.block[0].refusef("%d·%d·%d threads per block; the device allows %d", s.Block.X, s.Block.Y, s.Block.Z, f.MaxThreadsBlock)
	case s.Block.Z > 64:
		return l.block[2].refusef("a block of %d threads in z; CUDA allows 64", s.Block.Z)
	case s.Grid.Y > 65535 || s.Grid.Z > 65535:
		return l.grid[1].refusef("a grid of %d·%d·%d blocks; CUDA allows 65535 in y and z", s.Grid.X, s.Grid.Y, s.Grid.Z)
	case s.SharedBytes > max(f.SharedOptIn, f.SharedPerBlock):
		return l.shared.refusef("%d bytes of shared memory per block; the device allows %d", s.SharedBytes, max(f.SharedOptIn, f.SharedPerBlock))
	}
	return nil
}

// macros returns a version's own -D options.
func (v *variant) macros(tunables framework.Values) map[string]string {
	d := map[string]string{}
	for name, x := range v.Defines {
		d[name] = x.String()
	}
	for i := range v.settings {
		if t := &v.settings[i]; t.define() {
			d[t.Name] = tunables[t.Name].String()
		}
	}
	return d
}

// macros returns the -D options of a version's kernels.
func (a *algorithm) macros(v *variant, params, tunables framework.Values) map[string]string {
	d := v.macros(tunables)
	for _, p := range a.def.Params {
		if _, own := d[p.Name]; p.Define && !own {
			d[p.Name] = params[p.Name].String()
		}
	}
	return d
}

// answers returns the indexes of the arguments that a run writes.
func (a *algorithm) answers() []int {
	var list []int
	for i := range a.arguments {
		if a.arguments[i].isAnswer() {
			list = append(list, i)
		}
	}
	return list
}

// resets reports whether a run of the version changes its inputs.
func (a *algorithm) resets(v *variant) bool {
	return slices.ContainsFunc(a.arguments, func(o operand) bool { return o.Use == inPlace }) ||
		slices.ContainsFunc(v.globals, func(g global) bool { return g.written })
}

// loose returns the indexes of the vectors that a version with these launches uses and whose size depends on
// tunables.
func (a *algorithm) loose(launches []kernelLaunch) (list []int) {
	for i, used := range a.used(launches) {
		if used && a.arguments[i].loose {
			list = append(list, i)
		}
	}
	return list
}
