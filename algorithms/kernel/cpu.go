package kernel

import (
	"bench/cuda"
	"bench/framework"
)

// cpuRun is a version that is a C function.
type cpuRun struct {
	env  framework.Env
	a    *algorithm
	v    *variant
	p    *problem
	work framework.Work
	c    *call
}

// resettingCPU is a cpuRun that changes its inputs.
type resettingCPU struct{ *cpuRun }

var (
	_ framework.CPUAlgorithm = (*cpuRun)(nil)
	_ framework.Resetter     = resettingCPU{}
)

func newCPURun(env framework.Env, a *algorithm, v *variant, p *problem) (framework.BaseAlgorithm, error) {
	work, err := a.work(v, p.params, nil, cuda.Facts{})
	if err != nil {
		return nil, err
	}
	r := &cpuRun{env: env, a: a, v: v, p: p, work: work}
	if a.resets() {
		return resettingCPU{r}, nil
	}
	return r, nil
}

func (r *cpuRun) PreRun() (err error) {
	r.c, err = newCall(r.p, r.v.C)
	return err
}

func (r *cpuRun) Run() error {
	r.c.run()
	return nil
}

func (r *cpuRun) Verify() ([]framework.Check, error) {
	return r.p.verify(r.env, func(i int) (vector, error) { return r.c.vectors[i], nil })
}

func (r *cpuRun) PostRun() error {
	if r.c == nil {
		return nil
	}
	c := r.c
	r.c = nil
	return c.close()
}

// Workers is 1: how many threads the function starts is unknown.
func (r *cpuRun) Workers() int { return 1 }

func (r *cpuRun) Work() framework.Work { return r.work }

// Reset restores the in-place arguments.
func (r resettingCPU) Reset() error {
	r.c.reset()
	return nil
}
