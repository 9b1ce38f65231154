package algorithmtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

func (s subject) answers(params framework.Values) error {
	checks, _, err := s.solve(params)
	return errors.Join(err, wrong(checks))
}

// kinds: answers are right to inputs of each kind that the algorithm takes.
func (s subject) kinds(params framework.Values) error {
	if s.f.Inputs == nil {
		return nil
	}
	for _, kind := range framework.InputKinds() {
		of := params.Clone()
		of[framework.InputsParam] = framework.TextValue(string(kind))
		if s.f.CheckParams(of) != nil {
			continue
		}
		if err := s.answers(of); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

func (s subject) defaults(params framework.Values) error {
	if s.v.Valid == nil || s.v.Defaults == nil {
		return nil
	}
	return s.v.Valid(params, s.tunables(params), s.facts())
}

// counts: nominal ones are the same for every version that can run here, of
// either processor, none is negative, and the instance is of its processor.
func (s subject) counts(params framework.Values) error {
	i, err := s.on(params, 1, 2)
	if err != nil {
		return err
	}
	defer i.end() //nolint:errcheck // answers looks at it
	w := i.Work()
	for name, n := range map[string]int64{"nominal FLOPs": w.NominalFLOPs, "nominal bytes": w.NominalBytes,
		"FLOPs": w.FLOPs, "load bytes": w.LoadBytes, "store bytes": w.StoreBytes, "items": w.Items} {
		if n < 0 {
			return fmt.Errorf("%d %s", n, name)
		}
	}
	if (w.Items > 0) != (s.f.Items != "") {
		return fmt.Errorf("%d items, which are called %q", w.Items, s.f.Items)
	}
	switch a := i.BaseAlgorithm.(type) {
	case framework.GPUAlgorithm:
		if s.device == nil || a.Stream() != i.env.Stream {
			return errors.New("does not enqueue on the runner's stream, or is not a GPU version")
		}
	case framework.CPUAlgorithm:
		if n := a.Workers(); s.device != nil || n < 1 || n > i.env.Workers {
			return fmt.Errorf("has %d workers, given %d, or is not a CPU version", n, i.env.Workers)
		} else if n > 1 && strings.Contains(s.v.Doc, "one thread") {
			return fmt.Errorf("has %d workers, but says of itself: %s", n, s.v.Doc)
		}
	case framework.SelfTimed:
	default:
		return s.v.Timed(a)
	}
	if slices.Contains(s.own, s.v.Name) {
		return nil
	}
	for j := range s.f.Versions {
		other := s
		if other.v = &s.f.Versions[j]; other.v.Processor == framework.CPU {
			other.device = nil
		} else if s.device == nil {
			continue
		}
		if other.v == s.v {
			break
		}
		if other.refusal(params) != nil {
			continue
		}
		o, err := other.on(params, 1, 2)
		if err != nil {
			return fmt.Errorf("version %s: %w", other.v.Name, err)
		}
		x := o.Work()
		if err := o.end(); err != nil {
			return err
		}
		if x.NominalFLOPs != w.NominalFLOPs || x.NominalBytes != w.NominalBytes || x.Items != w.Items {
			return fmt.Errorf("nominal counts %+v; version %s has %+v", w, other.v.Name, x)
		}
		break // the first stands for all
	}
	return nil
}

// resets: whatever ran, a Reset gives Run its inputs back.
func (s subject) resets(params framework.Values) error {
	i, err := s.on(params, 1, 2)
	if err != nil {
		return err
	}
	defer i.end() //nolint:errcheck // answers looks at it
	r, ok := i.BaseAlgorithm.(framework.Resetter)
	if !ok {
		return nil
	}
	for range 2 {
		i.Run() //nolint:errcheck // of inputs that are spoilt; Reset follows
	}
	if err := r.Reset(); err != nil {
		return err
	}
	return i.right()
}

// inputs: what the problem holds is the same after a run as before.
func (s subject) inputs(params framework.Values) error {
	i, err := s.solved(params)
	if err != nil {
		return err
	}
	defer i.end() //nolint:errcheck // answers looks at it
	before := contentOf(i.problem)
	if err := i.run(); err != nil {
		return err
	}
	if contentOf(i.problem) != before {
		return errors.New("a run changes the problem that all versions share")
	}
	return nil
}

// seeds: the inputs follow from the seed alone.
func (s subject) seeds(params framework.Values) error {
	var got []content
	for range 2 {
		p, err := s.f.NewProblem(s.env(5, 2), params)
		if err != nil {
			return err
		}
		got = append(got, contentOf(p))
		p.Close()
	}
	if got[0] != got[1] {
		return errors.New("two problems of one seed differ")
	}
	return nil
}

// apart: two instances of different problems exist at the same time.
func (s subject) apart(params framework.Values) error {
	a, err := s.on(params, 1, 2)
	if err != nil {
		return err
	}
	b, err := s.on(params, 2, 2)
	if err != nil {
		return errors.Join(err, a.end())
	}
	err = errors.Join(a.run(), b.run())
	if err == nil {
		err = errors.Join(a.verify(), b.verify())
	}
	if err = errors.Join(err, a.end()); err != nil {
		return errors.Join(fmt.Errorf("beside another instance: %w", err), b.end())
	}
	if err := b.right(); err != nil {
		return errors.Join(fmt.Errorf("after another instance's end: %w", err), b.end())
	}
	return b.end()
}

// frees: a life cycle leaves no device memory, modules or threads behind.
func (s subject) frees(params framework.Values) error {
	var l *ledger
	if s.device != nil {
		l = newLedger(s.device)
		s.device = l
	}
	before := Running()
	i, err := s.on(params, 1, 3)
	if err != nil {
		return err
	}
	if err := errors.Join(i.right(), i.PostRun()); err != nil {
		i.problem.Close()
		return err
	}
	// What is left now is the problem's.
	var left int64
	if l != nil {
		left = l.bytes
	}
	next, err := s.again(i.problem, params, i.env)
	if err != nil {
		return err
	}
	if err := errors.Join(next.right(), next.PostRun()); err != nil {
		return err
	}
	if l != nil && l.bytes != left {
		return fmt.Errorf("a second instance leaves %d bytes on the device", l.bytes-left)
	}
	i.problem.Close()
	if l != nil {
		return l.empty()
	}
	return before.Left()
}

// halfway: each allocation, compilation, upload, copy and fill of PreRun fails in
// turn; the error says so, and PostRun frees what there was.
func (s subject) halfway(params framework.Values) error {
	if s.device == nil {
		return nil
	}
	for failing := 1; ; failing++ {
		l := newLedger(s.device)
		l.failing = failing
		on := s
		on.device = l
		env := on.env(1, 1)
		p, err := s.f.NewProblem(env, params)
		if err != nil {
			return err
		}
		a, err := s.v.New(env, p, s.tunables(params))
		if err != nil {
			return err
		}
		pre := a.PreRun()
		post := a.PostRun()
		p.Close()
		switch {
		case post != nil:
			return fmt.Errorf("PostRun after a PreRun whose call %d failed: %w", failing, post)
		case l.empty() != nil:
			return fmt.Errorf("after a PreRun whose call %d failed: %w", failing, l.empty())
		case l.calls < failing:
			return pre
		case !errors.Is(pre, gpu.ErrOutOfMemory):
			return fmt.Errorf("PreRun, whose call %d failed, returns %v", failing, pre)
		}
	}
}

// deviceBytes: the version allocates no more than it says.
func (s subject) deviceBytes(params framework.Values) error {
	if s.device == nil {
		return nil
	}
	l := newLedger(s.device)
	s.device = l
	i, err := s.on(params, 1, 1)
	if err != nil {
		return err
	}
	if err := errors.Join(i.right(), i.end()); err != nil {
		return err
	}
	if s.v.DeviceBytes == nil {
		return errors.New("is nil")
	}
	if says := s.v.DeviceBytes(params, s.tunables(params)); says < l.most {
		return fmt.Errorf("says %d; %d were allocated", says, l.most)
	}
	return nil
}

// hostBytesOf is what the factory says; without a word nothing.
func (s subject) hostBytesOf(params framework.Values) int64 {
	if s.f.HostBytes == nil {
		return 0
	}
	return s.f.HostBytes(params)
}

// structureBytes of a problem are not counted in HostBytes: what describes it.
const structureBytes = 8 << 10

// hostBytes: a problem with its answer takes no more than the factory says.
func (s subject) hostBytes(params framework.Values) error {
	i, err := s.solved(params)
	if err != nil {
		return err
	}
	defer i.end() //nolint:errcheck // answers looks at it
	if says, takes := s.hostBytesOf(params), contentOf(i.problem).bytes; says+structureBytes < takes {
		return fmt.Errorf("says %d; the problem takes %d", says, takes)
	}
	return nil
}
