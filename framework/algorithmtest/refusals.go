package algorithmtest

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// stranger is another algorithm's problem.
type stranger struct{}

func (stranger) Close() {}

func (s subject) foreign(params framework.Values) error {
	taken := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("New panics (%v)", p)
			}
		}()
		if _, refused := s.v.New(s.env(1, 1), stranger{}, s.tunables(params)); refused == nil {
			return errors.New("New takes the problem of another algorithm")
		}
		return nil
	}()
	if taken == nil {
		return nil
	}
	return fmt.Errorf("%w: make it with framework.Typed, which refuses such a problem", taken)
}

// limits: every parameter at the ends of its range is checked without a
// panic, whatever is known about the device; what Check refuses makes no
// problem.
func (s subject) limits(params framework.Values) error {
	for _, p := range s.f.Params {
		if p.Kind == framework.Text || p.Min == 0 && p.Max == 0 {
			continue
		}
		for _, x := range []float64{p.Min, p.Max} {
			at := params.Clone()
			at[p.Name] = framework.IntValue(int64(x))
			if p.Kind == framework.Float {
				at[p.Name] = framework.FloatValue(x)
			}
			if err := guarded(func() error { return s.judge(at) }); err != nil {
				return fmt.Errorf("%s = %g: %w", p.Name, x, err)
			}
		}
	}
	return nil
}

// judge makes all checks that the runner makes before it makes a problem.
func (s subject) judge(params framework.Values) error {
	if s.f.Check != nil {
		if err := s.f.Check(params); err != nil {
			if p, err := s.f.NewProblem(s.env(1, 1), params); err == nil {
				p.Close()
				return errors.New("Check refuses what NewProblem makes")
			}
			return nil
		}
	}
	s.hostBytesOf(params)
	for _, facts := range []gpu.Facts{s.facts(), {}} {
		if s.v.Supports != nil && s.v.Supports(params, facts) != nil || s.v.Defaults == nil {
			continue
		}
		v := s.v.Defaults(params, facts)
		if s.v.Valid != nil && s.v.Valid(params, v, facts) != nil {
			continue
		}
		if s.v.DeviceBytes != nil {
			s.v.DeviceBytes(params, v)
		}
	}
	return nil
}

// badTunables: a version with a Valid refuses each tunable below zero, and
// checks any other without a panic.
func (s subject) badTunables(params framework.Values) error {
	if s.v.Valid == nil {
		return nil
	}
	for _, t := range s.v.Tunables {
		for _, n := range []int64{-1, 1 << 40} {
			v := s.tunables(params).Clone()
			v[t.Name] = framework.IntValue(n)
			if s.v.Valid(params, v, s.facts()) == nil && n < 0 {
				return fmt.Errorf("%s = %d is accepted", t.Name, n)
			}
		}
	}
	return nil
}
