package kernel

import (
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// algorithm is a definition with its formulas compiled and its files read.
type algorithm struct {
	folder    string // the config's folder
	opencl    bool   // the kernels are OpenCL C
	def       definition
	arguments []operand
	requires  []*computed
	nominal   struct{ flops, bytes, items *computed } // nil if not given
	versions  []*variant
	common    []global // constants outside versions, which C functions get
	reference reference
}

// operand is an argument, or a field of one, with its formulas compiled.
type operand struct {
	argument
	path        string  // where the config has it
	fixed       element // if the type is not a parameter
	value, size *computed
	extents     []*computed // factors of the size; nil if the size is no product
	loose       bool        // the size or the value depends on more than parameters

	fields  []operand // of a structure; a.arguments has them too, behind it
	inside  bool      // it is a field
	pointer *pointer  // nil unless From is given
}

// global is a constant with its formulas compiled.
type global struct {
	operand
	from    int  // index of an argument, or -1
	written bool // kernels may change the variable
	object  bool // it holds a texture, a surface or a pointer: an argument that is not filled itself
}

func (o *operand) element(params framework.Values) element {
	if o.fixed.elementType != nil {
		return o.fixed
	}
	if o.fields != nil {
		return structure(o.fields, params)
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
	constraints []*computed
	counts      struct{ flops, load, store *computed } // nil if not given
	portable    *variant                               // the same in OpenCL C; nil if the kernels have one language
}

// on returns the version as a device with these facts runs it.
func (v *variant) on(facts gpu.Facts) *variant {
	if facts.OpenCL != nil && v.portable != nil {
		return v.portable
	}
	return v
}

// inC reports whether C functions and programs get the argument. They do not get scratch, pointers into other
// arguments, and values that depend on how kernels are launched. Of a structure they get the fields.
func (o *operand) inC() bool {
	return o.Use != scratch && o.fields == nil && o.pointer == nil && (o.isVector() || !o.loose)
}

// size returns the number of elements of a vector. Only sizes of scratch may depend on tunables; all others
// depend on parameters alone.
func (a *algorithm) size(o *operand, env scope) (int64, error) {
	x := o.size
	n, err := x.whole(env)
	const most = 1 << 40
	if err == nil && (n < 1 || n > most) {
		given := fmt.Sprint(n)
		if given != x.Text {
			given = x.Text + " = " + given
		}
		err = x.faultf("%s has %s elements%s; want 1 to 2^40", o.Name, given, x.with(env))
	}
	return n, err
}

// check reports an error if the parameters make no problem: if requires excludes them, which is blamed on the
// parameter, or if an expression fails.
func (a *algorithm) check(params framework.Values) error {
	env := settings(gpu.Facts{}, params)
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
		case o.loose, o.fields != nil && !o.isVector(), o.pointer != nil:
		case !o.isVector():
			_, err = a.scalar(o, o.element(params), env)
		default:
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

// valid reports an error if the tunables cannot run.
func (a *algorithm) valid(v *variant, params, tunables framework.Values, facts gpu.Facts) error {
	v = v.on(facts)
	for i := range v.settings {
		t := &v.settings[i]
		if _, err := t.initial(settings(facts, params)); err != nil {
			return fmt.Errorf("default of %s: %w", t.Name, err)
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
	if v.C == nil {
		if err := a.runnable(v.launches, params, facts, env, func(err error, _ ...*computed) error { return err }); err != nil {
			return err
		}
	}
	for _, d := range v.Defines {
		if _, err := d.text(env); err != nil {
			return err
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

// answers returns the indexes of the arguments that a run writes, of structures those of their fields.
func (a *algorithm) answers() []int {
	var list []int
	for i := range a.arguments {
		if o := &a.arguments[i]; o.isAnswer() && o.fields == nil {
			list = append(list, i)
		}
	}
	return list
}

// comparedAnswers returns those of answers that are compared.
func (a *algorithm) comparedAnswers() []int {
	return slices.DeleteFunc(a.answers(), func(i int) bool { return a.arguments[i].Compare == byNothing })
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
