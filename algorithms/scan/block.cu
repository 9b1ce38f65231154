// Scan of sequences of N elements, a power of two, within a block: a block of
// L threads holds L·P/N sequences, in registers. Each element is read and
// written once. Rows are scanned by shuffles; a sequence of several warps
// passes their sums through 32 elements of shared memory.
//
// Further defines: N; BLOCKS, the blocks that a multiprocessor must hold.
#include "scan.cuh"

enum {
  WIDTH = N < ROW ? N / VECTOR : 32,          // lanes of a sequence
  CHAIN = N < WARP ? (N + ROW - 1) / ROW : ROWS,  // rows of a sequence in a warp
  TEAM = N > WARP ? N / WARP : 1         // warps of a sequence
};

extern "C" __global__ void __launch_bounds__(L, BLOCKS) scan(const T* __restrict__ in, T* __restrict__ out, long long elements) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const long long at = static_cast<long long>(blockIdx.x) * (L * P) + warp * WARP + lane * VECTOR;
  Vector v[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    if (at + r * ROW < elements) {
      v[r] = load(in + at + r * ROW);
    } else {
#pragma unroll
      for (int i = 0; i < VECTOR; i++) v[r].x[i] = 0;
    }
  }
  T before[ROWS], total[ROWS];
  scan_rows<WIDTH, (N > ROW)>(v, before, total, lane);
  if (N > ROW) {
    T rows = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      if (r % CHAIN == 0) {
        rows = total[r];
      } else {
        before[r] += rows;
        rows += total[r];
      }
    }
    if (TEAM > 1) {
      __shared__ T warps[TEAM > 1 ? WARPS / TEAM * 32 : 1];
      const unsigned sequence = warp / TEAM, place = warp % TEAM;
      if (lane == 0) warps[sequence * 32 + place] = rows;
      __syncthreads();
      // Every warp of the team scans the sums itself: one barrier instead of two.
      T sum = scan_lanes<TEAM>(lane < TEAM ? warps[sequence * 32 + lane] : T(0), lane);
      T base = __shfl_sync(ALL, sum, place > 0 ? place - 1 : 0);
      if (place > 0) {
#pragma unroll
        for (int r = 0; r < ROWS; r++) before[r] += base;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    if (at + r * ROW < elements) store(out + at + r * ROW, sums(v[r], before[r]));
  }
}
