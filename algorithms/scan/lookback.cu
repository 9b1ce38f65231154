// Scan of long sequences in one pass over memory (Merrill and Garland,
// Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016): a block
// scans tiles of L·P elements, makes each tile's sum known, adds up the sums
// of the tiles before it back to one whose whole prefix is known, and makes
// its own prefix known.
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
// Further defines: BLOCKS, the blocks that a multiprocessor shall hold; AHEAD (1:
// the next tile is loaded before this one waits); W states a lane looks at;
// BATCH 1 where there is one sequence only.
#include "scan.cuh"

enum { TILE = L * P, EMPTY = 0, SUM = 1, PREFIX = 2 };

// What a tile has made known: EMPTY, the SUM of its elements, or the PREFIX of
// the sequence up to its end.
#if TYPE == 32
// Sums of tiles are carried in double precision, in one word with the flag in
// its lowest two bits: relative precision 2^-50.
typedef double Carry;
typedef unsigned long long State;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  *static_cast<volatile State*>(s) = (static_cast<unsigned long long>(__double_as_longlong(x)) & ~3ull) | flag;
}
__device__ __forceinline__ unsigned read(const State* s, Carry& x) {
  State word = *static_cast<const volatile State*>(s);
  x = __longlong_as_double(static_cast<long long>(word & ~3ull));
  return static_cast<unsigned>(word & 3);
}
__device__ __forceinline__ void clear(State* s) { *s = EMPTY; }
#elif TYPE == 64
// The values have words of their own, and fences order them with the flag.
typedef double Carry;
struct State { unsigned long long flag; double sum, prefix; };
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  *static_cast<volatile double*>(flag == PREFIX ? &s->prefix : &s->sum) = x;
  __threadfence();
  *static_cast<volatile unsigned long long*>(&s->flag) = flag;
}
__device__ __forceinline__ unsigned read(const State* s, Carry& x) {
  unsigned flag = static_cast<unsigned>(*static_cast<const volatile unsigned long long*>(&s->flag));
  __threadfence();
  x = *static_cast<const volatile double*>(flag == PREFIX ? &s->prefix : &s->sum);
  return flag;
}
__device__ __forceinline__ void clear(State* s) { s->flag = EMPTY; }
#else
typedef unsigned Carry;
typedef unsigned long long State;
__device__ __forceinline__ void publish(State* s, unsigned flag, Carry x) {
  *static_cast<volatile State*>(s) = static_cast<unsigned long long>(flag) << 32 | x;
}
__device__ __forceinline__ unsigned read(const State* s, Carry& x) {
  State word = *static_cast<const volatile State*>(s);
  x = static_cast<unsigned>(word);
  return static_cast<unsigned>(word >> 32);
}
__device__ __forceinline__ void clear(State* s) { *s = EMPTY; }
#endif

// The sum of the tiles before this one, the place-th of its sequence, whose
// states lie before s. The whole warp calls it.
__device__ __forceinline__ Carry look_back(const State* s, unsigned place, unsigned lane) {
  Carry before = 0;
  for (long long nearest = place; nearest > 0; nearest -= 32 * W) {
    // This lane's W tiles, and what the nearer ones up to a prefix add up to.
    Carry sum = 0;
    bool ends = false;
#pragma unroll
    for (int w = 0; w < W; w++) {
      long long distance = place - nearest + lane * W + w + 1;
      Carry x = 0;
      unsigned flag = PREFIX;  // before the first tile lies nothing
      if (distance <= place) {
        while ((flag = read(s - distance, x)) == EMPTY) {
        }
      }
      if (!ends) sum += x;
      ends = ends || flag == PREFIX;
    }
    unsigned ended = __ballot_sync(ALL, ends);
    unsigned last = ended ? __ffs(ended) - 1 : 31;
    if (lane > last) sum = 0;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(ALL, sum, d);
    before += sum;
    if (ended) break;
  }
  return before;
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

extern "C" __global__ void __launch_bounds__(L, BLOCKS) scan(const T* __restrict__ in, T* __restrict__ out, State* states,
                                                        unsigned long long* tickets, long long length, unsigned per_sequence,
                                                        unsigned tiles) {
  __shared__ unsigned start, next;
  __shared__ unsigned long long round;
  __shared__ T warps[32];
  __shared__ T prefix;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int offset = warp * WARP + lane * VECTOR;
  const unsigned long long per_launch = tiles + static_cast<unsigned long long>(gridDim.x) * (AHEAD + 1);
  unsigned long long first = 0;  // ticket of this launch; of thread 0 only
  unsigned coming = 0;           // the tile after the next, of thread 0 only
  if (threadIdx.x == 0) {
    unsigned long long ticket = atomicAdd(tickets, 1ull);
    round = ticket / per_launch;
    first = round * per_launch;
    start = static_cast<unsigned>(ticket - first);
#if AHEAD
    coming = static_cast<unsigned>(atomicAdd(tickets, 1ull) - first);
#endif
  }
  __syncthreads();
  unsigned tile = start;
  State* mine = states + (round & 1 ? tiles : 0);
  State* other = states + (round & 1 ? 0 : tiles);
  Vector v[ROWS];
  Tile t;
  if (tile < tiles) {
    t = locate(tile, length, per_sequence);
    load_tile(v, in, t, offset);
  }
  while (tile < tiles) {
    if (threadIdx.x == 0) {
#if AHEAD
      next = coming;
      coming = static_cast<unsigned>(atomicAdd(tickets, 1ull) - first);
#else
      next = static_cast<unsigned>(atomicAdd(tickets, 1ull) - first);
#endif
      clear(other + tile);
    }
    T before[ROWS], total[ROWS];
    scan_rows<32, true>(v, before, total, lane);
    T rows = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      before[r] += rows;
      rows += total[r];
    }
    if (lane == 0) warps[warp] = rows;
    __syncthreads();
    T sum = scan_lanes<WARPS>(lane < WARPS ? warps[lane] : T(0), lane);
    T base = __shfl_sync(ALL, sum, warp > 0 ? warp - 1 : 0);
    if (warp == 0) base = 0;
    T all = __shfl_sync(ALL, sum, WARPS - 1);
    unsigned following = next;
#if AHEAD
    Vector ahead[ROWS];
    Tile after;
    if (following < tiles) {
      after = locate(following, length, per_sequence);
      load_tile(ahead, in, after, offset);
    }
#endif
    if (warp == 0) {
      if (lane == 0) publish(mine + tile, t.place == 0 ? PREFIX : SUM, all);
      Carry known = look_back(mine + tile, t.place, lane);
      if (lane == 0) {
        if (t.place > 0) publish(mine + tile, PREFIX, known + all);
        prefix = static_cast<T>(known);
      }
    }
    __syncthreads();
    store_tile(out, v, before, base + prefix, t, offset);
    tile = following;
    if (tile < tiles) {
#if AHEAD
      t = after;
#pragma unroll
      for (int r = 0; r < ROWS; r++) v[r] = ahead[r];
#else
      t = locate(tile, length, per_sequence);
      load_tile(v, in, t, offset);
#endif
    }
  }
}
