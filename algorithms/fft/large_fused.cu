// large_fused.cu: both passes of the FFT of N = STRIDE·SIZE elements in one
// kernel. The transforms are taken in chunks of CHUNK, small enough that what
// lies between the passes stays in the L2 cache: it neither goes to memory nor
// comes from there.
//
// All blocks run at once and stay; block b does items b, b + blocks, …. In
// round g, items are the tiles of pass 1 of chunk g, then those of pass 2 of
// chunk g - LAG; the RING places in `between` are taken in turn. An item waits
// only for earlier items, so that the earliest unfinished one never waits.
//
// Moves 16·N bytes a transform to and from memory and as many to and from L2,
// plus the twiddle tables.

#include "stockham.cuh"

#define TILES1 (CHUNK * STRIDE / COLUMNS)
#define TILES2 (CHUNK * SIZE / COLUMNS2)

#ifdef BENCH_SIM
typedef Plain Stream;
typedef Plain Kept;
#else
// Elements of input and output pass through L2 once and leave it first; those
// between the passes stay longest.
template <bool STAYS> struct Cached {
  static __device__ __forceinline__ unsigned long long policy() {
    unsigned long long p;
    if (STAYS) {
      asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(p));
    } else {
      asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(p));
    }
    return p;
  }
  static __device__ __forceinline__ Complex read(const Complex *at) {
    Complex z;
    asm volatile("ld.global.L2::cache_hint.v2.f32 {%0, %1}, [%2], %3;" : "=f"(z.x), "=f"(z.y) : "l"(at), "l"(policy()) : "memory");
    return z;
  }
  static __device__ __forceinline__ void write(Complex *at, Complex z) {
    asm volatile("st.global.L2::cache_hint.v2.f32 [%0], {%1, %2}, %3;" ::"l"(at), "f"(z.x), "f"(z.y), "l"(policy()) : "memory");
  }
};
typedef Cached<false> Stream;
typedef Cached<true> Kept;
#endif

// From and To are where a pass reads and writes.
template <class From, class To> struct Through {
  static __device__ __forceinline__ Complex read(const Complex *at) { return From::read(at); }
  static __device__ __forceinline__ void write(Complex *at, Complex z) { To::write(at, z); }
};

__device__ __forceinline__ unsigned look(const unsigned *p) {
#ifdef BENCH_SIM
  return atomicAdd(const_cast<unsigned *>(p), 0u);
#else
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
#endif
}

// Item is one tile's work. done counts the finished tiles of pass 1 of each
// chunk, then of pass 2; it is zero when the kernel begins.
struct Item {
  bool second, empty;
  int chunk, tile;
  const unsigned *needs; // must reach `least` first; null for nothing
  unsigned least;
  unsigned *counter;
};

__device__ __forceinline__ Item item(unsigned n, int chunks, unsigned *done) {
  const int round = n / (TILES1 + TILES2), place = n % (TILES1 + TILES2);
  unsigned *done1 = done, *done2 = done + chunks;
  Item t;
  t.second = place >= TILES1;
  t.tile = t.second ? place - TILES1 : place;
  t.chunk = t.second ? round - LAG : round;
  t.empty = t.chunk < 0 || t.chunk >= chunks; // also beyond the last item
  t.needs = nullptr;
  t.least = t.second ? TILES1 : TILES2;
  t.counter = nullptr;
  if (!t.empty) {
    t.counter = t.second ? &done2[t.chunk] : &done1[t.chunk];
    if (t.second) t.needs = &done1[t.chunk];
    if (!t.second && t.chunk >= RING) t.needs = &done2[t.chunk - RING];
  }
  return t;
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    fused(const Complex *in, Complex *out, Complex *between, const Complex *__restrict__ steps,
          const Complex *__restrict__ steps2, const Complex *__restrict__ turns, unsigned *done, int transforms) {
  typedef Pass<SIZE, COLUMNS, POINTS, RADIX, SPLIT, STRIDE, 1, 0, PAD_SHIFT, PAD_WIDTH, Through<Stream, Kept>> One;
  typedef Pass<STRIDE, COLUMNS2, POINTS, RADIX, SPLIT, SIZE, SIZE, FINE_BITS, PAD_SHIFT2, PAD_WIDTH2, Through<Kept, Stream>> Two;
  extern __shared__ Complex shared[];
  __shared__ bool ready[2];
  constexpr long long ELEMENTS = (long long)CHUNK * SIZE * STRIDE;
  const int chunks = (transforms + CHUNK - 1) / CHUNK;
  const unsigned items = unsigned(chunks + LAG) * (TILES1 + TILES2);
  int thread = threadIdx.x;
  int turn = 0;
  if (thread == 0) ready[0] = false;
  __syncthreads();
  for (unsigned n = blockIdx.x; n < items; n += gridDim.x, turn ^= 1) {
    asm volatile("" : "+r"(thread)); // keep no thread's constants in registers between the tiles
    const Item t = item(n, chunks, done);
    if (!ready[turn]) {
      if (thread == 0 && t.needs != nullptr) {
        while (look(t.needs) < t.least) {}
      }
      __syncthreads();
    }
    const long long held = transforms - t.chunk * CHUNK < CHUNK ? transforms - t.chunk * CHUNK : CHUNK;
    Complex *middle = between + (t.chunk % RING) * ELEMENTS;
    Complex v[POINTS];
    if (!t.empty) {
      if (t.second) {
        Two::load(v, middle, held * SIZE, t.tile, thread);
      } else {
        One::load(v, in + t.chunk * ELEMENTS, held * STRIDE, t.tile, thread);
      }
    }
    // Whether the next item can begin is seen while this one's elements come,
    // and that this one is done told while the next one's do.
    if (thread == 0) {
      const Item next = item(n + gridDim.x, chunks, done);
      ready[turn ^ 1] = next.needs == nullptr || look(next.needs) >= next.least;
    }
    if (!t.empty) {
      if (t.second) {
        Two::finish(v, out + t.chunk * ELEMENTS, steps2, turns, held * SIZE, t.tile, shared, thread);
      } else {
        One::finish(v, middle, steps, nullptr, held * STRIDE, t.tile, shared, thread);
      }
    }
    __syncthreads();
    if (thread == THREADS - 1 && t.counter != nullptr) {
      __threadfence();
      atomicAdd(t.counter, 1u);
    }
  }
}
