// block.cl: prefix sums in local memory. Kernel scan scans whole sequences within a work-group (versions lf and ks);
// kernels sums, offsets and tiles scan sequences of any length in three passes (version passes).
//
// Defines: TYPE (32 float, 64 double, 1 whole numbers), EXCLUSIVE, PATTERN of the steps of an exchange (0 Ladner and
// Fischer, 1 Kogge and Stone), P elements per work-item, L work-items per group; for kernel scan N and VECTOR, the elements of an access.
// Traffic: scan loads and stores every element once; sums loads it once more.

#if TYPE == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double Real;
#define OF(WIDTH) double##WIDTH
#elif TYPE == 1
typedef uint Real; // whose sums wrap around
#define OF(WIDTH) uint##WIDTH
#else
typedef float Real;
#define OF(WIDTH) float##WIDTH
#endif

// exchange scans the values of each WIDTH neighbouring work-items, for ROWS rows of L values together; own are a work-item's
// values. It returns with every work-item's inclusive sums in board, and all of them visible.
void exchange(__local Real *board, Real *own, const int rows, const int width) {
  const int t = get_local_id(0), place = t % width;
  for (int k = 0; k < rows; k++) board[k * L + t] = own[k];
  barrier(CLK_LOCAL_MEM_FENCE);
#if PATTERN == 1
  for (int step = 1; step < width; step *= 2) {
    for (int k = 0; k < rows; k++) {
      if (place >= step) own[k] = board[k * L + t - step] + own[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < rows; k++) board[k * L + t] = own[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  for (int step = 1; step < width; step *= 2) {
    if (place & step) {
      const int source = (t & ~(2 * step - 1)) + step - 1; // the last of the lower half
      for (int k = 0; k < rows; k++) {
        own[k] = board[k * L + source] + own[k];
        board[k * L + t] = own[k];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
}

#ifdef N
enum {
  ROWS = P / VECTOR,                               // of a group, each of L accesses
  WIDTH = N / VECTOR < L ? N / VECTOR : L,         // work-items that share a row of a sequence
  CHAIN = N / VECTOR > L ? N / VECTOR / L : 1      // rows of a sequence
};
#if VECTOR == 1
typedef Real Vector;
#elif VECTOR == 2
typedef OF(2) Vector;
#else
typedef OF(4) Vector;
#endif

typedef union {
  Vector word;
  Real x[VECTOR];
} Words;

__kernel __attribute__((reqd_work_group_size(L, 1, 1))) void
scan(__global const Vector *restrict in, __global Vector *restrict out, long elements) {
  __local Real board[ROWS * L];
  const int t = get_local_id(0), place = t % WIDTH;
  const long first = (long)get_group_id(0) * (ROWS * L) + t, end = elements / VECTOR;
  Words v[ROWS];
  Real own[ROWS];
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    v[k].word = first + k * L < end ? in[first + k * L] : (Vector)(0);
#pragma unroll
    for (int i = 1; i < VECTOR; i++) v[k].x[i] += v[k].x[i - 1];
    own[k] = v[k].x[VECTOR - 1];
  }
  exchange(board, own, ROWS, WIDTH);
  Real carry = 0; // the sum of the sequence's rows before
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (k % CHAIN == 0) carry = 0;
    Real before = place > 0 ? board[k * L + t - 1] : (Real)0;
    if (CHAIN > 1) {
      before += carry;
      carry += board[k * L + t - place + WIDTH - 1];
    }
#if EXCLUSIVE
#pragma unroll
    for (int i = VECTOR - 1; i > 0; i--) v[k].x[i] = v[k].x[i - 1] + before;
    v[k].x[0] = before;
#else
#pragma unroll
    for (int i = 0; i < VECTOR; i++) v[k].x[i] += before;
#endif
    if (first + k * L < end) out[first + k * L] = v[k].word;
  }
}
#else
// A tile is P·L neighbouring elements of a sequence; the last one of a sequence may be shorter. Group g has tile g % tiles of sequence
// g / tiles. Each work-item takes P neighbours, which lie in local memory with one place of padding after every 32.
#define PLACE(I) ((I) + ((I) >> 5))

// load brings a tile to board, and returns how many elements it has. at is its place.
int load(__local Real *board, __global const Real *in, long n, int tiles, long *at) {
  const long tile = get_group_id(0) % tiles, sequence = get_group_id(0) / tiles;
  const int count = (int)min((long)(P * L), n - tile * (P * L));
  *at = sequence * n + tile * (P * L);
  for (int i = get_local_id(0); i < P * L; i += L) board[PLACE(i)] = i < count ? in[*at + i] : (Real)0;
  barrier(CLK_LOCAL_MEM_FENCE);
  return count;
}

// own is the sum of a work-item's elements.
Real own_sum(__local const Real *board) {
  const int from = get_local_id(0) * P;
  Real sum = board[PLACE(from)];
#pragma unroll
  for (int i = 1; i < P; i++) sum += board[PLACE(from + i)];
  return sum;
}

__kernel __attribute__((reqd_work_group_size(L, 1, 1))) void
sums(__global const Real *restrict in, __global Real *restrict of_tiles, long n, int tiles) {
  __local Real board[PLACE(P * L) + 1], group[L];
  const int t = get_local_id(0);
  long at;
  load(board, in, n, tiles, &at);
  group[t] = own_sum(board);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = L / 2; step > 0; step /= 2) {
    if (t < step) group[t] += group[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) of_tiles[get_group_id(0)] = group[0];
}

// offsets replaces the sums of a sequence's tiles by the sums before them.
__kernel __attribute__((reqd_work_group_size(L, 1, 1))) void offsets(__global Real *of_tiles, int tiles) {
  __local Real board[L];
  const int t = get_local_id(0);
  __global Real *mine = of_tiles + (long)get_group_id(0) * tiles;
  Real carry = 0;
  for (int first = 0; first < tiles; first += L) {
    Real own = first + t < tiles ? mine[first + t] : (Real)0;
    exchange(board, &own, 1, L);
    if (first + t < tiles) mine[first + t] = t > 0 ? board[t - 1] + carry : carry;
    carry += board[L - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel __attribute__((reqd_work_group_size(L, 1, 1))) void
tiles(__global const Real *restrict in, __global Real *restrict out, __global const Real *restrict of_tiles, long n, int tiles) {
  __local Real board[PLACE(P * L) + 1], group[L];
  const int t = get_local_id(0), from = t * P;
  long at;
  const int count = load(board, in, n, tiles, &at);
  Real own = own_sum(board);
  exchange(group, &own, 1, L);
  Real sum = of_tiles[get_group_id(0)];
  if (t > 0) sum += group[t - 1];
#pragma unroll
  for (int i = 0; i < P; i++) {
    const Real x = board[PLACE(from + i)];
#if EXCLUSIVE
    board[PLACE(from + i)] = sum;
    sum += x;
#else
    sum += x;
    board[PLACE(from + i)] = sum;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < count; i += L) out[at + i] = board[PLACE(i)];
}
#endif
