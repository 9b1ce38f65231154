// Scan of long sequences in one pass over memory (Merrill and Garland,
// Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016): a block
// scans tiles of L·P elements and makes each tile's sum known; meanwhile a
// warp of its own adds up the sums of the tiles before, back to one whose
// whole prefix is known, and makes this tile's prefix known.
//
// Forward progress needs no order of blocks: a block takes tiles by a ticket
// and finishes them in the order it took them, so that whatever a tile waits
// for belongs to a block that runs.
//
// A launch leaves the memory as the next one needs it: tickets count on, each
// block takes AHEAD + 1 beyond the last tile, and so ticket / (tiles + grid ·
// (AHEAD + 1)) is the number of the launch. Launches take turns with two
// lists of states; each clears the other's.
//
// Further defines: BLOCKS, the blocks that a multiprocessor shall hold; AHEAD
// (1: the next tile is loaded before this one waits); W, of which 32·W states
// are asked for at once; BATCH 1 where there is one sequence only.

#include "scan.cuh"

enum { TILE = L * P, EMPTY = 0, SUM = 1, PREFIX = 2 };

// What a tile has made known: EMPTY, the SUM of its elements, or the PREFIX of
// the sequence up to its end.
#if TYPE == 32
// Sums of tiles are carried in double precision, in one word with the flag in
// its lowest two bits: relative precision 2^-50.
typedef double Carry;
typedef unsigned long long State, Known;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  *static_cast<volatile State*>(s) = (static_cast<unsigned long long>(__double_as_longlong(x)) & ~3ull) | flag;
}
__device__ __forceinline__ Known peek(const State* s) { return *static_cast<const volatile State*>(s); }
__device__ __forceinline__ unsigned flag_of(Known k) { return static_cast<unsigned>(k & 3); }
__device__ __forceinline__ Carry value_of(Known k, const State*) { return __longlong_as_double(static_cast<long long>(k & ~3ull)); }
__device__ __forceinline__ void clear(State* s) { *s = EMPTY; }
#elif TYPE == 64
// The values have words of their own, and fences order them with the flag.
typedef double Carry;
struct State { unsigned long long flag; double sum, prefix; };
typedef unsigned Known;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  *static_cast<volatile double*>(flag == PREFIX ? &s->prefix : &s->sum) = x;
  __threadfence();
  *static_cast<volatile unsigned long long*>(&s->flag) = flag;
}
__device__ __forceinline__ Known peek(const State* s) { return static_cast<Known>(*static_cast<const volatile unsigned long long*>(&s->flag)); }
__device__ __forceinline__ unsigned flag_of(Known k) { return k; }
__device__ __forceinline__ Carry value_of(Known k, const State* s) {
  __threadfence();
  return *static_cast<const volatile double*>(k == PREFIX ? &s->prefix : &s->sum);
}
__device__ __forceinline__ void clear(State* s) { s->flag = EMPTY; }
#else
typedef unsigned Carry;
typedef unsigned long long State, Known;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  *static_cast<volatile State*>(s) = static_cast<unsigned long long>(flag) << 32 | x;
}
__device__ __forceinline__ Known peek(const State* s) { return *static_cast<const volatile State*>(s); }
__device__ __forceinline__ unsigned flag_of(Known k) { return static_cast<unsigned>(k >> 32); }
__device__ __forceinline__ Carry value_of(Known k, const State*) { return static_cast<unsigned>(k); }
__device__ __forceinline__ void clear(State* s) { *s = EMPTY; }
#endif

// The sum of the tiles before this one, the place-th of its sequence, whose
// states lie before s. The whole warp calls it. It asks for the states of the
// 32·W nearest tiles at once, so that one wait for memory usually brings it
// back to a known prefix; then it goes through them from the nearest on and
// asks again for those that are still empty.
__device__ __forceinline__ Carry look_back(const State* s, unsigned place, unsigned lane) {
  Carry sum = 0;
  bool ended = false;
  for (unsigned from = 0; !ended; from += 32 * W) {
    Known known[W];
#pragma unroll
    for (int w = 0; w < W; w++) {
      unsigned distance = from + 32 * w + lane + 1;
      if (distance <= place) known[w] = peek(s - distance);
    }
#pragma unroll
    for (int w = 0; w < W; w++) {
      if (ended) break;
      const unsigned distance = from + 32 * w + lane + 1;
      const bool exists = distance <= place;
      unsigned last;  // lane of the nearest prefix; before the first tile lies nothing
      while (true) {
        unsigned prefixes = __ballot_sync(ALL, !exists || flag_of(known[w]) == PREFIX);
        ended = prefixes != 0;
        last = ended ? __ffs(prefixes) - 1 : 31;
        if ((__ballot_sync(ALL, exists && flag_of(known[w]) == EMPTY) & ((2u << last) - 1)) == 0) break;
        if (exists && flag_of(known[w]) == EMPTY) known[w] = peek(s - distance);
      }
      if (exists && lane <= last) sum += value_of(known[w], s - distance);
    }
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

// What the warps of a block tell each other about a tile. There are two, for
// tiles in turn, so that one barrier a tile is enough.
struct Board {
  T warps[WARPS];    // sums
  unsigned arrived;  // warps whose sum is there
  T prefix;          // of the sequence up to the tile
  unsigned next;     // tile to be loaded next
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
  __shared__ unsigned start[2];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool guide = warp == WARPS;  // takes the tickets and looks back
  const unsigned long long per_launch = tiles + static_cast<unsigned long long>(gridDim.x) * (AHEAD + 1);
  if (threadIdx.x == 0) {
    const unsigned long long ticket = atomicAdd(tickets, 1ull);
    first = ticket / per_launch * per_launch;
    start[0] = static_cast<unsigned>(ticket - first);
    if (AHEAD) start[1] = static_cast<unsigned>(atomicAdd(tickets, 1ull) - first);
    boards[0].arrived = boards[1].arrived = 0;
  }
  __syncthreads();
  unsigned tile = start[0];
  const bool odd = first / per_launch & 1;
  State* const mine = states + (odd ? tiles : 0);
  State* const other = states + (odd ? 0 : tiles);
  const int offset = warp * WARP + lane * VECTOR;
  Vector v[ROWS];
  Tile t = locate(tile, length, per_sequence);
  if (tile < tiles && !guide) load_tile(v, in, t, offset);
#if AHEAD
  unsigned coming = start[1];
  Vector ahead[ROWS];
#endif
  for (unsigned turn = 0; tile < tiles; turn ^= 1) {
    Board* const b = boards + turn;
    T before[ROWS];
    Carry known = 0;
#if AHEAD
    const Tile after = locate(coming, length, per_sequence);
#endif
    if (guide) {
      unsigned taken = 0;
      if (lane == 0) {
        taken = static_cast<unsigned>(atomicAdd(tickets, 1ull) - first);
        clear(other + tile);
      }
      known = look_back(mine + tile, t.place, lane);
      if (lane == 0) {
        b->prefix = static_cast<T>(known);
        b->next = taken;
      }
    } else {
#if AHEAD
      if (coming < tiles) load_tile(ahead, in, after, offset);
#endif
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
      store_tile(out, v, before, base + b->prefix, t, offset);
    }
#if AHEAD
    tile = coming;
    coming = b->next;
    t = after;
#pragma unroll
    for (int r = 0; r < ROWS; r++) v[r] = ahead[r];
#else
    tile = b->next;
    t = locate(tile, length, per_sequence);
    if (tile < tiles && !guide) load_tile(v, in, t, offset);
#endif
  }
}
