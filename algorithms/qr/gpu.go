package qr

import (
	"errors"
	"fmt"
	"strconv"

	"bench/cuda"
	"bench/framework"
)

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return append([]framework.Version{
		loopedVersion("v1", 1, "two kernels in a loop, vectors and sums in global memory"),
		loopedVersion("v2", 2, "two kernels in a loop, vectors and sums in shared memory"),
		loopedVersion("v3", 3, "two kernels in a loop, vectors in registers, sums in shared memory"),
		blockVersion("v4", 4, "64×64 in one block, everything in global memory"),
		blockVersion("v5", 5, "64×64 in one block, in shared memory; Q and R are written as they become known"),
		blockVersion("v6", 6, "64×64 in one block, in shared memory; Q and R are written at the end"),
		warpsVersion("v7", 7, "64×64 in one block, in shared memory, sums by warp shuffles"),
		warpsVersion("v8", 8, "64×64 in one block, columns in the registers of warps, sums by warp shuffles, one barrier a column"),
		tilesVersion(),
		registersVersion(),
	}, gpuPeers()...)
}

const warpSize = 32

// settings makes tunables from names and values.
func settings(pairs ...any) framework.Values {
	v := framework.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = framework.IntValue(int64(pairs[i+1].(int)))
	}
	return v
}

func isPower(n int) bool { return n > 0 && n&(n-1) == 0 }

// powerIn refuses a tunable that is no power of two from least to most.
func powerIn(v framework.Values, name string, least, most int) error {
	if n := int(v.Int(name)); !isPower(n) || n < least || n > most {
		return fmt.Errorf("%s = %d: want a power of two from %d to %d", name, n, least, most)
	}
	return nil
}

// only64 refuses other matrices than the literature's 64×64.
func only64(params framework.Values, _ cuda.Facts) error {
	if s := shapeOf(params); s.M != 64 || s.N != 64 {
		return fmt.Errorf("made for m = n = 64, not %d×%d", s.M, s.N)
	}
	return nil
}

// number is an integer define.
func number[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// gpuData are the buffers of one point.
type gpuData struct {
	env    framework.Env
	p      *problem
	memory cuda.Arena
	module cuda.Module

	a, q, r cuda.Pointer
}

func newData(env framework.Env, q framework.Problem) (gpuData, error) {
	p, ok := q.(*problem)
	if !ok {
		return gpuData{}, fmt.Errorf("qr: problem is %T, not this package's", q)
	}
	return gpuData{env: env, p: p, memory: cuda.Arena{Device: env.Device}}, nil
}

// open allocates and compiles source.
func (g *gpuData) open(source cuda.Source) error {
	err := g.allocate()
	if err != nil {
		return err
	}
	g.module, err = g.env.Device.Compile(source)
	return err
}

// allocate makes room for A, Q and R and uploads A.
func (g *gpuData) allocate() (err error) {
	for _, b := range []struct {
		at   *cuda.Pointer
		size int
	}{{&g.a, g.p.sizeA()}, {&g.q, g.p.sizeQ()}, {&g.r, g.p.sizeR()}} {
		if *b.at, err = g.memory.Alloc(4 * int64(b.size) * int64(g.p.Batch)); err != nil {
			return err
		}
	}
	return cuda.Upload(g.env.Device, g.a, g.p.a)
}

// zeros is zeroed device memory.
func (g *gpuData) zeros(bytes int64) (cuda.Pointer, error) {
	p, err := g.memory.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	return p, g.env.Device.SetAsync(p, 0, bytes, g.env.Stream)
}

func (g *gpuData) Stream() cuda.Stream { return g.env.Stream }

func (g *gpuData) verify(by method) ([]framework.Check, error) {
	q, r := make([]float32, g.p.sizeQ()*g.p.Batch), make([]float32, g.p.sizeR()*g.p.Batch)
	if err := errors.Join(cuda.Download(g.env.Device, q, g.q), cuda.Download(g.env.Device, r, g.r)); err != nil {
		return nil, err
	}
	return g.p.compare(q, r, by), nil
}

func (g *gpuData) PostRun() error {
	var err error
	if g.module != nil {
		err = g.module.Unload()
		g.module = nil
	}
	return errors.Join(err, g.memory.Free())
}

// work adds the problem's nominal counts.
func (g *gpuData) work(own framework.Work) framework.Work {
	w := g.p.nominal()
	w.FLOPs, w.LoadBytes, w.StoreBytes = own.FLOPs, own.LoadBytes, own.StoreBytes
	return w
}
