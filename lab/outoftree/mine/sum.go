package main

import (
	"math"

	"example.org/bench/framework"
)

// sum adds up 1 … N.
func sum() *framework.Factory {
	return &framework.Factory{
		Name: "sum",
		Doc:  "1 + 2 + … + N",
		Params: []framework.Param{
			{Name: "N", Doc: "last number", Kind: framework.Int, Default: framework.IntValue(1000), Min: 1, Max: 1 << 26},
		},
		NewProblem: func(_ framework.Env, p framework.Values) (framework.Problem, error) { return numbers(p.Int("N")), nil },
		HostBytes:  func(framework.Values) int64 { return 0 },
		Versions: []framework.Version{{
			Name: "loop", Doc: "one thread", Processor: framework.CPU,
			New: framework.Typed(func(_ framework.Env, n numbers, _ framework.Values) (*loop, error) {
				return &loop{n: n}, nil
			}),
		}},
		Verification: func(string) []framework.Values { return []framework.Values{{}} },
	}
}

type numbers int64

func (numbers) Close() {}

type loop struct {
	n     numbers
	total float64
}

func (*loop) PreRun() error  { return nil }
func (*loop) PostRun() error { return nil }
func (*loop) Workers() int   { return 1 }

func (l *loop) Run() error {
	l.total = 0
	for i := numbers(1); i <= l.n; i++ {
		l.total += float64(i)
	}
	return nil
}

func (l *loop) Verify() ([]framework.Check, error) {
	right := float64(l.n) * float64(l.n+1) / 2
	return []framework.Check{{Metric: "relative error", Error: math.Abs(l.total-right) / right, Bound: 1e-12}}, nil
}

func (l *loop) Work() framework.Work {
	return framework.Work{NominalFLOPs: int64(l.n), FLOPs: int64(l.n)}
}
