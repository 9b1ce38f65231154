package bicubic

import (
	_ "embed"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

var (
	//go:embed kernels/light.cu
	lightText string
	//go:embed kernels/heavy.cu
	heavyText string
)

// wholeBytes returns the device memory of a version that holds input and output there.
func wholeBytes(params, _ framework.Values) int64 {
	return shapeOf(params).inBytes() + shapeOf(params).outBytes()
}

// lightVersion returns v1: one thread per output point.
func lightVersion() framework.Version {
	return framework.Version{
		Name: "v1", Doc: "light threads: one per output point, from its 16 control points", Source: literature,
		Processor:   framework.GPU,
		Portable:    true,
		Tunables:    blockTunables(),
		Defaults:    func(_ framework.Values, facts gpu.Facts) framework.Values { return blockDefaults(facts) },
		Valid:       func(_, v framework.Values, facts gpu.Facts) error { return validBlock(v, facts) },
		DeviceBytes: wholeBytes,
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*single, error) {
			s := p.shape
			g, err := newSingle(env, p, v, s.outRows(), s.outCols())
			if err != nil {
				return nil, err
			}
			g.source = splineSource("light.cu", lightText, s, v, "light")
			g.work = framework.Work{
				FLOPs:      s.points() * (2*s.Basis.polynomialFLOPs() + 5*(s.Basis.cubicFLOPs()+valueFLOPs)),
				LoadBytes:  4 * requests(s.outCols(), int(v.Int("BX")), 32, s.Cols, s.ColumnFactor) * requests(s.outRows(), int(v.Int("BY")), 32/min(32, int(v.Int("BX"))), s.Rows, s.RowFactor),
				StoreBytes: s.outBytes(),
			}
			return g, nil
		}),
	}
}

// requests returns how many control lines the warps of v1 request along one direction, in its four loads: for
// points outputs by factor, in blocks of block threads, with at most span threads of a warp. What several
// threads of a warp request at once counts once. A warp's points are a rectangle, so the number of control
// points is the product of both directions.
func requests(points, block, span, controls, factor int) int64 {
	var n int64
	for first := 0; first < points; first += block {
		end := min(first+block, points)
		for from := first; from < end; from += min(span, block) {
			to := min(from+span, end)
			for i := -1; i <= 2; i++ {
				last := -1
				for p := from; p < to; p++ {
					if at := min(max(p/factor+i, 0), controls-1); at != last {
						last = at
						n++
					}
				}
			}
		}
	}
	return n
}

// heavyVersion returns v2: one thread per input point.
func heavyVersion() framework.Version {
	return framework.Version{
		Name: "v2", Doc: "heavy threads: one per input point, control points and interpolated lines in shared memory", Source: literature,
		Processor:   framework.GPU,
		Portable:    true,
		Tunables:    blockTunables(),
		Defaults:    func(_ framework.Values, facts gpu.Facts) framework.Values { return blockDefaults(facts) },
		Valid:       func(_, v framework.Values, facts gpu.Facts) error { return validBlock(v, facts) },
		DeviceBytes: wholeBytes,
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*single, error) {
			s := p.shape
			g, err := newSingle(env, p, v, s.Rows, s.Cols)
			if err != nil {
				return nil, err
			}
			g.source = splineSource("heavy.cu", heavyText, s, v, "heavy")
			g.work = heavyWork(s, int(v.Int("BX")), int(v.Int("BY")))
			return g, nil
		}),
	}
}

// heavyWork counts all threads of all blocks along columns, where threads without an input point work too,
// and only the input's points along rows.
func heavyWork(s shape, bx, by int) framework.Work {
	blocks := int64(tiles(s.Cols, bx)) * int64(tiles(s.Rows, by))
	r, c := int64(s.RowFactor), int64(s.ColumnFactor)
	threads, columns := int64(bx*by), int64((bx+3)*by)
	b := s.Basis
	down := threads*r*b.polynomialFLOPs() + columns*(b.cubicFLOPs()+r*valueFLOPs)
	across := b.cubicFLOPs() + c*(b.polynomialFLOPs()+valueFLOPs)
	return framework.Work{
		FLOPs:      blocks*down + int64(s.outRows())*int64(s.Cols)*across,
		LoadBytes:  blocks * int64((bx+3)*(by+3)) * 4,
		StoreBytes: s.outBytes(),
	}
}

// newSingle returns a version with rows × cols threads.
func newSingle(env framework.Env, p *problem, v framework.Values, rows, cols int) (*single, error) {
	base, s := newGPURun(env, p), p.shape
	block := gpu.Dim3{X: int(v.Int("BX")), Y: int(v.Int("BY"))}
	across := tiles(cols, block.X)
	launch, err := grid(across, tiles(rows, block.Y), block)
	if err != nil {
		return nil, err
	}
	base.rounding = splineRounding(s.Basis)
	return &single{
		gpuRun: base, launch: launch,
		arguments: []any{
			int32(s.Rows), int32(s.Cols), int32(s.RowFactor), int32(s.ColumnFactor),
			1 / float32(s.RowFactor), 1 / float32(s.ColumnFactor), uint32(across),
		},
	}, nil
}
