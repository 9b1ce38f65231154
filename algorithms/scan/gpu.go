package scan

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed scan.cuh
var headerText string

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return append([]framework.Version{
		blockVersion("lf", "Ladner and Fischer, Parallel Prefix Computation (1980)", ladnerFischer),
		blockVersion("ks", "Kogge and Stone, A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations (1973)", koggeStone),
		lookbackVersion(),
		passesVersion(),
	}, cubVersions()...)
}

// Patterns of the scan of a warp's lanes, as PATTERN in the kernels.
const (
	ladnerFischer = 0
	koggeStone    = 1
)

const (
	warpSize = 32
	// vectorBytes is the widest access of a thread.
	vectorBytes = 16
)

// gpuPlan describes how one version computes one problem.
type gpuPlan struct {
	source gpu.Source
	shape  gpu.Launch
	chain  float64
	// resident means that no more blocks are launched than run at once.
	resident bool
	// work is the FLOPs, LoadBytes and StoreBytes of a launch of grid blocks.
	work func(grid int) framework.Work
	// stateBytes is the size of zeroed device memory. If it is not 0, its address and that of 8 zeroed bytes
	// after it are arguments.
	stateBytes int64
	// arguments follow input, output and state.
	arguments []any
}

func defines(s shape, vector int, v framework.Values, pattern int, names ...string) map[string]string {
	kinds := map[string]string{"f32": "32", "f64": "64", "i32": "1"}
	d := map[string]string{
		"TYPE": kinds[s.Type], "VECTOR": strconv.Itoa(vector), "PATTERN": strconv.Itoa(pattern), "EXCLUSIVE": "0",
	}
	if s.Exclusive {
		d["EXCLUSIVE"] = "1"
	}
	for _, name := range names {
		d[name] = strconv.FormatInt(v.Int(name), 10)
	}
	return d
}

// limits refuses blocks of threads whose registers hardly suffice: blocks with L threads that hold P elements
// each, and BLOCKS of them per multiprocessor.
func limits(s shape, v framework.Values, threads int, facts gpu.Facts) error {
	p, l, b := int(v.Int("P")), int(v.Int("L")), int(v.Int("BLOCKS"))
	for _, x := range []struct {
		name  string
		value int
	}{{"P", p}, {"L", l}} {
		if !framework.IsPowerOfTwo(x.value) {
			return fmt.Errorf("%s = %d is not a power of two", x.name, x.value)
		}
	}
	switch {
	case l%warpSize != 0:
		return fmt.Errorf("L = %d is not a multiple of the warp's %d threads", l, warpSize)
	case v.Int("STREAM") < 0 || v.Int("STREAM") > 3:
		return fmt.Errorf("STREAM = %d: want 0 to 3", v.Int("STREAM"))
	case threads > facts.MaxThreadsBlock:
		return fmt.Errorf("L = %d makes %d threads per block, the device allows %d", l, threads, facts.MaxThreadsBlock)
	case b < 1 || b*threads > facts.MaxThreadsPerSM || b > facts.MaxBlocksPerSM:
		return fmt.Errorf("BLOCKS = %s of %s: want at least 1 and no more than the device's %d blocks and %d threads per multiprocessor",
			terminal.Count(b, "block"), terminal.Count(threads, "thread"), facts.MaxBlocksPerSM, facts.MaxThreadsPerSM)
	}
	words := int(s.Bytes / 4)
	vector := min(p, int(vectorBytes/s.Bytes))
	registers := p*words + p/vector*words + 24 // elements, sums of rows, addresses
	const most = 255                           // registers per thread, of every compute capability from 3.5 on
	if registers > most || threads*registers > facts.RegistersBlock || b*threads*registers > facts.RegistersPerSM {
		return fmt.Errorf("P = %d, L = %d and BLOCKS = %d need about %d registers per thread and %d per block; the device has %d, %d and, per multiprocessor, %d",
			p, l, b, registers, threads*registers, most, facts.RegistersBlock, facts.RegistersPerSM)
	}
	return nil
}

// gpuRun is one version of this package's kernels at one point.
type gpuRun struct {
	framework.GPURun
	p      input
	plan   gpuPlan
	kernel gpu.Kernel

	out       gpu.Pointer
	arguments []any
}

// newVersion returns the constructor of versions of plan.
func newVersion(plan func(s shape, tunables framework.Values, facts gpu.Facts) gpuPlan) func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
	return framework.Typed(func(env framework.Env, p input, v framework.Values) (*gpuRun, error) {
		return &gpuRun{GPURun: framework.GPURun{Env: env}, p: p, plan: plan(p.form(), v, env.Device.Facts())}, nil
	})
}

func (g *gpuRun) PreRun() error {
	var in gpu.Pointer
	err := g.AllocEach(g.p.form().bytes(), &in, &g.out)
	if err != nil {
		return err
	}
	if err := g.p.upload(g.Device, in); err != nil {
		return err
	}
	g.p.transfer(&g.GPURun, in, g.out)
	g.arguments = []any{in, g.out}
	if n := g.plan.stateBytes; n > 0 {
		state, err := g.AllocFilled(0, n+8)
		if err != nil {
			return err
		}
		g.arguments = append(g.arguments, state, state+gpu.Pointer(n))
	}
	g.arguments = append(g.arguments, g.plan.arguments...)
	if g.kernel, err = g.Kernel(g.plan.source); err != nil {
		return err
	}
	if g.plan.resident {
		active, err := g.kernel.ActiveBlocks(g.plan.shape.Block.X, g.plan.shape.SharedBytes)
		if err != nil {
			return err
		}
		if most := active * max(1, g.Device.Facts().Multiprocessors); g.plan.shape.Grid.X > most {
			g.plan.shape.Grid.X = max(1, most)
		}
	}
	return nil
}

func (g *gpuRun) Run() error { return g.kernel.Launch(g.Env.Stream, g.plan.shape, g.arguments...) }

func (g *gpuRun) Verify() ([]framework.Check, error) {
	return g.p.verifyDevice(g.Device, g.out, g.plan.chain)
}

func (g *gpuRun) Work() framework.Work {
	return g.p.Nominal().Executing(g.plan.work(g.plan.shape.Grid.X))
}
