// rows.cuh: how a block of THREADS threads reads its rows and writes its
// solution. TEAM threads share a system of TEAM·EQUATIONS rows, so that a
// block takes THREADS / TEAM systems; a thread has EQUATIONS consecutive rows.
// With SHUFFLE it reads them itself, else the block reads them in the order of
// memory and hands them over in shared memory.
//
// Moves 5 values per row, each once.

#include "equations.cuh"

enum : int {
  SYSTEMS = THREADS / TEAM,
  N = TEAM * EQUATIONS,
  WARP = 32,
  VECTOR = EQUATIONS * sizeof(Real) < 16 ? EQUATIONS : 16 / sizeof(Real), // values per load
};

struct alignas(VECTOR * sizeof(Real)) Vector {
  Real v[VECTOR];
};

__device__ __forceinline__ void load(Real (&to)[EQUATIONS], const Real *from) {
#pragma unroll
  for (int i = 0; i < EQUATIONS; i += VECTOR) {
    const Vector w = *reinterpret_cast<const Vector *>(from + i);
#pragma unroll
    for (int k = 0; k < VECTOR; k++) to[i + k] = w.v[k];
  }
}

__device__ __forceinline__ void store(Real *to, const Real (&from)[EQUATIONS]) {
#pragma unroll
  for (int i = 0; i < EQUATIONS; i += VECTOR) {
    Vector w;
#pragma unroll
    for (int k = 0; k < VECTOR; k++) w.v[k] = from[i + k];
    *reinterpret_cast<Vector *>(to + i) = w;
  }
}

// place is where row i of the block lies in shared memory: both the block's
// order and the threads' order of reading spread over the banks.
__device__ __forceinline__ int place(int i) { return i ^ ((i >> 5) & (EQUATIONS - 1)); }

// Rows are a thread's equations; UNIT says that b is 1.
struct Rows {
  enum : bool { UNIT = !SHUFFLE };
  Real a[EQUATIONS], b[EQUATIONS], c[EQUATIONS], d[EQUATIONS];

  // read leaves shared memory free for other use.
  __device__ __forceinline__ void read(const Real *__restrict__ ga, const Real *__restrict__ gb, const Real *__restrict__ gc,
                                       const Real *__restrict__ gd, long long systems, Real *shared) {
    const int thread = threadIdx.x;
    const long long first = (long long)blockIdx.x * SYSTEMS;
#if SHUFFLE
    const long long system = first + thread / TEAM;
    // A thread without a system solves the last one once more.
    const long long at = (system < systems ? system : systems - 1) * N + thread % TEAM * EQUATIONS;
    load(a, ga + at);
    load(b, gb + at);
    load(c, gc + at);
    load(d, gd + at);
#else
    const long long last = systems * N - 1;
#pragma unroll
    for (int k = 0; k < EQUATIONS; k++) {
      const int i = k * THREADS + thread;
      long long at = first * N + i;
      if (at > last) at = last;
      const Real r = reciprocal(gb[at]);
      shared[place(i)] = ga[at] * r;
      shared[place(i) + THREADS * EQUATIONS] = gc[at] * r;
      shared[place(i) + 2 * THREADS * EQUATIONS] = gd[at] * r;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EQUATIONS; k++) {
      const int i = place(thread * EQUATIONS + k);
      a[k] = shared[i];
      b[k] = 1;
      c[k] = shared[i + THREADS * EQUATIONS];
      d[k] = shared[i + 2 * THREADS * EQUATIONS];
    }
    __syncthreads();
#endif
  }
};

// writeRows stores the block's solution.
__device__ __forceinline__ void writeRows(Real *__restrict__ gx, const Real (&x)[EQUATIONS], long long systems, Real *shared) {
  const int thread = threadIdx.x;
  const long long first = (long long)blockIdx.x * SYSTEMS;
#if SHUFFLE
  const long long system = first + thread / TEAM;
  if (system < systems) store(gx + system * N + thread % TEAM * EQUATIONS, x);
#else
  __syncthreads();
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) shared[place(thread * EQUATIONS + k)] = x[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < EQUATIONS; k++) {
    const int i = k * THREADS + thread;
    if (first * N + i < systems * N) gx[first * N + i] = shared[place(i)];
  }
#endif
}
