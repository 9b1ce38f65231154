package fft

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// stockham is version "stockham" at one point.
type stockham struct {
	framework.GPURun
	p      *problem
	stages []stage

	in, out, scratch gpu.Pointer
	between          gpu.Pointer // of a stage whose blocks wait for each other
	forward          direction
	backward         direction // for the round trip; compiled when first verified
}

func newStockham(env framework.Env, q *problem, v framework.Values) (*stockham, error) {
	stages, err := plan(q.N, q.Double, v)
	if err != nil {
		return nil, err
	}
	return &stockham{GPURun: framework.GPURun{Env: env}, p: q, stages: stages}, nil
}

// direction is the compiled stages of one sign of the exponent.
type direction struct{ launches []launch }

type launch struct {
	kernel    gpu.Kernel
	shape     gpu.Launch
	arguments []any // after input and output
	// zeroed is memory that must be zero when the kernel begins.
	zeroed      gpu.Pointer
	zeroedBytes int64
}

// run enqueues the stages from in to out; scratch holds what lies between.
func (d *direction) run(device gpu.Device, s gpu.Stream, in, out, scratch gpu.Pointer) error {
	from := in
	for i, l := range d.launches {
		to := out
		if (len(d.launches)-i)%2 == 0 {
			to = scratch
		}
		if l.zeroedBytes > 0 {
			if err := device.SetAsync(l.zeroed, 0, l.zeroedBytes, s); err != nil {
				return err
			}
		}
		if err := l.kernel.Launch(s, l.shape, append([]any{from, to}, l.arguments...)...); err != nil {
			return fmt.Errorf("stage %d: %w", i+1, err)
		}
		from = to
	}
	return nil
}

func (s *stockham) compile(inverse bool) (d direction, err error) {
	for _, stage := range s.stages {
		source := stage.source(inverse)
		if p, ok := stage.(pass); ok && s.Device.Facts().OpenCL != nil {
			source = p.sourceCL(inverse)
		}
		var l launch
		if l.kernel, err = s.Kernel(source); err != nil {
			return d, err
		}
		d.launches = append(d.launches, l)
		last := &d.launches[len(d.launches)-1]
		last.shape, err = stage.shape(s.p.Batch, s.Device.Facts(), last.kernel)
		if err != nil {
			return d, err
		}
		waits, isResident := stage.(resident)
		if isResident {
			if s.between == 0 {
				if s.between, err = s.Alloc(waits.betweenElements(s.p.Batch) * s.p.elementBytes()); err != nil {
					return d, err
				}
			}
			last.arguments = append(last.arguments, s.between)
			last.zeroedBytes = waits.counterBytes(s.p.Batch)
			if last.zeroed, err = s.Alloc(last.zeroedBytes); err != nil {
				return d, err
			}
		}
		for _, t := range stage.tables() {
			p, err := uploadTable(&s.GPURun, t, s.p.Double)
			if err != nil {
				return d, err
			}
			if p == 0 && s.Device.Facts().OpenCL != nil {
				p = s.in // a table that the kernel does not read is a place all the same
			}
			last.arguments = append(last.arguments, p)
		}
		if isResident {
			last.arguments = append(last.arguments, last.zeroed)
		}
		last.arguments = append(last.arguments, stage.count(s.p.Batch))
	}
	return d, nil
}

func (s *stockham) PreRun() error {
	buffers := []*gpu.Pointer{&s.in, &s.out}
	if len(s.stages) > 1 {
		buffers = append(buffers, &s.scratch)
	}
	err := s.AllocEach(s.p.bytes(), buffers...)
	if err != nil {
		return err
	}
	if err := upload(s.Device, s.p, s.in); err != nil {
		return err
	}
	transfer(&s.GPURun, s.p, s.in, s.out)
	s.forward, err = s.compile(s.p.Inverse)
	return err
}

func (s *stockham) Run() error {
	return s.forward.run(s.Device, s.Env.Stream, s.in, s.out, s.scratch)
}

func (s *stockham) Verify() ([]framework.Check, error) {
	return verifyDevice(s.Env, s.p, s.in, s.out, func() error {
		if s.backward.launches == nil {
			var err error
			if s.backward, err = s.compile(!s.p.Inverse); err != nil {
				return err
			}
		}
		return s.backward.run(s.Device, s.Env.Stream, s.out, s.in, s.scratch)
	})
}

// VerifyFast does not transform back, so that nothing is compiled for it.
func (s *stockham) VerifyFast() ([]framework.Check, error) {
	return verifyDeviceFast(s.Device, s.p, s.out)
}

func (s *stockham) Work() framework.Work {
	return addWork(s.p.Nominal(), s.stages, s.p.Batch)
}
