package scan

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"bench/cuda"
	"bench/framework"
)

//go:embed scan.cuh
var headerText string

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return append([]framework.Version{
		blockVersion("lf", "Ladner and Fischer, Parallel Prefix Computation (1980)", ladnerFischer),
		blockVersion("ks", "Kogge and Stone, A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations (1973)", koggeStone),
		lookbackVersion(),
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

func powers(from, to int64) []int64 {
	var v []int64
	for ; from <= to; from *= 2 {
		v = append(v, from)
	}
	return v
}

func isPower(n int) bool { return n > 0 && n&(n-1) == 0 }

// embedded tells devices like a Jetson, for which the literature's values are
// the defaults.
func embedded(f cuda.Facts) bool { return f.Integrated || f.SharedOptIn <= 48<<10 }

// settings makes tunables from names and values.
func settings(pairs ...any) framework.Values {
	v := framework.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = framework.IntValue(int64(pairs[i+1].(int)))
	}
	return v
}

// gpuPlan is how one version computes one problem.
type gpuPlan struct {
	source cuda.Source
	shape  cuda.Launch
	chain  float64
	// resident: no more blocks are launched than run at once.
	resident bool
	// work is the FLOPs, LoadBytes and StoreBytes of a launch of grid blocks.
	work func(grid int) framework.Work
	// stateBytes of zeroed device memory; its address and that of 8 zeroed
	// bytes after it are arguments where it is not 0.
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

// limits refuses a kernel of blocks of that many threads, L of which hold P elements each and B blocks
// of it a multiprocessor, where registers hardly suffice.
func limits(s shape, v framework.Values, threads int, facts cuda.Facts) error {
	p, l, b := int(v.Int("P")), int(v.Int("L")), int(v.Int("BLOCKS"))
	for _, x := range []struct {
		name  string
		value int
	}{{"P", p}, {"L", l}} {
		if !isPower(x.value) {
			return fmt.Errorf("%s = %d is no power of two", x.name, x.value)
		}
	}
	switch {
	case l%warpSize != 0:
		return fmt.Errorf("L = %d is no multiple of the warp's %d threads", l, warpSize)
	case threads > facts.MaxThreadsBlock:
		return fmt.Errorf("L = %d makes %d threads a block, the device allows %d", l, threads, facts.MaxThreadsBlock)
	case b < 1 || b*threads > facts.MaxThreadsPerSM || b > facts.MaxBlocksPerSM:
		return fmt.Errorf("BLOCKS = %d blocks of %d threads: want at least 1 and no more than the device's %d blocks and %d threads a multiprocessor",
			b, threads, facts.MaxBlocksPerSM, facts.MaxThreadsPerSM)
	}
	words := int(s.Bytes / 4)
	vector := min(p, int(vectorBytes/s.Bytes))
	registers := p*words + p/vector*words + 24 // elements, sums of rows, addresses
	const most = 255                           // registers a thread, of every compute capability from 3.5 on
	if registers > most || threads*registers > facts.RegistersBlock || b*threads*registers > facts.RegistersPerSM {
		return fmt.Errorf("P = %d, L = %d and BLOCKS = %d need about %d registers a thread and %d a block; the device has %d, %d and, a multiprocessor, %d",
			p, l, b, registers, threads*registers, most, facts.RegistersBlock, facts.RegistersPerSM)
	}
	return nil
}

// gpuRun is one version of this package's kernels at one point.
type gpuRun struct {
	env    framework.Env
	p      input
	plan   gpuPlan
	module cuda.Module
	kernel cuda.Kernel
	memory cuda.Arena

	out       cuda.Pointer
	arguments []any
}

func newGPURun(env framework.Env, q framework.Problem, plan func(shape) (gpuPlan, error)) (framework.BaseAlgorithm, error) {
	p, ok := q.(input)
	if !ok {
		return nil, fmt.Errorf("scan: problem is %T, not this package's", q)
	}
	made, err := plan(p.form())
	if err != nil {
		return nil, err
	}
	return &gpuRun{env: env, p: p, plan: made, memory: cuda.Arena{Device: env.Device}}, nil
}

func (g *gpuRun) PreRun() (err error) {
	in, err := g.memory.Alloc(g.p.form().bytes())
	if err != nil {
		return err
	}
	if g.out, err = g.memory.Alloc(g.p.form().bytes()); err != nil {
		return err
	}
	if err := g.p.upload(g.env.Device, in); err != nil {
		return err
	}
	g.arguments = []any{in, g.out}
	if n := g.plan.stateBytes; n > 0 {
		state, err := g.memory.Alloc(n + 8)
		if err != nil {
			return err
		}
		if err := g.env.Device.SetAsync(state, 0, n+8, g.env.Stream); err != nil {
			return err
		}
		g.arguments = append(g.arguments, state, state+cuda.Pointer(n))
	}
	g.arguments = append(g.arguments, g.plan.arguments...)
	if g.module, err = g.env.Device.Compile(g.plan.source); err != nil {
		return err
	}
	g.kernel, err = g.module.Kernel(g.plan.source.Kernels[0])
	if err != nil {
		return err
	}
	if g.plan.resident {
		active, err := g.kernel.ActiveBlocks(g.plan.shape.Block.X, g.plan.shape.SharedBytes)
		if err != nil {
			return err
		}
		if most := active * max(1, g.env.Device.Facts().Multiprocessors); g.plan.shape.Grid.X > most {
			g.plan.shape.Grid.X = max(1, most)
		}
	}
	return nil
}

func (g *gpuRun) Run() error { return g.kernel.Launch(g.env.Stream, g.plan.shape, g.arguments...) }

func (g *gpuRun) Stream() cuda.Stream { return g.env.Stream }

func (g *gpuRun) Verify() ([]framework.Check, error) {
	return g.p.verifyDevice(g.env.Device, g.out, g.plan.chain)
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
	w := g.p.form().nominal()
	own := g.plan.work(g.plan.shape.Grid.X)
	w.FLOPs, w.LoadBytes, w.StoreBytes = own.FLOPs, own.LoadBytes, own.StoreBytes
	return w
}
