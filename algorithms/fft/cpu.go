package fft

import (
	"unsafe"

	"bench/framework"
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
	// work gives FLOPs, LoadBytes and StoreBytes of one run.
	work() framework.Work
	close() error
}

// prepare makes a transformer; what it costs is not timed.
type prepare[T element] func(p *problem, env framework.Env) (transformer[T], error)

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
		New: func(env framework.Env, problem framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
			return newCPU(env, problem, prepareReference[complex64], prepareReference[complex128], directCheck), nil
		},
	}
}

// newCPU makes a CPU version of one problem in the problem's precision;
// further are checks beyond those that every version gets.
func newCPU(env framework.Env, q framework.Problem, p32 prepare[complex64], p64 prepare[complex128],
	further ...func(*problem) framework.Check) framework.BaseAlgorithm {
	p := q.(*problem)
	if p.Double {
		return &cpuAlgorithm[complex128]{p: p, env: env, in: p.in64, prepare: p64,
			check: p.check64, roundTrip: p.roundTrip64, further: further}
	}
	return &cpuAlgorithm[complex64]{p: p, env: env, in: p.in32, prepare: p32,
		check: p.check32, roundTrip: p.roundTrip32, further: further}
}

// cpuAlgorithm is one CPU version at one point.
type cpuAlgorithm[T element] struct {
	p         *problem
	env       framework.Env
	in, out   []T
	prepare   prepare[T]
	prepared  transformer[T]
	check     func([]T) []framework.Check
	roundTrip func([]T) framework.Check
	further   []func(*problem) framework.Check
}

func (a *cpuAlgorithm[T]) PreRun() (err error) {
	a.out = make([]T, len(a.in))
	a.prepared, err = a.prepare(a.p, a.env)
	return err
}

func (a *cpuAlgorithm[T]) Run() error {
	return a.prepared.run(a.out, a.in)
}

// Verify goes back from the output by the same plan: conjugating before and
// after a transform turns its direction round.
func (a *cpuAlgorithm[T]) Verify() ([]framework.Check, error) {
	checks := a.check(a.out)
	back, conjugated := make([]T, len(a.in)), make([]T, len(a.in))
	conjugate(conjugated, a.out)
	if err := a.prepared.run(back, conjugated); err != nil {
		return nil, err
	}
	conjugate(back, back)
	checks = append(checks, a.roundTrip(back))
	for _, f := range a.further {
		checks = append(checks, f(a.p))
	}
	return checks, nil
}

func conjugate[T element](dst, src []T) {
	for i, v := range src {
		w := complex128(v)
		dst[i] = T(complex(real(w), -imag(w)))
	}
}

func (a *cpuAlgorithm[T]) PostRun() error {
	a.out = nil
	if a.prepared == nil {
		return nil
	}
	return a.prepared.close()
}

func (a *cpuAlgorithm[T]) Work() framework.Work {
	w, own := a.p.nominal(), a.prepared.work()
	w.FLOPs, w.LoadBytes, w.StoreBytes = own.FLOPs, own.LoadBytes, own.StoreBytes
	return w
}

// Workers is how many threads Run uses.
func (a *cpuAlgorithm[T]) Workers() int { return max(1, a.env.Workers) }
