// large_halves.cu: the FFT of N = POINTS²·MIDDLE elements in one block of
// POINTS·MIDDLE/2 threads, which holds one half of the elements in registers
// and the other in shared memory: a multiprocessor's registers and shared
// memory together hold twice what either can.
//
// The radices of the three steps are POINTS, MIDDLE, POINTS. Step 1 has
// butterflies i over the elements i + m·POINTS·MIDDLE; half h are those with
// i mod POINTS in [h·POINTS/2, (h+1)·POINTS/2). Steps 1 and 2 stay within a
// half. The half that is done lies in `parked`, where before that its turn and
// after that the next transform's elements arrive.
//
// Moves 16·N bytes a transform plus the twiddle table.

#include "stockham.cuh"
#include "ahead.cuh"

#define P POINTS
#define ROW (P * MIDDLE)  // butterflies of step 1 and of step 3
#define HALF (P * P / 2)  // butterflies of step 2 in a half
#define GROUPS (P / MIDDLE) // of them, what one thread does

// stepTwo transforms a half. A thread brings the results m of step 1's
// butterfly i = P·a + P/2·h + j, being thread P/2·a + j; it leaves with result
// m of butterfly l of sub-transform j, at thread + g·THREADS = P·j + l, in
// v[m·GROUPS + g].
__device__ __forceinline__ void stepTwo(Complex (&v)[P], Real *exchange, const Complex *steps, int thread) {
  const Powers<MIDDLE> powers = Powers<MIDDLE>::load(steps, P, thread % P);
  Real *write = exchange + thread * (P + 1);
  const Real *read = exchange + (thread / P) * (P + 1) + thread % P;
#define PLACE(k) (((k) / GROUPS * (P / 2) + (k) % GROUPS * (MIDDLE / 2)) * (P + 1))
#pragma unroll
  for (int m = 0; m < P; m++) write[m] = v[m].x;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < P; k++) v[k].x = read[PLACE(k)];
  __syncthreads();
#pragma unroll
  for (int m = 0; m < P; m++) write[m] = v[m].y;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < P; k++) v[k].y = read[PLACE(k)];
#undef PLACE
#pragma unroll
  for (int g = 0; g < GROUPS; g++) {
    Complex u[MIDDLE];
#pragma unroll
    for (int a = 0; a < MIDDLE; a++) u[a] = v[a * GROUPS + g];
    powers.apply(u);
    Dft<MIDDLE>::run(u);
#pragma unroll
    for (int a = 0; a < MIDDLE; a++) v[a * GROUPS + g] = u[a];
  }
}

// stepThree transforms butterfly i's inputs and writes its results.
__device__ __forceinline__ void stepThree(Complex (&u)[P], Complex *out, const Complex *steps, int i) {
  Powers<P>::load(steps + Powers<MIDDLE>::COUNT * P, ROW, i).apply(u);
  Dft<P>::run(u);
#pragma unroll
  for (int k = 0; k < P; k++) out[i + k * ROW] = oriented(u[k]);
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    halves(const Complex *__restrict__ in, Complex *__restrict__ out, const Complex *__restrict__ steps, int transforms) {
  extern __shared__ __align__(128) Complex parked[]; // of thread t: m·THREADS + t
  Complex *exchange = parked + P * THREADS;
  int thread = threadIdx.x;
  int t = blockIdx.x;

  // fetch asks for the elements m of a half's butterflies: neighbouring
  // threads share the copies of their elements.
  const auto fetch = [&](const Complex *x, int half, int from, int to) {
    const int even = thread & ~1;
    const Complex *source = x + even / (P / 2) * P + half * (P / 2) + even % (P / 2);
#pragma unroll FETCH // more at once take registers from the elements
    for (int m = from; m < to; m += 2) {
      const int row = m + (thread & 1);
      copyPair(parked + row * THREADS + even, source + row * ROW);
    }
  };
  if (t < transforms) fetch(in + (long long)t * (P * ROW), 0, 0, P);
  for (; t < transforms; t += gridDim.x) {
    keep(thread);
    const Complex *x = in + (long long)t * (P * ROW);
    Complex *y = out + (long long)t * (P * ROW);
    const bool more = t + int(gridDim.x) < transforms;
    const Complex *ahead = x + (long long)gridDim.x * (P * ROW);
    Complex v[P], u[P];

    arrived();
#pragma unroll
    for (int m = 0; m < P; m++) v[m] = oriented(parked[m * THREADS + thread]);
    __syncthreads();
    fetch(x, 1, 0, P);
    Dft<P>::run(v);
    stepTwo(v, reinterpret_cast<Real *>(exchange), steps, thread);

    arrived();
#pragma unroll
    for (int m = 0; m < P; m++) {
      const Complex z = oriented(parked[m * THREADS + thread]);
      parked[m * THREADS + thread] = v[m];
      v[m] = z;
    }
    keep(thread);
    Dft<P>::run(v);
    stepTwo(v, reinterpret_cast<Real *>(exchange), steps, thread);

    // Step 3's butterfly i = l + P·m takes result m of each sub-transform's
    // butterfly l: first those of the lower half of m.
    const int place = thread / P * HALF + thread % P;
    __syncthreads();
#pragma unroll
    for (int m = 0; m < P / 2; m++) exchange[m * THREADS + thread] = v[m];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < P / 2; j++) u[j + P / 2] = exchange[place + j * P];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < P / 2; m++) exchange[m * THREADS + thread] = v[m + P / 2];
#pragma unroll
    for (int j = 0; j < P / 2; j++) u[j] = parked[place + j * P];
    __syncthreads();
    if (more) fetch(ahead, 0, 0, P / 2);
    stepThree(u, y, steps, thread);
#pragma unroll
    for (int j = 0; j < P / 2; j++) {
      u[j] = parked[place + j * P + P / 2 * THREADS];
      u[j + P / 2] = exchange[place + j * P];
    }
    __syncthreads();
    if (more) fetch(ahead, 0, P / 2, P);
    stepThree(u, y, steps, thread + THREADS);
  }
}
