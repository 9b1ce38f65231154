package algorithmtest

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/framework/answer"
)

// toAnswer: from input to answer a GPU version is right run after run, whatever the
// device's memory held of its inputs and its answer, and what it copies is what the
// problem's definition reads and writes.
func (s subject) toAnswer(params framework.Values) (err error) {
	if s.device == nil {
		return nil
	}
	env := s.env(1, 1)
	p, err := s.f.NewProblem(env, params)
	if err != nil {
		return err
	}
	defer p.Close()
	version, err := s.v.New(env, p, s.tunables(params))
	if err != nil {
		return err
	}
	alg, err := answer.New(version, answer.Options{Device: s.device})
	if err != nil {
		return errors.Join(err, version.PostRun())
	}
	defer func() { err = errors.Join(err, alg.PostRun()) }()
	if err := alg.PreRun(); err != nil {
		return err
	}
	t := version.(framework.Transferrer).Transfers()
	for range 2 {
		if err := s.forget(t, env); err != nil {
			return err
		}
		if err := alg.Run(); err != nil {
			return err
		}
		checks, err := alg.Verify()
		if err = errors.Join(err, wrong(checks)); err != nil {
			return err
		}
	}
	if w := alg.Work(); !t.Within && !s.v.Peer && w.CopiedIn+w.CopiedOut != w.NominalBytes {
		return fmt.Errorf("%d bytes are copied in and %d out; inputs and answer are %d", w.CopiedIn, w.CopiedOut, w.NominalBytes)
	}
	return nil
}

// forget makes inputs and answer on the device no numbers.
func (s subject) forget(t framework.Transfers, env framework.Env) error {
	if t.Within {
		return nil
	}
	for _, list := range [][]framework.Transfer{t.In, t.Out} {
		for _, x := range list {
			if err := s.device.SetAsync(x.At, 0xff, x.Bytes, env.Stream); err != nil {
				return err
			}
		}
	}
	return s.device.Synchronize(env.Stream)
}
