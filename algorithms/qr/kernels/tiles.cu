// Householder QR in one kernel, in tiles of W columns that blocks take in
// order: a block holds its tile in registers, applies the panels of reflections of
// the tiles before it as they are published, factors the tile, publishes its own
// panel, and then forms the same columns of Q from the panels, last to first. No
// barrier of the grid: a tile waits only for tiles that were taken before it, so that
// any number of resident blocks makes progress.
//
// A panel is I - V·T·Vᵀ (Schreiber and Van Loan, A Storage-Efficient WY
// Representation for Products of Householder Transformations). Published are V and
// Z = VᵀV above the diagonal with the factors τ on it: since inverse T = diag(1/τ) +
// the upper part of VᵀV, y = T·w is a short substitution.
//
// Defines: W (columns per tile: 2 to 16), THREADS, VEC (neighbouring rows of a thread:
// 1, 2, in float32 4, and at most W), STEPS (groups of THREADS·VEC rows, which cover m rounded up to
// W), AHEAD (1: the next panel of Q is loaded while one is applied).
// Traffic: A, Q, R once, V written once and read by every later tile and, for Q, by it
// and every later tile.
#include "tiles.cuh"

// Loads a published panel whose diagonal starts at row first.
__device__ __forceinline__ void load_panel(Tile& v, const real* panel, int first, const Place& p) {
#pragma unroll
  for (int s = 0; s < STEPS; s++) {
    if (p.has(s, first)) {
#pragma unroll
      for (int j = 0; j < W; j++) {
        Piece x;
        x.vector = load_published(reinterpret_cast<const Vector<VEC>::type*>(panel + j * (THREADS * ROWS) + p.row(s, 0)));
#pragma unroll
        for (int e = 0; e < VEC; e++) v[j][s * VEC + e] = x.x[e];
      }
    }
  }
}

// Z of a panel comes through registers, so that nothing waits for it alone.
__device__ __forceinline__ void load_gram(real (&g)[GRAM], const real* z, const Place& p) {
#pragma unroll
  for (int i = 0; i < GRAM; i++) {
    if (i * THREADS + p.thread < W * W) g[i] = load_published(z + i * THREADS + p.thread);
  }
}

__device__ __forceinline__ void store_gram(real* z, const real (&g)[GRAM], const Place& p) {
#pragma unroll
  for (int i = 0; i < GRAM; i++) {
    if (i * THREADS + p.thread < W * W) z[i * THREADS + p.thread] = g[i];
  }
}

// Products of the panel with the tile, summed over each warp, to shared memory:
// index c·W + k for column c of the tile and k of the panel.
__device__ __forceinline__ void multiply(const Tile& c, const Tile& v, int first, real* sums, const Place& p) {
#pragma unroll
  for (int part = 0; part < PARTS; part++) {
    real w[SUMS];
#pragma unroll
    for (int i = 0; i < SUMS; i++) w[i] = 0;
    bool any = false;
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
      if (p.has(s, first)) {
        any = true;
#pragma unroll
        for (int e = 0; e < VEC; e++) {
#pragma unroll
          for (int j = 0; j < W; j++) {
#pragma unroll
            for (int k = 0; k < PART; k++) w[j * PART + k] += c[j][s * VEC + e] * v[part * PART + k][s * VEC + e];
          }
        }
      }
    }
    if (any) Scatter<SUMS / 2, 16>::run(w, p.lane);
#pragma unroll
    for (int i = 0; i < HELD; i++) {
      const int index = p.lane / SHARE * HELD + i;
      if (p.lane % SHARE == 0) sums[index / PART * W + part * PART + index % PART] = w[i];
    }
  }
}

// Subtracts V·op(T)·Vᵀ·tile from the tile; the sums of all warps and z are in
// shared memory, behind a barrier. op(T) is Tᵀ where the reflections come first
// to last (FORWARD), T where last to first.
template <bool FORWARD>
__device__ __forceinline__ void subtract(Tile& c, const Tile& v, int first, const real (*sums)[W * W], const real* z, real* y, const Place& p) {
#pragma unroll
  for (int i = 0; i < (W * W + 31) / 32; i++) {
    const int index = i * 32 + p.lane;
    if (W * W % 32 == 0 || index < W * W) {
      real s = 0;
#pragma unroll
      for (int warp = 0; warp < WARPS; warp++) s += sums[warp][index];
      y[index] = s;
    }
  }
  __syncwarp();
  if (p.lane < W) {
    real* mine = y + p.lane * W;
    real x[W];
#pragma unroll
    for (int k = 0; k < W; k++) x[k] = mine[k];
#pragma unroll
    for (int step = 0; step < W; step++) {
      const int k = FORWARD ? step : W - 1 - step;
      x[k] *= z[k * W + k];
#pragma unroll
      for (int later = step + 1; later < W; later++) {
        const int i = FORWARD ? later : W - 1 - later;
        x[i] -= (FORWARD ? z[k * W + i] : z[i * W + k]) * x[k];
      }
    }
#pragma unroll
    for (int k = 0; k < W; k++) mine[k] = x[k];
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < W; j++) {
    real f[W];
#pragma unroll
    for (int k = 0; k < W; k++) f[k] = y[j * W + k];
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
      if (p.has(s, first)) {
#pragma unroll
        for (int e = 0; e < VEC; e++) {
#pragma unroll
          for (int k = 0; k < W; k++) c[j][s * VEC + e] -= v[k][s * VEC + e] * f[k];
        }
      }
    }
  }
}

// Factors the tile whose diagonal starts at row first. Below the diagonal it
// becomes V, above row first it stays; what belongs to R between goes to shared
// memory. A column that is zero below the diagonal needs no reflection: τ = 0.
__device__ __forceinline__ void factor(Tile& a, int first, Memory& memory, const Place& p) {
  const int column = p.lane / LANES;  // that the lane has the products of
#pragma unroll
  for (int k = 0; k < W; k++) {
    const int diagonal = first + k, turn = k % 2;
    real x[ROWS], with[W];
#pragma unroll
    for (int j = 0; j < W; j++) with[j] = 0;
    bool any = false;
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
      if (p.has(s, first)) {
        any = true;
#pragma unroll
        for (int e = 0; e < VEC; e++) {
          const int i = s * VEC + e;
          x[i] = p.row(s, e) > diagonal ? a[k][i] : 0;
#pragma unroll
          for (int j = 0; j < W; j++) with[j] += x[i] * a[j][i];
        }
      }
      if (p.row(s, k % VEC) == diagonal) {
#pragma unroll
        for (int j = 0; j < W; j++) memory.row[turn][j] = a[j][s * VEC + k % VEC];
      }
    }
    if (any) Scatter<W / 2, 16>::halve(with, p.lane);
    memory.column[turn][p.warp][p.lane] = with[0];
    __syncthreads();
    real s = 0;
#pragma unroll
    for (int warp = 0; warp < WARPS; warp++) s += memory.column[turn][warp][p.lane];
#pragma unroll
    for (int d = 1; d < LANES; d *= 2) s += __shfl_xor_sync(ALL, s, d);
    const real head = memory.row[turn][column];
    const real alpha = __shfl_sync(ALL, head, k * LANES), tail = __shfl_sync(ALL, s, k * LANES);
    // v = (1, x·scale) and beta = -sign(alpha)·norm, so that scale is 1/(alpha - beta)
    // and τ = (beta - alpha)/beta.
    const real square = alpha * alpha + tail, inverse = reciprocal_root(square), norm = square * inverse;
    const bool needed = tail > 0;
    const real scale = needed ? with_sign(reciprocal(magnitude(alpha) + norm), alpha) : 0;
    const real tau = needed ? 1 + magnitude(alpha) * inverse : 0;
    const real product = s * scale + head;  // of v with the lane's column
    const real back = tau * product;
    real t[W];
#pragma unroll
    for (int j = k + 1; j < W; j++) t[j] = __shfl_sync(ALL, back, j * LANES);
    if (p.warp == 0 && p.lane % LANES == 0) {
      if (column < k) memory.own[column * W + k] = product;
      if (column == k) {
        memory.own[k * W + k] = tau;
        memory.upper[k * W + k] = needed ? with_sign(norm, -alpha) : alpha;
      }
      if (column > k) memory.upper[k * W + column] = head - back;
    }
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
      if (p.has(s, first)) {
#pragma unroll
        for (int e = 0; e < VEC; e++) {
          const int i = s * VEC + e;
          x[i] *= scale;
#pragma unroll
          for (int j = k + 1; j < W; j++) a[j][i] -= t[j] * x[i];
          if (p.row(s, e) > diagonal) a[k][i] = x[i];
        }
      }
    }
  }
}

// Of a factored tile: R above the tile's rows, its diagonal block, and zeros
// below.
__device__ __forceinline__ void store_r(const Tile& a, const real* upper, real* r, int first, int rows, int columns, const Place& p) {
#pragma unroll
  for (int s = 0; s < STEPS; s++) {
    const int row = p.row(s, 0);
    if (row < first || row >= first + W) {
#pragma unroll
      for (int j = 0; j < W; j++) {
        Piece x;
#pragma unroll
        for (int e = 0; e < VEC; e++) x.x[e] = row < first ? a[j][s * VEC + e] : 0;
        if (first + j < columns) store_rows(r + static_cast<long long>(first + j) * rows, row, rows, x);
      }
    }
  }
  for (int i = p.thread; i < W * W; i += THREADS) {
    const int row = i % W, column = i / W;
    if (first + row < rows && first + column < columns) {
      r[static_cast<long long>(first + column) * rows + first + row] = row <= column ? upper[row * W + column] : 0;
    }
  }
}

// state: the next ticket, the blocks that are done, and for each matrix how
// many panels are published; all zero before and after.
extern "C" __global__ void __launch_bounds__(THREADS) tiles(const real* __restrict__ a, real* __restrict__ q, real* __restrict__ r, real* panels,
                                                            real* zs, unsigned* state, int m, int n, int columns, int batch) {
  __shared__ Memory memory;
  Place p;
  p.thread = threadIdx.x, p.lane = threadIdx.x % 32, p.warp = threadIdx.x / 32, p.m = m;
  const int factored = (n + W - 1) / W, all = (columns + W - 1) / W;
  const int panel_size = W * THREADS * ROWS;
  int turn = 0;
  for (;;) {
    if (p.thread == 0) memory.ticket = static_cast<int>(atomicAdd(state, 1u));
    __syncthreads();
    const int ticket = memory.ticket;
    if (ticket >= all * batch) break;
    const int tile = ticket / batch, first = tile * W;
    const long long matrix = ticket % batch;
    unsigned* published = state + 2 + matrix;
    real* panel = panels + matrix * factored * panel_size;
    real* z = zs + matrix * factored * (W * W);
    int ready = 0;
    Tile c, v;
    if (tile < factored) {
#pragma unroll
      for (int j = 0; j < W; j++) {
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
          Piece x;
          if (first + j < n) {
            x = load_rows(a + (matrix * n + first + j) * m, p.row(s, 0), m);
          } else {
#pragma unroll
            for (int e = 0; e < VEC; e++) x.x[e] = 0;
          }
#pragma unroll
          for (int e = 0; e < VEC; e++) c[j][s * VEC + e] = x.x[e];
        }
      }
      for (int k = 0; k < tile; k++, turn ^= 1) {
        if (k >= ready) {
          if (p.thread == 0) memory.published = wait_for(published, k);
          __syncthreads();
          ready = memory.published;
        }
        real gram[GRAM];
        load_gram(gram, z + k * (W * W), p);
        load_panel(v, panel + static_cast<long long>(k) * panel_size, k * W, p);
        multiply(c, v, k * W, memory.sums[turn][p.warp], p);
        store_gram(memory.z[turn], gram, p);
        __syncthreads();
        subtract<true>(c, v, k * W, memory.sums[turn], memory.z[turn], memory.y[p.warp], p);
      }
      real* upper = r + matrix * n * columns;
      factor(c, first, memory, p);
      real* own = panel + static_cast<long long>(tile) * panel_size;
#pragma unroll
      for (int s = 0; s < STEPS; s++) {
        if (p.has(s, first)) {
#pragma unroll
          for (int j = 0; j < W; j++) {
            Piece x;
#pragma unroll
            for (int e = 0; e < VEC; e++) {
              const int row = p.row(s, e) - first;
              x.x[e] = row < j ? 0 : row == j ? 1 : c[j][s * VEC + e];
              v[j][s * VEC + e] = x.x[e];
            }
            store_l2(reinterpret_cast<Vector<VEC>::type*>(own + j * (THREADS * ROWS) + p.row(s, 0)), x.vector);
          }
        }
      }
      if (p.warp == 0) {
        __syncwarp();
        // Below the diagonal nothing is used, but all of it is loaded.
        for (int i = p.lane; i < W * W; i += 32) store_l2(z + tile * (W * W) + i, i / W <= i % W ? memory.own[i] : real(0));
      }
      __syncthreads();
      if (p.thread == 0) release(published, tile + 1);
      store_r(c, memory.upper, upper, first, columns, n, p);
    } else {
      if (p.thread == 0) wait_for(published, factored - 1);
      __syncthreads();
    }
    // The same columns of Q: of the unit matrix, panels last to first.
#pragma unroll
    for (int j = 0; j < W; j++) {
#pragma unroll
      for (int i = 0; i < ROWS; i++) c[j][i] = p.row(i / VEC, i % VEC) == first + j ? 1 : 0;
    }
    const int last = tile < factored ? tile : factored - 1;
    if (tile >= factored) load_panel(v, panel + static_cast<long long>(last) * panel_size, last * W, p);
    for (int k = last; k >= 0; k--, turn ^= 1) {
      const bool mine = k == tile;
      real gram[GRAM];
      if (!mine) load_gram(gram, z + k * (W * W), p);
#if !AHEAD
      if (k < last) load_panel(v, panel + static_cast<long long>(k) * panel_size, k * W, p);
#endif
      multiply(c, v, k * W, memory.sums[turn][p.warp], p);
      if (!mine) store_gram(memory.z[turn], gram, p);
#if AHEAD
      Tile next;
      if (k > 0) load_panel(next, panel + static_cast<long long>(k - 1) * panel_size, (k - 1) * W, p);
#endif
      __syncthreads();
      subtract<false>(c, v, k * W, memory.sums[turn], mine ? memory.own : memory.z[turn], memory.y[p.warp], p);
#if AHEAD
#pragma unroll
      for (int j = 0; j < W; j++) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) v[j][i] = next[j][i];
      }
#endif
    }
#pragma unroll
    for (int j = 0; j < W; j++) {
      if (first + j < columns) {
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
          Piece x;
#pragma unroll
          for (int e = 0; e < VEC; e++) x.x[e] = c[j][s * VEC + e];
          store_rows(q + (matrix * columns + first + j) * m, p.row(s, 0), m, x);
        }
      }
    }
  }
  // The last block leaves state as it was: what each block did with it comes before, by
  // fences, since an atomic alone orders nothing.
  if (p.thread == 0) {
    __threadfence();
    memory.last = atomicAdd(state + 1, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (memory.last) {
    for (int i = p.thread; i < 2 + batch; i += THREADS) state[i] = 0;
  }
}
