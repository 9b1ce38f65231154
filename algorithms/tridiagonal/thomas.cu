// thomas.cu: elimination down the rows and substitution back up (Thomas, 1949)
// for interleaved systems, a thread for each, which keeps c divided by the
// pivots in scratch memory. Moves 9 values per row. teams.cu shares a system
// among threads.

#include "equations.cuh"

enum : int { AHEAD = 8 }; // rows that are read before they are needed

struct Chunk {
  Real a[AHEAD], b[AHEAD], c[AHEAD], d[AHEAD];
};

extern "C" __global__ void __launch_bounds__(THREADS)
    thomas(const Real *__restrict__ ga, const Real *__restrict__ gb, const Real *__restrict__ gc, const Real *__restrict__ gd,
           Real *__restrict__ gx, Real *__restrict__ scratch, int n, long long systems) {
  const long long system = (long long)blockIdx.x * THREADS + threadIdx.x;
  if (system >= systems) return;
  Chunk now, next;
#define READ(chunk, first)                                                       \
  _Pragma("unroll") for (int i = 0; i < AHEAD; i++) {                            \
    const long long k = system + ((first) + i < n ? (first) + i : n - 1) * systems; \
    chunk.a[i] = ga[k];                                                          \
    chunk.b[i] = gb[k];                                                          \
    chunk.c[i] = gc[k];                                                          \
    chunk.d[i] = gd[k];                                                          \
  }
  READ(now, 0)
  Real c = 0, d = 0;
  for (int first = 0; first < n; first += AHEAD) {
    READ(next, first + AHEAD)
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
      if (first + i < n) {
        const Real r = reciprocal(now.b[i] - now.a[i] * c);
        c = now.c[i] * r;
        d = (d * -now.a[i] + now.d[i]) * r;
        const long long k = system + (first + i) * systems;
        scratch[k] = c;
        gx[k] = d;
      }
    }
    now = next;
  }
  // The last row has c = 0. A chunk's b and d are rows already eliminated.
#define READ_BACK(chunk, top)                                     \
  _Pragma("unroll") for (int i = 0; i < AHEAD; i++) {             \
    const long long k = system + ((top)-i > 0 ? (top)-i : 0) * systems; \
    chunk.c[i] = scratch[k];                                      \
    chunk.d[i] = gx[k];                                           \
  }
  Real x = d;
  READ_BACK(now, n - 2)
  for (int top = n - 2; top >= 0; top -= AHEAD) {
    READ_BACK(next, top - AHEAD)
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
      if (top - i >= 0) {
        x = now.d[i] - now.c[i] * x;
        gx[system + (top - i) * systems] = x;
      }
    }
    now = next;
  }
}
