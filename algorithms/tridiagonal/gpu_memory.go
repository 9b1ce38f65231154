package tridiagonal

import (
	"errors"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/pages"
)

// arrays holds the equations and the solution on the device.
type arrays struct{ a, b, c, d, x gpu.Pointer }

// gpuRun is what all of this package's GPU versions have in common at one
// point.
type gpuRun struct {
	framework.GPURun
	p    *problem
	data arrays // the problem's
}

func newGPURun(env framework.Env, p *problem) gpuRun {
	return gpuRun{GPURun: framework.GPURun{Env: env}, p: p}
}

// newArrays allocates n rows.
func (g *gpuRun) newArrays(n int) (v arrays, err error) {
	return v, g.AllocEach(int64(n)*g.p.realBytes(), &v.a, &v.b, &v.c, &v.d, &v.x)
}

// open allocates the problem and uploads its equations.
func (g *gpuRun) open() (err error) {
	if g.data, err = g.newArrays(g.p.elements()); err != nil {
		return err
	}
	if g.p.Double {
		return upload(g.Device, g.data, g.p.in64)
	}
	return upload(g.Device, g.data, g.p.in32)
}

// transfer says what is copied of a run from input to answer: the equations to v, where d
// may lie in place of the solution.
func (g *gpuRun) transfer(v arrays) {
	if g.p.Double {
		transfer(&g.GPURun, v, g.p.in64)
	} else {
		transfer(&g.GPURun, v, g.p.in32)
	}
	g.Output(v.x, g.p.bytes())
}

func transfer[T real](r *framework.GPURun, v arrays, in equations[T]) {
	framework.Input(r, v.a, in.a)
	framework.Input(r, v.b, in.b)
	framework.Input(r, v.c, in.c)
	framework.Input(r, v.d, in.d)
}

func upload[T real](d gpu.Device, v arrays, in equations[T]) error {
	return errors.Join(gpu.Upload(d, v.a, in.a), gpu.Upload(d, v.b, in.b), gpu.Upload(d, v.c, in.c), gpu.Upload(d, v.d, in.d))
}

// verify compares the solution at x.
func (g *gpuRun) verify(x gpu.Pointer, levels int) ([]framework.Check, error) {
	if g.p.Double {
		return verify(g, g.p.in64, x, levels, compare)
	}
	return verify(g, g.p.in32, x, levels, compare)
}

// verifyFast is verify without the whole reference.
func (g *gpuRun) verifyFast(x gpu.Pointer, levels int) ([]framework.Check, error) {
	if !g.p.hasFastCheck() { // saves the download
		return nil, framework.ErrNoFastCheck
	}
	if g.p.Double {
		return verify(g, g.p.in64, x, levels, compareFast)
	}
	return verify(g, g.p.in32, x, levels, compareFast)
}

func verify[T real](g *gpuRun, in equations[T], x gpu.Pointer, levels int,
	by func(p *problem, in equations[T], got []T, levels int) ([]framework.Check, error)) ([]framework.Check, error) {
	got, free, err := pages.New[T](int64(g.p.elements()))
	if err != nil {
		return nil, err
	}
	defer free()
	if err := gpu.Download(g.Device, got, x); err != nil {
		return nil, err
	}
	return by(g.p, in, got, levels)
}
