// blocks.cuh: a thread's rows as a block, known by its first and last
// equation, and how threads see each other's blocks: by shuffles within a warp
// where SHUFFLE is set, else by boards in shared memory, of which two
// alternate so that one barrier per exchange is enough.

#include "rows.cuh"

enum : int {
  // Values that the largest exchange puts on a board.
  BOARD = SHUFFLE ? 6 * (THREADS / WARP) : 6 * THREADS,
};

__device__ __forceinline__ Pair blockOf(Rows &rows) {
  eliminate<EQUATIONS, Rows::UNIT>(rows.a, rows.b, rows.c, rows.d);
  return {{rows.a[0], rows.c[0], rows.d[0]}, {rows.a[EQUATIONS - 1], rows.c[EQUATIONS - 1], rows.d[EQUATIONS - 1]}};
}

// substitute solves a thread's rows from the unknowns before and after them.
__device__ __forceinline__ void substitute(Rows &rows, Real before, Real after) {
#pragma unroll
  for (int i = 0; i < EQUATIONS; i++) rows.d[i] -= rows.a[i] * before + rows.c[i] * after;
}

// inWarp says whether an exchange among reach neighbouring threads stays in a
// warp and is done by shuffles.
__device__ __forceinline__ constexpr bool inWarp(int reach) { return SHUFFLE && reach <= WARP; }

__device__ __forceinline__ Pair shuffled(Pair p, int lane) {
  const unsigned all = 0xffffffffu;
  return {{__shfl_sync(all, p.first.a, lane), __shfl_sync(all, p.first.c, lane), __shfl_sync(all, p.first.d, lane)},
          {__shfl_sync(all, p.last.a, lane), __shfl_sync(all, p.last.c, lane), __shfl_sync(all, p.last.d, lane)}};
}

// Boards are the two boards; slot counts pairs, or pairs of values.
struct Boards {
  Real *shared;
  int turn; // known at compile time

  __device__ __forceinline__ Real *board() const { return shared + turn * BOARD; }
  __device__ __forceinline__ void flip() { turn = 1 - turn; }

  __device__ __forceinline__ void put(int slot, int slots, Pair p) const {
    Real *b = board() + slot;
    b[0] = p.first.a;
    b[slots] = p.first.c;
    b[2 * slots] = p.first.d;
    b[3 * slots] = p.last.a;
    b[4 * slots] = p.last.c;
    b[5 * slots] = p.last.d;
  }
  __device__ __forceinline__ Pair pair(int slot, int slots) const {
    const Real *b = board() + slot;
    return {{b[0], b[slots], b[2 * slots]}, {b[3 * slots], b[4 * slots], b[5 * slots]}};
  }
  __device__ __forceinline__ void put(int slot, int slots, Real v, Real w) const {
    board()[slot] = v;
    board()[slot + slots] = w;
  }
  __device__ __forceinline__ void get(int slot, int slots, Real &v, Real &w) const {
    v = board()[slot];
    w = board()[slot + slots];
  }
};
