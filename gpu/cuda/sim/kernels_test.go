package sim_test

import (
	"math"
	"math/bits"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

func launch(t testing.TB, k gpu.Kernel, shape gpu.Launch, args ...any) {
	t.Helper()
	if err := k.Launch(0, shape, args...); err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, got []T, want func(i int) T) {
	t.Helper()
	for i, g := range got {
		if w := want(i); g != w {
			t.Fatalf("element %d: %v, want %v", i, g, w)
		}
	}
}

// Each thread of the 3-D grid writes its position.
func TestThreeDimensions(t *testing.T) {
	t.Parallel()
	d := open(t, 3)
	k := compile(t, d, "place", `
extern "C" __global__ void __launch_bounds__(64, 2) place(int* __restrict__ out) {
  dim3 b = blockDim;
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + b.x * (threadIdx.y + b.y * threadIdx.z);
  int n = b.x * b.y * b.z;
  out[block * n + thread] = blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z + 1000 * threadIdx.x + 10000 * threadIdx.y + 100000 * threadIdx.z;
}`)
	const threads = 5 * 3 * 2
	out := upload(t, d, make([]int32, 4*3*2*threads))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 4, Y: 3, Z: 2}, Block: gpu.Dim3{X: 5, Y: 3, Z: 2}}, out)
	equal(t, download[int32](t, d, out, 4*3*2*threads), func(i int) int32 {
		b, n := i/threads, i%threads
		return int32(b%4 + 10*(b/4%3) + 100*(b/12) + 1000*(n%5) + 10000*(n/5%3) + 100000*(n/15))
	})
	a, err := k.Attributes()
	if err != nil || a.MaxThreadsPerBlock != 64 {
		t.Errorf("attributes %+v, %v: want the launch bound 64", a, err)
	}
	if err := k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 65}}, out); err == nil {
		t.Error("a launch above the launch bound succeeded")
	}
}

// A block of 40 threads has a warp of 8 lanes; a mask of all lanes means those.
func TestPartialWarp(t *testing.T) {
	t.Parallel()
	d := open(t, 4)
	k := compile(t, d, "reduce", `
extern "C" __global__ void reduce(int* out, unsigned* ballots) {
  int x = threadIdx.x + 1;
  for (int s = 16; s; s /= 2) {
    int y = __shfl_down_sync(0xffffffffu, x, s);
    if (threadIdx.x % 32 + s < 32 && threadIdx.x + s < blockDim.x) x += y;
  }
  unsigned b = __ballot_sync(0xffffffffu, threadIdx.x % 3 == 0);
  if (threadIdx.x % 32 == 0) { out[threadIdx.x / 32] = x; ballots[threadIdx.x / 32] = b; }
}`)
	out, ballots := upload(t, d, make([]int32, 2)), upload(t, d, make([]uint32, 2))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 40}}, out, ballots)
	equal(t, download[int32](t, d, out, 2), func(i int) int32 { return []int32{32 * 33 / 2, 40*41/2 - 32*33/2}[i] })
	equal(t, download[uint32](t, d, ballots, 2), func(i int) (want uint32) {
		for lane := range []int{32, 8}[i] {
			if (32*i+lane)%3 == 0 {
				want |= 1 << lane
			}
		}
		return want
	})
}

func TestShuffles(t *testing.T) {
	t.Parallel()
	d := open(t, 5)
	k := compile(t, d, "shuffles", `
extern "C" __global__ void shuffles(long long* ints, double* doubles, float* floats) {
  int lane = threadIdx.x;
  ints[lane] = __shfl_sync(0xffffffffu, (1ll << 40) + lane, lane + 3, 8);
  ints[32 + lane] = __shfl_up_sync(0xffffffffu, -(1ll << 40) - lane, 3, 16);
  doubles[lane] = __shfl_down_sync(0xffffffffu, lane + 0.25, 5, 16);
  doubles[32 + lane] = __shfl_xor_sync(0xffffffffu, lane + 0.5, 5, 4);
  floats[lane] = __shfl_sync(0xffffffffu, lane + 0.5f, -1);
  unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
  if (lane < 16) floats[32 + lane] = __shfl_xor_sync(half, (float)lane, 1);
  else floats[32 + lane] = __shfl_xor_sync(half, (float)-lane, 2);
}`)
	ints, doubles, floats := upload(t, d, make([]int64, 64)), upload(t, d, make([]float64, 64)), upload(t, d, make([]float32, 64))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 32}}, ints, doubles, floats)
	equal(t, download[int64](t, d, ints, 64), func(i int) int64 {
		if i < 32 {
			return 1<<40 + int64(i&^7|(i+3)&7)
		}
		if i -= 32; i%16 >= 3 {
			i -= 3
		}
		return -(1 << 40) - int64(i)
	})
	equal(t, download[float64](t, d, doubles, 64), func(i int) float64 {
		if i < 32 {
			if i%16+5 < 16 {
				i += 5
			}
			return float64(i) + 0.25
		}
		// lane^5 lies in another segment of 4: an earlier one is read, a later one is not.
		if i -= 32; i^5 < i&^3+4 {
			i ^= 5
		}
		return float64(i) + 0.5
	})
	equal(t, download[float32](t, d, floats, 64), func(i int) float32 {
		switch {
		case i < 32:
			return 31.5
		case i < 48:
			return float32((i - 32) ^ 1)
		}
		return -float32((i - 32) ^ 2)
	})
}

func TestWarpOperations(t *testing.T) {
	t.Parallel()
	d := open(t, 6)
	k := compile(t, d, "votes", `
extern "C" __global__ void votes(unsigned* out) {
  int lane = threadIdx.x, all;
  unsigned* o = out + lane * 12;
  o[0] = __any_sync(~0u, lane == 7);
  o[1] = __all_sync(~0u, lane < 32);
  o[2] = __all_sync(~0u, lane < 31);
  o[3] = __match_any_sync(~0u, lane % 5);
  o[4] = __match_all_sync(~0u, 2.5, &all) + all;
  o[5] = __reduce_add_sync(~0u, (unsigned)lane);
  o[6] = __reduce_min_sync(~0u, lane - 40);
  o[7] = __reduce_max_sync(~0u, lane - 40);
  o[8] = __reduce_xor_sync(~0u, 1u << lane);
  o[9] = __syncthreads_count(lane % 3 == 0);
  o[10] = __syncthreads_and(lane >= 0) * 2 + __syncthreads_and(lane > 0);
  o[11] = __syncthreads_or(lane == 5) * 2 + __syncthreads_or(lane > 50);
}`)
	out := upload(t, d, make([]uint32, 32*12))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 32}}, out)
	equal(t, download[uint32](t, d, out, 32*12), func(i int) uint32 {
		lane := i / 12
		var same uint32
		for l := lane % 5; l < 32; l += 5 {
			same |= 1 << l
		}
		minimum, maximum := int32(-40), int32(-9)
		return []uint32{1, 1, 0, same, 0, 496, uint32(minimum), uint32(maximum), math.MaxUint32, 11, 2, 2}[i%12]
	})
}

// Static, dynamic and templated shared memory, device functions, lambdas,
// constants and a struct in registers, in blocks that run at the same time.
func TestSharedMemory(t *testing.T) {
	t.Parallel()
	d := open(t, 7, sim.Workers(2))
	m, err := d.Compile(gpu.Source{
		Name: "transpose.cu", Kernels: []string{"transpose"},
		Defines: map[string]string{"TILE": "16"},
		Headers: map[string]string{"tile.cuh": `
template <class T, int N> struct Pair { T first[N]; T second[N]; };
template <class T> __device__ __forceinline__ T* scratch() { __shared__ T area[TILE * TILE]; return area; }
`},
		Text: `#include "tile.cuh"
__constant__ float scale[2] = {2.0f, 0.5f};
__device__ int blocks_done;
extern "C" __global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE + 1], more[2];
  extern __shared__ __align__(16) unsigned char raw[];
  float2* pairs = reinterpret_cast<float2*>(raw);
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  pairs[threadIdx.y * TILE + threadIdx.x] = make_float2(x, y);
  scratch<float>()[threadIdx.y * TILE + threadIdx.x] = in[y * n + x];
  if (threadIdx.x < 2 && threadIdx.y == 0) more[threadIdx.x] = scale[threadIdx.x];
  __syncthreads();
  auto flipped = [&](int r, int c) { return tile[c][r] * more[0] * more[1]; };
  float2 p = pairs[threadIdx.x * TILE + threadIdx.y];
  float same = scratch<float>()[threadIdx.x * TILE + threadIdx.y];
  float v = flipped(threadIdx.y, threadIdx.x);
  out[(blockIdx.x * TILE + threadIdx.y) * n + blockIdx.y * TILE + threadIdx.x] =
      v == same && p.x == blockIdx.x * TILE + threadIdx.y && p.y == blockIdx.y * TILE + threadIdx.x ? v : -1;
  if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(&blocks_done, 1);
}`})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("transpose")
	if err != nil {
		t.Fatal(err)
	}
	const n = 128
	in := make([]float32, n*n)
	for i := range in {
		in[i] = float32(i)
	}
	a, b := upload(t, d, in), upload(t, d, make([]float32, n*n))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: n / 16, Y: n / 16}, Block: gpu.Dim3{X: 16, Y: 16}, SharedBytes: 16 * 16 * 8}, a, b, int32(n))
	equal(t, download[float32](t, d, b, n*n), func(i int) float32 { return float32(i%n*n + i/n) })
	attributes, err := k.Attributes()
	if want := 16*17*4 + 8 + 16*16*4; err != nil || attributes.StaticSharedBytes != want {
		t.Errorf("static shared memory %d, %v: want %d", attributes.StaticSharedBytes, err, want)
	}
}

func TestAtomics(t *testing.T) {
	t.Parallel()
	d := open(t, 8, sim.Workers(2))
	k := compile(t, d, "atomics", `
extern "C" __global__ void atomics(int* i, unsigned* u, unsigned long long* w, float* f, double* g) {
  __shared__ int count;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  atomicAdd(i, id); atomicSub(i + 1, 2); atomicMin(i + 2, 5 - id); atomicMax(i + 3, id);
  atomicOr(u, 1u << (id % 32)); atomicAnd(u + 1, ~(1u << (id % 20))); atomicXor(u + 2, id); atomicInc(u + 3, 6);
  atomicAdd(w, 1ull << 33); atomicMax(w + 1, (unsigned long long)id << 34);
  atomicAdd(f, 0.5f); atomicAdd(g, 0.25);
  for (unsigned old = u[4], seen;; old = seen) {
    seen = atomicCAS(u + 4, old, old + 3);
    if (seen == old) break;
  }
  if (id == 17) atomicExch(f + 1, 4.5f);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(i + 4, count);
}`)
	const n = 2048
	i := upload(t, d, []int32{0, 0, 0, 0, 0})
	u := upload(t, d, []uint32{0, math.MaxUint32, 0, 0, 0})
	w, f, g := upload(t, d, make([]uint64, 2)), upload(t, d, make([]float32, 2)), upload(t, d, make([]float64, 1))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 16}, Block: gpu.Dim3{X: 128}}, i, u, w, f, g)
	equal(t, download[int32](t, d, i, 5), func(i int) int32 { return []int32{n * (n - 1) / 2, -2 * n, 6 - n, n - 1, n}[i] })
	equal(t, download[uint32](t, d, u, 5), func(i int) uint32 { return []uint32{math.MaxUint32, 0xfff00000, 0, n % 7, 3 * n}[i] })
	equal(t, download[uint64](t, d, w, 2), func(i int) uint64 { return []uint64{n << 33, (n - 1) << 34}[i] })
	equal(t, download[float32](t, d, f, 2), func(i int) float32 { return []float32{n / 2, 4.5}[i] })
	equal(t, download[float64](t, d, g, 1), func(i int) float64 { return n / 4 })
}

func TestIntrinsics(t *testing.T) {
	t.Parallel()
	d := open(t, 9)
	k := compile(t, d, "math", `
extern "C" __global__ void math(const double* x, double* out, unsigned v, unsigned long long w) {
  double a = x[0];
  float b = (float)a, s, c;
  double ds, dc;
  sincospif(b, &s, &c); sincospi(a, &ds, &dc);
  int i = 0;
  out[i++] = s; out[i++] = c; out[i++] = ds; out[i++] = dc;
  out[i++] = sinpi(a); out[i++] = cospif(b);
  __sincosf(b, &s, &c);
  out[i++] = s; out[i++] = c;
  out[i++] = rsqrt(a); out[i++] = rsqrtf(b); out[i++] = __fmaf_rn(b, b, 1.0f); out[i++] = fma(a, a, 1.0); out[i++] = __fdividef(b, 2.0f);
  out[i++] = max(3, 4) + min(2.5f, b) + max(1u, 2u) + min(7.0, a);
  out[i++] = __popc(v); out[i++] = __clz(v); out[i++] = __ffs(v); out[i++] = __brev(v); out[i++] = __popcll(w); out[i++] = __clzll(w);
  out[i++] = __float_as_uint(1.0f); out[i++] = __longlong_as_double(0x4000000000000000ll); out[i++] = __umulhi(v, v);
  out[i++] = sizeof(float4) + alignof(float2) + alignof(double2) + alignof(uint3) + warpSize;
  float4 q = make_float4(1, 2, 3, 4);
  int2 p = make_int2(5, 6);
  out[i++] = q.x + q.w + p.y + __ldg(x);
  long long begin = clock64();
  out[i++] = clock64() >= begin;
}`)
	x := -0.3125
	v, w := uint32(0x00f0_1230), uint64(0x0001_0000_ffff_0001)
	in, out := upload(t, d, []float64{-x}), upload(t, d, make([]float64, 26))
	x = -x
	launch(t, k, gpu.Launch{}, in, out, v, w)
	f := float64(float32(x))
	hi, _ := bits.Mul64(uint64(v)<<32, uint64(v)<<32)
	want := []float64{
		math.Sin(math.Pi * f), math.Cos(math.Pi * f), math.Sin(math.Pi * x), math.Cos(math.Pi * x), math.Sin(math.Pi * x), math.Cos(math.Pi * f),
		math.Sin(f), math.Cos(f), 1 / math.Sqrt(x), 1 / math.Sqrt(x), x*x + 1, x*x + 1, x / 2,
		4 + x + 2 + x,
		float64(bits.OnesCount32(v)), float64(bits.LeadingZeros32(v)), float64(bits.TrailingZeros32(v) + 1), float64(bits.Reverse32(v)),
		float64(bits.OnesCount64(w)), float64(bits.LeadingZeros64(w)),
		0x3f800000, 2, float64(hi >> 32), 16 + 8 + 16 + 4 + 32,
		1 + 4 + 6 + x, 1,
	}
	for i, got := range download[float64](t, d, out, len(want)) {
		if math.Abs(got-want[i]) > 1e-6*math.Abs(want[i]) {
			t.Errorf("value %d: %v, want %v", i, got, want[i])
		}
	}
}

// An object of a class with virtual functions is made and called, with its accesses checked.
func TestVirtualFunctions(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	k := compile(t, d, "call", `
struct Base { __device__ virtual int f(int x) = 0; };
struct Twice : Base { __device__ int f(int x) override { return 2 * x; } };
struct Next : Base { __device__ int f(int x) override { return x + 1; } };
extern "C" __global__ void call(int* out) {
  Twice twice;
  Next next;
  Base* which = threadIdx.x % 2 ? (Base*)&twice : &next;
  out[threadIdx.x] = which->f(threadIdx.x);
}`)
	out := upload(t, d, make([]int32, 32))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 32}}, out)
	equal(t, download[int32](t, d, out, 32), func(i int) int32 { return int32([]int{i + 1, 2 * i}[i%2]) })
}
