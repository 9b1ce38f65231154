package qr

import (
	_ "embed"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
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
		Portable:  version < 7,
		Tunables:  []framework.Tunable{tunable},
		Defaults: func(_ framework.Values, facts gpu.Facts) framework.Values {
			n := byDefault
			for facts.OpenCL != nil && n > facts.MaxThreadsBlock && n > side {
				n /= 2
			}
			return framework.IntValues(tunable.Name, n)
		},
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			if need := smallShared(shapeOf(params), version, int(v.Int(tunable.Name))); need > facts.SharedOptIn {
				return fmt.Errorf("%s = %d takes %d bytes of shared memory; the device has %d", tunable.Name, v.Int(tunable.Name), need, facts.SharedOptIn)
			}
			if n := v.Int(tunable.Name); facts.OpenCL != nil && n > int64(facts.MaxThreadsBlock) {
				return fmt.Errorf("%s = %d work-items; the device allows %d in a work-group", tunable.Name, n, facts.MaxThreadsBlock)
			}
			return powerIn(v, tunable.Name, int(tunable.Values[0]), int(tunable.Values[len(tunable.Values)-1]))
		},
		Supports: func(params framework.Values, facts gpu.Facts) error {
			if err := only64(params, facts); err != nil {
				return err
			}
			if need := smallShared(shapeOf(params), version, byDefault); need > facts.SharedOptIn {
				return fmt.Errorf("a block takes %d bytes of shared memory; the device has %d", need, facts.SharedOptIn)
			}
			return doubles(shapeOf(params), facts)
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			if version == 4 {
				return s.bytes() + s.size64()*v.Int("THREADS")*int64(s.Batch)
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

// smallShared is the shared memory of a block of so many threads, in bytes: sums, the
// matrix or two of its columns, and R.
func smallShared(s shape, version, threads int) int {
	elements := map[int]int{
		5: threads + side*side,
		6: threads + 2*side*side,
		7: side*(side+1) + side*side,
		8: side*(side+1) + 2*side,
	}
	return s.size() * elements[version]
}

// block is one of versions v4 to v8 at one point.
type block struct {
	gpuData
	version, threads int
	shared           int // bytes of a block
	kernel           gpu.Kernel
	arguments        []any
}

func (g *block) PreRun() (err error) {
	source := gpu.Source{
		Name: "block.cu", Text: blockText, Headers: headers(nil), Kernels: []string{"block"},
		Defines: g.p.defines(gpu.Defines("VERSION", g.version, "THREADS", g.threads)),
	}
	if g.version >= 7 {
		source = gpu.Source{
			Name: "warps.cu", Text: warpsText, Headers: headers(nil), Kernels: []string{"warps"},
			Defines: g.p.defines(gpu.Defines("VERSION", g.version, "WARPS", g.threads/warpSize)),
		}
	}
	if err := g.allocate(); err != nil {
		return err
	}
	g.arguments, g.shared = []any{g.a, g.q, g.r}, smallShared(g.p.shape, g.version, g.threads)
	if g.version <= 6 {
		scratch := g.q // no kernel but version 4's uses it
		if g.version == 4 {
			if scratch, err = g.Alloc(g.p.size64() * int64(g.threads) * int64(g.p.Batch)); err != nil {
				return err
			}
		}
		g.arguments = append(g.arguments, scratch)
	}
	g.kernel, err = g.Kernel(source)
	return err
}

func (g *block) Run() error {
	return g.kernel.Launch(g.Env.Stream, gpu.Launch{
		Grid: gpu.Dim3{X: g.p.Batch}, Block: gpu.Dim3{X: g.threads}, SharedBytes: g.shared,
	}, g.arguments...)
}

func (g *block) Verify() ([]framework.Check, error) { return g.verify(gramSchmidt) }

func (g *block) VerifyFast() ([]framework.Check, error) { return g.verifyFast(gramSchmidt) }
