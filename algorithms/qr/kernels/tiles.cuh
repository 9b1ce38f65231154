// Parts of the kernel in tiles.cu: where rows lie, sums over a warp, and
// what blocks publish for each other. Defines: see tiles.cu.
#pragma once
#include "real.cuh"

enum {
  WARPS = THREADS / 32,
  ROWS = VEC * STEPS,
  PART = W < 64 / W ? W : 64 / W,  // columns of V whose products are summed together
  PARTS = W / PART,
  SUMS = W * PART,                 // a power of two of 16 or 64
  HELD = SUMS < 32 ? 1 : SUMS / 32,   // sums that a lane has in the end,
  SHARE = SUMS < 32 ? 32 / SUMS : 1,  // and lanes that have the same
  LANES = 32 / W,  // that have parts of the same product of two columns
  GRAM = (W * W + THREADS - 1) / THREADS  // elements of Z per thread
};

#define ALL 0xffffffffu

template <int elements> struct Vector;
template <> struct Vector<1> { typedef real type; };
#ifdef DOUBLE
template <> struct Vector<2> { typedef double2 type; };
#else
template <> struct Vector<2> { typedef float2 type; };
template <> struct Vector<4> { typedef float4 type; };
#endif

// A store for other multiprocessors, into L2. By PTX, because CUDA has a function
// for it from 11.0 on ("CUDA C++ Programming Guide"), and the oldest boards end at
// 10.2.
#ifdef BENCH_SIM
template <class V> __device__ __forceinline__ void store_l2(V* at, V v) { *at = v; }
#elif defined(DOUBLE)
__device__ __forceinline__ void store_l2(double* at, double v) { asm volatile("st.global.cg.f64 [%0], %1;" ::"l"(at), "d"(v) : "memory"); }
__device__ __forceinline__ void store_l2(double2* at, double2 v) {
  asm volatile("st.global.cg.v2.f64 [%0], {%1, %2};" ::"l"(at), "d"(v.x), "d"(v.y) : "memory");
}
#else
__device__ __forceinline__ void store_l2(float* at, float v) { asm volatile("st.global.cg.f32 [%0], %1;" ::"l"(at), "f"(v) : "memory"); }
__device__ __forceinline__ void store_l2(float2* at, float2 v) {
  asm volatile("st.global.cg.v2.f32 [%0], {%1, %2};" ::"l"(at), "f"(v.x), "f"(v.y) : "memory");
}
__device__ __forceinline__ void store_l2(float4* at, float4 v) {
  asm volatile("st.global.cg.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}
#endif

union Piece {
  Vector<VEC>::type vector;
  real x[VEC];
};

typedef real Tile[W][ROWS];

struct Memory {
  real sums[2][WARPS][W * W];  // products of a panel with a tile, a warp's part each
  real z[2][W * W];
  real own[W * W];    // Z of the block's tile
  real upper[W * W];  // its diagonal block of R, by rows
  real y[WARPS][W * W];
  real column[2][WARPS][32];  // products of one column with the tile
  real row[2][W];
  int ticket, published, last;
};

struct Place {
  int thread, lane, warp, m;
  __device__ __forceinline__ int row(int step, int e) const { return (step * THREADS + thread) * VEC + e; }
  // Whether the warp has rows of a step from first to m.
  __device__ __forceinline__ bool has(int step, int first) const {
    const int begin = (step * THREADS + warp * 32) * VEC;
    return begin + 32 * VEC > first && begin < m;
  }
};

// Sums v[0] … v[N-1] over the warp, halving both what a lane holds and whom it
// exchanges with: lane l keeps the sums of index l·N/32 … for N ≥ 32, and of index
// l/(32/N) otherwise.
// halve stops where a lane holds one value, l/(32/N) of N: lanes l/(32/N) have parts of the same sum.
template <int HALF, int D>
struct Scatter {
  static __device__ __forceinline__ void step(real* v, int lane) {
    const bool upper = lane & D;
#pragma unroll
    for (int i = 0; i < HALF; i++) {
      const real send = upper ? v[i] : v[i + HALF];
      const real keep = upper ? v[i + HALF] : v[i];
      v[i] = keep + __shfl_xor_sync(ALL, send, D);
    }
  }
  static __device__ __forceinline__ void run(real* v, int lane) {
    step(v, lane);
    Scatter<HALF / 2, D / 2>::run(v, lane);
  }
  static __device__ __forceinline__ void halve(real* v, int lane) {
    step(v, lane);
    Scatter<HALF / 2, D / 2>::halve(v, lane);
  }
};
template <int D>
struct Scatter<0, D> {
  static __device__ __forceinline__ void run(real* v, int lane) {
    v[0] += __shfl_xor_sync(ALL, v[0], D);
    Scatter<0, D / 2>::run(v, lane);
  }
  static __device__ __forceinline__ void halve(real*, int) {}
};
template <int HALF>
struct Scatter<HALF, 0> {
  static __device__ __forceinline__ void run(real*, int) {}
};
template <>
struct Scatter<0, 0> {
  static __device__ __forceinline__ void run(real*, int) {}
  static __device__ __forceinline__ void halve(real*, int) {}
};

// What other blocks publish is loaded past L1, which may hold what was there
// before, and not ahead of the barrier before it: __ldcg would not tell the compiler that memory
// changes.
#ifdef BENCH_SIM
template <class T>
__device__ __forceinline__ T load_published(const T* at) { return *at; }
#elif defined(DOUBLE)
__device__ __forceinline__ double load_published(const double* at) {
  double x;
  asm volatile("ld.global.cg.f64 %0, [%1];" : "=d"(x) : "l"(at) : "memory");
  return x;
}
__device__ __forceinline__ double2 load_published(const double2* at) {
  double2 x;
  asm volatile("ld.global.cg.v2.f64 {%0, %1}, [%2];" : "=d"(x.x), "=d"(x.y) : "l"(at) : "memory");
  return x;
}
#else
__device__ __forceinline__ float load_published(const float* at) {
  float x;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x) : "l"(at) : "memory");
  return x;
}
__device__ __forceinline__ float2 load_published(const float2* at) {
  float2 x;
  asm volatile("ld.global.cg.v2.f32 {%0, %1}, [%2];" : "=f"(x.x), "=f"(x.y) : "l"(at) : "memory");
  return x;
}
__device__ __forceinline__ float4 load_published(const float4* at) {
  float4 x;
  asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w) : "l"(at) : "memory");
  return x;
}
#endif

// What is published with release is seen, with all that the block wrote before
// its barrier, by a block past the barrier after acquire.
__device__ __forceinline__ int acquire(const unsigned* published) {
#if !defined(BENCH_SIM) && __CUDA_ARCH__ >= 700
  int n;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(n) : "l"(published) : "memory");
  return n;
#else
  const int n = static_cast<int>(*const_cast<const volatile unsigned*>(published));
  __threadfence();
  return n;
#endif
}

__device__ __forceinline__ void release(unsigned* published, int n) {
#if !defined(BENCH_SIM) && __CUDA_ARCH__ >= 700
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(published), "r"(n) : "memory");
#else
  __threadfence();
  *const_cast<volatile unsigned*>(published) = n;
#endif
}

// Waits until more than that many panels are published and gives how many.
__device__ __forceinline__ int wait_for(const unsigned* published, int panel) {
  int n;
  while ((n = acquire(published)) <= panel) {
  }
  return n;
}

// Elements of neighbouring rows from and to a matrix of so many rows; rows
// beyond are zero.
__device__ __forceinline__ Piece load_rows(const real* column, int row, int rows) {
  Piece x;
  if (rows % VEC == 0) {
#pragma unroll
    for (int e = 0; e < VEC; e++) x.x[e] = 0;
    if (row < rows) x.vector = *reinterpret_cast<const Vector<VEC>::type*>(column + row);
  } else {
#pragma unroll
    for (int e = 0; e < VEC; e++) x.x[e] = row + e < rows ? column[row + e] : 0;
  }
  return x;
}

__device__ __forceinline__ void store_rows(real* column, int row, int rows, const Piece& x) {
  if (rows % VEC == 0) {
    if (row < rows) *reinterpret_cast<Vector<VEC>::type*>(column + row) = x.vector;
  } else {
#pragma unroll
    for (int e = 0; e < VEC; e++) {
      if (row + e < rows) column[row + e] = x.x[e];
    }
  }
}
