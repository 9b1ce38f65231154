package bicubic

import (
	_ "embed"
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

//go:embed kernels/transposed.cu
var transposedText string

// transposeTunables returns the tunables of v3 and v4.
func transposeTunables() []framework.Tunable {
	return append(blockTunables(),
		framework.Tunable{Name: "TILE", Doc: "side of the squares that are transposed, by TILE·BY threads", Values: []int64{16, 32, 64}})
}

func transposeValid(v framework.Values, facts gpu.Facts) error {
	if err := validBlock(v, facts); err != nil {
		return err
	}
	tile, by := v.Int("TILE"), v.Int("BY")
	switch {
	case tile < 1 || tile*by > int64(facts.MaxThreadsBlock):
		return fmt.Errorf("TILE·BY = %d threads per block, the device allows %d", tile*by, facts.MaxThreadsBlock)
	case 4*tile*(tile+1) > int64(facts.SharedPerBlock) || 4*by*(v.Int("BX")+3) > int64(facts.SharedPerBlock):
		return fmt.Errorf("TILE = %d, BX = %d, BY = %d need more shared memory than the block's %d bytes", tile, v.Int("BX"), by, facts.SharedPerBlock)
	}
	return nil
}

// transposedVersion returns v3: the whole matrix at once.
func transposedVersion() framework.Version {
	return framework.Version{
		Name: "v3", Doc: "heavy threads and transposes: both interpolations along contiguous lines, in four kernels", Source: literature,
		Processor: framework.GPU,
		Portable:  true,
		Tunables:  transposeTunables(),
		Defaults: func(_ framework.Values, facts gpu.Facts) framework.Values {
			v := blockDefaults(facts)
			v["TILE"] = framework.IntValue(32)
			return v
		},
		Valid: func(_, v framework.Values, facts gpu.Facts) error { return transposeValid(v, facts) },
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			return wholeBytes(params, v) + chunkOf(s, 0, s.Rows).scratchBytes(s)
		},
		New: framework.Typed(newTransposed),
	}
}

// splitVersion returns v4: chunk after chunk of input rows.
func splitVersion() framework.Version {
	return framework.Version{
		Name: "v4", Doc: "v3 for chunks of input rows one after another; with STAGED, input and output lie in host memory and may be larger than the device's", Source: literature,
		Processor: framework.GPU,
		Tunables: append(transposeTunables(),
			framework.Tunable{Name: "CHUNK_ROWS", Doc: "input rows of a chunk", Values: []int64{16, 32, 64, 128, 256, 512, 1024, 2048}},
			framework.Tunable{Name: "STAGED", Doc: "1: input and output lie in host memory, chunks are copied to the device and back", Values: []int64{0, 1}},
		),
		Defaults: splitDefaults,
		Valid: func(_, v framework.Values, facts gpu.Facts) error {
			if err := transposeValid(v, facts); err != nil {
				return err
			}
			if n := v.Int("CHUNK_ROWS"); n < 1 {
				return fmt.Errorf("CHUNK_ROWS = %d: want at least 1", n)
			}
			if x := v.Int("STAGED"); x != 0 && x != 1 {
				return fmt.Errorf("STAGED = %d: want 0 or 1", x)
			}
			return nil
		},
		DeviceBytes: func(params, v framework.Values) int64 { return splitBytes(shapeOf(params), v) },
		New:         framework.Typed(newSplit),
	}
}

// splitDefaults stages a matrix that would not fit in nine tenths of the device's memory, and halves chunks
// until they fit.
func splitDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	s := shapeOf(params)
	rows, staged := min(256, s.Rows), 0
	set := func() framework.Values {
		return framework.IntValues("BX", 32, "BY", 8, "TILE", 32, "CHUNK_ROWS", rows, "STAGED", staged)
	}
	if facts.GlobalBytes == 0 { // not known
		return set()
	}
	room := facts.GlobalBytes / 10 * 9
	if splitBytes(s, set()) > room {
		staged = 1
	}
	for rows > 1 && splitBytes(s, set()) > room {
		rows /= 2
	}
	return set()
}

// splitBytes returns the device memory that v4 allocates.
func splitBytes(s shape, v framework.Values) (bytes int64) {
	rows := int(v.Int("CHUNK_ROWS"))
	for _, c := range chunks(s, rows) {
		n := c.scratchBytes(s)
		if v.Int("STAGED") != 0 {
			n += c.inBytes(s) + c.outBytes(s)
		}
		bytes = max(bytes, n)
	}
	if v.Int("STAGED") == 0 {
		bytes += s.inBytes() + s.outBytes()
	}
	return bytes
}

// chunk is a range of input rows. Rows from first on are interpolated; rows from start to end are read.
type chunk struct{ start, first, rows, end int }

func chunkOf(s shape, first, rows int) chunk {
	rows = min(rows, s.Rows-first)
	return chunk{start: max(first-1, 0), first: first, rows: rows, end: min(first+rows+2, s.Rows)}
}

func chunks(s shape, rows int) (list []chunk) {
	for first := 0; first < s.Rows; first += rows {
		list = append(list, chunkOf(s, first, rows))
	}
	return list
}

// entering returns the number of rows read, with those before and after as control points.
func (c chunk) entering() int { return c.end - c.start }

func (c chunk) inBytes(s shape) int64  { return 4 * int64(c.entering()) * int64(s.Cols) }
func (c chunk) outBytes(s shape) int64 { return 4 * int64(c.rows*s.RowFactor) * int64(s.outCols()) }

// longBytes returns the bytes of the chunk interpolated down its columns.
func (c chunk) longBytes(s shape) int64 { return 4 * int64(c.rows*s.RowFactor) * int64(s.Cols) }

// scratchBytes returns the bytes of the chunk transposed, interpolated, and transposed back.
func (c chunk) scratchBytes(s shape) int64 { return c.inBytes(s) + 2*c.longBytes(s) }

// transposed is v3 or v4 at one point.
type transposed struct {
	gpuRun
	chunks  []chunk
	bx, by  int
	tile    int
	host    *hostMatrices // nil if input and output lie in device memory
	turned  gpu.Pointer   // the chunk transposed
	long    gpu.Pointer   // interpolated
	back    gpu.Pointer   // transposed back
	rowStep float32
	colStep float32
}

func newTransposed(env framework.Env, p *problem, v framework.Values) (*transposed, error) {
	return transposedBy(env, p, v, p.Rows), nil
}

func newSplit(env framework.Env, p *problem, v framework.Values) (*transposed, error) {
	g := transposedBy(env, p, v, int(v.Int("CHUNK_ROWS")))
	if v.Int("STAGED") != 0 {
		g.host = &hostMatrices{}
		g.AtPostRun(g.host.close)
	}
	return g, nil
}

// transposedBy returns a version that takes rows input rows at a time.
func transposedBy(env framework.Env, p *problem, v framework.Values, rows int) *transposed {
	s := p.shape
	g := &transposed{
		gpuRun: newGPURun(env, p), bx: int(v.Int("BX")), by: int(v.Int("BY")), tile: int(v.Int("TILE")),
		rowStep: 1 / float32(s.RowFactor), colStep: 1 / float32(s.ColumnFactor),
	}
	g.chunks = chunks(s, rows)
	g.source = splineSource("transposed.cu", transposedText, s,
		framework.IntValues("BX", g.bx, "BY", g.by, "TILE", g.tile), "transpose", "interpolate")
	g.rounding = splineRounding(s.Basis)
	for _, c := range g.chunks {
		g.count(c)
	}
	return g
}

// count adds a chunk's work.
func (g *transposed) count(c chunk) {
	s := g.p.shape
	w := &g.work
	w.LoadBytes += c.inBytes(s) + c.longBytes(s)
	w.StoreBytes += c.inBytes(s) + c.longBytes(s)
	for _, x := range []struct{ lines, points, factor int }{
		{s.Cols, c.rows, s.RowFactor}, {c.rows * s.RowFactor, s.Cols, s.ColumnFactor},
	} {
		lines, points, factor := int64(x.lines), int64(x.points), int64(x.factor)
		w.FLOPs += lines * points * (s.Basis.cubicFLOPs() + factor*(s.Basis.polynomialFLOPs()+valueFLOPs))
		w.LoadBytes += 4 * lines * int64(tiles(x.points, g.bx)*(g.bx+3))
		w.StoreBytes += 4 * lines * points * factor
	}
}

func (g *transposed) PreRun() (err error) {
	s := g.p.shape
	var in, long, out int64
	for _, c := range g.chunks {
		in, long, out = max(in, c.inBytes(s)), max(long, c.longBytes(s)), max(out, c.outBytes(s))
	}
	if g.host == nil {
		if err := g.allocate(); err != nil {
			return err
		}
	} else {
		if g.in, err = g.Alloc(in); err != nil {
			return err
		}
		if g.out, err = g.Alloc(out); err != nil {
			return err
		}
		if err := g.host.open(g.Device, g.p); err != nil {
			return err
		}
		g.CopiesItself(g.copied())
	}
	if g.turned, err = g.Alloc(in); err != nil {
		return err
	}
	if err := g.AllocEach(long, &g.long, &g.back); err != nil {
		return err
	}
	return g.compile()
}

// copied returns the bytes that chunks copy in and out. Rows that two chunks need are copied in twice.
func (g *transposed) copied() (in, out int64) {
	for _, c := range g.chunks {
		in += c.inBytes(g.p.shape)
		out += c.outBytes(g.p.shape)
	}
	return in, out
}

func (g *transposed) Run() error {
	s := g.p.shape
	for _, c := range g.chunks {
		from, to := g.in, g.out
		if g.host == nil {
			from += gpu.Pointer(4 * c.start * s.Cols)
			to += gpu.Pointer(4 * c.first * s.RowFactor * s.outCols())
		} else if err := g.host.send(g.Env, g.in, c.start*s.Cols, c.inBytes(s)); err != nil {
			return err
		}
		if err := g.enqueue(c, from, to); err != nil {
			return err
		}
		if g.host != nil {
			if err := g.host.fetch(g.Env, g.out, c.first*s.RowFactor*s.outCols(), c.outBytes(s)); err != nil {
				return err
			}
		}
	}
	return nil
}

// enqueue interpolates a chunk whose input lies at from.
func (g *transposed) enqueue(c chunk, from, to gpu.Pointer) error {
	s := g.p.shape
	long := c.rows * s.RowFactor
	return errors.Join(
		g.transpose(from, g.turned, c.entering(), s.Cols),
		g.interpolate(g.turned, g.long, s.Cols, c.entering(), c.first-c.start, c.rows, s.RowFactor, g.rowStep),
		g.transpose(g.long, g.back, s.Cols, long),
		g.interpolate(g.back, to, long, s.Cols, 0, s.Cols, s.ColumnFactor, g.colStep),
	)
}

func (g *transposed) transpose(from, to gpu.Pointer, rows, cols int) error {
	across := tiles(cols, g.tile)
	launch, err := grid(across, tiles(rows, g.tile), gpu.Dim3{X: g.tile, Y: g.by})
	if err != nil {
		return err
	}
	return g.kernels[0].Launch(g.Env.Stream, launch, from, to, int32(rows), int32(cols), uint32(across))
}

func (g *transposed) interpolate(from, to gpu.Pointer, lines, length, first, points, factor int, step float32) error {
	across := tiles(points, g.bx)
	launch, err := grid(across, tiles(lines, g.by), gpu.Dim3{X: g.bx, Y: g.by})
	if err != nil {
		return err
	}
	return g.kernels[1].Launch(g.Env.Stream, launch, from, to,
		int32(lines), int32(length), int32(first), int32(points), int32(factor), step, uint32(across))
}

func (g *transposed) Verify() ([]framework.Check, error) {
	if g.host != nil {
		return g.p.compare(g.host.out(), g.rounding), nil
	}
	return g.gpuRun.Verify()
}
