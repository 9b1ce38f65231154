// divide.cuh: neighbouring blocks merge RADIX at a time, the last step fewer
// where RADIX does not divide, until one block is the team's whole. Every
// thread keeps the block that its rows have become part of, and the two
// unknowns around its own rows in terms of those around that block.

#include "blocks.cuh"

struct Part {
  Pair block;
  Equation before, after;

  // grow merges the block with its neighbour, which lies to the left where
  // right is set.
  __device__ __forceinline__ void grow(Pair other, bool right) {
    const Pair low = right ? other : block, high = right ? block : other;
    const Pair seam = join(low.last, high.first);
    block = {beforeSeam(low.first, seam), afterSeam(high.last, seam)};
    before = right ? afterSeam(before, seam) : beforeSeam(before, seam);
    after = right ? afterSeam(after, seam) : beforeSeam(after, seam);
  }
};

// Step merges COUNT blocks of SIZE threads, then continues with the larger ones.
template <int SIZE, int COUNT> struct Step {
  static __device__ __forceinline__ void run(Part &part, Boards boards) {
    const int thread = threadIdx.x;
    Pair other[COUNT]; // by the exclusive or of its number with this block's
    if (inWarp(SIZE * COUNT)) {
#pragma unroll
      for (int k = 1; k < COUNT; k++) other[k] = shuffled(part.block, (thread ^ k * SIZE) % WARP);
    } else {
      if (thread % SIZE == 0) boards.put(thread / SIZE, THREADS / SIZE, part.block);
      __syncthreads();
#pragma unroll
      for (int k = 1; k < COUNT; k++) other[k] = boards.pair(thread / SIZE ^ k, THREADS / SIZE);
      boards.flip();
    }
#pragma unroll
    for (int half = 1; half < COUNT; half *= 2) {
      const bool right = thread / SIZE & half;
      part.grow(other[half], right);
#pragma unroll
      for (int k = 2 * half; k < COUNT; k += 2 * half) {
        const Pair p = other[k], q = other[k + half];
        other[k] = merge(right ? q : p, right ? p : q);
      }
    }
    // With SHUFFLE a step ends where the warp does.
    enum : int {
      END = SHUFFLE && SIZE * COUNT < WARP && TEAM > WARP ? int(WARP) : TEAM,
      LEFT = END / (SIZE * COUNT),
      NEXT = LEFT < RADIX ? LEFT : RADIX,
    };
    Step<SIZE * COUNT, NEXT>::run(part, boards);
  }
};

template <int SIZE> struct Step<SIZE, 1> {
  static __device__ __forceinline__ void run(Part &, Boards) {}
};

// conquer merges the blocks of a team's threads.
__device__ __forceinline__ Part conquer(Pair block, Real *shared) {
  Part part = {block, {-1, 0, 0}, {0, -1, 0}};
  Step<1, (TEAM < RADIX ? TEAM : RADIX)>::run(part, Boards{shared, 0});
  return part;
}
