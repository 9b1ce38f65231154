package kernel

import (
	"bytes"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// cpuRun is a version that is a C function.
type cpuRun struct {
	env  framework.Env
	v    *variant
	p    *problem    // the problem whose inputs are in place
	sets [2]*problem // with the point's own inputs, and with other inputs; nil if there is none or it is not made yet
	work framework.Work
	c    *call

	drawn int      // number of the last set of inputs that was drawn in addition; 0: none
	fresh *problem // with this set; nil if there is none

	tunables framework.Values
}

// resettingCPU is a cpuRun that changes its inputs.
type resettingCPU struct{ *cpuRun }

var (
	_ framework.CPUAlgorithm  = (*cpuRun)(nil)
	_ framework.Resetter      = resettingCPU{}
	_ framework.FreshVerifier = (*cpuRun)(nil)
)

func newCPURun(env framework.Env, a *algorithm, v *variant, p *problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
	work, err := a.work(v, p.params, tunables, gpu.Facts{})
	if err != nil {
		return nil, err
	}
	r := &cpuRun{env: env, v: v, p: p, sets: [2]*problem{p}, work: work, tunables: tunables}
	if a.resets(v) {
		return resettingCPU{r}, nil
	}
	return r, nil
}

func (r *cpuRun) PreRun() (err error) {
	sizes, err := r.p.sized(nil, r.tunables, gpu.Facts{})
	if err != nil {
		return err
	}
	r.c, err = newCall(r.p, r.v.C, sizes, func() (*library, error) {
		if r.p.kept != nil {
			return r.p.kept.library(r.v, r.tunables)
		}
		options, err := given(r.v.C.Options, r.p.params, r.tunables)
		if err != nil {
			return nil, err
		}
		macros, err := r.v.macros(r.p.params, r.tunables, gpu.Facts{})
		if err != nil {
			return nil, err
		}
		return r.p.compile(r.v.C, withMacros(options, macros))
	})
	return err
}

func (r *cpuRun) Run() error {
	r.c.run()
	return nil
}

func (r *cpuRun) Verify() ([]framework.Check, error) {
	checks, err := r.Recheck()
	if err != nil {
		return nil, err
	}
	changed, err := r.p.changed(func(i int) (bool, error) { return bytes.Equal(r.p.inputs[i].data, r.c.vectors[i].data), nil }, r.answer)
	return append(checks, changed...), err
}

// Recheck verifies the answer of the last timed run.
func (r *cpuRun) Recheck() ([]framework.Check, error) {
	return r.p.verify(r.env, r)
}

func (r *cpuRun) answer(i int) (vector, error) { return r.c.vectors[i], nil }
func (r *cpuRun) asJudged(int) (bool, error)   { return false, nil }

func (r *cpuRun) PostRun() error {
	if r.c == nil {
		return nil
	}
	c := r.c
	r.c = nil
	r.forget()
	return c.close()
}

// Workers returns on how many CPUs the function runs: on all of the run's if it is compiled for threads of
// its own, else on one. The number of threads that it starts is unknown.
func (r *cpuRun) Workers() int {
	if r.v.C.threaded() {
		return max(1, r.env.Workers)
	}
	return 1
}

// threaded reports whether the function is compiled for threads of its own (GCC's manual, 3.13 and 3.18).
func (f *function) threaded() bool {
	return slices.ContainsFunc(f.Options, func(o option) bool {
		return o.Text == "-pthread" || o.Text == "-lpthread" || strings.HasPrefix(o.Text, "-fopenmp") && o.Text != "-fopenmp-simd"
	})
}

func (r *cpuRun) Work() framework.Work { return r.work }

// Reset restores the in-place arguments.
func (r resettingCPU) Reset() error {
	r.c.reset()
	return nil
}
