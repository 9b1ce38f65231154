package kernel

import (
	"fmt"
	"maps"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// kernelLaunch is a launch with its formulas compiled.
type kernelLaunch struct {
	launch
	path        string    // where the config has it
	loops       []*loop   // around it, the outermost first
	when        *computed // nil means always
	grid, block []*computed
	items       bool      // grid counts work-items, not work-groups
	shared      *computed // nil means none
	operands    []int     // indexes of arguments
	reached     []int     // of these, their fields, and what they point into
	varies      bool      // whether an expression of it, or of an argument, has the name of a loop
}

// loop repeats launches.
type loop struct {
	name  string
	count *computed
}

// mostLaunches bounds the launches of one run.
const mostLaunches = 100000

// performance is a run of launches.
type performance struct {
	env             scope
	do              func(l *kernelLaunch, env scope) error
	launched, turns int
	without         *computed // the last condition or count that left launches out
}

// perform calls do for each launch of a run, in order. The names of loops are in env only during the call. A
// run without launches is an error.
func perform(list []kernelLaunch, env scope, do func(l *kernelLaunch, env scope) error) error {
	p := performance{env: maps.Clone(env), do: do}
	if err := p.launches(list, 0); err != nil {
		return err
	}
	if p.launched == 0 && p.without != nil {
		return p.without.refusef("no kernel is launched: %s%s", p.without.Text, p.without.with(env))
	}
	return nil
}

// launches performs a list of which depth loops have begun.
func (p *performance) launches(list []kernelLaunch, depth int) error {
	for len(list) > 0 {
		l := &list[0]
		if len(l.loops) == depth {
			if err := p.launch(l); err != nil {
				return err
			}
			list = list[1:]
			continue
		}
		around := l.loops[depth]
		inside := slices.IndexFunc(list, func(l kernelLaunch) bool { return len(l.loops) <= depth || l.loops[depth] != around })
		if inside < 0 {
			inside = len(list)
		}
		n, err := around.count.count(p.env)
		if err == nil && n > mostLaunches {
			err = around.count.faultf("%s; want at most %d", around.count.is(n, p.env), mostLaunches)
		}
		if err != nil {
			return fmt.Errorf("for %s: %w", around.name, err)
		}
		if n == 0 {
			p.without = around.count
		}
		for i := range int(n) {
			if p.turns++; p.turns > mostLaunches {
				return around.count.faultf("the loops of a run have more than %d turns; want fewer", mostLaunches)
			}
			p.env[around.name] = i
			if err := p.launches(list[:inside], depth+1); err != nil {
				return err
			}
		}
		delete(p.env, around.name)
		list = list[inside:]
	}
	return nil
}

func (p *performance) launch(l *kernelLaunch) error {
	holds, err := l.holds(p.env)
	if err != nil {
		return fmt.Errorf("kernel %s: when: %w", l.Name, err)
	}
	if !holds {
		p.without = l.when
		return nil
	}
	if p.launched++; p.launched > mostLaunches {
		return l.grid[0].faultf("a run has more than %d launches; want fewer", mostLaunches)
	}
	return p.do(l, p.env)
}

// chosen returns the launches whose conditions hold.
func chosen(list []kernelLaunch, lists ...framework.Values) (made []kernelLaunch, err error) {
	env := settings(gpu.Facts{}, lists...)
	for _, l := range list {
		holds, err := l.holds(env)
		if err != nil {
			return nil, err
		}
		if holds {
			made = append(made, l)
		}
	}
	return made, nil
}

// holds reports whether the launch's condition holds.
func (l *kernelLaunch) holds(env scope) (bool, error) {
	if l.when == nil {
		return true, nil
	}
	return l.when.truth(env)
}

// counts returns how often the loops around the launch repeat it.
func (l *kernelLaunch) counts() (list []*computed) {
	for _, around := range l.loops {
		list = append(list, around.count)
	}
	return list
}

// repeats reports whether a loop around the launch has that name.
func (l *kernelLaunch) repeats(name string) bool {
	return slices.ContainsFunc(l.loops, func(around *loop) bool { return around.name == name })
}

// runnable passes to note the error that makes a launch of a run impossible on a device with these facts, or
// nil for a possible launch, with the expressions on which this depends. It looks once at launches that are
// alike. It ends with the first error that note returns.
func (a *algorithm) runnable(list []kernelLaunch, params framework.Values, facts gpu.Facts, env scope, note func(err error, of ...*computed) error) error {
	seen := map[*kernelLaunch]bool{}
	err := perform(list, env, func(l *kernelLaunch, env scope) error {
		if seen[l] && !l.varies {
			return nil
		}
		seen[l] = true
		tell := func(err error, of ...*computed) error {
			if err != nil {
				err = fmt.Errorf("kernel %s: %w", l.Name, err)
			}
			return note(err, append(of, l.counts()...)...)
		}
		shape, err := l.shape(env)
		if err != nil {
			return tell(err)
		}
		if err := tell(l.limits(shape, facts), slices.Concat(l.grid, l.block)...); err != nil {
			return err
		}
		for _, i := range l.reached {
			o, err := &a.arguments[i], error(nil)
			switch {
			case o.isImage():
				_, err = a.array(o, params, env)
			case o.pointer != nil:
				_, err = a.targets(o, env)
			case o.isLocal():
				err = a.localLimit(o, env, facts)
			case o.value != nil && o.loose:
				_, err = a.scalar(o, o.element(params), env)
			}
			if err := tell(err); err != nil {
				return err
			}
		}
		return nil
	})
	return note(err)
}

// shape evaluates a launch.
func (l *kernelLaunch) shape(env scope) (gpu.Launch, error) {
	s := gpu.Launch{Cooperative: l.Cooperative}
	for _, e := range []struct {
		what     string
		formulas []*computed
		to       *gpu.Dim3
	}{{l.names()[0], l.grid, &s.Grid}, {l.names()[1], l.block, &s.Block}} {
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
		*e.to = gpu.Dim3{X: extent[0], Y: extent[1], Z: extent[2]}
	}
	if l.items {
		if err := l.divide(&s); err != nil {
			return s, err
		}
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
func (l *kernelLaunch) limits(s gpu.Launch, f gpu.Facts) error {
	threads := int64(s.Block.X) * int64(s.Block.Y) * int64(s.Block.Z)
	switch {
	case threads > int64(f.MaxThreadsBlock):
		return l.block[0].refusef("%d·%d·%d threads per block; the device allows %d", s.Block.X, s.Block.Y, s.Block.Z, f.MaxThreadsBlock)
	case f.OpenCL != nil:
		return nil
	case s.Block.Z > 64:
		return l.block[2].refusef("a block of %d threads in z; CUDA allows 64", s.Block.Z)
	case s.Grid.Y > 65535 || s.Grid.Z > 65535:
		return l.grid[1].refusef("a grid of %d·%d·%d blocks; CUDA allows 65535 in y and z", s.Grid.X, s.Grid.Y, s.Grid.Z)
	case s.SharedBytes > max(f.SharedOptIn, f.SharedPerBlock):
		return l.shared.refusef("%d bytes of shared memory per block; the device allows %d", s.SharedBytes, max(f.SharedOptIn, f.SharedPerBlock))
	}
	return nil
}
