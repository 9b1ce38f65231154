package bicubic

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"bench/cuda"
	"bench/framework"
)

//go:embed kernels/spline.cuh
var splineText string

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return []framework.Version{lightVersion(), heavyVersion(), transposedVersion(), splitVersion(), fusedVersion(), nppVersion()}
}

// values makes tunables from names and numbers.
func values(pairs ...any) framework.Values {
	v := framework.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = framework.IntValue(int64(pairs[i+1].(int)))
	}
	return v
}

// blockTunables are the sides of a block of threads.
func blockTunables() []framework.Tunable {
	return []framework.Tunable{
		{Name: "BX", Doc: "threads of a block across", Values: []int64{8, 16, 32, 64, 128, 256, 512, 1024}},
		{Name: "BY", Doc: "threads of a block down", Values: []int64{1, 2, 4, 8, 16, 32}},
	}
}

// validBlock refuses blocks that the device does not run.
func validBlock(v framework.Values, facts cuda.Facts) error {
	bx, by := v.Int("BX"), v.Int("BY")
	if bx < 3 || by < 1 {
		return fmt.Errorf("BX = %d, BY = %d: want at least 3 and 1", bx, by)
	}
	if bx*by > int64(facts.MaxThreadsBlock) {
		return fmt.Errorf("BX·BY = %d threads a block, the device allows %d", bx*by, facts.MaxThreadsBlock)
	}
	return nil
}

// defines are the tunables and the basis as macros.
func defines(s shape, v framework.Values) map[string]string {
	d := map[string]string{"BASIS": strconv.Itoa(int(s.Basis))}
	for name, value := range v {
		d[name] = value.String()
	}
	return d
}

// splineSource is the source of a version whose threads evaluate the basis
// polynomials.
func splineSource(name, text string, s shape, v framework.Values, kernels ...string) cuda.Source {
	return cuda.Source{
		Name: name, Text: text, Headers: map[string]string{"spline.cuh": splineText},
		Defines: defines(s, v), Kernels: kernels, Options: []string{"--fmad=false"},
	}
}

// Operations of spline.cuh: the polynomials at i·step, a Cubic, and its value.
func (b basis) polynomialFLOPs() int64 { return []int64{1 + 9, 1 + 13}[b] }
func (b basis) cubicFLOPs() int64      { return []int64{4, 0}[b] }

const valueFLOPs = 7

// splineRounding is how spline.cuh errs. In each direction a control point
// goes through four roundings: for Hermite of its tangent's difference and then at most three
// multiply-adds or of the first product and three, for B-spline the latter.
//
// A polynomial is wrong by the error of i·step, at most 2u, times its slope,
// and by the roundings along basis_at. The worst, in units of u: Hermite's h.a
// by 1.5·2 for the slope, 2·2 for x3, 6 for 3·x2, 1 for h.c and 1 for itself;
// B-spline's h.c by 2/3·2 for the slope, 2/3 for t, 1 for t2, 1 for t3 and 2/3 each for the
// constant, the difference and itself.
func splineRounding(b basis) rounding {
	return rounding{steps: 8, polynomials: []float64{15, 6}[b]}
}

// tiles is how many of size cover n.
func tiles(n, size int) int { return (n + size - 1) / size }

// grid is a launch of one block for each of across × down, counted row by row
// because only x may be above 65535.
func grid(across, down int, block cuda.Dim3) (cuda.Launch, error) {
	if n := int64(across) * int64(down); n > math.MaxInt32 {
		return cuda.Launch{}, fmt.Errorf("%d blocks of %d × %d threads, a launch takes %d: want larger blocks or a smaller problem", n, block.X, block.Y, math.MaxInt32)
	}
	return cuda.Launch{Grid: cuda.Dim3{X: across * down}, Block: block}, nil
}

// gpuRun is what all of this package's GPU versions have in common at one
// point.
type gpuRun struct {
	env      framework.Env
	p        *problem
	source   cuda.Source
	work     framework.Work // FLOPs, LoadBytes and StoreBytes
	rounding rounding

	memory  cuda.Arena
	in, out cuda.Pointer
	module  cuda.Module
	kernels map[string]cuda.Kernel
}

func newGPURun(env framework.Env, q framework.Problem) (gpuRun, error) {
	p, ok := q.(*problem)
	if !ok {
		return gpuRun{}, fmt.Errorf("bicubic: problem is %T, not this package's", q)
	}
	return gpuRun{env: env, p: p, memory: cuda.Arena{Device: env.Device}}, nil
}

// allocate makes input and output in device memory.
func (g *gpuRun) allocate() (err error) {
	if g.in, err = g.memory.Alloc(g.p.inBytes()); err != nil {
		return err
	}
	if err := cuda.Upload(g.env.Device, g.in, g.p.in); err != nil {
		return err
	}
	g.out, err = g.clear(g.p.outBytes())
	return err
}

// clear allocates memory of NaNs, so that a point that is not written is
// wrong.
func (g *gpuRun) clear(bytes int64) (cuda.Pointer, error) {
	p, err := g.memory.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	return p, g.env.Device.SetAsync(p, 0xff, bytes, g.env.Stream)
}

func (g *gpuRun) compile() (err error) {
	if g.module, err = g.env.Device.Compile(g.source); err != nil {
		return err
	}
	g.kernels = map[string]cuda.Kernel{}
	for _, name := range g.source.Kernels {
		if g.kernels[name], err = g.module.Kernel(name); err != nil {
			return err
		}
	}
	return nil
}

func (g *gpuRun) Stream() cuda.Stream { return g.env.Stream }

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
	return got, cuda.Download(g.env.Device, got, g.out)
}

func (g *gpuRun) PostRun() error {
	var err error
	if g.module != nil {
		err = g.module.Unload()
		g.module = nil
	}
	return errors.Join(err, g.memory.Free())
}

func (g *gpuRun) Work() framework.Work {
	w := g.p.nominal()
	w.FLOPs, w.LoadBytes, w.StoreBytes = g.work.FLOPs, g.work.LoadBytes, g.work.StoreBytes
	return w
}

// single is a version of one kernel, whose arguments after input and output
// are its own.
type single struct {
	gpuRun
	launch    cuda.Launch
	table     []float32 // a third argument in device memory; nil: none
	arguments []any
}

func (g *single) PreRun() error {
	if err := g.allocate(); err != nil {
		return err
	}
	first := []any{g.in, g.out}
	if g.table != nil {
		table, err := g.memory.Alloc(int64(len(g.table)) * int64(unsafe.Sizeof(g.table[0])))
		if err != nil {
			return err
		}
		if err := cuda.Upload(g.env.Device, table, g.table); err != nil {
			return err
		}
		first = append(first, table)
	}
	g.arguments = append(first, g.arguments...)
	return g.compile()
}

func (g *single) Run() error {
	return g.kernels[g.source.Kernels[0]].Launch(g.env.Stream, g.launch, g.arguments...)
}
