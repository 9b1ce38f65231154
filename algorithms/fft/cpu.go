package fft

import (
	"unsafe"

	"example.org/bench/framework"
)

// element is a complex number of either precision.
type element interface{ complex64 | complex128 }

// elementBytes is the size of a T.
func elementBytes[T element]() int64 {
	var v T
	return int64(unsafe.Sizeof(v))
}

// transformer computes all transforms of one problem, out of place.
type transformer[T element] interface {
	run(out, in []T) error
	framework.Computation
}

// prepare makes a transformer.
type prepare[T element] func(p *problem, env framework.Env, tunables framework.Values) (transformer[T], error)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{referenceVersion(), stockhamVersion(), fftwVersion()}
}

func referenceVersion() framework.Version {
	return framework.Version{
		Name:      "reference",
		Doc:       "radix 2, decimation in time, in double precision: the oracle of all versions",
		Source:    "Cooley and Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series (1965)",
		Processor: framework.CPU,
		HostBytes: hostBytesReference,
		New:       newCPU(prepareReference[complex64], prepareReference[complex128], directCheck),
	}
}

// newCPU makes a CPU version in the problem's precision; further are checks
// beyond those that every version gets.
func newCPU(p32 prepare[complex64], p64 prepare[complex128],
	further ...func(*problem) framework.Check) func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
	return framework.Typed(func(env framework.Env, p *problem, v framework.Values) (framework.BaseAlgorithm, error) {
		if p.Double {
			return newCPURun(env, p, p.in64, v, p64, further), nil
		}
		return newCPURun(env, p, p.in32, v, p32, further), nil
	})
}

func newCPURun[T element](env framework.Env, p *problem, in []T, tunables framework.Values, f prepare[T], further []func(*problem) framework.Check) *cpuRun[T] {
	prepare := func(p *problem, env framework.Env) (transformer[T], error) { return f(p, env, tunables) }
	return &cpuRun[T]{CPURun: framework.CPURun[*problem, transformer[T]]{Env: env, Problem: p, Prepare: prepare}, in: in, further: further}
}

// cpuRun is one CPU version at one point.
type cpuRun[T element] struct {
	framework.CPURun[*problem, transformer[T]]
	in, out []T
	further []func(*problem) framework.Check
}

func (a *cpuRun[T]) PreRun() error {
	a.out = make([]T, len(a.in))
	return a.CPURun.PreRun()
}

func (a *cpuRun[T]) Run() error { return a.Prepared.run(a.out, a.in) }

// Verify goes back from the output by the same plan: conjugating before and
// after a transform turns its direction round.
func (a *cpuRun[T]) Verify() ([]framework.Check, error) {
	checks, err := checkAll(a.Problem, whole(a.out))
	if err != nil {
		return nil, err
	}
	back := make([]T, len(a.in))
	conjugate(a.out)
	err = a.Prepared.run(back, a.out)
	conjugate(a.out)
	if err != nil {
		return nil, err
	}
	conjugate(back)
	returned, err := roundTrip(a.Problem, a.in, whole(back))
	if err != nil {
		return nil, err
	}
	checks = append(checks, returned...)
	for _, f := range a.further {
		checks = append(checks, f(a.Problem))
	}
	return checks, nil
}

// VerifyFast does not transform back.
func (a *cpuRun[T]) VerifyFast() ([]framework.Check, error) {
	checks, err := verifyFast(a.Problem, whole(a.out))
	if err != nil {
		return nil, err
	}
	for _, f := range a.further {
		checks = append(checks, f(a.Problem))
	}
	return checks, nil
}

func conjugate[T element](all []T) {
	for i, v := range all {
		w := complex128(v)
		all[i] = T(complex(real(w), -imag(w)))
	}
}

func (a *cpuRun[T]) PostRun() error {
	a.out = nil
	return a.CPURun.PostRun()
}
