// fused.cu: version v5. A thread goes down RUN input rows with VECTOR
// neighbouring output columns. It interpolates each control row across once,
// keeps the last four of these in registers, and from them makes R output rows
// for each input row, stored VECTOR columns at once.
//
// Defines: R, C the factors; VECTOR output columns per thread (1, 2 or 4, of
// which out_cols is a multiple); RUN input rows per thread; BX, BY threads per
// block; BLOCKS that a multiprocessor must hold, at least; STORE (0 plain, 1 evict first, 2 write through). The header
// weights.cuh gives ROW_WEIGHTS and, where C divides VECTOR,
// COLUMN_WEIGHTS, as initialisers. Traffic: for each RUN rows a thread loads
// these and three more, WINDOW points for VECTOR columns; each output point is
// stored once.
#include "weights.cuh"

// All threads have the same phases where C divides VECTOR; else a thread loads
// its weights, for all points of its window, from a table of C phases.
#define SAME_PHASES (VECTOR % C == 0)
enum {
  CELLS = SAME_PHASES ? VECTOR / C : C % VECTOR == 0 ? 1 : 2,  // input columns that VECTOR output columns lie in, at most
  WINDOW = CELLS + 3
};

template <int N> struct Vector;
template <> struct Vector<1> { typedef float type; };
template <> struct Vector<2> { typedef float2 type; };
template <> struct Vector<4> { typedef float4 type; };

union Columns {
  Vector<VECTOR>::type word;
  float x[VECTOR];
};

// Stores with a hint. By PTX, because CUDA has functions for them from 11.0 on
// ("CUDA C++ Programming Guide"), and the oldest boards end at 10.2.
#if STORE == 1
#define HINT ".cs"
#elif STORE == 2
#define HINT ".wt"
#endif
#if STORE && !defined(BENCH_SIM)
__device__ __forceinline__ void store_hinted(float* at, float v) { asm volatile("st.global" HINT ".f32 [%0], %1;" ::"l"(at), "f"(v) : "memory"); }
__device__ __forceinline__ void store_hinted(float2* at, float2 v) {
  asm volatile("st.global" HINT ".v2.f32 [%0], {%1, %2};" ::"l"(at), "f"(v.x), "f"(v.y) : "memory");
}
__device__ __forceinline__ void store_hinted(float4* at, float4 v) {
  asm volatile("st.global" HINT ".v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}
#else
template <class V> __device__ __forceinline__ void store_hinted(V* at, V v) { *at = v; }
#endif

__device__ __forceinline__ void store(float* to, const Columns& v) {
  Vector<VECTOR>::type* const p = reinterpret_cast<Vector<VECTOR>::type*>(to);
  store_hinted(p, v.word);
}

// The sum of weighted control points; constant weights that are 0 take no
// operation.
__device__ __forceinline__ float weighted(const float (&w)[4], float p0, float p1, float p2, float p3) {
  const float p[4] = {p0, p1, p2, p3};
  float sum = 0;
  bool first = true;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (w[i] == 0) continue;
    sum = first ? w[i] * p[i] : fmaf(w[i], p[i], sum);
    first = false;
  }
  return sum;
}

struct Row {
  float x[VECTOR];
};

struct Across {
  int at[WINDOW];  // columns of the control points
#if !SAME_PHASES
  float weights[VECTOR][WINDOW];
#endif

  __device__ __forceinline__ void load(float (&points)[WINDOW], const float* in, int y, int rows, int cols) const {
    y = y < 0 ? 0 : y < rows ? y : rows - 1;
    const float* const row = in + static_cast<long long>(y) * cols;
#pragma unroll
    for (int i = 0; i < WINDOW; i++) points[i] = __ldg(row + at[i]);
  }

  __device__ __forceinline__ Row interpolate(const float (&p)[WINDOW]) const {
    Row row;
#if SAME_PHASES
    constexpr float weights[C][4] = COLUMN_WEIGHTS;
#pragma unroll
    for (int k = 0; k < VECTOR; k++) row.x[k] = weighted(weights[k % C], p[k / C], p[k / C + 1], p[k / C + 2], p[k / C + 3]);
#else
#pragma unroll
    for (int k = 0; k < VECTOR; k++) {
      float sum = weights[k][0] * p[0];
#pragma unroll
      for (int i = 1; i < WINDOW; i++) sum = fmaf(weights[k][i], p[i], sum);
      row.x[k] = sum;
    }
#endif
    return row;
  }
};

// table holds, for each phase that a thread's first column may have,
// VECTOR·WINDOW weights. groups are the VECTORs of an output row.
extern "C" __global__ void __launch_bounds__(BX* BY, BLOCKS)
    fused(const float* __restrict__ in, float* __restrict__ out, const float* __restrict__ table, int rows, int cols,
          unsigned groups, unsigned blocks_across) {
  const unsigned group = blockIdx.x % blocks_across * BX + threadIdx.x;
  const long long top = (static_cast<long long>(blockIdx.x / blocks_across) * BY + threadIdx.y) * RUN;
  if (group >= groups || top >= rows) return;
  const int first = static_cast<int>(top), last = rows - first < RUN ? rows : first + RUN;
  const unsigned column = group * VECTOR, cell = column / C;
  Across across;
#pragma unroll
  for (int i = 0; i < WINDOW; i++) {
    const int x = static_cast<int>(cell) - 1 + i;
    across.at[i] = x < 0 ? 0 : x < cols ? x : cols - 1;
  }
#if !SAME_PHASES
  const float* const own = table + (column - cell * C) * (VECTOR * WINDOW);
#pragma unroll
  for (int k = 0; k < VECTOR; k++) {
#pragma unroll
    for (int i = 0; i < WINDOW; i++) across.weights[k][i] = __ldg(own + k * WINDOW + i);
  }
#endif
  const long long out_cols = static_cast<long long>(groups) * VECTOR;
  float* to = out + static_cast<long long>(first) * R * out_cols + column;
  float points[WINDOW];
  Row a, b, c;
  across.load(points, in, first - 1, rows, cols);
  a = across.interpolate(points);
  across.load(points, in, first, rows, cols);
  b = across.interpolate(points);
  across.load(points, in, first + 1, rows, cols);
  c = across.interpolate(points);
  across.load(points, in, first + 2, rows, cols);
#pragma unroll 1
  for (int y = first; y < last; y++) {
    const Row d = across.interpolate(points);
    if (y + 1 < last) across.load(points, in, y + 3, rows, cols);  // ahead of this row's stores
    constexpr float weights[R][4] = ROW_WEIGHTS;
#pragma unroll
    for (int r = 0; r < R; r++, to += out_cols) {
      Columns v;
#pragma unroll
      for (int k = 0; k < VECTOR; k++) v.x[k] = weighted(weights[r], a.x[k], b.x[k], c.x[k], d.x[k]);
      store(to, v);
    }
    a = b;
    b = c;
    c = d;
  }
}
