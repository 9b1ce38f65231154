package kernel

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/internal/terminal"
)

// keepVariables copies what the module's variables hold before the first run, if the device lists them. The
// simulator does not: it names kernels that read what an earlier run left there.
func (g *gpuRun) keepVariables(module gpu.Module) error {
	loaded, ok := module.(*driver.Module)
	if !ok {
		return nil
	}
	list, err := loaded.Variables()
	if err != nil {
		g.Env.Remark("what kernels leave in the module's variables stays from run to run: %v", err)
		return nil
	}
	for _, v := range list {
		if v.Bytes == 0 || slices.ContainsFunc(g.globals, func(c readyGlobal) bool { return c.at == v.At }) {
			continue
		}
		from, err := g.Alloc(v.Bytes)
		if err != nil {
			return fmt.Errorf("a copy of the variable %s: %w", v.Name, err)
		}
		if err := g.Device.CopyAsync(from, v.At, v.Bytes, g.Env.Stream); err != nil {
			return err
		}
		g.variables = append(g.variables, readyGlobal{at: v.At, from: [2]gpu.Pointer{from}, bytes: v.Bytes})
	}
	return nil
}

// Renew implements framework.Renewer. It loads the module anew and moves the vectors.
func (g *gpuRun) Renew() error {
	most := slices.Max(append(slices.Clone(g.bytes), 1))
	err := g.PostRun()
	g.globals, g.launch, g.variables, g.guard, g.tables, g.images, g.samplers = nil, nil, nil, nil, nil, nil, nil
	// Memory that was freed last is allocated first; the hole prevents that.
	hole, noHole := g.Device.Alloc(most)
	err = errors.Join(err, g.PreRun())
	if noHole == nil {
		err = errors.Join(err, g.Device.Free(hole))
	}
	return err
}

// guardBytes is the number of bytes behind each vector on a GPU, which reports no write that stays in the
// memory of the process.
const guardBytes = 512

// guard is the bytes behind each vector, all with one value.
type guard struct {
	value byte
	at    []gpu.Pointer
}

// newGuard returns nil if accesses beyond a vector are detected without a guard: by the device itself, or by
// a tool, for which a guard would be a part of the vector.
func newGuard(d gpu.Device, sanitized bool) *guard {
	if d.Facts().Simulated || sanitized {
		return nil
	}
	return &guard{value: byte(1 + rand.IntN(255))}
}

// alloc allocates a vector with its guard behind it.
func (x *guard) alloc(r *framework.GPURun, bytes int64) (gpu.Pointer, error) {
	if x == nil {
		return r.Alloc(bytes)
	}
	p, err := r.Alloc(bytes + guardBytes)
	if err != nil {
		return 0, err
	}
	x.at = append(x.at, p+gpu.Pointer(bytes))
	return p, r.Device.SetAsync(p+gpu.Pointer(bytes), x.value, guardBytes, r.Env.Stream)
}

// check returns a failing check if a guard has changed, and no check otherwise.
func (x *guard) check(r *framework.GPURun) ([]framework.Check, error) {
	if x == nil {
		return nil, nil
	}
	got := make([]byte, guardBytes)
	for i, at := range x.at {
		if err := gpu.Download(r.Device, got, at); err != nil {
			return nil, err
		}
		changed := 0
		for _, b := range got {
			if b != x.value {
				changed++
			}
		}
		if changed > 0 {
			return []framework.Check{{Metric: "bytes written beyond a vector", Error: float64(changed),
				Where: fmt.Sprintf("%s of the %d behind vector %d", terminal.Count(changed, "byte"), guardBytes, i+1)}}, nil
		}
	}
	return nil, nil
}
