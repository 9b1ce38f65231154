package sim_test

import (
	"math/bits"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Groups of cooperative_groups.h that are no blocks and no tiles.
func TestGroups(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	k := compile(t, d, "groups", `#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
extern "C" __global__ void groups(int* out, const int* in) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int t = block.thread_rank(), *o = out + 12 * t;
  if (t % 3 == 1) {
    auto g = cg::coalesced_threads();
    o[0] = g.size() * 100 + g.thread_rank();
    o[1] = g.shfl(t, 2);
    o[2] = g.shfl_down(t, 1);
    o[3] = cg::reduce(g, t, cg::plus<int>());
    o[4] = g.ballot(g.thread_rank() < 3);
  }
  auto same = cg::labeled_partition(warp, t % 5);
  o[5] = same.size() * 100 + same.thread_rank();
  o[6] = cg::inclusive_scan(warp, in[t]);
  o[7] = cg::exclusive_scan(same, in[t], cg::plus<int>());
  cg::thread_group quarter = cg::tiled_partition(block, 8);
  quarter.sync();
  o[8] = quarter.size() * 100 + quarter.thread_rank();
  o[9] = cg::binary_partition(warp, t % 32 < 10).size();
  cg::memcpy_async(block, s, in, sizeof s);
  cg::wait(block);
  o[10] = s[63 - t];
  block.sync();
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  o[11] = s[t] + cg::this_cluster().num_blocks() + cg::this_grid().size();
}`)
	in := make([]int32, 64)
	for i := range in {
		in[i] = int32(i*7%13 + 1)
	}
	out := upload(t, d, make([]int32, 12*64))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 64}}, out, upload(t, d, in))
	got := download[int32](t, d, out, 12*64)
	for i := range 64 {
		first := i / 32 * 32
		in3 := func(l int) bool { return (first+l)%3 == 1 }
		var third []int32 // threads of the warp in the branch
		var scan, before, label, labels int32
		for l := range 32 {
			if in3(l) {
				third = append(third, int32(first+l))
			}
			if first+l <= i {
				scan += in[first+l]
			}
			if (first+l)%5 == i%5 {
				labels++
				if first+l < i {
					before += in[first+l]
					label++
				}
			}
		}
		want := [12]int32{}
		if i%3 == 1 {
			rank := bits.OnesCount32(0)
			for third[rank] != int32(i) {
				rank++
			}
			sum := int32(0)
			for _, x := range third {
				sum += x
			}
			want[0], want[1], want[2], want[3], want[4] = int32(len(third)*100+rank), third[2], third[min(rank+1, len(third)-1)], sum, 7
		}
		binary := int32(22)
		if i%32 < 10 {
			binary = 10
		}
		copy(want[5:], []int32{labels*100 + label, scan, before, int32(800 + i%8), binary, in[63-i], in[i] + 1 + 64})
		if [12]int32(got[12*i:]) != want {
			t.Errorf("thread %d: %v, want %v", i, got[12*i:12*i+12], want)
		}
	}
}

// The grid's barrier orders what blocks write and read, and needs a launch that has all of them at once.
func TestBarrierOfTheGrid(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	const text = `#include <cooperative_groups.h>
extern "C" __global__ void turns(int* out, int* buffer) {
  auto grid = cooperative_groups::this_grid();
  unsigned n = grid.size(), i = grid.thread_rank();
  buffer[i] = i;
  for (int k = 0; k < 3; k++) {
    grid.sync();
    int next = buffer[(i + 64) % n];
    SYNC;
    buffer[i] = next + 1;
  }
  out[i] = buffer[i];
}`
	shape := gpu.Launch{Grid: gpu.Dim3{X: 4}, Block: gpu.Dim3{X: 64}, Cooperative: true}
	out, buffer := upload(t, d, make([]int32, 256)), upload(t, d, make([]int32, 256))
	k := compile(t, d, "turns", "#define SYNC grid.sync()\n"+text)
	launch(t, k, shape, out, buffer)
	equal(t, download[int32](t, d, out, 256), func(i int) int32 { return int32((i+192)%256 + 3) })
	fails(t, compile(t, d, "turns", "#define SYNC\n"+text), shape, []any{out, buffer}, "race on global memory", "turns.cu:9", "turns.cu:11")
	shape.Cooperative = false
	fails(t, k, shape, []any{out, buffer}, "turns.cu:8: a barrier of the grid needs a cooperative launch")
}

// Atomic objects and barriers of libcu++.
func TestLibraryAtomics(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	k := compile(t, d, "objects", `#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
extern "C" __global__ void objects(int* out, int* sum, float* most) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&all, 64);
  __syncthreads();
  s[t] = t;
  all.arrive_and_wait();
  cuda::atomic_ref<int, cuda::thread_scope_device> r(*sum);
  r.fetch_add(s[63 - t], cuda::memory_order_relaxed);
  r += 1;
  cuda::std::atomic_ref<float>(*most).fetch_max(float(t));
  int expected = -1;
  bool swapped = r.compare_exchange_strong(expected, 0);
  if (blockIdx.x == 0) {
    out[t] = 7;
    all.wait(all.arrive());
    if (t == 0) ready.store(1, cuda::memory_order_release);
  } else {
    while (!ready.load(cuda::memory_order_acquire)) {}
    out[64 + t] = out[t] + swapped + (expected == -1);
  }
}`)
	out, sum, most := upload(t, d, make([]int32, 128)), upload(t, d, make([]int32, 1)), upload(t, d, make([]float32, 1))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 64}}, out, sum, most)
	equal(t, download[int32](t, d, out, 128), func(int) int32 { return 7 })
	if s, m := download[int32](t, d, sum, 1)[0], download[float32](t, d, most, 1)[0]; s != 2*(63*64/2+64) || m != 63 {
		t.Errorf("sum %d, most %v", s, m)
	}
}

// A function that is always inlined where it is called by name may be passed as well.
func TestForcedFunctionIsPassed(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Checks())
	k := compile(t, d, "most", `#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct Pair { int value, at; };
__device__ __forceinline__ Pair larger(Pair a, Pair b) { return a.value < b.value ? b : a; }
extern "C" __global__ void most(int* out, const int* in) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x;
  Pair p = larger({in[t], t}, {in[(t + 1) % 32], (t + 1) % 32});
  out[t] = cg::reduce(warp, p, larger).at;
}`)
	in := make([]int32, 32)
	in[21] = 7
	out := upload(t, d, make([]int32, 32))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 32}}, out, upload(t, d, in))
	for i, at := range download[int32](t, d, out, 32) {
		if at != 21 {
			t.Errorf("lane %d: %d, want 21", i, at)
		}
	}
}
