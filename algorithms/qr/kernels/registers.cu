// Modified Gram-Schmidt of many 64×64 matrices in registers: L threads hold a
// matrix, each 64/G rows of 64·G/L columns. The next column passes through shared
// memory unscaled, so that its norm and all products with it take one sum: over
// the G threads that share a column. R leaves in strips of 8 rows, Q at the end.
// A matrix is read once and Q and R are written once, in pieces of 4·G elements.
//
// Defines: L (threads per matrix), G (groups of rows), MATRICES (per block), BLOCKS
// (that a multiprocessor must have registers for).

#include "real.cuh"

// Four neighbouring elements, loaded and stored in pieces of 16 bytes.
#ifdef DOUBLE
struct __align__(16) four {
  double x, y, z, w;
};
__device__ __forceinline__ four make_four(double x, double y, double z, double w) {
  four v;
  v.x = x, v.y = y, v.z = z, v.w = w;
  return v;
}
#else
typedef float4 four;
__device__ __forceinline__ four make_four(float x, float y, float z, float w) { return make_float4(x, y, z, w); }
#endif

enum {
  N = 64,
  TEAMS = L / G,            // that share out the columns
  OWN = N / TEAMS,          // columns of a thread: team, team+TEAMS, …
  CHUNKS = N / (4 * G),     // of 4 rows each of a column
  STRIP = 8,                // rows of R
  STRIDE = STRIP + 4,       // of a column of a strip: pieces of 4, few banks twice
  MEMORY = 2 * N + 2 * N * STRIDE  // elements of shared memory per matrix
};

#define ALL 0xffffffffu

// A barrier of the threads of a matrix.
__device__ __forceinline__ void meet() {
  if (L == 32) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

// Sums over the G neighbours that share a column.
__device__ __forceinline__ real gather(real x) {
#pragma unroll
  for (int d = G / 2; d > 0; d /= 2) x += __shfl_xor_sync(ALL, x, d);
  return x;
}

__device__ __forceinline__ real product(const real (&x)[4 * CHUNKS], const real (&y)[4 * CHUNKS]) {
  real even = x[0] * y[0], odd = x[1] * y[1];
#pragma unroll
  for (int i = 2; i < 4 * CHUNKS; i += 2) {
    even += x[i] * y[i];
    odd += x[i + 1] * y[i + 1];
  }
  return gather(even + odd);
}

// Writes rows 8·strip … of R from shared memory, with zeros below the diagonal.
__device__ __forceinline__ void flush(real* r, const real* strips, int strip, int x) {
  const real* from = strips + strip % 2 * (N * STRIDE);
#pragma unroll
  for (int i = 0; i < N * 2 / L; i++) {
    const int column = (i * L + x) / 2, half = x % 2;
    four v = *reinterpret_cast<const four*>(from + column * STRIDE + 4 * half);
    const int row = strip * STRIP + 4 * half;
    if (row > column) v.x = 0;
    if (row + 1 > column) v.y = 0;
    if (row + 2 > column) v.z = 0;
    if (row + 3 > column) v.w = 0;
    if (r) *reinterpret_cast<four*>(r + column * N + row) = v;
  }
}

// Writes a column to shared memory.
__device__ __forceinline__ void put(real* unit, const real (&x)[4 * CHUNKS], int g) {
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) {
    *reinterpret_cast<four*>(unit + (i * G + g) * 4) = make_four(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]);
  }
}

extern "C" __global__ void __launch_bounds__(L * MATRICES, BLOCKS) registers(const real* __restrict__ a, real* __restrict__ q, real* __restrict__ r, int batch) {
  __shared__ four memory[MATRICES * MEMORY / 4];
  const int x = threadIdx.x % L, place = threadIdx.x / L;
  const int g = x % G, team = x / G;
  real* units = reinterpret_cast<real*>(memory) + place * MEMORY;
  real* strips = units + 2 * N;
  const long long matrix = static_cast<long long>(blockIdx.x) * MATRICES + place;
  // Threads without a matrix compute another's and write nothing.
  const bool valid = matrix < batch;
  a += (valid ? matrix : 0) * (N * N);
  r = valid ? r + matrix * (N * N) : nullptr;

  real own[OWN][4 * CHUNKS], scale[OWN];
#pragma unroll
  for (int c = 0; c < OWN; c++) {
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      const four v = *reinterpret_cast<const four*>(a + (team + c * TEAMS) * N + (i * G + g) * 4);
      own[c][4 * i] = v.x, own[c][4 * i + 1] = v.y, own[c][4 * i + 2] = v.z, own[c][4 * i + 3] = v.w;
    }
    scale[c] = 0;
  }

#ifdef BENCH_SIM
  // What is below the diagonal is read before it is replaced by zeros.
  for (int i = x; i < 2 * N * STRIDE; i += L) strips[i] = __int_as_float(-1);
#endif
#pragma unroll
  for (int s = 0; s < OWN; s++) {
#pragma unroll 1
    for (int owner = 0; owner < TEAMS; owner++) {
      const int k = s * TEAMS + owner;
      real* unit = units + k % 2 * N;
      if (team == owner) put(unit, own[s], g);
      meet();
      if (k % STRIP == 0 && k > 0) flush(r, strips, k / STRIP - 1, x);
      real u[4 * CHUNKS];
#pragma unroll
      for (int i = 0; i < CHUNKS; i++) {
        const four v = *reinterpret_cast<const four*>(unit + (i * G + g) * 4);
        u[4 * i] = v.x, u[4 * i + 1] = v.y, u[4 * i + 2] = v.z, u[4 * i + 3] = v.w;
      }
      real with[OWN];
#pragma unroll
      for (int c = s; c < OWN; c++) with[c] = product(u, own[c]);
      const real square = L == 32 ? __shfl_sync(ALL, with[s], owner * G) : product(u, u);
      const real inverse = square > 0 ? reciprocal_root(square) : 0;
      if (team == owner) scale[s] = inverse;
      real* strip = strips + k / STRIP % 2 * (N * STRIDE) + k % STRIP;
#pragma unroll
      for (int c = s; c < OWN; c++) {
        const real factor = with[c] * inverse;
        if (g == 0) strip[(team + c * TEAMS) * STRIDE] = factor;
        const real back = c > s || team > owner ? factor * inverse : 0;
#pragma unroll
        for (int i = 0; i < 4 * CHUNKS; i++) own[c][i] -= back * u[i];
      }
    }
  }
  meet();
  flush(r, strips, N / STRIP - 1, x);
  if (!valid) return;
  q += matrix * (N * N);
#pragma unroll
  for (int c = 0; c < OWN; c++) {
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      *reinterpret_cast<four*>(q + (team + c * TEAMS) * N + (i * G + g) * 4) =
          make_four(own[c][4 * i] * scale[c], own[c][4 * i + 1] * scale[c], own[c][4 * i + 2] * scale[c], own[c][4 * i + 3] * scale[c]);
    }
  }
}
