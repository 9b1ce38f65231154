// Scan of long sequences in one pass over memory. A tile of L·P elements needs
// the sum of what lies before it in its sequence; as in Merrill and Garland,
// Single-pass Parallel Prefix Scan with Decoupled Look-back (2016), every tile
// makes its own sum known and looks back at those of others.
//
// There it looks back to a tile whose whole prefix is known, so that prefixes
// pass along a chain of tiles, 32 or so a step, and a step takes a round trip
// to the L2 cache. Here no tile waits for another's prefix: the grid's G blocks
// are all resident and take tiles in turn, block b those numbered b + k·G. The prefix of a
// block's next tile is that of its last one and the sums of the G tiles from
// there on, which the block reads all together.
//
// What a tile waits for are sums of tiles before it. A block makes the sums of
// its tiles known AHEAD tiles before it needs their prefixes; nothing that it
// waits for meanwhile lies after them, so that the first tile without a prefix
// never waits.
//
// A state is marked with the launch's number modulo 3: every launch writes
// every state, so that no mark of an earlier launch is taken for this one's
// and nothing needs clearing.
//
// Further defines: BLOCKS, the blocks that a multiprocessor holds; STAGES, the
// tiles that a block holds in shared memory, each thread its own elements;
// ASYNC 1: they are copied there asynchronously (compute capability 8.0), 0: by
// way of registers; W, 32·W states are requested at once; BATCH 1 where there is
// one sequence only.

#include "scan.cuh"

enum { TILE = L * P, RING = AHEAD + 2 };

// Words by which blocks communicate. A word is read and written whole, and
// anew each time; each one says itself whether it is valid.
__device__ __forceinline__ unsigned long long read_word(const unsigned long long* p) {
#if defined(BENCH_SIM) || __CUDA_ARCH__ < 700
  return *static_cast<const volatile unsigned long long*>(p);
#else
  unsigned long long x;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
  return x;
#endif
}

__device__ __forceinline__ void write_word(unsigned long long* p, unsigned long long x) {
#if defined(BENCH_SIM) || __CUDA_ARCH__ < 700
  *static_cast<volatile unsigned long long*>(p) = x;
#else
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
#endif
}

// A tile's sum with the mark, 1 to 3, of the launch that made it known.
#if TYPE == 32
// Sums of tiles are carried in double precision, the mark in the lowest two
// bits: relative precision 2^-50.
typedef double Carry;
typedef unsigned long long State;
__device__ __forceinline__ void publish(State* s, unsigned mark, Carry x) {
  write_word(s, (static_cast<unsigned long long>(__double_as_longlong(x)) & ~3ull) | mark);
}
__device__ __forceinline__ State peek(const State* s) { return read_word(s); }
__device__ __forceinline__ bool known(State s, unsigned mark) { return (s & 3) == mark; }
__device__ __forceinline__ Carry value(State s) { return __longlong_as_double(static_cast<long long>(s & ~3ull)); }
#elif TYPE == 64
// Two words, each a mark and half of the value.
typedef double Carry;
struct State { unsigned long long low, high; };
__device__ __forceinline__ void publish(State* s, unsigned mark, Carry x) {
  const unsigned long long bits = static_cast<unsigned long long>(__double_as_longlong(x));
  const unsigned long long marked = static_cast<unsigned long long>(mark) << 32;
  write_word(&s->low, marked | (bits & 0xffffffffull));
  write_word(&s->high, marked | bits >> 32);
}
__device__ __forceinline__ State peek(const State* s) {
  State k;
  k.low = read_word(&s->low);
  k.high = read_word(&s->high);
  return k;
}
__device__ __forceinline__ bool known(const State& s, unsigned mark) { return s.low >> 32 == mark && s.high >> 32 == mark; }
__device__ __forceinline__ Carry value(const State& s) {
  return __longlong_as_double(static_cast<long long>(s.high << 32 | (s.low & 0xffffffffull)));
}
#else
typedef unsigned Carry;
typedef unsigned long long State;
__device__ __forceinline__ void publish(State* s, unsigned mark, Carry x) { write_word(s, static_cast<unsigned long long>(mark) << 32 | x); }
__device__ __forceinline__ State peek(const State* s) { return read_word(s); }
__device__ __forceinline__ bool known(State s, unsigned mark) { return s >> 32 == mark; }
__device__ __forceinline__ Carry value(State s) { return static_cast<unsigned>(s); }
#endif

// The sum of the count tiles whose states lie before s. The whole warp calls it.
__device__ __forceinline__ Carry look_back(const State* s, unsigned count, unsigned mark, unsigned lane) {
  Carry sum = 0;
  for (unsigned from = lane + 1; from <= count; from += 32 * W) {
    State states[W];
#pragma unroll
    for (int w = 0; w < W; w++) {
      if (from + 32 * w <= count) states[w] = peek(s - (from + 32 * w));
    }
#pragma unroll
    for (int w = 0; w < W; w++) {
      if (from + 32 * w <= count) {
        while (!known(states[w], mark)) states[w] = peek(s - (from + 32 * w));
        sum += value(states[w]);
      }
    }
  }
  __syncwarp();
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(ALL, sum, d);
  return sum;
}

struct Tile {
  long long at;  // first element of the tile
  int inside;    // elements of it in the sequence
};

__device__ __forceinline__ unsigned place_of(unsigned tile, unsigned per_sequence) {
#if BATCH == 1
  return tile;
#else
  return tile % per_sequence;
#endif
}

__device__ __forceinline__ Tile locate(unsigned tile, long long length, unsigned per_sequence) {
  const unsigned place = place_of(tile, per_sequence);
  const long long before = static_cast<long long>(place) * TILE, left = length - before;
  Tile t;
#if BATCH == 1
  t.at = before;
#else
  t.at = tile / per_sequence * length + before;
#endif
  t.inside = left < TILE ? static_cast<int>(left) : TILE;
  return t;
}

__device__ __forceinline__ void store_tile(T* out, const Vector (&v)[ROWS], const T (&before)[ROWS], T base, const Tile& t, int offset) {
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    Vector y = sums(v[r], base + before[r]);
    if (t.inside == TILE) {
      store(out + t.at + offset + r * ROW, y);
    } else {
#pragma unroll
      for (int i = 0; i < VECTOR; i++) {
        int at = offset + r * ROW + i;
        if (at < t.inside) out[t.at + at] = y.x[i];
      }
    }
  }
}

// How many of the vector's elements at this place lie in the sequence.
__device__ __forceinline__ int elements_of(const Tile& t, int at) { return max(0, min(t.inside - at, static_cast<int>(VECTOR))); }

__device__ __forceinline__ void read_stage(Vector (&v)[ROWS], const T* stage, int offset) {
#pragma unroll
  for (int r = 0; r < ROWS; r++) v[r].word = *reinterpret_cast<const Word<VECTOR * sizeof(T)>::type*>(stage + offset + r * ROW);
}

#if ASYNC
// A thread's copy of a vector to shared memory, zeros in place of all but the first
// elements of it; and the wait for its oldest copies: all but the newest PENDING groups
// are there then (CUDA, PTX ISA, cp.async).
__device__ __forceinline__ void copy_vector(T* to, const T* from, int elements) {
#ifdef BENCH_SIM
  for (int i = 0; i < VECTOR; i++) to[i] = i < elements ? from[i] : T(0);
#else
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to)), bytes = elements * sizeof(T);
  if (VECTOR * sizeof(T) == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(at), "l"(from), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" : : "r"(at), "l"(from), "n"(static_cast<int>(VECTOR * sizeof(T))), "r"(bytes) : "memory");
  }
#endif
}

__device__ __forceinline__ void end_group() {
#ifndef BENCH_SIM
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

template <int PENDING>
__device__ __forceinline__ void wait_groups() {
#ifndef BENCH_SIM
  asm volatile("cp.async.wait_group %0;" : : "n"(PENDING) : "memory");
#endif
}

// A tile on its way to its stage. A part of a vector, at a sequence's end, is copied by
// elements: cp.async reads no more than the part that it is told, but compute-sanitizer
// takes it for a read of all 16 bytes, beyond the array. One branch for all of the tile:
// one for each vector takes 1.48 times as long on an H100. The bytes are told even where
// they are all or none: where whole vectors had a branch of their own, without them,
// ptxas 13.0 had others read as well, beyond the array.
struct Coming {
  __device__ __forceinline__ void fetch(T* stage, const T* in, const Tile& t, int offset) {
    if (t.inside == TILE) {
#pragma unroll
      for (int r = 0; r < ROWS; r++) copy_vector(stage + offset + r * ROW, in + t.at + offset + r * ROW, VECTOR);
      return;
    }
#pragma unroll 1
    for (int r = 0; r < ROWS; r++) {
      const int at = offset + r * ROW, elements = elements_of(t, at);
      if (elements == 0 || elements == VECTOR) {
        copy_vector(stage + at, in + t.at + at, elements);
      } else {
        for (int i = 0; i < VECTOR; i++) stage[at + i] = i < elements ? in[t.at + at + i] : T(0);
      }
    }
  }
  __device__ __forceinline__ void put(T*, int) {}
};
#else
__device__ __forceinline__ void end_group() {}
template <int PENDING> __device__ __forceinline__ void wait_groups() {}

struct Coming {
  Vector v[ROWS];
  __device__ __forceinline__ void fetch(T*, const T* in, const Tile& t, int offset) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int at = offset + r * ROW;
      if (t.inside == TILE) {
        v[r] = load(in + t.at + at);
      } else {
#pragma unroll
        for (int i = 0; i < VECTOR; i++) v[r].x[i] = i < elements_of(t, at) ? in[t.at + at + i] : T(0);
      }
    }
  }
  __device__ __forceinline__ void put(T* stage, int offset) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) *reinterpret_cast<Word<VECTOR * sizeof(T)>::type*>(stage + offset + r * ROW) = v[r].word;
  }
};
#endif

// The sum of a warp's rows, in every lane.
__device__ __forceinline__ T sum_of(const Vector (&v)[ROWS]) {
  Vector s = v[0];
#pragma unroll
  for (int r = 1; r < ROWS; r++) {
#pragma unroll
    for (int i = 0; i < VECTOR; i++) s.x[i] += v[r].x[i];
  }
  T sum = s.x[0];
#pragma unroll
  for (int i = 1; i < VECTOR; i++) sum += s.x[i];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(ALL, sum, d);
  return sum;
}

// Scans a warp's rows and gives what lies before each thread's vectors in the
// warp.
__device__ __forceinline__ void scan_tile(Vector (&v)[ROWS], T (&before)[ROWS], unsigned lane) {
  T total[ROWS];
  scan_rows<32, true>(v, before, total, lane);
  T rows = total[0];
#pragma unroll
  for (int r = 1; r < ROWS; r++) {
    before[r] += rows;
    rows += total[r];
  }
}

// What the warps of a block share about a tile.
struct Board {
  T warps[WARPS];    // sums
  unsigned arrived;  // warps whose sum is there, of all tiles that took this board
};

extern "C" __global__ void __launch_bounds__(L + 32, BLOCKS)
    scan(const T* __restrict__ in, T* __restrict__ out, State* states, unsigned* counters, long long length,
         unsigned per_sequence, unsigned tiles) {
  __shared__ Board boards[RING];
  __shared__ T prefixes[2];  // of tiles in turn
  __shared__ unsigned launch;  // modulo 3
  extern __shared__ __align__(16) unsigned char stages[];
  T* const staged = reinterpret_cast<T*>(stages);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool guide = warp == WARPS;  // looks back
  if (threadIdx.x < RING) boards[threadIdx.x].arrived = 0;
  if (threadIdx.x == 0) launch = *static_cast<volatile unsigned*>(counters);
  __syncthreads();
  const unsigned mark = launch + 1;
  const int offset = warp * WARP + lane * VECTOR;
  Vector v[ROWS];
  Carry prefix = 0;
  Coming coming;
  if (!guide) {
    for (int i = 0; i < STAGES - AHEAD; i++) {
      const unsigned tile = blockIdx.x + i * gridDim.x;
      if (tile < tiles) {
        coming.fetch(staged + i * TILE, in, locate(tile, length, per_sequence), offset);
        coming.put(staged + i * TILE, offset);
      }
      end_group();
    }
  }
  for (int k = -AHEAD; k < 0 || blockIdx.x + k * gridDim.x < tiles; k++) {
    const unsigned tile = blockIdx.x + k * gridDim.x;  // meaningless where k < 0
    if (guide) {
      if (k >= 0) {
        const unsigned place = place_of(tile, per_sequence);
        if (place < gridDim.x) prefix = 0;
        prefix += look_back(states + tile, min(place, gridDim.x), mark, lane);
        if (lane == 0) prefixes[k & 1] = static_cast<T>(prefix);
      }
    } else {
      const unsigned next = blockIdx.x + (k + AHEAD) * gridDim.x;
      if (next < tiles) {
        wait_groups<STAGES - AHEAD - 1>();
        read_stage(v, staged + (k + AHEAD) % STAGES * TILE, offset);
        const T sum = sum_of(v);
        // The last warp to arrive makes the tile's sum known.
        Board* const b = boards + (k + AHEAD) % RING;
        unsigned arrived = 0;
        if (lane == 0) {
          static_cast<volatile T*>(b->warps)[warp] = sum;
          __threadfence_block();
          arrived = atomicAdd(&b->arrived, 1u) % WARPS;
        }
        if (__shfl_sync(ALL, arrived, 0) == WARPS - 1) {
          __threadfence_block();
          T all = lane < WARPS ? static_cast<volatile T*>(b->warps)[lane] : T(0);
#pragma unroll
          for (int d = WARPS / 2; d > 0; d /= 2) all += __shfl_xor_sync(ALL, all, d);
          if (lane == 0) publish(states + next, mark, all);
        }
      }
    }
    __syncthreads();
    if (guide) continue;
    // The stage of this tile then takes the tile of STAGES turns later.
    T* const stage = staged + (k + STAGES) % STAGES * TILE;
    const unsigned later = blockIdx.x + (k + STAGES) * gridDim.x;
    if (k >= 0) read_stage(v, stage, offset);
    if (later < tiles) coming.fetch(stage, in, locate(later, length, per_sequence), offset);
    end_group();
    if (k >= 0) {
      T before[ROWS];
      scan_tile(v, before, lane);
      const T inclusive = scan_lanes<WARPS>(lane < WARPS ? boards[k % RING].warps[lane] : T(0), lane);
      T base = __shfl_sync(ALL, inclusive, warp > 0 ? warp - 1 : 0);
      base = warp > 0 ? prefixes[k & 1] + base : prefixes[k & 1];
      store_tile(out, v, before, base, locate(tile, length, per_sequence), offset);
    }
    if (later < tiles) coming.put(stage, offset);
  }
  // The last block to finish counts the launch.
  if (threadIdx.x == 0 && atomicAdd(counters + 1, 1u) == gridDim.x - 1) {
    counters[0] = (launch + 1) % 3;
    counters[1] = 0;
  }
}
