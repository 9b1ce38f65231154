package sim_test

import (
	"testing"
	"time"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Decoupled look-back (Merrill, Garland: "Single-pass Parallel Prefix Scan
// with Decoupled Look-back", 2016): each block waits for its predecessors' sums.
func TestLookBack(t *testing.T) {
	t.Parallel()
	const text = `
struct Status { int flag, value; };
extern "C" __global__ void lookback(const int* in, int* out, unsigned long long* status, unsigned* ticket) {
  __shared__ int before, block, sums[4];
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1u);
  __syncthreads();
  int i = block * 128 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int x = in[i];
  for (int s = 1; s < 32; s *= 2) { int y = __shfl_up_sync(~0u, x, s); if (lane >= s) x += y; }
  if (lane == 31) sums[warp] = x;
  __syncthreads();
  for (int w = 0; w < warp; w++) x += sums[w];
  if (threadIdx.x == 127) {
    volatile unsigned long long* s = status;
    s[block] = (1ull << 32) | (unsigned)x;
    int sum = 0;
    for (int b = block - 1; b >= 0; b--) {
      unsigned long long v;
      while (((v = s[b]) >> 32) == 0) {}
      sum += (int)v;
      if (v >> 32 == 2) break;
    }
    __threadfence();
    s[block] = (2ull << 32) | (unsigned)(sum + x);
    before = sum;
  }
  __syncthreads();
  out[i] = x + before;
}`
	for _, workers := range []int{1, 2} {
		d := open(t, 11, sim.Workers(workers))
		k := compile(t, d, "lookback", text)
		const blocks = 200
		in := make([]int32, blocks*128)
		for i := range in {
			in[i] = int32(i%11 - 4)
		}
		a, b := upload(t, d, in), upload(t, d, make([]int32, len(in)))
		status, ticket := upload(t, d, make([]uint64, blocks)), upload(t, d, make([]uint32, 1))
		launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: blocks}, Block: gpu.Dim3{X: 128}}, a, b, status, ticket)
		sum := int32(0)
		equal(t, download[int32](t, d, b, len(in)), func(i int) int32 { sum += in[i]; return sum })
	}
}

// Blocks of a cooperative launch meet at barriers across the grid, once by
// atomic operations and once by spinning on a volatile variable; each keeps
// its shared memory meanwhile.
func TestGridBarrier(t *testing.T) {
	t.Parallel()
	waits := []string{"while (atomicAdd(count, 0) < goal) {}", "while (*(volatile int*)count < goal) {}", "while (__ldcv(count) < goal) __nanosleep(100);"}
	for i, wait := range append(waits, waits...) {
		options := []sim.Option{sim.Workers(2), sim.Resident(8)}
		if i >= len(waits) {
			options = append(options, sim.Checks())
		}
		d := open(t, 12, options...)
		k := compile(t, d, "ring", `
extern "C" __global__ void ring(int* count, int* values) {
  __shared__ int mine;
  extern __shared__ int also[];
  if (threadIdx.x == 0) mine = blockIdx.x, also[0] = blockIdx.x;
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    if (threadIdx.x == 0) values[blockIdx.x] = mine;
    int goal = gridDim.x * (2 * round + 1);
    for (int half = 0; half < 2; half++, goal += gridDim.x) {
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        `+wait+`
        __threadfence();
      }
      __syncthreads();
      if (half == 0 && threadIdx.x == 0) { mine = values[(blockIdx.x + 1) % gridDim.x]; also[0]++; }
    }
  }
  if (threadIdx.x == 0) values[blockIdx.x] = mine + 100 * also[0];
}`)
		const blocks = 8
		count, values := upload(t, d, make([]int32, 1)), upload(t, d, make([]int32, blocks))
		launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: blocks}, Block: gpu.Dim3{X: 64}, SharedBytes: 64, Cooperative: true}, count, values)
		equal(t, download[int32](t, d, values, blocks), func(i int) int32 { return int32((i+3)%blocks + 100*(i+3)) })
	}
}

// Where accesses are checked, a thread that waits for another block gives way at once: it need not be
// interrupted. In few waits its block is held.
func TestCheckedThreadGivesWay(t *testing.T) {
	t.Parallel()
	d := open(t, 13, sim.Workers(1), sim.Checks())
	k := compile(t, d, "turns", `
extern "C" __global__ void turns(volatile int* turn, int* looks) {
  int n = 0;
  for (int i = 0; i < 1000; i++) {
    while (*turn % 2 != blockIdx.x) n++;
    *turn = *turn + 1;
  }
  looks[blockIdx.x] = n;
}`)
	turn, looks := upload(t, d, make([]int32, 1)), upload(t, d, make([]int32, 2))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 1}}, turn, looks)
	n := download[int32](t, d, looks, 2)
	if all := n[0] + n[1]; all < 30_000 || all > 600_000 {
		t.Errorf("looked %d times in 2000 waits", all)
	}
}

// One that waits for what never comes is named as the endless loop that it is.
func TestCheckedThreadWaitsForNothing(t *testing.T) {
	t.Parallel()
	d := open(t, 13, sim.Checks(), sim.Limit(50*time.Millisecond))
	k := compile(t, d, "nothing", `
extern "C" __global__ void nothing(volatile int* flag, int* out) {
  while (!*flag) {}
  *out = 1;
}`)
	flag, out := upload(t, d, make([]int32, 1)), upload(t, d, make([]int32, 1))
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 64}}, []any{flag, out}, "nothing.cu:3: still here after 0.05 s: an endless loop?")
}

// What takes long may be only slow: how much was done is said.
func TestSlowKernelSaysWhatIsDone(t *testing.T) {
	t.Parallel()
	d := open(t, 13, sim.Checks(), sim.Workers(1), sim.Limit(300*time.Millisecond))
	k := compile(t, d, "slow", `
extern "C" __global__ void slow(volatile int* flag) {
  while (blockIdx.x == 2 && !*flag) {}
}`)
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 3}, Block: gpu.Dim3{X: 64}}, []any{upload(t, d, make([]int32, 1))},
		"slow.cu:3: still here after 0.3 s, with 2 of 3 blocks done: slow, or an endless loop?")
}

// Lanes of a warp poll together: the warp yields, not a single lane.
func TestWarpPolls(t *testing.T) {
	t.Parallel()
	d := open(t, 13, sim.Workers(1))
	k := compile(t, d, "poll", `
extern "C" __global__ void poll(volatile int* flag, int* out) {
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) { __threadfence(); *flag = 1; }
  } else {
    int turns = 0;
    while (!__any_sync(~0u, *flag)) turns++;
    out[threadIdx.x] = turns > 0;
  }
}`)
	flag, out := upload(t, d, make([]int32, 1)), upload(t, d, make([]int32, 32))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 32}}, flag, out)
	equal(t, download[int32](t, d, out, 32), func(int) int32 { return 1 })
}

// A thread waits for another of its block, outside any barrier.
func TestThreadWaitsInBlock(t *testing.T) {
	t.Parallel()
	d := open(t, 14)
	k := compile(t, d, "chain", `
extern "C" __global__ void chain(int* out) {
  __shared__ volatile int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  while (next != threadIdx.x) {}
  out[threadIdx.x] = threadIdx.x * 3;
  next = threadIdx.x + 1;
}`)
	out := upload(t, d, make([]int32, 40))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 40}}, out)
	equal(t, download[int32](t, d, out, 40), func(i int) int32 { return int32(3 * i) })
}

// Blocks of a cluster read each other's static and dynamic shared memory.
func TestCluster(t *testing.T) {
	t.Parallel()
	d := open(t, 15, sim.Workers(2))
	k := compile(t, d, "cluster", `
extern "C" __global__ void cluster(int* out) {
  __shared__ int fixed[32];
  extern __shared__ int moving[];
  unsigned rank = bench_cluster_rank(), n = bench_cluster_size();
  int block = blockIdx.x + gridDim.x * blockIdx.y;
  fixed[threadIdx.x] = block * 100 + threadIdx.x;
  moving[threadIdx.x] = -fixed[threadIdx.x];
  bench_cluster_sync();
  unsigned other = (rank + 1) % n;
  int* f = bench_cluster_map(fixed, other);
  int* m = bench_cluster_map(moving, other);
  int a = f[31 - threadIdx.x], b = m[31 - threadIdx.x];
  bench_cluster_sync();
  bench_cluster_map(fixed, other)[threadIdx.x] = a + 1000 * rank;
  bench_cluster_sync();
  out[block * 32 + threadIdx.x] = a == -b ? fixed[threadIdx.x] : -1;
}`)
	// Clusters of 2 x 2 blocks in a grid of 4 x 2.
	out := upload(t, d, make([]int32, 8*32))
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 4, Y: 2}, Block: gpu.Dim3{X: 32}, SharedBytes: 128, Cluster: gpu.Dim3{X: 2, Y: 2}}, out)
	equal(t, download[int32](t, d, out, 8*32), func(i int) int32 {
		block, thread := i/32, i%32
		rank := block%2 + 2*(block/4)
		before := (rank + 3) % 4 // the block that wrote here; what it read was this block's
		return int32(block*100 + 31 - thread + 1000*before)
	})
	// The blocks release each other at one barrier after another, so that a turn
	// of either ends with as many threads arrived as it began with.
	many := compile(t, d, "many", `
extern "C" __global__ void many(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  for (int i = 0; i < 100; i++) {
    bench_cluster_sync();
    if (threadIdx.x == 0) ++*bench_cluster_map(&count, 1 - bench_cluster_rank());
  }
  bench_cluster_sync();
  out[blockIdx.x] = count;
}`)
	counts := upload(t, d, make([]int32, 2))
	launch(t, many, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 64}, Cluster: gpu.Dim3{X: 2}}, counts)
	equal(t, download[int32](t, d, counts, 2), func(int) int32 { return 100 })
	divergent := compile(t, d, "half", `extern "C" __global__ void half() { if (blockIdx.x == 0) bench_cluster_sync(); else __syncwarp(); if (threadIdx.x < 5) bench_cluster_sync(); }`)
	launch(t, divergent, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 32}, Cluster: gpu.Dim3{X: 2}})
	stuck := compile(t, d, "stuck", `extern "C" __global__ void stuck() { if (threadIdx.x < 5) bench_cluster_sync(); else __syncthreads(); }`)
	fails(t, stuck, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 32}, Cluster: gpu.Dim3{X: 2}}, nil, "deadlock", "5 wait at the cluster barrier", "27 wait at the barrier")
}

// A block may wait until another writes what was set to 0xff; a plain read of it is
// a mistake.
func TestWaitForWhatWasSet(t *testing.T) {
	t.Parallel()
	const text = `
extern "C" __global__ void wait(volatile int* slot, int* out) {
  if (blockIdx.x == 0) { while (*slot == -1) {} *out = *slot; } else *slot = 7;
}
extern "C" __global__ void read(const int* slot, int* out) { *out = *slot; }`
	d := open(t, 11, sim.Workers(1), sim.Resident(2), sim.Checks())
	wait, read := compile(t, d, "wait", text), compile(t, d, "read", text)
	slot, out := upload(t, d, []int32{0}), upload(t, d, []int32{0})
	for range 3 {
		if err := d.SetAsync(slot, 0xff, 4, 0); err != nil {
			t.Fatal(err)
		}
		launch(t, wait, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 1}}, slot, out)
		if got := download[int32](t, d, out, 1)[0]; got != 7 {
			t.Errorf("waited for 7, got %d", got)
		}
	}
	if err := d.SetAsync(slot, 0xff, 4, 0); err != nil {
		t.Fatal(err)
	}
	fails(t, read, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, []any{slot, out}, "reads what was never written", "read.cu:5")
}
