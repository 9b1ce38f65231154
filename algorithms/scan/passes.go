package scan

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// passesVersion scans sequences of any length where blocks may not wait for each other, as OpenCL's do not.
func passesVersion() framework.Version {
	return framework.Version{
		Name:      "passes",
		Doc:       "three kernels for any length: the sums of tiles, the sums before them, and the tiles' elements, through local memory",
		Source:    "Blelloch, Prefix Sums and Their Applications (1990)",
		Processor: framework.GPU,
		OpenCL:    true,
		Tunables: []framework.Tunable{
			{Name: "P", Doc: "elements per work-item", Values: framework.PowersOfTwo(2, 32)},
			{Name: "L", Doc: "work-items per group; a tile has L·P elements", Values: framework.PowersOfTwo(32, 1024)},
		},
		Defaults: func(params framework.Values, facts gpu.Facts) framework.Values {
			return framework.IntValues("P", 32/int(typeBytes(params)), "L", min(256, powerWithin(max(1, facts.MaxThreadsBlock))))
		},
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			s, p, l := shapeOf(params), int(v.Int("P")), int(v.Int("L"))
			if err := localLimits(s, v, p*l+p*l/32+1+l, facts); err != nil {
				return err
			}
			if n := tilesOf(s, v) * s.Batch; n >= 1<<31 {
				return fmt.Errorf("P·L = %s per tile make %s; want less than 2^31", terminal.Count(p*l, "element"), terminal.Count(n, "tile"))
			}
			return nil
		},
		Supports: func(params framework.Values, facts gpu.Facts) error { return doubles(shapeOf(params), facts) },
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			return 2*s.bytes() + int64(tilesOf(s, v)*s.Batch)*s.Bytes
		},
		New: framework.Typed(func(env framework.Env, p input, v framework.Values) (*passes, error) {
			x := &passes{gpuRun: gpuRun{GPURun: framework.GPURun{Env: env}, p: p}, tiles: tilesOf(p.form(), v), l: int(v.Int("L")), perItem: int(v.Int("P"))}
			s := p.form()
			x.plan = gpuPlan{
				source: gpu.Source{Name: "block.cl", Text: localText, Defines: defines(s, 1, v, ladnerFischer, "P", "L"), Kernels: []string{"sums", "offsets", "tiles"}},
				// In a tile, its work-item's and the group's sums; of tiles, the group's and those of L tiles each before; then all three together.
				chain: float64(2*x.perItem + 3*log2(x.l) + (x.tiles+x.l-1)/x.l + 3),
			}
			return x, nil
		}),
	}
}

// passes is version passes at one point.
type passes struct {
	gpuRun
	tiles      int // of a sequence
	perItem, l int

	in, sums gpu.Pointer
	kernels  []gpu.Kernel
}

func (g *passes) PreRun() (err error) {
	s := g.p.form()
	if err := g.AllocEach(s.bytes(), &g.in, &g.out); err != nil {
		return err
	}
	if g.sums, err = g.Alloc(int64(g.tiles*s.Batch) * s.Bytes); err != nil {
		return err
	}
	if err := g.p.upload(g.Device, g.in); err != nil {
		return err
	}
	g.p.transfer(&g.GPURun, g.in, g.out)
	g.kernels, err = g.Kernels(g.plan.source)
	return err
}

func (g *passes) Run() error {
	s := g.p.form()
	shape := func(groups int) gpu.Launch {
		return gpu.Launch{Grid: gpu.Dim3{X: groups}, Block: gpu.Dim3{X: g.l}}
	}
	n, tiles := int64(s.N), int32(g.tiles)
	if err := g.kernels[0].Launch(g.Env.Stream, shape(g.tiles*s.Batch), g.in, g.sums, n, tiles); err != nil {
		return err
	}
	if err := g.kernels[1].Launch(g.Env.Stream, shape(s.Batch), g.sums, tiles); err != nil {
		return err
	}
	return g.kernels[2].Launch(g.Env.Stream, shape(g.tiles*s.Batch), g.in, g.out, g.sums, n, tiles)
}

// Work counts all work-items of all tiles, also beyond a sequence's end.
func (g *passes) Work() framework.Work {
	s := g.p.form()
	p, l, all := int64(g.perItem), int64(g.l), int64(g.tiles)*int64(s.Batch)
	exchange := int64(exchangeAdditions(g.l, ladnerFischer))
	rounds := int64((g.tiles + g.l - 1) / g.l)
	sums := all * (l*(p-1) + l - 1)
	offsets := int64(s.Batch)*rounds*(exchange+l) + all
	tiles := all * (l*(p-1) + exchange + l - 1 + l*p)
	return g.p.Nominal().Executing(framework.Work{
		FLOPs:      sums + offsets + tiles,
		LoadBytes:  2*s.bytes() + all*s.Bytes*2,
		StoreBytes: s.bytes() + all*s.Bytes*2,
	})
}
