package bicubic

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/pages"
)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{
		{
			Name: "reference", Doc: "one thread, five cubics per point in double precision, as defined", Source: literature,
			Processor: framework.CPU,
			New:       framework.OneThread(newCPU(func(p *problem, _ framework.Env, _ framework.Values) (upscaler, error) { return definition{p}, nil })),
		},
		{
			Name: "parallel", Doc: "all cores: each row interpolated across once, then output rows from four of those",
			Processor: framework.CPU,
			Tunables: []framework.Tunable{
				{Name: "STRIPE", Doc: "input rows that a worker takes at once", Values: framework.PowersOfTwo(4, 256)},
				{Name: "COLUMNS", Doc: "columns of the output that are done together", Values: framework.PowersOfTwo(256, 16384)},
			},
			Defaults: func(framework.Values, gpu.Facts) framework.Values {
				return framework.IntValues("STRIPE", stripeRows, "COLUMNS", blockColumns)
			},
			New: newCPU(func(p *problem, env framework.Env, v framework.Values) (upscaler, error) {
				return newStriped(p, env, int(v.Int("STRIPE")), int(v.Int("COLUMNS"))), nil
			}),
		},
	}
}

// upscaler computes one problem into out.
type upscaler interface {
	run(out []float32)
	rounding() rounding
	framework.Computation
}

func newCPU(prepare func(*problem, framework.Env, framework.Values) (upscaler, error)) func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
	return framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*cpuRun, error) {
		with := func(p *problem, env framework.Env) (upscaler, error) { return prepare(p, env, v) }
		return &cpuRun{CPURun: framework.CPURun[*problem, upscaler]{Env: env, Problem: p, Prepare: with}}, nil
	})
}

// cpuRun is one CPU version at one point.
type cpuRun struct {
	framework.CPURun[*problem, upscaler]
	out  []float32
	free func()
}

func (a *cpuRun) PreRun() (err error) {
	if a.out, a.free, err = pages.New[float32](a.Problem.points()); err != nil {
		return err
	}
	return a.CPURun.PreRun()
}

func (a *cpuRun) Run() error {
	a.Prepared.run(a.out)
	return nil
}

func (a *cpuRun) Verify() ([]framework.Check, error) {
	return a.Problem.compare(a.out, a.Prepared.rounding()), nil
}

func (a *cpuRun) PostRun() error {
	if a.free != nil {
		a.free()
		a.out, a.free = nil, nil
	}
	return a.CPURun.PostRun()
}

// definition is version "reference". It shares no code with compare, which checks it: definition uses
// tangents, compare weights.
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

// at returns the value, at x in [0, 1] between the second and the third, of the cubic through or near four
// control points.
func (b basis) at(x float64, p cubic) float64 {
	if b == bspline {
		t := 1 - x
		return (t*t*t*p[0] + (3*x*x*x-6*x*x+4)*p[1] + (3*t*t*t-6*t*t+4)*p[2] + x*x*x*p[3]) / 6
	}
	m1, m2 := (p[2]-p[0])/2, (p[3]-p[1])/2
	return (2*x*x*x-3*x*x+1)*p[1] + (x*x*x-2*x*x+x)*m1 + (3*x*x-2*x*x*x)*p[2] + (x*x*x-x*x)*m2
}

// rounding is that of the result to float32; rounding in double precision is far smaller.
func (d definition) rounding() rounding { return rounding{steps: 1} }

// Work counts the operations of at as written, and the two phases.
func (d definition) Work() framework.Work {
	perCubic := []int64{34, 27}[d.p.Basis]
	return framework.Work{FLOPs: (5*perCubic + 2) * d.p.points(), LoadBytes: 64 * d.p.points(), StoreBytes: d.p.outBytes()}
}

// Close does nothing.
func (d definition) Close() error { return nil }
