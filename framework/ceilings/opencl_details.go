package ceilings

import (
	"fmt"
	"math"

	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

const (
	// mostHeld is a size in bytes that the cache of memory holds on a GPU with memory of its own, and a
	// compute unit's own cache does not.
	mostHeld = 1 << 20
	// localTile is the local memory of a work-group, in bytes, as in opencl_ceilings.cl.
	localTile = 4 << 10
)

// held returns how much the cache of the device's memory holds, a power of two of bytes; 0 if unknown.
// Drivers of GPUs with memory of their own tell of first-level caches (gpu.Facts.CacheBytes).
func held(f gpu.Facts) int64 {
	n := int64(mostHeld)
	if f.OpenCL.Type != "GPU" || f.Integrated {
		for n > int64(f.L2Bytes)/2 {
			n /= 2
		}
	}
	return n
}

// details measures what bounds kernels besides copies and multiply-adds: the cache of memory, local memory and launches.
func (c *openclCeilings) details(l *record.Ceilings) (err error) {
	f := c.d.Facts()
	one := gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}
	type detail struct {
		name  string
		to    *float64
		each  float64 // what a round of the kernel counts for
		shape gpu.Launch
		args  func(rounds uint32) []any
	}
	var list []detail
	if n := held(f); n >= 16*int64(4*c.threads) {
		list = append(list,
			detail{"read_cache", &l.L2, c.items() * l2PerRound, c.grid, func(r uint32) []any { return []any{c.to, c.from, uint32(n/16 - 1), r, never} }},
			detail{"write_cache", &l.L2Written, c.items() * l2PerRound, c.grid, func(r uint32) []any { return []any{c.to, uint32(n/16 - 1), r} }},
			detail{"chase", &l.L2Latency, 1, one, func(r uint32) []any { return []any{c.to, c.from, uint32(n/4 - 1), uint32(lineWords), r, uint32(0)} }})
	}
	if f.SharedPerBlock >= localTile {
		list = append(list,
			detail{"read_local", &l.Shared, c.items() * sharedPerRound, c.grid, func(r uint32) []any { return []any{c.to, r, never} }},
			detail{"chase_local", &l.SharedLatency, 1, one, func(r uint32) []any { return []any{c.to, r, uint32(0)} }})
	}
	for _, x := range list {
		if *x.to, err = c.perSecond(detailBudget, x.name, x.each, x.shape, x.args); err != nil {
			return err
		}
	}
	for _, seconds := range []*float64{&l.SharedLatency, &l.L2Latency} {
		if *seconds > 0 {
			*seconds = 1 / *seconds
		}
	}
	if l.MemoryLatency, err = c.memoryLatency(); err != nil {
		return fmt.Errorf("latency of memory: %w", err)
	}
	return c.launches(l)
}

// memoryLatency loads words that no cache holds, each once, after as much else was written as caches hold.
func (c *openclCeilings) memoryLatency() (float64, error) {
	k, err := c.module.Kernel("chase")
	if err != nil {
		return 0, err
	}
	words := uint32(1)
	for int64(words)*2*4 <= min(c.bytes, chasedBytes) {
		words *= 2
	}
	least := math.Inf(1)
	for range 5 {
		if err := c.d.SetAsync(c.to, 1, c.bytes, 0); err != nil {
			return 0, err
		}
		x, err := c.measured(func() error {
			return k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, c.to, c.from, words-1, words/chased, uint32(chased), uint32(0))
		})
		if err != nil {
			return 0, err
		}
		if x > 0 {
			least = min(least, x)
		}
	}
	if math.IsInf(least, 1) {
		return 0, nil
	}
	return least / chased, nil
}

// launches measures empty launches: one, many, and one of many work-groups. A value stays unknown if the host
// cannot queue fast enough.
func (c *openclCeilings) launches(l *record.Ceilings) error {
	k, err := c.module.Kernel("empty")
	if err != nil {
		return err
	}
	for _, m := range []struct {
		to            *float64
		times, blocks int
	}{{&l.EmptyLaunch, 1, 1}, {&l.Launch, queued, 1}, {&l.Blocks, 1, manyBlocks}} {
		least := math.Inf(1)
		for range 20 {
			x, err := c.measured(func() error {
				for range m.times {
					if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: m.blocks}, Block: gpu.Dim3{X: c.threads}}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("empty launches: %w", err)
			}
			if x > 0 {
				least = min(least, x)
			}
		}
		if !math.IsInf(least, 1) {
			*m.to = least
		}
	}
	l.Launch /= queued
	if l.Blocks > 0 {
		l.Blocks = manyBlocks / l.Blocks
	}
	return nil
}
