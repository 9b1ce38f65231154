package pattern

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bench/cuda"
	"bench/framework"
)

//go:embed kernels/match.cuh
var matchText string

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return []framework.Version{
		mappedVersion(1, "a thread a term in three dimensions; terms and sums in global memory"),
		mappedVersion(2, "a thread a term in three dimensions; terms and sums in shared memory"),
		mappedVersion(3, "a thread a term in three dimensions, N = 32; sums by shuffles"),
		mappedVersion(4, "threads in two dimensions that loop over shifts, N = 32; sums and shifted templates by shuffles"),
		fusedVersion(),
	}
}

const warpSize = 32

// launch is one kernel of a version's run.
type launch struct {
	kernel string
	shape  cuda.Launch
	// arguments are numbers, and names of the buffers of plan.
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

// gpuPlan is how one version computes one problem.
type gpuPlan struct {
	source   cuda.Source
	launches []launch
	scratch  map[buffer]int64 // bytes, beside the buffers of every version
	slots    int              // blocks of the last launch
	form     form
	work     framework.Work // FLOPs, LoadBytes and StoreBytes
}

// slotLoads and slotStores are the bytes by which that many blocks find the
// match (match.cuh), if the last finds every slot filled.
func slotLoads(grid int) int64  { return 8 * int64(grid-1) }
func slotStores(grid int) int64 { return 16 * int64(grid-1) }

// bytes of device memory.
func (g gpuPlan) bytes(s shape) int64 {
	total := s.inputBytes() + 8*int64(g.slots) + resultBytes
	for _, n := range g.scratch {
		total += n
	}
	return total
}

// defines are those of every kernel, and numbers by name.
func defines(s shape, pairs ...any) map[string]string {
	d := map[string]string{"N": strconv.Itoa(s.N), "S": strconv.Itoa(s.S), "G": strconv.Itoa(s.G)}
	for i := 0; i < len(pairs); i += 2 {
		d[pairs[i].(string)] = strconv.Itoa(pairs[i+1].(int))
	}
	return d
}

// settings makes tunables from names and values.
func settings(pairs ...any) framework.Values {
	v := framework.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = framework.IntValue(int64(pairs[i+1].(int)))
	}
	return v
}

func powers(from, to int64) []int64 {
	var v []int64
	for ; from <= to; from *= 2 {
		v = append(v, from)
	}
	return v
}

func blocks(n, of int) int { return (n + of - 1) / of }

// gpuRun is one version at one point.
type gpuRun struct {
	env     framework.Env
	p       *problem
	plan    gpuPlan
	module  cuda.Module
	memory  cuda.Arena
	buffers map[buffer]cuda.Pointer
	kernels []cuda.Kernel // of plan.launches
	args    [][]any
}

func newGPURun(env framework.Env, q framework.Problem, plan func(shape) gpuPlan) (framework.BaseAlgorithm, error) {
	p, err := problemOf(q)
	if err != nil {
		return nil, err
	}
	return &gpuRun{env: env, p: p, plan: plan(p.shape), memory: cuda.Arena{Device: env.Device}}, nil
}

func (g *gpuRun) PreRun() (err error) {
	g.buffers = map[buffer]cuda.Pointer{}
	alloc := func(name buffer, bytes int64) error {
		var err error
		if g.buffers[name], err = g.memory.Alloc(bytes); err != nil {
			return fmt.Errorf("buffer %s: %w", name, err)
		}
		return nil
	}
	for name, values := range g.p.inputs() {
		if err := alloc(name, 4*int64(len(values))); err != nil {
			return err
		}
	}
	if err := g.upload(g.p); err != nil {
		return err
	}
	for name, bytes := range g.plan.scratch {
		if err := alloc(name, bytes); err != nil {
			return err
		}
	}
	empty := slices.Repeat([]uint64{1<<64 - 1}, g.plan.slots)
	if err := alloc(slotsBuffer, 8*int64(len(empty))); err != nil {
		return err
	}
	if err := cuda.Upload(g.env.Device, g.buffers[slotsBuffer], empty); err != nil {
		return err
	}
	if err := alloc(resultBuffer, resultBytes); err != nil {
		return err
	}
	if err := cuda.Upload(g.env.Device, g.buffers[resultBuffer], []match{{-1, -1, -1, 0}}); err != nil {
		return err
	}
	if g.module, err = g.env.Device.Compile(g.plan.source); err != nil {
		return err
	}
	for _, l := range g.plan.launches {
		kernel, err := g.module.Kernel(l.kernel)
		if err != nil {
			return err
		}
		args := make([]any, 0, len(l.arguments))
		for _, x := range l.arguments {
			if name, ok := x.(buffer); ok {
				x = g.buffers[name] // a version's unused buffers are 0
			}
			args = append(args, x)
		}
		g.kernels, g.args = append(g.kernels, kernel), append(g.args, args)
	}
	return nil
}

// inputs of p, by the buffers that they go to.
func (p *problem) inputs() map[buffer][]float32 {
	return map[buffer][]float32{
		signalBuffer: p.signal, weightsBuffer: p.weights, gainsBuffer: p.gains, templatesBuffer: p.templates,
	}
}

// upload replaces the inputs by those of p, of the same shape.
func (g *gpuRun) upload(p *problem) error {
	for name, values := range p.inputs() {
		if err := cuda.Upload(g.env.Device, g.buffers[name], values); err != nil {
			return err
		}
	}
	g.p = p
	return nil
}

func (g *gpuRun) Run() error {
	for i, k := range g.kernels {
		if err := k.Launch(g.env.Stream, g.plan.launches[i].shape, g.args[i]...); err != nil {
			return err
		}
	}
	return nil
}

func (g *gpuRun) Stream() cuda.Stream { return g.env.Stream }

// answer is the match of the last Run.
func (g *gpuRun) answer() (match, error) {
	var got [1]match
	err := cuda.Download(g.env.Device, got[:], g.buffers[resultBuffer])
	return got[0], err
}

func (g *gpuRun) Verify() ([]framework.Check, error) {
	got, err := g.answer()
	if err != nil {
		return nil, err
	}
	return g.p.compare(got, g.plan.form), nil
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
	w.FLOPs, w.LoadBytes, w.StoreBytes = g.plan.work.FLOPs, g.plan.work.LoadBytes, g.plan.work.StoreBytes
	return w
}
