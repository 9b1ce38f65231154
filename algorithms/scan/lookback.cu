// Scan of long sequences in one pass over memory (Merrill and Garland,
// Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016): a block
// scans tiles of L·P elements and makes each tile's sum known; meanwhile a
// warp of its own adds up the sums of the tiles before, back to one whose
// whole prefix is known, and makes this tile's prefix known.
//
// Forward progress needs no order of blocks: a block takes tiles by tickets
// and finishes them in the order it took them, so that whatever a tile waits
// for belongs to a block that runs. It holds one ticket at first and LEAD
// ahead later: blocks that held several from the start would wait for each
// other's last.
//
// A launch leaves the memory as the next one needs it: tickets count on, each
// block takes LEAD beyond the last tile, and so ticket / (tiles + grid · LEAD)
// is the number of the launch. Launches take turns with two lists of states;
// each clears the other's.
//
// Further defines: BLOCKS, the blocks that a multiprocessor shall hold;
// STAGES, the tiles ahead that are copied to shared memory meanwhile (compute
// capability 8.0), each thread its own elements; W, of which 32·W states are
// asked for at once; BATCH 1 where there is one sequence only.

#include "scan.cuh"

enum { TILE = L * P, EMPTY = 0, SUM = 1, PREFIX = 2 };

// Words that blocks tell each other by. A word is read and written whole, and
// anew each time; order among words is left to fences.
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

// What a tile has made known: EMPTY, the SUM of its elements, or the PREFIX of
// the sequence up to its end. Known is what one word says of it; 0 is EMPTY.
#if TYPE == 32
// Sums of tiles are carried in double precision, in one word with the flag in
// its lowest two bits: relative precision 2^-50.
typedef double Carry;
typedef unsigned long long State, Known;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  write_word(s, (static_cast<unsigned long long>(__double_as_longlong(x)) & ~3ull) | flag);
}
__device__ __forceinline__ Known peek(const State* s) { return read_word(s); }
__device__ __forceinline__ unsigned flag_of(Known k) { return static_cast<unsigned>(k & 3); }
__device__ __forceinline__ Carry value_of(Known k, const State*) { return __longlong_as_double(static_cast<long long>(k & ~3ull)); }
__device__ __forceinline__ void clear(State* s) { *s = EMPTY; }
#elif TYPE == 64
// The values have words of their own, and fences order them with the flag.
typedef double Carry;
struct State { unsigned long long flag, sum, prefix; };
typedef unsigned Known;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  write_word(flag == PREFIX ? &s->prefix : &s->sum, static_cast<unsigned long long>(__double_as_longlong(x)));
  __threadfence();
  write_word(&s->flag, flag);
}
__device__ __forceinline__ Known peek(const State* s) { return static_cast<Known>(read_word(&s->flag)); }
__device__ __forceinline__ unsigned flag_of(Known k) { return k; }
__device__ __forceinline__ Carry value_of(Known k, const State* s) {
  __threadfence();
  return __longlong_as_double(static_cast<long long>(read_word(k == PREFIX ? &s->prefix : &s->sum)));
}
__device__ __forceinline__ void clear(State* s) { s->flag = EMPTY; }
#else
typedef unsigned Carry;
typedef unsigned long long State, Known;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) { write_word(s, static_cast<unsigned long long>(flag) << 32 | x); }
__device__ __forceinline__ Known peek(const State* s) { return read_word(s); }
__device__ __forceinline__ unsigned flag_of(Known k) { return static_cast<unsigned>(k >> 32); }
__device__ __forceinline__ Carry value_of(Known k, const State*) { return static_cast<unsigned>(k); }
__device__ __forceinline__ void clear(State* s) { *s = EMPTY; }
#endif

// The sum of the tiles before this one, the place-th of its sequence, whose
// states lie before s. The whole warp calls it. It asks for the states of the
// 32·W nearest tiles together until none is empty back to a known prefix: the
// blocks run nearly in step, and what is empty now will be known all at once.
__device__ __forceinline__ Carry look_back(const State* s, unsigned place, unsigned lane) {
  Carry sum = 0;
  for (unsigned from = lane + 1;; from += 32 * W) {  // this lane's nearest tile is so far before s
    Known known[W];
#pragma unroll
    for (int w = 0; w < W; w++) known[w] = 0;
    unsigned last[W];  // lane up to which tiles count, of each 32
    bool ended, waits;
    do {
#pragma unroll
      for (int w = 0; w < W; w++) {
        if (from + 32 * w <= place && flag_of(known[w]) == EMPTY) known[w] = peek(s - (from + 32 * w));
      }
      ended = waits = false;
#pragma unroll
      for (int w = 0; w < W; w++) {
        // Before the first tile lies nothing, which is a prefix.
        const bool exists = from + 32 * w <= place;
        const unsigned prefixes = __ballot_sync(ALL, !exists || flag_of(known[w]) == PREFIX);
        const unsigned empties = __ballot_sync(ALL, exists && flag_of(known[w]) == EMPTY);
        last[w] = prefixes ? __ffs(prefixes) : 32;
        if (ended) last[w] = 0;
        waits = waits || (last[w] > 0 && (empties & (~0u >> (32 - last[w]))) != 0);
        ended = ended || prefixes != 0;
      }
    } while (waits);
#pragma unroll
    for (int w = 0; w < W; w++) {
      if (lane < last[w] && from + 32 * w <= place) sum += value_of(known[w], s - (from + 32 * w));
    }
    if (ended) break;
  }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(ALL, sum, d);
  return sum;
}

struct Tile {
  long long at;    // first element of the tile
  int inside;      // elements of it in the sequence
  unsigned place;  // among the tiles of the sequence
};

__device__ __forceinline__ Tile locate(unsigned tile, long long length, unsigned per_sequence) {
  Tile t;
#if BATCH == 1
  t.place = tile;
  t.at = static_cast<long long>(tile) * TILE;
  long long left = length - t.at;
#else
  unsigned sequence = tile / per_sequence;
  t.place = tile - sequence * per_sequence;
  t.at = sequence * length + static_cast<long long>(t.place) * TILE;
  long long left = length - static_cast<long long>(t.place) * TILE;
#endif
  t.inside = left < TILE ? static_cast<int>(left) : TILE;
  return t;
}

__device__ __forceinline__ void load_tile(Vector (&v)[ROWS], const T* in, const Tile& t, int offset) {
  if (t.inside == TILE) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) v[r] = load(in + t.at + offset + r * ROW);
    return;
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
#pragma unroll
    for (int i = 0; i < VECTOR; i++) {
      int at = offset + r * ROW + i;
      v[r].x[i] = at < t.inside ? in[t.at + at] : T(0);
    }
  }
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

#if STAGES
// A thread's copy of one vector to shared memory, and the wait for its oldest
// copies; all but the newest PENDING groups are there then (CUDA, PTX ISA,
// cp.async).
__device__ __forceinline__ void copy_vector(T* to, const T* from) {
#ifdef BENCH_SIM
  for (int i = 0; i < VECTOR; i++) to[i] = from[i];
#else
  enum { BYTES = VECTOR * sizeof(T) };
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(at), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(at), "l"(from), "n"(static_cast<int>(VECTOR * sizeof(T))) : "memory");
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

__device__ __forceinline__ void copy_tile(T* stage, const T* in, const Tile& t, int offset) {
#pragma unroll
  for (int r = 0; r < ROWS; r++) copy_vector(stage + offset + r * ROW, in + t.at + offset + r * ROW);
}
#endif

enum { LEAD = STAGES > 0 ? STAGES : 1 };

// What the warps of a block tell each other about a tile. There are two, for
// tiles in turn, so that one barrier a tile is enough.
struct Board {
  T warps[WARPS];    // sums
  unsigned arrived;  // warps whose sum is there
  T prefix;          // of the sequence up to the tile
};

// The sum of the warps before this one, and of all.
__device__ __forceinline__ T sum_warps(const volatile T* warps, unsigned warp, unsigned lane, T& all) {
  T sum = scan_lanes<WARPS>(lane < WARPS ? warps[lane] : T(0), lane);
  T before = __shfl_sync(ALL, sum, warp > 0 ? warp - 1 : 0);
  all = __shfl_sync(ALL, sum, WARPS - 1);
  return warp > 0 ? before : T(0);
}

extern "C" __global__ void __launch_bounds__(L + 32, BLOCKS)
    scan(const T* __restrict__ in, T* __restrict__ out, State* states, unsigned long long* tickets, long long length,
         unsigned per_sequence, unsigned tiles) {
  __shared__ Board boards[2];
  __shared__ unsigned long long first;  // ticket of this launch
  __shared__ unsigned queue[LEAD + 1];  // tiles, the i-th of this block at i mod (LEAD + 1)
#if STAGES
  extern __shared__ __align__(16) unsigned char stages[];
  T* const staged = reinterpret_cast<T*>(stages);
#endif
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool guide = warp == WARPS;  // takes the tickets and looks back
  const unsigned long long per_launch = tiles + static_cast<unsigned long long>(gridDim.x) * LEAD;
  if (threadIdx.x == 0) {
    const unsigned long long ticket = atomicAdd(tickets, 1ull);
    first = ticket / per_launch * per_launch;
    queue[0] = static_cast<unsigned>(ticket - first);
    boards[0].arrived = boards[1].arrived = 0;
  }
  __syncthreads();
  const bool odd = first / per_launch & 1;
  State* const mine = states + (odd ? tiles : 0);
  State* const other = states + (odd ? 0 : tiles);
  const int offset = warp * WARP + lane * VECTOR;
  Vector v[ROWS];
  Tile t = locate(queue[0], length, per_sequence);
  if (queue[0] < tiles && !guide) load_tile(v, in, t, offset);
  unsigned held = 1;  // tiles that this block has taken
  unsigned turn = 0;  // the number of this tile
  for (; queue[turn % (LEAD + 1)] < tiles; turn++) {
    const unsigned tile = queue[turn % (LEAD + 1)];
    const unsigned taking = held < turn + LEAD ? 2 : 1;
    Board* const b = boards + turn % 2;
    T before[ROWS];
    Carry known = 0;
    if (guide) {
      unsigned long long ticket = 0, second = 0;
      if (lane == 0) {
        ticket = atomicAdd(tickets, 1ull);
        if (taking == 2) second = atomicAdd(tickets, 1ull);
        clear(other + tile);
      }
      known = look_back(mine + tile, t.place, lane);
      if (lane == 0) {
        b->prefix = static_cast<T>(known);
        queue[held % (LEAD + 1)] = static_cast<unsigned>(ticket - first);
        if (taking == 2) queue[(held + 1) % (LEAD + 1)] = static_cast<unsigned>(second - first);
      }
    } else {
      T total[ROWS];
      scan_rows<32, true>(v, before, total, lane);
      T rows = 0;
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        before[r] += rows;
        rows += total[r];
      }
      // The last warp to arrive makes the tile's sum known.
      unsigned place = 0;
      if (lane == 0) {
        static_cast<volatile T*>(b->warps)[warp] = rows;
        __threadfence_block();
        place = atomicAdd(&b->arrived, 1u);
      }
      if (__shfl_sync(ALL, place, 0) == WARPS - 1) {
        __threadfence_block();
        T all;
        sum_warps(b->warps, 0, lane, all);
        if (lane == 0) publish(mine + tile, SUM, all);
      }
    }
    __syncthreads();
    T all;
    T base = sum_warps(b->warps, guide ? 0 : warp, lane, all);
    if (guide) {
      if (lane == 0) {
        publish(mine + tile, PREFIX, known + all);
        b->arrived = 0;
      }
    } else {
#if STAGES
      // What the new tiles' stages held went to registers before the barrier.
      for (unsigned i = held; i < held + taking; i++) {
        const unsigned coming = queue[i % (LEAD + 1)];
        if (coming < tiles) {
          const Tile c = locate(coming, length, per_sequence);
          if (c.inside == TILE) copy_tile(staged + i % STAGES * TILE, in, c, offset);
        }
        end_group();
      }
#endif
      store_tile(out, v, before, base + b->prefix, t, offset);
    }
    held += taking;
    const unsigned next = queue[(turn + 1) % (LEAD + 1)];
    t = locate(next, length, per_sequence);
    if (next < tiles && !guide) {
#if STAGES
      if (t.inside == TILE) {
        if (turn + 1 >= STAGES) {
          wait_groups<STAGES - 1>();
        } else {
          wait_groups<0>();
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
          v[r].word = *reinterpret_cast<const Word<VECTOR * sizeof(T)>::type*>(staged + (turn + 1) % STAGES * TILE + offset + r * ROW);
        }
      } else {
        load_tile(v, in, t, offset);
      }
#else
      load_tile(v, in, t, offset);
#endif
    }
  }
  if (threadIdx.x == 0 && held < turn + LEAD) atomicAdd(tickets, static_cast<unsigned long long>(turn + LEAD - held));
}
