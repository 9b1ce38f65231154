package bicubic

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed kernels/spline.cuh
var splineText string

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return []framework.Version{lightVersion(), heavyVersion(), transposedVersion(), splitVersion(), fusedVersion(), nppVersion()}
}

// blockTunables returns the sides of a block of threads.
func blockTunables() []framework.Tunable {
	return []framework.Tunable{
		{Name: "BX", Doc: "threads of a block across", Values: []int64{8, 16, 32, 64, 128, 256, 512, 1024}},
		{Name: "BY", Doc: "threads of a block down", Values: []int64{1, 2, 4, 8, 16, 32}},
	}
}

// blockDefaults returns blocks of 32 × 8 threads, or of fewer where a device of OpenCL has no room for them.
func blockDefaults(facts gpu.Facts) framework.Values {
	by := 8
	for facts.OpenCL != nil && by > 1 && 32*by > facts.MaxThreadsBlock {
		by /= 2
	}
	return framework.IntValues("BX", 32, "BY", by)
}

// validBlock refuses blocks that the device cannot run.
func validBlock(v framework.Values, facts gpu.Facts) error {
	bx, by := v.Int("BX"), v.Int("BY")
	if bx < 3 || by < 1 {
		return fmt.Errorf("BX = %d, BY = %d: want at least 3 and 1", bx, by)
	}
	if bx*by > int64(facts.MaxThreadsBlock) {
		return fmt.Errorf("BX·BY = %d threads per block, the device allows %d", bx*by, facts.MaxThreadsBlock)
	}
	return nil
}

// defines returns the tunables and the basis as macros.
func defines(s shape, v framework.Values) map[string]string {
	d := map[string]string{"BASIS": strconv.Itoa(int(s.Basis))}
	for name, value := range v {
		d[name] = value.String()
	}
	return d
}

// splineSource returns the source of a version whose threads evaluate the basis polynomials.
func splineSource(name, text string, s shape, v framework.Values, kernels ...string) gpu.Source {
	return gpu.Source{
		Name: name, Text: text, Headers: map[string]string{"spline.cuh": splineText},
		Defines: defines(s, v), Kernels: kernels, Options: []string{"--fmad=false"},
	}
}

// Operations of spline.cuh: the polynomials at i·step, a Cubic, and its value.
func (b basis) polynomialFLOPs() int64 { return []int64{1 + 9, 1 + 13}[b] }
func (b basis) cubicFLOPs() int64      { return []int64{4, 0}[b] }

const valueFLOPs = 7

// splineRounding returns the rounding of spline.cuh. In each direction a control point goes through four
// roundings: for Hermite of its tangent's difference and then at most three multiply-adds, or of the first
// product and three multiply-adds; for B-spline the latter.
//
// The error of a polynomial is that of i·step, at most 2u, times its slope, plus the roundings along
// basis_at. The worst, in units of u: Hermite's h.a has 1.5·2 for the slope, 2·2 for x3, 6 for 3·x2, 1 for
// h.c and 1 for itself; B-spline's h.c has 2/3·2 for the slope, 2/3 for t, 1 for t2, 1 for t3 and 2/3 each
// for the constant, the difference and itself.
func splineRounding(b basis) rounding {
	return rounding{steps: 8, polynomials: []float64{15, 6}[b]}
}

// tiles returns how many tiles of size cover n.
func tiles(n, size int) int { return (n + size - 1) / size }

// grid returns a launch of one block for each of across × down. Blocks are counted row by row, because only x
// may exceed 65535.
func grid(across, down int, block gpu.Dim3) (gpu.Launch, error) {
	if n := int64(across) * int64(down); n > math.MaxInt32 {
		return gpu.Launch{}, fmt.Errorf("%s of %d × %s, a launch takes %d: want larger blocks or a smaller problem", terminal.Count(n, "block"), block.X, terminal.Count(block.Y, "thread"), math.MaxInt32)
	}
	return gpu.Launch{Grid: gpu.Dim3{X: across * down}, Block: block}, nil
}

// gpuRun is what this package's GPU versions have in common at one point.
type gpuRun struct {
	framework.GPURun
	p        *problem
	source   gpu.Source
	textCL   string         // that of source in OpenCL C, where it is not the same
	work     framework.Work // FLOPs, LoadBytes and StoreBytes
	rounding rounding

	in, out gpu.Pointer
	kernels []gpu.Kernel // of source
}

func newGPURun(env framework.Env, p *problem) gpuRun {
	return gpuRun{GPURun: framework.GPURun{Env: env}, p: p}
}

// allocate allocates input and output in device memory. The output is filled with NaN, so that a point that
// is not written is wrong.
func (g *gpuRun) allocate() (err error) {
	if g.in, err = framework.AllocInput(&g.GPURun, g.p.in); err != nil {
		return err
	}
	if g.out, err = g.AllocFilled(0xff, g.p.outBytes()); err != nil {
		return err
	}
	g.Output(g.out, g.p.outBytes())
	return nil
}

func (g *gpuRun) compile() (err error) {
	source := g.source.Portable(g.Device.Facts())
	if g.textCL != "" && g.Device.Facts().OpenCL != nil {
		source.Name, source.Text = strings.TrimSuffix(source.Name, ".cu")+".cl", g.textCL
	}
	g.kernels, err = g.Kernels(source)
	return err
}

func (g *gpuRun) Verify() ([]framework.Check, error) {
	got, err := g.download()
	if err != nil {
		return nil, err
	}
	return g.p.compare(got, g.rounding), nil
}

// download copies the output to the host.
func (g *gpuRun) download() ([]float32, error) {
	got := make([]float32, g.p.points())
	return got, gpu.Download(g.Device, got, g.out)
}

func (g *gpuRun) Work() framework.Work { return g.p.Nominal().Executing(g.work) }

// single is a version with one kernel. Its arguments after input and output are the version's own.
type single struct {
	gpuRun
	launch    gpu.Launch
	table     []float32 // a third argument in device memory, or nil
	arguments []any
}

func (g *single) PreRun() error {
	if err := g.allocate(); err != nil {
		return err
	}
	first := []any{g.in, g.out}
	if g.table != nil {
		table, err := framework.AllocCopy(&g.GPURun, g.table)
		if err != nil {
			return err
		}
		first = append(first, table)
	}
	g.arguments = append(first, g.arguments...)
	return g.compile()
}

func (g *single) Run() error { return g.kernels[0].Launch(g.Env.Stream, g.launch, g.arguments...) }
