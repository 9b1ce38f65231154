package ceilings

import (
	"errors"
	"fmt"
	"math"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// never is a sum that no kernel reaches.
var never = float32(math.NaN())

const (
	specialsPerRound  = 4 * 16 // of a thread, as in gpu_ceilings.cu
	l2PerRound        = 4 * 16 // bytes of a thread
	sharedPerRound    = 4 * 16 // bytes of a thread
	sectorsPerRound   = 4      // of a thread
	constantsPerRound = 16     // of a thread
	queued            = 200    // empty launches
	manyBlocks        = 1 << 17
	heldBack          = 1 << 14   // loads, one after the other, while launches are queued
	chased            = 2048      // loads
	chasedBytes       = 64 << 20  // for loads that no cache holds
	farBytes          = 1 << 30   // for sectors at random that no cache holds
	heldBytes         = 128 << 10 // for loads that the L2 cache holds
	tableWords        = 256       // of a small table of sums, eight lines
	tablePlaces       = 4         // in memory that are tried: whether two lines of a table share a part of the L2 cache depends on its place
	budget            = 40 * time.Millisecond
)

// details measures what bounds kernels besides copies and multiply-adds.
func (d *device) details(l *record.Ceilings) (err error) {
	free, _, err := d.gpu.Memory()
	if err != nil {
		return err
	}
	out, err := d.gpu.Alloc(16)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.gpu.Free(out)) }()
	f := d.gpu.Facts()
	bytes := min(int64(chasedBytes), free/8) &^ 0xffff
	in, err := d.gpu.Alloc(bytes)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.gpu.Free(in)) }()
	if err := d.gpu.SetAsync(in, 0, bytes, d.stream); err != nil {
		return err
	}
	wide := func(blocks int) gpu.Launch {
		return gpu.Launch{Grid: gpu.Dim3{X: blocks * f.Multiprocessors}, Block: gpu.Dim3{X: ceilingThreads}}
	}
	const blocks = 8 // of a multiprocessor, all it holds
	threads := float64(blocks * f.Multiprocessors * ceilingThreads)
	one := gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 32}}
	held := int64(1) << 12 // elements of 16 bytes that lie in a quarter of the L2 cache
	for held*2*16 <= min(int64(f.L2Bytes)/4, bytes) {
		held *= 2
	}
	for _, m := range []struct {
		name string
		to   *float64
		// each is what one round of the kernel counts for.
		each  float64
		shape gpu.Launch
		args  func(rounds int32) []any
	}{
		{"special", &l.SFU, threads * specialsPerRound, wide(blocks), func(r int32) []any { return []any{out, never, r} }},
		{"read_l2", &l.L2, threads * l2PerRound, wide(blocks), func(r int32) []any { return []any{out, in, int32(held), r, never} }},
		{"read_shared", &l.Shared, threads * sharedPerRound, wide(blocks), func(r int32) []any { return []any{out, r, never} }},
		{"write_l2", &l.L2Written, threads * l2PerRound, wide(blocks), func(r int32) []any { return []any{out, in, int32(held), r} }},
		{"read_l2_sectors", &l.L2Sectors, threads * sectorsPerRound, wide(blocks), func(r int32) []any { return []any{out, in, int32(held), r, uint32(1)} }},
		{"write_sectors", &l.L2SectorsWritten, threads * sectorsPerRound, wide(blocks), func(r int32) []any { return []any{out, in, uint32(held / 2), r} }},
		{"read_constants", &l.Constants, threads * constantsPerRound, wide(blocks), func(r int32) []any { return []any{out, uint32(255), r, ^uint32(0)} }},
		{"add_integer", &l.AtomicInteger, threads / 32, wide(blocks), func(r int32) []any { return []any{out, r} }},
		{"add_float", &l.AtomicFloat, threads, wide(blocks), func(r int32) []any { return []any{out, r} }},
		{"chase_shared", &l.SharedLatency, 1, one, func(r int32) []any { return []any{out, r, uint32(0)} }},
		{"chase", &l.L2Latency, 1, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, func(r int32) []any {
			return []any{out, in, uint32(heldBytes/4 - 1), uint32(lineWords), r, uint32(0)}
		}},
	} {
		if *m.to, err = d.perSecond(m.name, m.each, m.shape, m.args); err != nil {
			return fmt.Errorf("measure the ceiling %s: %w", m.name, err)
		}
	}
	for _, seconds := range []*float64{&l.AtomicInteger, &l.AtomicFloat, &l.SharedLatency, &l.L2Latency} {
		*seconds = 1 / *seconds
	}
	if err := d.atomics(l, out, in, bytes, held, threads/32, wide(blocks)); err != nil {
		return fmt.Errorf("measure atomic additions to many words: %w", err)
	}
	if err := d.memoryLatency(l, out, in, bytes); err != nil {
		return fmt.Errorf("measure the latency of memory: %w", err)
	}
	if err := d.sectors(l, out, threads, wide(blocks)); err != nil {
		return fmt.Errorf("measure the rate of single sectors: %w", err)
	}
	return d.launches(l, out, in)
}

// atomics measures additions to words of a small table, and of a table that fills a quarter of the L2 cache.
func (d *device) atomics(l *record.Ceilings, out, in gpu.Pointer, bytes, held int64, warps float64, shape gpu.Launch) (err error) {
	const sectors, perLine = tableWords * 4 / record.SectorBytes, 4
	// met is how many of the table's sectors the 32 lanes of a warp meet on average.
	met := sectors * (1 - math.Pow(1-1./sectors, 32))
	for place := range int64(tablePlaces) {
		rate, err := d.perSecond("add_words", warps*met/sectors*perLine, shape, func(r int32) []any {
			return []any{out, in + gpu.Pointer(bytes/tablePlaces*place), uint32(tableWords), r}
		})
		if err != nil {
			return err
		}
		l.AtomicLine += 1 / rate / tablePlaces
	}
	l.AtomicSectors, err = d.perSecond("add_words", 32*warps, shape, func(r int32) []any { return []any{out, in, uint32(4 * held), r} })
	return err
}

// sectors measures reads and writes of single sectors at random, in so much memory that caches hold little of
// it.
func (d *device) sectors(l *record.Ceilings, out gpu.Pointer, threads float64, shape gpu.Launch) (err error) {
	free, _, err := d.gpu.Memory()
	if err != nil {
		return err
	}
	n := uint32(1)
	for 2*int64(n)*record.SectorBytes <= min(farBytes, free/4) {
		n *= 2
	}
	far, err := d.gpu.Alloc(int64(n) * record.SectorBytes)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.gpu.Free(far)) }()
	if l.MemorySectors, err = d.perSecond("read_sectors", threads*sectorsPerRound, shape, func(r int32) []any { return []any{out, far, n, r, uint32(1)} }); err != nil {
		return err
	}
	l.MemorySectorsWritten, err = d.perSecond("write_sectors", threads*sectorsPerRound, shape, func(r int32) []any { return []any{out, far, n, r} })
	return err
}

// lineWords is more than a line of a cache.
const lineWords = 64

// perSecond returns how much a kernel does per second, if each of its rounds counts for so much.
func (d *device) perSecond(name string, each float64, shape gpu.Launch, args func(rounds int32) []any) (float64, error) {
	kernel, err := d.module.Kernel(name)
	if err != nil {
		return 0, err
	}
	rounds := int32(16)
	enqueue := func() error { return kernel.Launch(d.stream, shape, args(rounds)...) }
	const most = 1 << 20
	for rounds < most {
		x, err := d.time(nil, enqueue)
		if err != nil {
			return 0, err
		}
		if x >= 1e-3 {
			break
		}
		rounds = int32(min(most, max(2, 1.5e-3/max(x, 1e-6))*float64(rounds)))
	}
	seconds, err := d.best(budget, nil, enqueue)
	if err != nil {
		return 0, err
	}
	return each * float64(rounds) / seconds, nil
}

// memoryLatency loads words that no cache holds: the kernel reads each place once, after as much else was
// written as caches hold.
func (d *device) memoryLatency(l *record.Ceilings, out, in gpu.Pointer, bytes int64) error {
	kernel, err := d.module.Kernel("chase")
	if err != nil {
		return err
	}
	words := uint32(1)
	for int64(words)*2*4 <= bytes {
		words *= 2
	}
	other, err := d.gpu.Alloc(4 * int64(d.gpu.Facts().L2Bytes))
	if err != nil {
		return err
	}
	least := math.Inf(1)
	for range 3 {
		if err = d.gpu.SetAsync(other, 1, 4*int64(d.gpu.Facts().L2Bytes), d.stream); err != nil {
			break
		}
		if err = d.gpu.Synchronize(d.stream); err != nil {
			break
		}
		var x float64
		x, err = d.time(nil, func() error {
			return kernel.Launch(d.stream, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, out, in, words-1, words/chased, int32(chased), uint32(0))
		})
		if err != nil {
			break
		}
		least = min(least, x)
	}
	l.MemoryLatency = least / chased
	return errors.Join(err, d.gpu.Free(other))
}

// launches measures empty launches. They are queued while the stream is held back, so that the host's time
// for queueing does not count.
func (d *device) launches(l *record.Ceilings, out, in gpu.Pointer) error {
	kernel, err := d.module.Kernel("empty")
	if err != nil {
		return err
	}
	hold, err := d.module.Kernel("chase")
	if err != nil {
		return err
	}
	for _, m := range []struct {
		to            *float64
		times, blocks int
		threads       int
		budget        time.Duration
	}{
		{&l.EmptyLaunch, 1, 1, 32, budget / 4}, {&l.Launch, queued, 1, 32, budget}, {&l.Blocks, 1, manyBlocks, ceilingThreads, budget / 4},
	} {
		shape := gpu.Launch{Grid: gpu.Dim3{X: m.blocks}, Block: gpu.Dim3{X: m.threads}}
		before := func() error {
			return hold.Launch(d.stream, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, out, in, uint32(heldBytes/4-1), uint32(lineWords), int32(heldBack), uint32(0))
		}
		*m.to, err = d.best(m.budget, before, func() error {
			for range m.times {
				if err := kernel.Launch(d.stream, shape); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("measure empty launches: %w", err)
		}
	}
	l.Launch /= queued
	l.Blocks = manyBlocks / l.Blocks
	return nil
}
