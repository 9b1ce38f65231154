// sides.cuh: how the blocks of a cluster, each with its rows reduced to the
// first and the last unknown, find the unknowns around them.

#include "cluster.cuh"

// Sides are the pairs of all blocks of the cluster, told to each of them.
// A slot is one value of one block's pair, for each of COLUMNS systems.
enum : int { SIDES = (CLUSTER * 6 + 2) * COLUMNS }; // two for the unknowns around this block

struct Sides {
  Real *board;
  int rank;
  int turn; // of two boards, where blocks solve one system after another

  // flip takes the other board: nobody then writes to one that a slower block
  // still reads, since all have passed the barrier of the round between.
  __device__ __forceinline__ void flip() {
    board += turn ? -SIDES : SIDES;
    turn = !turn;
  }

  __device__ __forceinline__ int slot(int block, int value) const {
    return (block * 6 + value) * COLUMNS + int(threadIdx.x) % COLUMNS;
  }
  // tell writes half of this block's pair to all blocks.
  __device__ __forceinline__ void tell(int half, Equation e) const {
    const int first = slot(rank, 3 * half);
#pragma unroll 1 // or the addresses take registers from the rows
    for (int to = 0; to < CLUSTER; to++) {
      put(remote(board + first, to), e.a);
      put(remote(board + first + COLUMNS, to), e.c);
      put(remote(board + first + 2 * COLUMNS, to), e.d);
    }
  }
  __device__ __forceinline__ Equation of(int block, int half) const {
    const Real *at = board + slot(block, 3 * half);
    return {at[0], at[COLUMNS], at[2 * COLUMNS]};
  }
  // solve finds the unknowns before and after this block: elimination down to
  // it from the first block and up to it from the last.
  __device__ __forceinline__ void solve() const {
    // The last unknown of the blocks above, d - c times the first of the next
    // block; there is none above the first block.
    Equation above = {0, 0, 0}, below = {0, 0, 0};
#pragma unroll 1
    for (int k = 0; k < rank; k++) {
      const Equation first = of(k, 0), last = of(k, 1);
      const Real r = reciprocal(Real(1) - above.c * first.a);
      above = {0, last.c + last.a * above.c * first.c * r, last.d - last.a * (above.d - above.c * first.d) * r};
    }
#pragma unroll 1
    for (int k = CLUSTER - 1; k > rank; k--) {
      const Equation first = of(k, 0), last = of(k, 1);
      const Real r = reciprocal(Real(1) - below.a * last.c);
      below = {first.a + first.c * below.a * last.a * r, 0, first.d - first.c * (below.d - below.a * last.d) * r};
    }
    const Equation first = of(rank, 0), last = of(rank, 1);
    const Pair seam = join(above, first); // in terms of the unknown after this block
    const Equation end = afterSeam(last, seam);
    const Real after = (below.d - below.a * end.d) * reciprocal(Real(1) - below.a * end.c);
    board[slot(CLUSTER, 0)] = seam.last.d - seam.last.c * after;
    board[slot(CLUSTER, 1)] = after;
  }
  __device__ __forceinline__ Real before() const { return board[slot(CLUSTER, 0)]; }
  __device__ __forceinline__ Real after() const { return board[slot(CLUSTER, 1)]; }
};
