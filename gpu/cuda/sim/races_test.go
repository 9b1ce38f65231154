package sim_test

import (
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

func TestRaces(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	for name, c := range map[string]struct {
		body  string
		parts []string // nil: no race
	}{
		"ordered":   {"s[t] = t; __syncthreads(); out[t] = s[63 - t]; __syncthreads(); s[63 - t] = t;", nil},
		"read":      {"s[t] = t;\n out[t] = s[63 - t];", []string{"race on shared memory", "read.cu:4", "read.cu:5", "thread (", "no barrier between"}},
		"overwrite": {"s[t] = t; __syncthreads(); int y = s[63 - t];\n s[t] = y;", []string{"race on", "overwrite.cu:5"}},
		"both":      {"s[t / 2] = t;\n __syncthreads(); out[t] = s[t / 2];", []string{"both.cu:4: race on shared memory: it writes what", "writes in both.cu:4, with"}},
		"dynamic":   {"x[t] = t;\n out[t] = x[t ^ 1];", []string{"race on", "dynamic.cu:4", "dynamic.cu:5"}},
		// Within a warp, and only there, a warp operation orders.
		"warp":        {"s[t] = t; __syncwarp(); out[t] = s[t ^ 1]; __syncwarp(); s[t ^ 3] = t;", nil},
		"otherwarp":   {"s[t] = t; __syncwarp(); out[t] = s[t ^ 32];", []string{"race on"}},
		"half":        {"s[t] = t; if (t % 32 < 16) { __syncwarp(0xffff); out[t] = s[t ^ 8]; }", nil},
		"outsidehalf": {"s[t] = t; if (t % 32 < 16) { __syncwarp(0xffff); out[t] = s[t ^ 16]; }", []string{"race on"}},
		"chain": {`s[t] = t;
  unsigned third = 0x7u << t / 3 * 3;
  if (t < 6) { __syncwarp(third); if (t == 2 || t == 3) __syncwarp(0xc); if (t > 2) { __syncwarp(0x38); out[t] = s[0]; } }`, nil},
		"broken": {"s[t] = t; if (t < 6) { __syncwarp(0x7u << t / 3 * 3); if (t > 2) { __syncwarp(0x38); out[t] = s[0]; } }", []string{"race on"}},
		// Atomic and volatile accesses race with plain ones only.
		"atomic":   {"if (t == 0) s[0] = 0; __syncthreads(); atomicAdd(&s[0], 1); atomicMax(&s[0], 2); ((volatile int*)s)[0]; __syncthreads(); out[t] = s[0];", nil},
		"unatomic": {"if (t == 0) s[0] = 0;\n atomicAdd(&s[0], 1);", []string{"race on", "unatomic.cu:4", "unatomic.cu:5"}},
		// A sent value is ordered by the signal of its arrival.
		"sent":   {"if (t == 0) x[0] = 0; __syncthreads(); if (t < 32) { bench_cluster_store(&s[t], t); atomicAdd(&x[0], 1); } else { while (atomicAdd(&x[0], 0) < 32) {} out[t] = s[t - 32]; }", nil},
		"unsent": {"if (t == 0) x[0] = 0; __syncthreads(); if (t < 32) { s[t] = t; atomicAdd(&x[0], 1); } else { while (atomicAdd(&x[0], 0) < 32) {} out[t] = s[t - 32]; }", []string{"race on"}},
		"bytes":  {"((char*)s)[t] = 1;", nil},
		"global": {"out[0] = t;", []string{"global.cu:4: race on global memory: it writes what thread", "writes in global.cu:4, in no order"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := compile(t, d, name, "extern \"C\" __global__ void "+name+"(int* out) {\n  __shared__ int s[64];\n  extern __shared__ int x[]; int t = threadIdx.x; out += 64 * blockIdx.x;\n"+c.body+"\n}")
			out := upload(t, d, make([]int32, 3*64))
			shape := gpu.Launch{Grid: gpu.Dim3{X: 3}, Block: gpu.Dim3{X: 64}, SharedBytes: 256}
			if c.parts == nil {
				launch(t, k, shape, out)
			} else {
				fails(t, k, shape, []any{out}, append(c.parts, "kernel "+name)...)
			}
		})
	}
}

// The detector needs no wrong result.
func TestRaceWithoutEffect(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	k := compile(t, d, "scan", scanBlock)
	p := upload(t, d, make([]float32, 1024))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 1024}}, p, p, int32(1024))
	last := compile(t, d, "last", `extern "C" __global__ void last(int* out) { __shared__ int s; s = threadIdx.x; __syncthreads(); out[threadIdx.x] = s; }`)
	fails(t, last, gpu.Launch{Block: gpu.Dim3{X: 64}}, []any{p}, "race on shared memory")
}

// A read and a write race whichever comes first; on shared memory although the writer
// reads too.
func TestRaceInBothOrders(t *testing.T) {
	t.Parallel()
	base := open(t, 0, sim.Checks()).(*sim.Device)
	for memory, c := range map[string]struct{ variable, writer string }{
		"shared": {"__shared__ int s[2]; if (threadIdx.x == 0) s[0] = s[1] = 1;", "out[2] = s[0], s[0] = 2"},
		"global": {"int* s = global;", "s[0] = 2"},
	} {
		first := map[bool]int{}
		for seed := range uint64(12) {
			d := base.WithSeed(seed)
			k := compile(t, d, "pair", `
extern "C" __global__ void pair(int* out, int* global) {
  `+c.variable+`
  __syncthreads();
  if (threadIdx.x == 40) out[0] = s[0];
  if (threadIdx.x == 7) `+c.writer+`;
  __syncthreads();
  if (threadIdx.x == 0) out[1] = s[0] + s[1];
}`)
			err := k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 64}}, upload(t, base, make([]int32, 64)), upload(t, base, make([]int32, 2)))
			if err == nil {
				t.Fatalf("%s memory, seed %d: the race is not found", memory, seed)
			}
			first[strings.Contains(err.Error(), "thread (7,0,0): pair.cu:6: race on "+memory+" memory: it writes what thread (40,0,0) reads in pair.cu:5")]++
		}
		if len(first) != 2 {
			t.Errorf("%s memory: every seed ran the two accesses in one order: %v", memory, first)
		}
	}
}
