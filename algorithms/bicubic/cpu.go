package bicubic

import (
	"fmt"

	"bench/framework"
)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{
		{
			Name: "reference", Doc: "one thread, five cubics a point in double precision, as defined", Source: literature,
			Processor: framework.CPU,
			New: newCPU(func(p *problem, _ framework.Env) upscaler {
				return definition{p}
			}),
		},
		{
			Name: "parallel", Doc: "all cores: each row interpolated across once, then output rows from four of those",
			Processor: framework.CPU,
			New: newCPU(func(p *problem, env framework.Env) upscaler {
				return newStriped(p, max(1, env.Workers), env.Note)
			}),
		},
	}
}

// upscaler computes one problem into out.
type upscaler interface {
	run(out []float32)
	rounding() rounding
	// work gives FLOPs, LoadBytes and StoreBytes of one run.
	work() framework.Work
	close()
}

func newCPU(prepare func(*problem, framework.Env) upscaler) func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
	return func(env framework.Env, q framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
		p, ok := q.(*problem)
		if !ok {
			return nil, fmt.Errorf("bicubic: problem is %T, not this package's", q)
		}
		return &cpuAlgorithm{p: p, env: env, prepare: prepare}, nil
	}
}

// cpuAlgorithm is one CPU version at one point.
type cpuAlgorithm struct {
	p        *problem
	env      framework.Env
	prepare  func(*problem, framework.Env) upscaler
	prepared upscaler
	out      []float32
	free     func()
}

func (a *cpuAlgorithm) PreRun() (err error) {
	if a.out, a.free, err = newBuffer(a.p.points()); err != nil {
		return err
	}
	a.prepared = a.prepare(a.p, a.env)
	return nil
}

func (a *cpuAlgorithm) Run() error {
	a.prepared.run(a.out)
	return nil
}

func (a *cpuAlgorithm) Verify() ([]framework.Check, error) {
	return a.p.compare(a.out, a.prepared.rounding()), nil
}

func (a *cpuAlgorithm) PostRun() error {
	if a.prepared != nil {
		a.prepared.close()
		a.prepared = nil
	}
	if a.free != nil {
		a.free()
		a.out, a.free = nil, nil
	}
	return nil
}

func (a *cpuAlgorithm) Work() framework.Work {
	w, own := a.p.nominal(), a.prepared.work()
	w.FLOPs, w.LoadBytes, w.StoreBytes = own.FLOPs, own.LoadBytes, own.StoreBytes
	return w
}

// Workers is how many threads Run may use.
func (a *cpuAlgorithm) Workers() int { return max(1, a.env.Workers) }

// definition is version "reference". It shares no code with compare, which
// checks it: tangents here, weights there.
type definition struct{ p *problem }

func (d definition) run(out []float32) {
	p := d.p
	for y := range p.outRows() {
		rows := p.around(y / p.RowFactor)
		down := float64(y%p.RowFactor) / float64(p.RowFactor)
		line := out[y*p.outCols() : (y+1)*p.outCols()]
		for x := range line {
			cell, across := x/p.ColumnFactor, float64(x%p.ColumnFactor)/float64(p.ColumnFactor)
			var v cubic
			for i, row := range rows {
				v[i] = p.Basis.at(across, cubic{
					float64(row[max(cell-1, 0)]), float64(row[cell]),
					float64(row[min(cell+1, p.Cols-1)]), float64(row[min(cell+2, p.Cols-1)]),
				})
			}
			line[x] = float32(p.Basis.at(down, v))
		}
	}
}

// at is the cubic through, or near, four control points at x in [0, 1] between
// the second and the third.
func (b basis) at(x float64, p cubic) float64 {
	if b == bspline {
		t := 1 - x
		return (t*t*t*p[0] + (3*x*x*x-6*x*x+4)*p[1] + (3*t*t*t-6*t*t+4)*p[2] + x*x*x*p[3]) / 6
	}
	m1, m2 := (p[2]-p[0])/2, (p[3]-p[1])/2
	return (2*x*x*x-3*x*x+1)*p[1] + (x*x*x-2*x*x+x)*m1 + (3*x*x-2*x*x*x)*p[2] + (x*x*x-x*x)*m2
}

// rounding is that to float32, and in double precision what is far below.
func (d definition) rounding() rounding { return rounding{steps: 1} }

// work counts the operations of at as they are written, and the two phases.
func (d definition) work() framework.Work {
	perCubic := []int64{34, 27}[d.p.Basis]
	return framework.Work{FLOPs: (5*perCubic + 2) * d.p.points(), LoadBytes: 64 * d.p.points(), StoreBytes: d.p.outBytes()}
}

func (d definition) close() {}
