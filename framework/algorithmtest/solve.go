package algorithmtest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// Solve fails the test unless a version, of the GPU if d is not nil, gives right
// answers at these parameters and tunables; what they lack are defaults. It
// returns the counts.
func Solve(t testing.TB, f *framework.Factory, d gpu.Device, version string, params, tunables framework.Values) framework.Work {
	t.Helper()
	checks, work, err := Try(f, d, version, params, tunables)
	if err = errors.Join(err, wrong(checks)); err != nil {
		t.Errorf("%s at %v, %v: %v", version, params, tunables, err)
	}
	return work
}

// Try is Solve for a test that expects a wrong answer or an error.
func Try(f *framework.Factory, d gpu.Device, version string, params, tunables framework.Values) ([]framework.Check, framework.Work, error) {
	s := subject{f: f, device: d, set: tunables}
	on := framework.CPU
	if d != nil {
		on = framework.GPU
	}
	if s.v = f.VersionOn(version, on); s.v == nil {
		return nil, framework.Work{}, fmt.Errorf("no %s version %s", on, version)
	}
	params = s.complete(params)
	if err := s.refusal(params); err != nil {
		return nil, framework.Work{}, err
	}
	return s.solve(params)
}

// refusal is what forbids the point before anything is made.
func (s subject) refusal(params framework.Values) error {
	if s.v.Available != nil {
		if err := s.v.Available(); err != nil {
			return err
		}
	}
	if s.f.Check != nil {
		if err := s.f.Check(params); err != nil {
			return err
		}
	}
	if s.v.Supports != nil {
		if err := s.v.Supports(params, s.facts()); err != nil {
			return err
		}
	}
	if s.v.Valid != nil {
		return s.v.Valid(params, s.tunables(params), s.facts())
	}
	return nil
}

// solve is an instance's life and, of a CPU version, another's with three
// workers. On a real GPU there is one more, for what a ledger hides of it.
func (s subject) solve(params framework.Values) (checks []framework.Check, work framework.Work, err error) {
	lives := []subject{s, s}
	if s.device != nil {
		l := s
		l.device = newLedger(s.device)
		lives = []subject{l}
		if s.device.ID() != "sim" {
			lives = append(lives, s)
		}
	}
	p, err := s.f.NewProblem(s.env(1, 1), params)
	if err != nil {
		return nil, work, err
	}
	defer p.Close()
	for n, on := range lives {
		i, err := on.again(p, params, on.env(1, 1+2*n))
		if err != nil {
			return nil, work, err
		}
		checks, err = i.twice()
		work = i.Work()
		if err = errors.Join(err, i.PostRun()); err != nil || wrong(checks) != nil {
			return checks, work, err
		}
	}
	return checks, work, nil
}

// Hold fails the test unless an instance that the test made gives right
// answers; after, if there is one, sees it before its PostRun.
func Hold(t testing.TB, at string, a framework.BaseAlgorithm, after ...func()) {
	t.Helper()
	i := &instance{BaseAlgorithm: a}
	err := a.PreRun()
	if err == nil {
		var checks []framework.Check
		checks, err = i.twice()
		err = errors.Join(err, wrong(checks))
	}
	for _, f := range after {
		f()
	}
	if err = errors.Join(err, a.PostRun()); err != nil {
		t.Errorf("%s: %v", at, err)
	}
}

// twice is two runs with what they are judged by. What a first one leaves of
// its answer on the device is overwritten, not to be taken for the second's.
func (i *instance) twice() (checks []framework.Check, err error) {
	l, _ := i.env.Device.(*ledger)
	if l != nil {
		l.ready = true
	}
	for range 2 {
		if err := i.run(); err != nil {
			return nil, err
		}
		if checks, err = i.Verify(); err != nil {
			return nil, fmt.Errorf("Verify: %w", err)
		}
		if wrong(checks) != nil {
			return checks, nil
		}
		if l != nil {
			if err := l.spoil(i.env.Stream); err != nil {
				return nil, err
			}
		}
	}
	return checks, i.fast(l)
}

// fast holds the fast check of another run, where there is one for the problem, to
// taking its answer, and on a device to refusing that once it is spoilt.
func (i *instance) fast(l *ledger) error {
	f, ok := i.BaseAlgorithm.(framework.FastVerifier)
	if !ok {
		return nil
	}
	if err := i.run(); err != nil { // Verify may use up an answer
		return err
	}
	checks, err := f.VerifyFast()
	if errors.Is(err, framework.ErrNoFastCheck) {
		return nil
	}
	if err = errors.Join(err, wrong(checks)); err != nil {
		return fmt.Errorf("VerifyFast of an answer that Verify takes: %w", err)
	}
	if l == nil {
		return nil
	}
	if err := l.spoil(i.env.Stream); err != nil {
		return err
	}
	if checks, err = f.VerifyFast(); err == nil && Good(checks) {
		return errors.New("VerifyFast takes an answer that is not numbers")
	}
	return nil
}

// Good tells whether there are checks and all hold.
func Good(checks []framework.Check) bool {
	return len(checks) > 0 && !slices.ContainsFunc(checks, func(c framework.Check) bool { return !c.OK() })
}

// wrong says which checks do not hold.
func wrong(checks []framework.Check) error {
	if len(checks) == 0 {
		return errors.New("Verify checks nothing")
	}
	var errs []error
	for _, c := range checks {
		if !c.OK() {
			errs = append(errs, fmt.Errorf("%s is %.3g, bound %.3g", c.Metric, c.Error, c.Bound))
		}
	}
	return errors.Join(errs...)
}
