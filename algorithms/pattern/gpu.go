package pattern

import (
	_ "embed"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

//go:embed kernels/match.cuh
var matchText string

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return []framework.Version{
		mappedVersion(1, "one thread per term in three dimensions; terms and sums in global memory"),
		mappedVersion(2, "one thread per term in three dimensions; terms and sums in shared memory"),
		mappedVersion(3, "one thread per term in three dimensions, N = 32; sums by shuffles"),
		mappedVersion(4, "threads in two dimensions that loop over shifts, N = 32; sums and shifted templates by shuffles"),
		fusedVersion(),
	}
}

const warpSize = 32

// launch is one kernel of a version's run.
type launch struct {
	kernel string
	shape  gpu.Launch
	// arguments are numbers, and names of the plan's buffers.
	arguments []any
}

// buffer names device memory that a version's kernels share.
type buffer string

// Buffers that every version has: inputs, the slots of match.cuh, the answer.
const (
	signalBuffer    = buffer("signal")
	weightsBuffer   = buffer("weights")
	gainsBuffer     = buffer("gains")
	templatesBuffer = buffer("templates")
	slotsBuffer     = buffer("slots")
	resultBuffer    = buffer("result")
)

// gpuPlan describes how one version computes one problem.
type gpuPlan struct {
	source   gpu.Source
	launches []launch
	scratch  map[buffer]int64 // bytes, in addition to the buffers of every version
	slots    int              // blocks of the last launch
	form     form
	work     framework.Work // FLOPs, LoadBytes and StoreBytes
}

// slotLoads and slotStores are the bytes that so many blocks load and store to
// find the match (match.cuh), if the last one finds every slot filled.
func slotLoads(grid int) int64  { return 8 * int64(grid-1) }
func slotStores(grid int) int64 { return 16 * int64(grid-1) }

// bytes returns the size of device memory.
func (g gpuPlan) bytes(s shape) int64 {
	total := s.inputBytes() + 8*int64(g.slots) + resultBytes
	for _, n := range g.scratch {
		total += n
	}
	return total
}

// defines returns the macros of every kernel, and the numbers in pairs by name.
func defines(s shape, pairs ...any) map[string]string {
	return gpu.Defines(append(pairs, "N", s.N, "S", s.S, "G", s.G)...)
}

func blocks(n, of int) int { return (n + of - 1) / of }

// gpuRun is one version at one point.
type gpuRun struct {
	framework.GPURun
	p       *problem
	plan    gpuPlan
	buffers map[buffer]gpu.Pointer
	kernels []gpu.Kernel // of plan.launches
	args    [][]any
}

// newVersion returns the constructor of versions of plan.
func newVersion(plan func(s shape, tunables framework.Values, facts gpu.Facts) gpuPlan) func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
	return framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*gpuRun, error) {
		return &gpuRun{GPURun: framework.GPURun{Env: env}, p: p, plan: plan(p.shape, v, env.Device.Facts())}, nil
	})
}

func (g *gpuRun) PreRun() error {
	g.buffers = map[buffer]gpu.Pointer{}
	place := func(name buffer, p gpu.Pointer, err error) error {
		if err != nil {
			return fmt.Errorf("buffer %s: %w", name, err)
		}
		g.buffers[name] = p
		return nil
	}
	for name, values := range g.p.inputs() {
		p, err := framework.AllocInput(&g.GPURun, values)
		if err := place(name, p, err); err != nil {
			return err
		}
	}
	for name, bytes := range g.plan.scratch {
		p, err := g.Alloc(bytes)
		if err := place(name, p, err); err != nil {
			return err
		}
	}
	slots, err := g.AllocFilled(0xff, 8*int64(g.plan.slots)) // none is taken
	if err := place(slotsBuffer, slots, err); err != nil {
		return err
	}
	result, err := framework.AllocCopy(&g.GPURun, []match{{-1, -1, -1, 0}})
	if err := place(resultBuffer, result, err); err != nil {
		return err
	}
	g.Output(result, resultBytes)
	for _, l := range g.plan.launches {
		args := make([]any, 0, len(l.arguments))
		for _, x := range l.arguments {
			if name, ok := x.(buffer); ok {
				x = g.buffers[name] // a version's unused buffers are 0
			}
			args = append(args, x)
		}
		g.args = append(g.args, args)
	}
	g.kernels, err = g.Kernels(g.plan.source)
	return err
}

// inputs returns the inputs of p by the buffers that hold them.
func (p *problem) inputs() map[buffer][]float32 {
	return map[buffer][]float32{
		signalBuffer: p.signal, weightsBuffer: p.weights, gainsBuffer: p.gains, templatesBuffer: p.templates,
	}
}

func (g *gpuRun) Run() error {
	for i, k := range g.kernels {
		if err := k.Launch(g.Env.Stream, g.plan.launches[i].shape, g.args[i]...); err != nil {
			return err
		}
	}
	return nil
}

func (g *gpuRun) Verify() ([]framework.Check, error) {
	var got [1]match
	if err := gpu.Download(g.Device, got[:], g.buffers[resultBuffer]); err != nil {
		return nil, err
	}
	return g.p.compare(got[0], g.plan.form), nil
}

func (g *gpuRun) Work() framework.Work { return g.p.Nominal().Executing(g.plan.work) }
