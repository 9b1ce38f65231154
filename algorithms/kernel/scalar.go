package kernel

import (
	"fmt"
	"maps"

	"example.org/bench/gpu"
)

// scalar returns the value of a scalar argument of a type.
func (a *algorithm) scalar(o *operand, e element, env scope) (any, error) {
	if e.isFloat() {
		x, err := o.value.number(env)
		if err == nil {
			if err = e.check(x); err != nil {
				err = o.value.faultf("%s%s: %w", o.value.Text, o.value.with(env), err)
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
		return gpu.Pointer(0), err
	}
	if err == nil {
		if e.part == "u64" {
			if n < 0 {
				err = o.value.faultf("%s; want 0 to 2^63-1 for an u64", o.value.is(n, env))
			}
		} else if e.part != "i64" {
			if err = e.check(float64(n)); err != nil {
				err = o.value.faultf("%s%s: %w", o.value.Text, o.value.with(env), err)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("argument %s: %w", o.Name, err)
	}
	return e.scalar(n, 0), nil
}

// launchNames returns the names that an argument's value may use, which is known at each launch: parameters,
// the tunables of every version, the loops around launches, and device.
func (b *builder) launchNames() scope {
	names := maps.Clone(b.problem)
	for _, t := range b.allTunables() {
		names[t.Name] = t.example()
	}
	var loops func(list []launch)
	loops = func(list []launch) {
		for _, l := range list {
			for name := range l.For {
				names[name] = 1
			}
			loops(l.Kernels)
		}
	}
	d := &b.a.def
	loops(d.Kernels)
	loops(d.Verify.Kernels)
	for _, v := range d.Versions {
		loops(v.Kernels)
	}
	names[deviceName] = anyFacts
	return names
}

// atLaunch returns the expressions, some of them nil, that are evaluated for each launch.
func (o *operand) atLaunch() []*computed {
	list := []*computed{o.value}
	if o.isLocal() {
		list = append(list, o.size)
	}
	if p := o.pointer; p != nil {
		list = append(list, p.offset)
		if p.repeats != nil {
			list = append(list, p.repeats.count)
		}
	}
	return list
}

// repeats reports whether the argument's own loop has that name.
func (o *operand) repeats(name string) bool {
	return o.pointer != nil && o.pointer.repeats != nil && o.pointer.repeats.name == name
}

// isOfProblem reports whether an expression depends on parameters alone.
func (b *builder) isOfProblem(x *computed) bool {
	if x == nil || x.UsesDevice {
		return x == nil
	}
	for _, n := range x.Names {
		if _, ok := b.problem[n]; !ok {
			return false
		}
	}
	return true
}
