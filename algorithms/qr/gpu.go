package qr

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

//go:embed kernels/real.cuh
var realHeader string

// headers returns the headers of every kernel, and own.
func headers(own map[string]string) map[string]string {
	all := map[string]string{"real.cuh": realHeader, "portable.h": gpu.PortableText}
	maps.Copy(all, own)
	return all
}

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
		warpsVersion("v8", 8, "64×64 in one block, columns in the registers of warps, sums by warp shuffles, one barrier per column"),
		tilesVersion(),
		registersVersion(),
	}, gpuPeers()...)
}

const warpSize = 32

// powerIn refuses a tunable that is not a power of two from least to most.
func powerIn(v framework.Values, name string, least, most int) error {
	if n := int(v.Int(name)); !framework.IsPowerOfTwo(n) || n < least || n > most {
		return fmt.Errorf("%s = %d: want a power of two from %d to %d", name, n, least, most)
	}
	return nil
}

// only64 refuses all matrices but the literature's 64×64.
func only64(params framework.Values, _ gpu.Facts) error {
	if s := shapeOf(params); s.M != 64 || s.N != 64 {
		return fmt.Errorf("made for m = n = 64, not %d×%d", s.M, s.N)
	}
	return nil
}

// doubles refuses double precision where a device has none.
func doubles(s shape, facts gpu.Facts) error {
	if s.Double && !facts.Doubles() {
		return errors.New("precision f64: the device has none (cl_khr_fp64)")
	}
	return nil
}

// gpuData are the buffers of one point.
type gpuData struct {
	framework.GPURun
	p *problem

	a, q, r gpu.Pointer
}

func newData(env framework.Env, p *problem) gpuData {
	return gpuData{GPURun: framework.GPURun{Env: env}, p: p}
}

// allocate makes room for A, Q and R and uploads A.
func (g *gpuData) allocate() (err error) {
	if err := g.reserve(); err != nil {
		return err
	}
	g.p.a.input(&g.GPURun, g.a)
	g.Output(g.q, g.bytesQ())
	g.Output(g.r, g.bytesR())
	return nil
}

// allocateInPlace is allocate where A is factored in place of Q.
func (g *gpuData) allocateInPlace() error {
	if err := g.reserve(); err != nil {
		return err
	}
	g.Output(g.q, g.bytesQ())
	return g.eachA(func(from int, to gpu.Pointer, elements int) error {
		g.p.a.slice(from, from+elements).input(&g.GPURun, to)
		return nil
	})
}

func (g *gpuData) bytesQ() int64 { return g.p.size64() * int64(g.p.sizeQ()) * int64(g.p.Batch) }
func (g *gpuData) bytesR() int64 { return g.p.size64() * int64(g.p.sizeR()) * int64(g.p.Batch) }

func (g *gpuData) reserve() (err error) {
	if g.a, err = g.p.a.allocate(&g.GPURun); err != nil {
		return err
	}
	if g.q, err = g.Alloc(g.bytesQ()); err != nil {
		return err
	}
	g.r, err = g.Alloc(g.bytesR())
	return err
}

// eachA calls put for the pieces of A that lie together in place of Q: elements of A from
// one on, and where they go to.
func (g *gpuData) eachA(put func(from int, to gpu.Pointer, elements int) error) error {
	s := g.p.shape
	if s.sizeA() == s.sizeQ() {
		return put(0, g.q, s.sizeA()*s.Batch)
	}
	for b := range s.Batch {
		if err := put(b*s.sizeA(), g.q+gpu.Pointer(s.size()*b*s.sizeQ()), s.sizeA()); err != nil {
			return err
		}
	}
	return nil
}

// restoreA copies A to where Q is formed.
func (g *gpuData) restoreA() error {
	return g.eachA(func(from int, to gpu.Pointer, elements int) error {
		return g.Device.CopyAsync(to, g.a+gpu.Pointer(g.p.size()*from), g.p.size64()*int64(elements), g.Env.Stream)
	})
}

func (g *gpuData) verify(by method) ([]framework.Check, error) {
	return g.p.verify(by, g.download)
}

func (g *gpuData) verifyFast(by method) ([]framework.Check, error) {
	return g.p.verifyFast(by, g.download)
}

func (g *gpuData) download() (q, r elements, err error) {
	q, r = g.p.elements(g.p.sizeQ()*g.p.Batch), g.p.elements(g.p.sizeR()*g.p.Batch)
	return q, r, errors.Join(q.download(g.Device, g.q), r.download(g.Device, g.r))
}

// defines are those that every kernel of the shape has, and others.
func (s shape) defines(others map[string]string) map[string]string {
	if s.Double {
		others["DOUBLE"] = "1"
	}
	return others
}
