package kernel

import (
	"fmt"
	"slices"

	"bench/cuda"
	"bench/framework"
)

// algorithm is a definition with its formulas compiled and its files read.
type algorithm struct {
	folder    string // of the config
	def       definition
	arguments []operand
	requires  []*expression
	nominal   struct{ flops, bytes, items *expression } // nil where absent
	versions  []*variant
	reference reference
}

// operand is an argument with its formulas compiled.
type operand struct {
	argument
	fixed       element // where the type is no parameter
	value, size *expression
}

func (o *operand) element(params framework.Values) element {
	if o.fixed.name != "" {
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
	settings    []tuned
	constraints []*expression
	counts      struct{ flops, load, store *expression } // nil where absent
}

// tuned is a tunable with its values and default.
type tuned struct {
	tunable
	values   []int64
	fallback *expression // nil: the first value
}

func (t *tuned) define() bool { return t.Define == nil || *t.Define }

// kernelLaunch is a launch with its formulas compiled.
type kernelLaunch struct {
	launch
	grid, block []*expression
	shared      *expression // nil: none
	operands    []int       // indexes of arguments
}

// scratch sizes may depend on tunables, all others on parameters alone.
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

// check refuses parameters that make no problem: those that requires excludes,
// for which the parameter is blamed, and those at which an expression fails.
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
		case o.Use != scratch:
			_, err = a.size(o, env)
		}
		if err != nil {
			return err
		}
	}
	_, err := a.nominalWork(params)
	return err
}

// scalar is the value of a scalar argument.
func (a *algorithm) scalar(o *operand, params framework.Values) (any, error) {
	env, e := settings(cuda.Facts{}, params), o.element(params)
	if e.isFloat() {
		x, err := o.value.number(env)
		return e.scalar(0, x), err
	}
	n, err := o.value.whole(env)
	if err == nil {
		if e.name == "u64" {
			if n < 0 {
				err = o.value.faultf("%s; want 0 or more in an u64", o.value.is(n, env))
			}
		} else if e.name != "i64" {
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

func countOf(x *expression, env scope) (int64, error) {
	if x == nil {
		return 0, nil
	}
	return x.count(env)
}

// nominalWork is what the definition of the problem gives for every version.
func (a *algorithm) nominalWork(params framework.Values) (w framework.Work, err error) {
	env := settings(cuda.Facts{}, params)
	if w.NominalFLOPs, err = countOf(a.nominal.flops, env); err != nil {
		return w, fmt.Errorf("nominal_flops: %w", err)
	}
	if w.Items, err = countOf(a.nominal.items, env); err != nil {
		return w, fmt.Errorf("items: %w", err)
	}
	if a.nominal.bytes != nil {
		if w.NominalBytes, err = a.nominal.bytes.count(env); err != nil {
			return w, fmt.Errorf("nominal_bytes: %w", err)
		}
		return w, nil
	}
	for i := range a.arguments {
		o := &a.arguments[i]
		if !o.isVector() || o.Use == scratch {
			continue
		}
		n, err := a.size(o, env)
		if err != nil {
			return w, err
		}
		bytes := n * o.element(params).bytes
		if o.Use == inPlace {
			bytes *= 2
		}
		w.NominalBytes += bytes
	}
	return w, nil
}

// work is nominalWork and what the version executes.
func (a *algorithm) work(v *variant, params, tunables framework.Values, facts cuda.Facts) (framework.Work, error) {
	w, err := a.nominalWork(params)
	if err != nil {
		return w, err
	}
	env := settings(facts, params, tunables)
	for _, c := range []struct {
		name string
		x    *expression
		to   *int64
	}{{"flops", v.counts.flops, &w.FLOPs}, {"load_bytes", v.counts.load, &w.LoadBytes}, {"store_bytes", v.counts.store, &w.StoreBytes}} {
		if *c.to, err = countOf(c.x, env); err != nil {
			return w, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return w, nil
}

// hostBytes is the inputs, the right answer and one answer to compare.
func (a *algorithm) hostBytes(params framework.Values) int64 {
	env := settings(cuda.Facts{}, params)
	total := int64(0)
	for i := range a.arguments {
		o := &a.arguments[i]
		if !o.isVector() || o.Use == scratch {
			continue
		}
		n, err := a.size(o, env)
		if err != nil {
			continue // refused by check
		}
		bytes := n * o.element(params).bytes
		if o.isFilled() {
			total += bytes
		}
		if o.isAnswer() {
			total += 3 * bytes // the right answer may be in double precision
		}
	}
	return total
}

// used are the vectors, by index of argument, that are passed to launches; the
// answers always count.
func (a *algorithm) used(launches []kernelLaunch) []bool {
	list := make([]bool, len(a.arguments))
	for i := range a.arguments {
		o := &a.arguments[i]
		list[i] = o.isVector() && (o.isAnswer() || slices.ContainsFunc(launches, func(l kernelLaunch) bool { return slices.Contains(l.operands, i) }))
	}
	return list
}

// deviceBytes is what a version's run takes: the vectors that it uses, and
// untouched copies of the inputs.
func (a *algorithm) deviceBytes(v *variant, params, tunables framework.Values) int64 {
	env := settings(cuda.Facts{}, params, tunables)
	total := int64(0)
	for i, used := range a.used(v.launches) {
		if !used {
			continue
		}
		o := &a.arguments[i]
		n, err := a.size(o, env)
		if err != nil {
			continue
		}
		bytes := n * o.element(params).bytes
		if o.isFilled() {
			bytes *= 2
		}
		total += bytes
	}
	return total
}

// defaults are a version's tunables where the config sets none.
func (v *variant) defaults(params framework.Values, facts cuda.Facts) framework.Values {
	env := settings(facts, params)
	tunables := framework.Values{}
	for i := range v.settings {
		t := &v.settings[i]
		n := t.values[0]
		if t.fallback != nil {
			// A fault here shows as one of Valid's: the value 0 is refused there.
			n, _ = t.fallback.whole(env)
		}
		tunables[t.Name] = framework.IntValue(n)
	}
	return tunables
}

// valid refuses tunables that cannot run.
func (a *algorithm) valid(v *variant, params, tunables framework.Values, facts cuda.Facts) error {
	for i := range v.settings {
		t := &v.settings[i]
		if t.fallback != nil {
			if _, err := t.fallback.whole(settings(facts, params)); err != nil {
				return fmt.Errorf("default of %s: %w", t.Name, err)
			}
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
		if o := &a.arguments[i]; used && o.Use == scratch {
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

// limits refuses a launch that no device of these facts runs ("CUDA C++
// Programming Guide", technical specifications).
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

// macros are a version's -D options.
func (a *algorithm) macros(params framework.Values, common map[string]framework.Value, settings []tuned, tunables framework.Values) map[string]string {
	d := map[string]string{}
	for name, v := range common {
		d[name] = v.String()
	}
	for _, p := range a.def.Params {
		if p.Define {
			d[p.Name] = params[p.Name].String()
		}
	}
	for i := range settings {
		if t := &settings[i]; t.define() {
			d[t.Name] = tunables[t.Name].String()
		}
	}
	return d
}

// answers are the indexes of the arguments that a run writes.
func (a *algorithm) answers() []int {
	var list []int
	for i := range a.arguments {
		if a.arguments[i].isAnswer() {
			list = append(list, i)
		}
	}
	return list
}

// resets is true where a run changes its inputs.
func (a *algorithm) resets() bool {
	return slices.ContainsFunc(a.arguments, func(o operand) bool { return o.Use == inPlace })
}
