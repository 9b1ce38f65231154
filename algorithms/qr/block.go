package qr

import (
	_ "embed"

	"bench/cuda"
	"bench/framework"
)

var (
	//go:embed kernels/block.cu
	blockText string
	//go:embed kernels/warps.cu
	warpsText string
)

// side is that of the literature's small matrices.
const side = 64

// blockVersion is one of the literature's versions v4 to v6.
func blockVersion(name string, version int, doc string) framework.Version {
	return small(name, doc, version, framework.Tunable{Name: "THREADS", Doc: "threads per block", Values: []int64{64, 128, 256, 512, 1024}}, 512)
}

// warpsVersion is one of the literature's versions v7 and v8.
func warpsVersion(name string, version int, doc string) framework.Version {
	return small(name, doc, version, framework.Tunable{Name: "WARPS", Doc: "warps per block", Values: []int64{4, 8, 16, 32}}, 16)
}

func small(name, doc string, version int, tunable framework.Tunable, byDefault int) framework.Version {
	return framework.Version{
		Name:      name,
		Doc:       "modified Gram-Schmidt: " + doc,
		Source:    literature + ", table 1",
		Processor: framework.GPU,
		Tunables:  []framework.Tunable{tunable},
		Defaults: func(framework.Values, cuda.Facts) framework.Values {
			return framework.IntValues(tunable.Name, byDefault)
		},
		Valid: func(_, v framework.Values, _ cuda.Facts) error {
			return powerIn(v, tunable.Name, int(tunable.Values[0]), int(tunable.Values[len(tunable.Values)-1]))
		},
		Supports: only64,
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			if version == 4 {
				return s.bytes() + 4*v.Int("THREADS")*int64(s.Batch)
			}
			return s.bytes()
		},
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*block, error) {
			b := &block{gpuData: newData(env, p), version: version, threads: int(v.Int(tunable.Name))}
			if version >= 7 {
				b.threads *= warpSize
			}
			return b, nil
		}),
	}
}

// block is one of versions v4 to v8 at one point.
type block struct {
	gpuData
	version, threads int
	kernel           cuda.Kernel
	arguments        []any
}

func (g *block) PreRun() (err error) {
	source := cuda.Source{
		Name: "block.cu", Text: blockText, Kernels: []string{"block"},
		Defines: cuda.Defines("VERSION", g.version, "THREADS", g.threads),
	}
	if g.version >= 7 {
		source = cuda.Source{
			Name: "warps.cu", Text: warpsText, Kernels: []string{"warps"},
			Defines: cuda.Defines("VERSION", g.version, "WARPS", g.threads/warpSize),
		}
	}
	if err := g.allocate(); err != nil {
		return err
	}
	g.arguments = []any{g.a, g.q, g.r}
	if g.version <= 6 {
		scratch := g.q // no kernel but version 4's uses it
		if g.version == 4 {
			if scratch, err = g.Alloc(4 * int64(g.threads) * int64(g.p.Batch)); err != nil {
				return err
			}
		}
		g.arguments = append(g.arguments, scratch)
	}
	g.kernel, err = g.Kernel(source)
	return err
}

func (g *block) Run() error {
	l := cuda.Launch{Grid: cuda.Dim3{X: g.p.Batch}, Block: cuda.Dim3{X: g.threads}}
	switch g.version {
	case 5:
		l.SharedBytes = 4 * (g.threads + side*side)
	case 6:
		l.SharedBytes = 4 * (g.threads + 2*side*side)
	}
	return g.kernel.Launch(g.Env.Stream, l, g.arguments...)
}

func (g *block) Verify() ([]framework.Check, error) { return g.verify(gramSchmidt) }

func (g *block) VerifyFast() ([]framework.Check, error) { return g.verifyFast(gramSchmidt) }
