package qr

import (
	_ "embed"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

var (
	//go:embed kernels/tiles.cu
	tilesText string
	//go:embed kernels/tiles.cuh
	tilesHeader string
)

// tilesVersion is this project's best for tall matrices.
func tilesVersion() framework.Version {
	return framework.Version{
		Name: "tiles",
		Doc:  "Householder in one kernel: tiles of columns in registers, each published as a panel of reflections when it is factored",
		Source: "Schreiber and Van Loan, A Storage-Efficient WY Representation for Products of Householder Transformations (1989); " +
			"Buttari, Langou, Kurzak and Dongarra, A Class of Parallel Tiled Linear Algebra Algorithms for Multicore Architectures (2009)",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "W", Doc: "columns per tile", Values: []int64{2, 4, 8, 16}},
			{Name: "THREADS", Doc: "threads per block", Values: []int64{32, 64, 128, 256, 512, 1024}},
			{Name: "VEC", Doc: "neighbouring rows per thread", Values: []int64{1, 2, 4}},
			{Name: "AHEAD", Doc: "1: while a panel is applied to Q, the next one is loaded", Values: []int64{0, 1}},
		},
		Defaults: tilesDefaults,
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			for name, bounds := range map[string][2]int{"W": {2, 16}, "THREADS": {32, facts.MaxThreadsBlock}, "VEC": {1, 4}} {
				if err := powerIn(v, name, bounds[0], bounds[1]); err != nil {
					return err
				}
			}
			if a := v.Int("AHEAD"); a != 0 && a != 1 {
				return fmt.Errorf("AHEAD = %d: want 0 or 1", a)
			}
			return tilesOf(shapeOf(params), v).valid(facts)
		},
		Supports: func(params framework.Values, facts gpu.Facts) error {
			v := tilesDefaults(params, facts)
			if tilesOf(shapeOf(params), v).valid(facts) != nil {
				return fmt.Errorf("m = %d: a block's registers do not hold two columns of so many rows", params.Int("m"))
			}
			return nil
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			s := shapeOf(params)
			return s.bytes() + tilesOf(s, v).workBytes()
		},
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*tiles, error) {
			return &tiles{gpuData: newData(env, p), tiling: tilesOf(p.shape, v)}, nil
		}),
	}
}

// tiling is how version "tiles" lays one problem out.
type tiling struct {
	shape
	width, threads, vector, ahead int
	steps                         int // groups of threads·vector rows
}

func tilesOf(s shape, v framework.Values) tiling {
	t := tiling{shape: s, width: int(v.Int("W")), threads: int(v.Int("THREADS")), vector: int(v.Int("VEC")), ahead: int(v.Int("AHEAD"))}
	rows := (s.M + t.width - 1) / t.width * t.width
	t.steps = (rows + t.threads*t.vector - 1) / (t.threads * t.vector)
	return t
}

// rows of a tile that a thread holds.
func (t tiling) rows() int { return t.vector * t.steps }

// factored is the number of tiles with a panel, all that of Q's tiles.
func (t tiling) factored() int { return (t.N + t.width - 1) / t.width }
func (t tiling) all() int      { return (t.cols() + t.width - 1) / t.width }

// sums is how many products of columns a thread holds at once.
func (t tiling) sums() int { return t.width * min(t.width, 64/t.width) }

// registers estimates those of a thread: tile, panel, the next one, products,
// addresses, and what else compilers were seen to take.
func (t tiling) registers() int {
	rows := t.rows()
	return t.size()/4*((2+t.ahead)*t.width*rows+t.sums()+4*t.width) + 28 + 8*t.ahead + rows*rows/3
}

// sharedBytes is the kernel's static shared memory.
func (t tiling) sharedBytes() int {
	w, warps := t.width, t.threads/warpSize
	return t.size()*(3*warps*w*w+4*w*w+2*warps*warpSize+2*w) + 16
}

// panelBytes of a matrix, and of VᵀV of its panels.
func (t tiling) panelBytes() int64 {
	return t.size64() * int64(t.factored()) * int64(t.width*t.threads*t.rows())
}
func (t tiling) gramBytes() int64 { return t.size64() * int64(t.factored()) * int64(t.width*t.width) }

// stateBytes is a ticket, a count of blocks, and for each matrix a count of panels.
func (t tiling) stateBytes() int64 { return 4 * int64(2+t.Batch) }

func (t tiling) workBytes() int64 {
	return int64(t.Batch)*(t.panelBytes()+t.gramBytes()) + t.stateBytes()
}

func (t tiling) valid(facts gpu.Facts) error {
	need := t.registers()
	switch {
	case t.vector*t.size() > 16:
		return fmt.Errorf("VEC = %d: an access is of 16 bytes at most, %s", t.vector, terminal.Count(16/t.size(), "element"))
	case t.vector > t.width:
		return fmt.Errorf("VEC = %d is more than W = %d", t.vector, t.width)
	case need > 255 || need*t.threads > facts.RegistersBlock:
		return fmt.Errorf("W = %d, THREADS = %d and AHEAD = %d take about %d registers per thread and %d per block; the device has 255 and %d",
			t.width, t.threads, t.ahead, need, need*t.threads, facts.RegistersBlock)
	case t.sharedBytes() > 48<<10:
		return fmt.Errorf("W = %d and THREADS = %d take %d bytes of shared memory; a block has %d", t.width, t.threads, t.sharedBytes(), 48<<10)
	case t.all()*t.Batch >= 1<<30:
		return fmt.Errorf("%s; want less than 2^30", terminal.Count(t.all()*t.Batch, "tile"))
	}
	return nil
}

// tilesDefaults take the widest tile that registers hold, and for it the block
// with the fewest rows per thread. Of one matrix in double precision a panel is loaded ahead, which
// is 3 to 4 % faster on an H200 (results/h200-tune-qr-f64).
func tilesDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	s := shapeOf(params)
	var v framework.Values
	for width := 8; width >= 2; width /= 2 {
		for _, threads := range []int{256, 128, 512, 64, 1024} {
			for vector := min(4, width); vector >= 1; vector /= 2 {
				v = framework.IntValues("W", width, "THREADS", threads, "VEC", vector, "AHEAD", 0)
				if threads > 64 && threads*vector > 2*s.M && (vector > 1 || threads > 128) {
					continue // most threads would have no rows
				}
				if tilesOf(s, v).valid(facts) != nil {
					continue
				}
				if ahead := framework.IntValues("W", width, "THREADS", threads, "VEC", vector, "AHEAD", 1); s.Double && s.Batch == 1 && tilesOf(s, ahead).valid(facts) == nil {
					return ahead
				}
				return v
			}
		}
	}
	return v
}

// tiles is version "tiles" at one point.
type tiles struct {
	gpuData
	tiling
	kernel                gpu.Kernel
	panels, grams, states gpu.Pointer
	grid                  int
}

func (t tiling) source() gpu.Source {
	return gpu.Source{
		Name: "tiles.cu", Text: tilesText, Headers: headers(map[string]string{"tiles.cuh": tilesHeader}), Kernels: []string{"tiles"},
		Defines: t.defines(gpu.Defines("W", t.width, "THREADS", t.threads, "VEC", t.vector, "STEPS", t.steps, "AHEAD", t.ahead)),
	}
}

func (g *tiles) PreRun() (err error) {
	if err := g.allocate(); err != nil {
		return err
	}
	if g.panels, err = g.Alloc(int64(g.Batch) * g.panelBytes()); err != nil {
		return err
	}
	if g.grams, err = g.Alloc(int64(g.Batch) * g.gramBytes()); err != nil {
		return err
	}
	if g.states, err = g.AllocFilled(0, g.stateBytes()); err != nil {
		return err
	}
	if g.kernel, err = g.Kernel(g.source()); err != nil {
		return err
	}
	active, err := g.kernel.ActiveBlocks(g.threads, 0)
	g.grid = min(g.all()*g.Batch, max(1, active)*max(1, g.Device.Facts().Multiprocessors))
	return err
}

func (g *tiles) Run() error {
	return g.kernel.Launch(g.Env.Stream, gpu.Launch{Grid: gpu.Dim3{X: g.grid}, Block: gpu.Dim3{X: g.threads}},
		g.a, g.q, g.r, g.panels, g.grams, g.states, int32(g.M), int32(g.N), int32(g.cols()), int32(g.Batch))
}

func (g *tiles) Verify() ([]framework.Check, error) { return g.verify(householder) }

func (g *tiles) VerifyFast() ([]framework.Check, error) { return g.verifyFast(householder) }
