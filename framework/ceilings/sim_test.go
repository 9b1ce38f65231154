package ceilings

import (
	"math"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// What the kernels of the ceilings compute, in the simulator and with its checks: where
// they arrive, and how many threads have the sum that they are told.
func TestKernelsOfCeilings(t *testing.T) {
	d, err := sim.Open(1, sim.Checks())
	if err != nil {
		t.Skipf("needs g++: %v", err)
	}
	defer d.Close()
	module, err := d.Compile(gpu.Source{Name: "gpu_ceilings.cu", Text: ceilingsSource, Kernels: kernelNames})
	if err != nil {
		t.Fatal(err)
	}
	const elements = 4096
	in := make([]float32, 4*elements)
	for i := range in {
		in[i] = 1
	}
	bits := make([]uint32, 1024)
	from, words := alloc(t, d, in), alloc(t, d, bits)
	one, block := gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: ceilingThreads}}
	all := func(x uint32) bool { return x == 2*ceilingThreads }
	is := func(want uint32) func(x uint32) bool { return func(x uint32) bool { return x == want } }
	for _, c := range []struct {
		name  string
		shape gpu.Launch
		args  []any
		right func(x uint32) bool
	}{
		{"special", block, []any{float32(4), int32(3)}, all},
		{"read_l2", block, []any{from, int32(elements), int32(5), float32(5 * 4 * 4)}, all},
		{"read_shared", block, []any{int32(6), float32(6 * 4 * 4)}, all},
		{"chase", one, []any{words, uint32(1023), uint32(64), int32(5), uint32(0)}, is(5 * 64)},
		{"chase", one, []any{words, uint32(255), uint32(64), int32(5), uint32(0)}, is(64)},
		{"chase_shared", gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 32}}, []any{int32(4), uint32(0)}, is(4 * 33)},
		{"read_l2_sectors", block, []any{from, int32(elements), int32(5), math.Float32bits(1)}, all},
		{"read_sectors", block, []any{from, uint32(elements / 2), int32(5), math.Float32bits(1)}, all},
		{"read_constants", block, []any{uint32(255), int32(3), uint32(7)}, is(2)},   // each value once in a block
		{"read_constants", block, []any{uint32(127), int32(2), uint32(130)}, is(0)}, // beyond the mask
		{"write_l2", block, []any{from, int32(elements), int32(5)}, is(2)},          // after what reads 1
		{"write_sectors", block, []any{from, uint32(elements / 2), int32(5)}, is(2)},
		// each adds 1 or 2 in each of 3 rounds
		{"add_integer", block, []any{int32(3)}, func(x uint32) bool { return x >= 3*2*ceilingThreads && x <= 6*2*ceilingThreads }},
		// 255 · 256 / 2 millionths for each block in each round
		{"add_float", block, []any{int32(3)}, func(x uint32) bool { return math.Abs(float64(math.Float32frombits(x))-3*2*0.03264) < 1e-4 }},
		{"add_words", block, []any{words, uint32(256), int32(3)}, is(2)},
		{"empty", one, nil, is(0)},
	} {
		out := alloc(t, d, make([]uint32, 2))
		k, err := module.Kernel(c.name)
		if err != nil {
			t.Fatal(err)
		}
		args := append([]any{out}, c.args...)
		if c.name == "empty" {
			args = nil
		}
		if err := k.Launch(0, c.shape, args...); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := make([]uint32, 2)
		if err := gpu.Download(d, got, out); err != nil {
			t.Fatal(err)
		}
		if c.name == "add_words" {
			if err := gpu.Download(d, bits, words); err != nil {
				t.Fatal(err)
			}
			sum, places := uint32(0), 0
			for n, x := range bits {
				sum += x
				if x > 0 && n < 256 {
					places++
				}
			}
			if sum != 3*2*ceilingThreads || places < 250 {
				t.Errorf("%d were added to %d words", sum, places)
			}
		}
		if !c.right(got[0]) || got[1] != 0 {
			t.Errorf("%s%v: %d, %d", c.name, c.args, got[0], got[1])
		}
	}
}

func alloc[T any](t *testing.T, d gpu.Device, from []T) gpu.Pointer {
	t.Helper()
	p, err := d.Alloc(gpu.SizeOf(from))
	if err == nil {
		err = gpu.Upload(d, p, from)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}
