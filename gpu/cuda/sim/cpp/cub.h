// What CUB has for a block, a warp and a thread, as far as kernels commonly use it. Memory is exchanged as CUB does it, behind
// barriers of the block: whoever uses it again needs one.
#pragma once

namespace cub {

#define BENCH_SIM_HERE bench_sim::Place at = bench_sim::here()
struct Sum { template <class T> T operator()(const T& a, const T& b) const { return a + b; } };
struct Difference { template <class T> T operator()(const T& a, const T& b) const { return a - b; } };
struct Max { template <class T> T operator()(const T& a, const T& b) const { return a < b ? b : a; } };
struct Min { template <class T> T operator()(const T& a, const T& b) const { return b < a ? b : a; } };
struct Equality { template <class T> bool operator()(const T& a, const T& b) const { return a == b; } };
struct Inequality { template <class T> bool operator()(const T& a, const T& b) const { return !(a == b); } };
template <class K, class V> struct KeyValuePair { typedef K Key; typedef V Value; K key; V value; };
struct ArgMax {
  template <class K, class V> KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const { return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a; }
};
struct ArgMin {
  template <class K, class V> KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const { return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a; }
};
struct NullType {};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

inline int rank_of_thread() { return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)); }
template <int dimensions = 1> inline int RowMajorTid(int, int, int) { return rank_of_thread(); }
inline unsigned LaneId() { return bench_sim::laneid(); }
template <CacheLoadModifier modifier, class T> inline T ThreadLoad(const T* p) { return *p; }
template <class T, int n, class Op> inline T ThreadReduce(const T (&v)[n], Op op) {
  T all = v[0];
  for (int i = 1; i < n; i++) all = op(all, v[i]);
  return all;
}

// One value of each of so many threads, which all see behind a barrier.
template <class T, int threads>
struct Exchanged {
  alignas(alignof(T) > 4 ? alignof(T) : 4) unsigned char bytes[sizeof(T) * threads];
  T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};
#define BENCH_SIM_STORAGE(threads, T)                                                        \
  typedef Exchanged<T, threads> TempStorage;                                                 \
  TempStorage& temp;                                                                         \
  static TempStorage& own() {                                                                \
    __shared__ TempStorage storage;                                                          \
    return storage;                                                                          \
  }

template <class T, int X, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int arch = 0>
struct BlockReduce {
  enum { THREADS = X * Y * Z };
  BENCH_SIM_STORAGE(THREADS, T)
  BlockReduce() : temp(own()) {}
  BlockReduce(TempStorage& t) : temp(t) {}
  template <class Op> T Reduce(T v, Op op, int valid, BENCH_SIM_HERE) {
    const int rank = rank_of_thread();
    temp[rank] = v;
    __syncthreads(at);
    if (rank == 0)
      for (int i = 1; i < valid; i++) v = op(v, temp[i]);
    return v;
  }
  template <class Op> T Reduce(T v, Op op, BENCH_SIM_HERE) { return Reduce(v, op, THREADS, at); }
  template <int n, class Op> T Reduce(T (&v)[n], Op op, BENCH_SIM_HERE) { return Reduce(ThreadReduce(v, op), op, THREADS, at); }
  T Sum(T v, BENCH_SIM_HERE) { return Reduce(v, cub::Sum(), THREADS, at); }
  T Sum(T v, int valid, BENCH_SIM_HERE) { return Reduce(v, cub::Sum(), valid, at); }
  template <int n> T Sum(T (&v)[n], BENCH_SIM_HERE) { return Reduce(v, cub::Sum(), at); }
};

template <class T, int X, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int arch = 0>
struct BlockScan {
  enum { THREADS = X * Y * Z };
  BENCH_SIM_STORAGE(THREADS, T)
  BlockScan() : temp(own()) {}
  BlockScan(TempStorage& t) : temp(t) {}
  // What the threads before this one combine to, of which there are none for the first, and what all do.
  template <class Op> bool before(T v, T& prefix, Op op, T& all, bench_sim::Place at) {
    const int rank = rank_of_thread();
    temp[rank] = v;
    __syncthreads(at);
    T sum = temp[0];
    for (int i = 1; i <= THREADS; i++) {
      if (i == rank) prefix = sum;
      if (i < THREADS) sum = op(sum, temp[i]);
    }
    all = sum;
    return rank > 0;
  }
  template <class Op> void InclusiveScan(T v, T& out, Op op, T& all, BENCH_SIM_HERE) {
    T prefix;
    const bool has = before(v, prefix, op, all, at);
    out = has ? op(prefix, v) : v;
  }
  template <class Op> void InclusiveScan(T v, T& out, Op op, BENCH_SIM_HERE) { T all; InclusiveScan(v, out, op, all, at); }
  template <class Op> void ExclusiveScan(T v, T& out, T initial, Op op, T& all, BENCH_SIM_HERE) {
    T prefix;
    const bool has = before(v, prefix, op, all, at);
    out = has ? op(initial, prefix) : initial;
  }
  template <class Op> void ExclusiveScan(T v, T& out, T initial, Op op, BENCH_SIM_HERE) { T all; ExclusiveScan(v, out, initial, op, all, at); }
  template <int n, class Op> void InclusiveScan(T (&v)[n], T (&out)[n], Op op, T& all, BENCH_SIM_HERE) {
    T prefix;
    const bool has = before(ThreadReduce(v, op), prefix, op, all, at);
    for (int i = 0; i < n; i++) out[i] = prefix = has || i ? op(prefix, v[i]) : v[i];
  }
  template <int n, class Op> void InclusiveScan(T (&v)[n], T (&out)[n], Op op, BENCH_SIM_HERE) { T all; InclusiveScan(v, out, op, all, at); }
  template <int n, class Op> void ExclusiveScan(T (&v)[n], T (&out)[n], T initial, Op op, T& all, BENCH_SIM_HERE) {
    T prefix;
    prefix = before(ThreadReduce(v, op), prefix, op, all, at) ? op(initial, prefix) : initial;
    for (int i = 0; i < n; i++) {
      const T next = op(prefix, v[i]);
      out[i] = prefix;
      prefix = next;
    }
  }
  template <int n, class Op> void ExclusiveScan(T (&v)[n], T (&out)[n], T initial, Op op, BENCH_SIM_HERE) { T all; ExclusiveScan(v, out, initial, op, all, at); }
  void InclusiveSum(T v, T& out, BENCH_SIM_HERE) { InclusiveScan(v, out, cub::Sum(), at); }
  void InclusiveSum(T v, T& out, T& all, BENCH_SIM_HERE) { InclusiveScan(v, out, cub::Sum(), all, at); }
  void ExclusiveSum(T v, T& out, BENCH_SIM_HERE) { ExclusiveScan(v, out, T(), cub::Sum(), at); }
  void ExclusiveSum(T v, T& out, T& all, BENCH_SIM_HERE) { ExclusiveScan(v, out, T(), cub::Sum(), all, at); }
  template <int n> void InclusiveSum(T (&v)[n], T (&out)[n], BENCH_SIM_HERE) { InclusiveScan(v, out, cub::Sum(), at); }
  template <int n> void InclusiveSum(T (&v)[n], T (&out)[n], T& all, BENCH_SIM_HERE) { InclusiveScan(v, out, cub::Sum(), all, at); }
  template <int n> void ExclusiveSum(T (&v)[n], T (&out)[n], BENCH_SIM_HERE) { ExclusiveScan(v, out, T(), cub::Sum(), at); }
  template <int n> void ExclusiveSum(T (&v)[n], T (&out)[n], T& all, BENCH_SIM_HERE) { ExclusiveScan(v, out, T(), cub::Sum(), all, at); }
};

template <class T, int lanes = 32, int arch = 0>
struct WarpReduce {
  struct TempStorage {};
  WarpReduce(TempStorage&) {}
  static unsigned mask() { return (lanes == 32 ? ~0u : (1u << (lanes & 31)) - 1) << (LaneId() / lanes * lanes); }
  template <class Op> T Reduce(T v, Op op, int valid, BENCH_SIM_HERE) {
    for (int by = 1; by < lanes; by *= 2) {
      const T other = __shfl_down_sync(mask(), v, static_cast<unsigned>(by), lanes, at);
      if (static_cast<int>(LaneId()) % lanes + by < valid) v = op(v, other);
    }
    return v;
  }
  template <class Op> T Reduce(T v, Op op, BENCH_SIM_HERE) { return Reduce(v, op, lanes, at); }
  T Sum(T v, BENCH_SIM_HERE) { return Reduce(v, cub::Sum(), lanes, at); }
  T Sum(T v, int valid, BENCH_SIM_HERE) { return Reduce(v, cub::Sum(), valid, at); }
};

template <class T, int lanes = 32, int arch = 0>
struct WarpScan {
  struct TempStorage {};
  WarpScan(TempStorage&) {}
  static int rank() { return static_cast<int>(LaneId()) % lanes; }
  template <class Op> void InclusiveScan(T v, T& out, Op op, BENCH_SIM_HERE) {
    for (int by = 1; by < lanes; by *= 2) {
      const T other = __shfl_up_sync(WarpReduce<T, lanes>::mask(), v, static_cast<unsigned>(by), lanes, at);
      if (rank() >= by) v = op(other, v);
    }
    out = v;
  }
  template <class Op> void InclusiveScan(T v, T& out, Op op, T& all, BENCH_SIM_HERE) {
    InclusiveScan(v, out, op, at);
    all = Broadcast(out, lanes - 1, at);
  }
  template <class Op> void ExclusiveScan(T v, T& out, T initial, Op op, BENCH_SIM_HERE) {
    InclusiveScan(v, v, op, at);
    v = __shfl_up_sync(WarpReduce<T, lanes>::mask(), v, 1u, lanes, at);
    out = rank() ? op(initial, v) : initial;
  }
  void InclusiveSum(T v, T& out, BENCH_SIM_HERE) { InclusiveScan(v, out, cub::Sum(), at); }
  void InclusiveSum(T v, T& out, T& all, BENCH_SIM_HERE) { InclusiveScan(v, out, cub::Sum(), all, at); }
  void ExclusiveSum(T v, T& out, BENCH_SIM_HERE) { ExclusiveScan(v, out, T(), cub::Sum(), at); }
  T Broadcast(T v, unsigned from, BENCH_SIM_HERE) { return __shfl_sync(WarpReduce<T, lanes>::mask(), v, static_cast<int>(from), lanes, at); }
};

template <class T, int X, int n, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int arch = 0>
struct BlockLoad {
  enum { THREADS = X * Y * Z };
  struct TempStorage {};
  BlockLoad() {}
  BlockLoad(TempStorage&) {}
  static int place(int i) { return algorithm == BLOCK_LOAD_STRIPED ? i * THREADS + rank_of_thread() : rank_of_thread() * n + i; }
  template <class P> void Load(P from, T (&v)[n]) {
    for (int i = 0; i < n; i++) v[i] = from[place(i)];
  }
  template <class P> void Load(P from, T (&v)[n], int valid) {
    for (int i = 0; i < n; i++)
      if (place(i) < valid) v[i] = from[place(i)];
  }
  template <class P, class D> void Load(P from, T (&v)[n], int valid, D otherwise) {
    for (int i = 0; i < n; i++) v[i] = place(i) < valid ? static_cast<T>(from[place(i)]) : static_cast<T>(otherwise);
  }
};

template <class T, int X, int n, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int arch = 0>
struct BlockStore {
  enum { THREADS = X * Y * Z };
  struct TempStorage {};
  BlockStore() {}
  BlockStore(TempStorage&) {}
  static int place(int i) { return algorithm == BLOCK_STORE_STRIPED ? i * THREADS + rank_of_thread() : rank_of_thread() * n + i; }
  template <class P> void Store(P to, T (&v)[n], int valid = THREADS * n) {
    for (int i = 0; i < n; i++)
      if (place(i) < valid) to[place(i)] = v[i];
  }
};

template <class T, int X, int n, bool timesliced = false, int Y = 1, int Z = 1, int arch = 0>
struct BlockExchange {
  enum { THREADS = X * Y * Z };
  BENCH_SIM_STORAGE(THREADS * n, T)
  BlockExchange() : temp(own()) {}
  BlockExchange(TempStorage& t) : temp(t) {}
  void BlockedToStriped(T (&v)[n], T (&out)[n], BENCH_SIM_HERE) {
    const int rank = rank_of_thread();
    for (int i = 0; i < n; i++) temp[rank * n + i] = v[i];
    __syncthreads(at);
    for (int i = 0; i < n; i++) out[i] = temp[i * THREADS + rank];
  }
  void StripedToBlocked(T (&v)[n], T (&out)[n], BENCH_SIM_HERE) {
    const int rank = rank_of_thread();
    for (int i = 0; i < n; i++) temp[i * THREADS + rank] = v[i];
    __syncthreads(at);
    for (int i = 0; i < n; i++) out[i] = temp[rank * n + i];
  }
  void BlockedToStriped(T (&v)[n], BENCH_SIM_HERE) { BlockedToStriped(v, v, at); }
  void StripedToBlocked(T (&v)[n], BENCH_SIM_HERE) { StripedToBlocked(v, v, at); }
};

template <class K, int X, int n, class V = NullType, int bits = 4, bool memoize = true, BlockScanAlgorithm scan = BLOCK_SCAN_WARP_SCANS, int config = 0, int Y = 1, int Z = 1, int arch = 0>
struct BlockRadixSort {
  enum { THREADS = X * Y * Z };
  struct Pair { K key; V value; };
  BENCH_SIM_STORAGE(THREADS * n, Pair)
  BlockRadixSort() : temp(own()) {}
  BlockRadixSort(TempStorage& t) : temp(t) {}
  // The bits in an order that is the keys'.
  static unsigned long long digits(K key, int first, int end) {
    unsigned long long b = 0;
    __builtin_memcpy(&b, &key, sizeof key);
    const int width = 8 * sizeof(K);
    const unsigned long long top = 1ull << (width - 1), all = top | (top - 1);
    if (K(0.5) != K(0)) b = b & top ? ~b & all : b | top;
    else if (K(-1) < K(0)) b ^= top;
    return b << (64 - end) >> (64 - end) >> first;
  }
  // Places are found by counting, which keeps the order of equal keys.
  void place(K (&keys)[n], V* values, int first, int end, bool down, bool striped, bench_sim::Place at) {
    const int rank = rank_of_thread();
    for (int i = 0; i < n; i++) {
      Pair p;
      p.key = keys[i];
      if (values) p.value = values[i];
      temp[rank * n + i] = p;
    }
    __syncthreads(at);
    int to[n];
    for (int i = 0; i < n; i++) {
      const unsigned long long mine = digits(keys[i], first, end);
      to[i] = 0;
      for (int j = 0; j < THREADS * n; j++) {
        const unsigned long long other = digits(temp[j].key, first, end);
        to[i] += (down ? other > mine : other < mine) || (other == mine && j < rank * n + i);
      }
    }
    __syncthreads(at);
    for (int i = 0; i < n; i++) {
      Pair p;
      p.key = keys[i];
      if (values) p.value = values[i];
      temp[to[i]] = p;
    }
    __syncthreads(at);
    for (int i = 0; i < n; i++) {
      const Pair p = temp[striped ? i * THREADS + rank : rank * n + i];
      keys[i] = p.key;
      if (values) values[i] = p.value;
    }
  }
#define BENCH_SIM_SORT(name, down, striped)                                                                                                                    \
  void name(K (&keys)[n], int first = 0, int end = 8 * sizeof(K), BENCH_SIM_HERE) { place(keys, nullptr, first, end, down, striped, at); }                      \
  void name(K (&keys)[n], V (&values)[n], int first = 0, int end = 8 * sizeof(K), BENCH_SIM_HERE) { place(keys, values, first, end, down, striped, at); }
  BENCH_SIM_SORT(Sort, false, false) BENCH_SIM_SORT(SortDescending, true, false) BENCH_SIM_SORT(SortBlockedToStriped, false, true)
  BENCH_SIM_SORT(SortDescendingBlockedToStriped, true, true)
#undef BENCH_SIM_SORT
};

template <class T, int X, int n, int bins, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int arch = 0>
struct BlockHistogram {
  enum { THREADS = X * Y * Z };
  struct TempStorage {};
  BlockHistogram() {}
  BlockHistogram(TempStorage&) {}
  template <class C> void InitHistogram(C (&counts)[bins]) {
    for (int i = rank_of_thread(); i < bins; i += THREADS) counts[i] = 0;
  }
  template <class C> void Composite(T (&v)[n], C (&counts)[bins], BENCH_SIM_HERE) {
    __syncthreads(at);
    for (int i = 0; i < n; i++) atomicAdd(counts + v[i], C(1));
    __syncthreads(at);
  }
  template <class C> void Histogram(T (&v)[n], C (&counts)[bins], BENCH_SIM_HERE) {
    InitHistogram(counts);
    Composite(v, counts, at);
  }
};
#undef BENCH_SIM_STORAGE
#undef BENCH_SIM_HERE

}  // namespace cub
