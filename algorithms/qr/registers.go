package qr

import (
	_ "embed"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed kernels/registers.cu
var registersText string

// registersVersion is this project's best for batches of 64×64.
func registersVersion() framework.Version {
	return framework.Version{
		Name:      "registers",
		Doc:       "modified Gram-Schmidt of 64×64 in the registers of a few threads, which share a column's rows and share out the columns",
		Source:    "Björck, Solving Linear Least Squares Problems by Gram-Schmidt Orthogonalization (1967)",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "L", Doc: "threads per matrix", Values: []int64{32, 64, 128}},
			{Name: "G", Doc: "threads that share the rows of a column", Values: []int64{1, 2, 4, 8}},
			{Name: "MATRICES", Doc: "matrices per block", Values: []int64{1, 2, 4}},
			{Name: "BLOCKS", Doc: "blocks per multiprocessor for which registers are left", Values: []int64{1, 4, 8, 12, 16}},
		},
		Defaults: registersDefaults,
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			for name, bounds := range map[string][2]int{"L": {32, 128}, "G": {1, 8}, "MATRICES": {1, 8}} {
				if err := powerIn(v, name, bounds[0], bounds[1]); err != nil {
					return err
				}
			}
			t, g, matrices := int(v.Int("L")), int(v.Int("G")), int(v.Int("MATRICES"))
			s := shapeOf(params)
			blocks, least, shared := int(v.Int("BLOCKS")), registersLeast(s, t, g), s.size()*registersShared
			switch need := registersNeed(s, t, g); {
			case blocks < 1 || blocks*t*matrices*least > max(facts.RegistersPerSM, t*matrices*least):
				return fmt.Errorf("BLOCKS = %d of %s: a thread needs at least %d registers; a multiprocessor has %d", blocks, terminal.Count(t*matrices, "thread"), least, facts.RegistersPerSM)
			case t/g > side:
				return fmt.Errorf("L = %d and G = %d: %s for %s", t, g, terminal.Count(t/g, "team"), terminal.Count(side, "column"))
			case need > 255:
				return fmt.Errorf("L = %d and G = %d take about %d registers per thread; there are 255", t, g, need)
			case need*t*matrices > facts.RegistersBlock:
				return fmt.Errorf("MATRICES = %d of L = %s take about %d registers; a block has %d", matrices, terminal.Count(t, "thread"), need*t*matrices, facts.RegistersBlock)
			case matrices*shared > 48<<10:
				return fmt.Errorf("MATRICES = %d take %d bytes of shared memory; a block has %d", matrices, matrices*shared, 48<<10)
			}
			return nil
		},
		Supports:    only64,
		DeviceBytes: func(params, _ framework.Values) int64 { return shapeOf(params).bytes() },
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*registers, error) {
			return &registers{gpuData: newData(env, p), t: int(v.Int("L")), g: int(v.Int("G")), matrices: int(v.Int("MATRICES")),
				blocks: int(v.Int("BLOCKS"))}, nil
		}),
	}
}

// registersShared is the shared memory of a matrix, in elements.
const registersShared = 2*side + 2*side*12

// registersNeed estimates the registers of a thread: its part of the matrix,
// of the next column, a product for each of its columns, and addresses.
func registersNeed(s shape, t, g int) int {
	return s.size()/4*(side*side/t+side/g+2*side*g/t) + 28
}

// registersLeast estimates what a compiler needs that is told to save registers.
func registersLeast(s shape, t, g int) int {
	return s.size()/4*(side*side/t+side/g+side*g/t) + 12
}

// registersDefaults take one warp per matrix where there are enough matrices to
// fill the device, and more threads where there are few. A double takes two registers, so
// that a matrix of them takes two warps in any case.
func registersDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	if shapeOf(params).Double {
		return framework.IntValues("L", 64, "G", 8, "MATRICES", 1, "BLOCKS", 1)
	}
	if int(params.Int("batch")) < 4*max(1, facts.Multiprocessors) {
		return framework.IntValues("L", 64, "G", 8, "MATRICES", 1, "BLOCKS", 1)
	}
	blocks := 12
	if blocks*warpSize*registersLeast(shapeOf(params), 32, 4) > facts.RegistersPerSM {
		blocks = 1
	}
	return framework.IntValues("L", 32, "G", 4, "MATRICES", 1, "BLOCKS", blocks)
}

// registers is version "registers" at one point.
type registers struct {
	gpuData
	t, g, matrices, blocks int
	kernel                 gpu.Kernel
}

func (g *registers) source() gpu.Source {
	return gpu.Source{
		Name: "registers.cu", Text: registersText, Headers: headers(nil), Kernels: []string{"registers"},
		Defines: g.p.defines(gpu.Defines("L", g.t, "G", g.g, "MATRICES", g.matrices, "BLOCKS", g.blocks)),
	}
}

func (g *registers) PreRun() (err error) {
	if err := g.allocate(); err != nil {
		return err
	}
	g.kernel, err = g.Kernel(g.source())
	return err
}

func (g *registers) Run() error {
	return g.kernel.Launch(g.Env.Stream, gpu.Launch{
		Grid: gpu.Dim3{X: (g.p.Batch + g.matrices - 1) / g.matrices}, Block: gpu.Dim3{X: g.t * g.matrices},
	}, g.a, g.q, g.r, int32(g.p.Batch))
}

func (g *registers) Verify() ([]framework.Check, error) { return g.verify(gramSchmidt) }

func (g *registers) VerifyFast() ([]framework.Check, error) { return g.verifyFast(gramSchmidt) }
