package algorithmtest

import (
	"errors"
	"fmt"
	"maps"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// subject is a version under test.
type subject struct {
	f      *framework.Factory
	v      *framework.Version
	device gpu.Device       // nil for CPU versions
	set    framework.Values // tunables that are not the defaults
	own    []string         // versions whose nominal counts are their own
}

func (s subject) facts() gpu.Facts {
	if s.device == nil {
		return gpu.Facts{}
	}
	return s.device.Facts()
}

// supported are the problems that the version can solve, defaults filled in;
// without a list that of the defaults.
func (s subject) supported(verification func(string) []framework.Values) (list []framework.Values) {
	device := "cpu"
	if s.device != nil {
		device = s.device.ID()
	}
	problems := []framework.Values{{}}
	if verification != nil {
		problems = verification(device)
	}
	for _, given := range problems {
		params := s.complete(given)
		if s.f.Check != nil && s.f.Check(params) != nil || s.v.Supports != nil && s.v.Supports(params, s.facts()) != nil {
			continue
		}
		list = append(list, params)
	}
	return list
}

// complete has the defaults of the parameters that given lacks.
func (s subject) complete(given framework.Values) framework.Values {
	params := framework.Values{}
	for _, p := range s.f.Params {
		params[p.Name] = p.Default
		if s.device != nil && p.DefaultGPU.IsSet() {
			params[p.Name] = p.DefaultGPU
		}
	}
	maps.Copy(params, given)
	return params
}

func (s subject) tunables(params framework.Values) framework.Values {
	v := framework.Values{}
	if s.v.Defaults != nil {
		maps.Copy(v, s.v.Defaults(params, s.facts()))
	}
	maps.Copy(v, s.set)
	return v
}

func (s subject) env(seed uint64, workers int) framework.Env {
	return framework.Env{Seed: seed, Workers: workers, Device: s.device}
}

// instance is a version on a problem of its own.
type instance struct {
	framework.BaseAlgorithm
	env     framework.Env
	problem framework.Problem
	ran     bool
}

// on makes a problem and an instance that is ready to run.
func (s subject) on(params framework.Values, seed uint64, workers int) (*instance, error) {
	env := s.env(seed, workers)
	p, err := s.f.NewProblem(env, params)
	if err != nil {
		return nil, err
	}
	i, err := s.again(p, params, env)
	if err != nil {
		p.Close()
	}
	return i, err
}

// solved makes a problem and an instance that has run and is right.
func (s subject) solved(params framework.Values) (*instance, error) {
	i, err := s.on(params, 1, 2)
	if err != nil {
		return nil, err
	}
	if err := i.right(); err != nil {
		return nil, errors.Join(err, i.end())
	}
	return i, nil
}

// again makes another instance on a problem.
func (s subject) again(p framework.Problem, params framework.Values, env framework.Env) (*instance, error) {
	a, err := s.v.New(env, p, s.tunables(params))
	if err != nil {
		return nil, err
	}
	if err := a.PreRun(); err != nil {
		return nil, errors.Join(fmt.Errorf("PreRun: %w", err), a.PostRun())
	}
	return &instance{BaseAlgorithm: a, env: env, problem: p}, nil
}

// end is PostRun, and the problem's.
func (i *instance) end() error {
	err := i.PostRun()
	i.problem.Close()
	if err != nil {
		return fmt.Errorf("PostRun: %w", err)
	}
	return nil
}

// run is one Run, before which a Reset restores what the last one changed.
func (i *instance) run() error {
	if r, ok := i.BaseAlgorithm.(framework.Resetter); ok && i.ran {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("Reset: %w", err)
		}
	}
	i.ran = true
	if err := i.Run(); err != nil {
		return fmt.Errorf("Run: %w", err)
	}
	if i.env.Device == nil {
		return nil
	}
	return i.env.Device.Synchronize(i.env.Stream)
}

// verify checks the last answer against its bounds.
func (i *instance) verify() error {
	checks, err := i.Verify()
	if err != nil {
		return fmt.Errorf("Verify: %w", err)
	}
	return wrong(checks)
}

// right is a run and its verification.
func (i *instance) right() error {
	if err := i.run(); err != nil {
		return err
	}
	return i.verify()
}
